/* The scanner for any machine: eight bytes in a word at a time. */
#include "json/engine.h"

typedef struct {
  uint64_t word[8];
} block;

#define ONES 0x0101010101010101u
#define TOPS 0x8080808080808080u

/* The first byte becomes the lowest. */
static inline uint64_t load8(const unsigned char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

static inline block block_load(const unsigned char *p) {
  block b;
  for (size_t i = 0; i < 8; i++) b.word[i] = load8(p + 8 * i);
  return b;
}

#define BLOCK_LOAD(p) block_load(p)

/* The top bit of each byte that is c, the rest 0. Exact for every byte: no carry leaves it. */
static inline uint64_t bytes_are(uint64_t word, unsigned char c) {
  uint64_t off = word ^ ONES * c;
  return ~(((off & ~TOPS) + ~TOPS) | off) & TOPS;
}

static inline uint64_t bytes_below_space(uint64_t word) {
  uint64_t clear = word & ~TOPS;
  return ~((clear + ONES * (0x80 - ' ')) | word) & TOPS;
}

/* From top bits to eight bits in a row: the multiplication gathers them in the highest byte. */
static inline uint64_t gather(uint64_t tops) { return (tops >> 7) * 0x0102040810204080u >> 56; }

static inline uint64_t block_is(block b, char c) {
  uint64_t mask = 0;
  for (size_t i = 0; i < 8; i++) mask |= gather(bytes_are(b.word[i], (unsigned char)c)) << 8 * i;
  return mask;
}

static inline uint64_t block_special(block b) {
  uint64_t mask = 0;
  for (size_t i = 0; i < 8; i++) mask |= gather(bytes_below_space(b.word[i]) | (b.word[i] & TOPS)) << 8 * i;
  return mask;
}

static inline uint64_t block_high(block b) {
  uint64_t mask = 0;
  for (size_t i = 0; i < 8; i++) mask |= gather(b.word[i] & TOPS) << 8 * i;
  return mask;
}

#define RUN 8

static inline size_t plain_run(const unsigned char *p) {
  uint64_t word = load8(p);
  uint64_t stop = bytes_are(word, '"') | bytes_are(word, '\\') | bytes_below_space(word) | (word & TOPS);
  return stop ? (size_t)__builtin_ctzll(stop) / 8 : RUN;
}

#include "json/engine_plain.inc"

#define ENGINE ts_json_engine_portable
#include "json/engine.inc"
