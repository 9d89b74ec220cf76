#include "base/utf8.h"

#include <utf8proc.h>

/* Lead byte -> length and the range of the second byte: table 3-7 of the Unicode Standard. */
static uint32_t next_scalar(struct ts_str s, size_t *at, bool surrogates) {
  const unsigned char *p = (const unsigned char *)s.ptr + *at;
  size_t left = s.len - *at;
  unsigned lead = p[0];
  *at += 1;
  if (lead < 0x80) return lead;
  if (lead < 0xc2 || lead > 0xf4) return TS_UTF8_BAD;
  size_t more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  unsigned high = lead == 0xed && !surrogates ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (left <= more || p[1] < low || p[1] > high) return TS_UTF8_BAD;
  uint32_t c = lead & (0x3fu >> more);
  for (size_t i = 1; i <= more; i++) {
    if ((p[i] & 0xc0) != 0x80) return TS_UTF8_BAD;
    c = c << 6 | (p[i] & 0x3fu);
  }
  *at += more;
  return c;
}

uint32_t ts_utf8_next(struct ts_str s, size_t *at) { return next_scalar(s, at, false); }
uint32_t ts_wtf8_next(struct ts_str s, size_t *at) { return next_scalar(s, at, true); }

void ts_utf8_put(struct ts_buf *out, uint32_t c) {
  if (c < 0x80) {
    ts_buf_addc(out, (char)c);
    return;
  }
  char bytes[4];
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i > 0; i--, c >>= 6) bytes[i] = (char)(0x80 | (c & 0x3f));
  bytes[0] = (char)(((0xf00u >> n) & 0xf0u) | c); /* n leading ones: C0, E0, F0 */
  ts_buf_add(out, ts_str(bytes, n));
}

static bool is_ascii_word(const char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return (word & 0x8080808080808080u) == 0;
}

size_t ts_utf8_valid(struct ts_str s) {
  size_t at = 0;
  while (at < s.len) {
    if (s.len - at >= 8 && is_ascii_word(s.ptr + at)) {
      at += 8;
      continue;
    }
    size_t from = at;
    if (ts_utf8_next(s, &at) == TS_UTF8_BAD) return from;
  }
  return s.len;
}

size_t ts_utf8_count(struct ts_str s) {
  size_t count = 0;
  for (size_t at = 0; at < s.len; count++) (void)ts_utf8_next(s, &at);
  return count;
}

size_t ts_utf8_grapheme(struct ts_str s) {
  utf8proc_int32_t state = 0;
  size_t at = 0;
  if (s.len == 0) return 0;
  uint32_t before = ts_utf8_next(s, &at);
  while (at < s.len) {
    size_t from = at;
    uint32_t c = ts_utf8_next(s, &at);
    bool whole = before != TS_UTF8_BAD && c != TS_UTF8_BAD;
    if (!whole || utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)c, &state)) return from;
    before = c;
  }
  return s.len;
}

/* Vowels and final consonants of conjoining Hangul stand inside the syllable that the initial one opened. */
static bool is_inner_jamo(uint32_t c) { return c >= 0x1160 && c <= 0x11ff; }

size_t ts_utf8_width(struct ts_str s) {
  size_t width = 0;
  for (size_t at = 0; at < s.len;) {
    uint32_t c = ts_utf8_next(s, &at);
    int columns = c == TS_UTF8_BAD ? 1 : utf8proc_charwidth((utf8proc_int32_t)c);
    if (columns > 0 && !is_inner_jamo(c)) width += (size_t)columns;
  }
  return width;
}
