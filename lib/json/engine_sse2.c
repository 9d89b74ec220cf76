/* The scanner for any x86-64: four 16-byte registers hold a block. */
#include "json/engine.h"

#if TS_JSON_X86

#include <emmintrin.h>

typedef struct {
  __m128i part[4];
} block;

static inline __m128i load16(const unsigned char *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }

static inline uint64_t mask64(__m128i a, __m128i b, __m128i c, __m128i d) {
  uint64_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
  uint64_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
  return low | high << 32;
}

#define BLOCK_LOAD(p) ((block){ { load16(p), load16((p) + 16), load16((p) + 32), load16((p) + 48) } })

static inline uint64_t block_is(block b, char c) {
  __m128i all = _mm_set1_epi8(c);
  return mask64(_mm_cmpeq_epi8(b.part[0], all), _mm_cmpeq_epi8(b.part[1], all), _mm_cmpeq_epi8(b.part[2], all),
                _mm_cmpeq_epi8(b.part[3], all));
}

/* Signed, the bytes above 0x7f are below 0x20 too. */
static inline uint64_t block_special(block b) {
  __m128i space = _mm_set1_epi8(' ');
  return mask64(_mm_cmplt_epi8(b.part[0], space), _mm_cmplt_epi8(b.part[1], space), _mm_cmplt_epi8(b.part[2], space),
                _mm_cmplt_epi8(b.part[3], space));
}

static inline uint64_t block_high(block b) { return mask64(b.part[0], b.part[1], b.part[2], b.part[3]); }

#define RUN 16

static inline size_t plain_run(const unsigned char *p) {
  __m128i v = load16(p);
  __m128i stop = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
  stop = _mm_or_si128(stop, _mm_cmplt_epi8(v, _mm_set1_epi8(' ')));
  unsigned mask = (unsigned)_mm_movemask_epi8(stop);
  return mask ? (size_t)__builtin_ctz(mask) : RUN;
}

#include "json/engine_plain.inc"

#define ENGINE ts_json_engine_sse2
#include "json/engine.inc"

#else
typedef int ts_json_no_sse2; /* ISO C wants a declaration in every file */
#endif
