/* The scanner for x86-64 with AVX2: two 32-byte registers hold a block. */
#include "json/engine.h"

#if TS_JSON_X86

#include <immintrin.h>

/* The functions below may use the instructions whatever the compiler's flags: scan.c asks the processor first. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

typedef struct {
  __m256i low, high;
} block;

static inline __m256i load32(const unsigned char *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }

static inline uint64_t mask64(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

#define BLOCK_LOAD(p) ((block){ load32(p), load32((p) + 32) })

static inline uint64_t block_is(block b, char c) {
  __m256i all = _mm256_set1_epi8(c);
  return mask64(_mm256_cmpeq_epi8(b.low, all), _mm256_cmpeq_epi8(b.high, all));
}

/* Signed, the bytes above 0x7f are below 0x20 too. */
static inline uint64_t block_special(block b) {
  __m256i space = _mm256_set1_epi8(' ');
  return mask64(_mm256_cmpgt_epi8(space, b.low), _mm256_cmpgt_epi8(space, b.high));
}

static inline uint64_t block_high(block b) { return mask64(b.low, b.high); }

/* '/', 'b', 'f', 'n', 'r' and 't' have low halves of their own, except that 'b' and 'r' share one: a look-up by the low
 * half gives the byte that must stand there, and 'b' is asked for apart. (The look-up of a byte above 0x7f gives 0.) */
static inline __m256i plain_escapes(__m256i v) {
  const __m256i table = _mm256_setr_epi8(1, 0, 'r', 0, 't', 0, 'f', 0, 0, 0, 0, 0, 0, 0, 'n', '/', 1, 0, 'r', 0, 't', 0,
                                         'f', 0, 0, 0, 0, 0, 0, 0, 'n', '/');
  __m256i found = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, v), v);
  return _mm256_or_si256(found, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('b')));
}

static inline uint64_t block_plain_escapes(block b, const unsigned char *raw, uint64_t escaped) {
  (void)raw;
  return escaped & mask64(plain_escapes(b.low), plain_escapes(b.high));
}

#define RUN 32

static inline size_t plain_run(const unsigned char *p) {
  __m256i v = load32(p);
  __m256i stop =
      _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')), _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
  stop = _mm256_or_si256(stop, _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v));
  uint32_t mask = (uint32_t)_mm256_movemask_epi8(stop);
  return mask ? (size_t)__builtin_ctz(mask) : RUN;
}

#include "json/utf8_avx2.inc"

#define ENGINE ts_json_engine_avx2
#include "json/engine.inc"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else
typedef int ts_json_no_avx2; /* ISO C wants a declaration in every file */
#endif
