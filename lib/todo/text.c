#include "todo/text.h"

#include "base/utf8.h"

enum {
  JS = TS_CHAR_SPACE_JS,
  RUST = TS_CHAR_SPACE_RUST,
  BOTH = JS | RUST,
  CONTROL = TS_CHAR_CONTROL,
  BREAK = TS_CHAR_BREAK,
  BIDI = TS_CHAR_BIDI,
  IGNORED = TS_CHAR_IGNORABLE,
  JOINT = TS_CHAR_JOINT,
};

/* Ascending and disjoint. White space: ECMAScript's WhiteSpace and LineTerminator, Unicode's White_Space;
 * the rest: DerivedCoreProperties.txt and Bidi_Control of PropList.txt. */
static const struct range {
  uint32_t first, last;
  unsigned kinds;
} ranges[] = {
  { 0x0000, 0x0008, CONTROL },
  { 0x0009, 0x000d, CONTROL | BOTH },
  { 0x000e, 0x001f, CONTROL },
  { 0x0020, 0x0020, BOTH },
  { 0x007f, 0x0084, CONTROL },
  { 0x0085, 0x0085, CONTROL | RUST },
  { 0x0086, 0x009f, CONTROL },
  { 0x00a0, 0x00a0, BOTH },
  { 0x00ad, 0x00ad, IGNORED },
  { 0x034f, 0x034f, IGNORED },
  { 0x061c, 0x061c, BIDI | IGNORED },
  { 0x115f, 0x1160, IGNORED },
  { 0x1680, 0x1680, BOTH },
  { 0x17b4, 0x17b5, IGNORED },
  { 0x180b, 0x180f, IGNORED },
  { 0x2000, 0x200a, BOTH },
  { 0x200b, 0x200b, IGNORED },
  { 0x200c, 0x200d, IGNORED | JOINT },
  { 0x200e, 0x200f, BIDI | IGNORED },
  { 0x2028, 0x2029, BOTH | BREAK },
  { 0x202a, 0x202e, BIDI | IGNORED },
  { 0x202f, 0x202f, BOTH },
  { 0x205f, 0x205f, BOTH },
  { 0x2060, 0x2065, IGNORED },
  { 0x2066, 0x2069, BIDI | IGNORED },
  { 0x206a, 0x206f, IGNORED },
  { 0x3000, 0x3000, BOTH },
  { 0x3164, 0x3164, IGNORED },
  { 0xfe00, 0xfe0f, IGNORED | JOINT },
  { 0xfeff, 0xfeff, JS | IGNORED },
  { 0xffa0, 0xffa0, IGNORED },
  { 0xfff0, 0xfffb, IGNORED },
  { 0x1bca0, 0x1bca3, IGNORED },
  { 0x1d173, 0x1d17a, IGNORED },
  { 0xe0000, 0xe0fff, IGNORED },
};

unsigned ts_char_kinds(uint32_t scalar) {
  if (scalar > 0x20 && scalar < 0x7f) return 0;
  size_t low = 0, high = TS_COUNT(ranges);
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (scalar > ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < TS_COUNT(ranges) && scalar >= ranges[low].first ? ranges[low].kinds : 0;
}

struct ts_str ts_todo_trim_end(struct ts_str s, unsigned kinds) {
  while (s.len > 0) {
    size_t at = s.len - 1; /* back to the first byte of the last character */
    while (at > 0 && s.len - at < 4 && ((unsigned char)s.ptr[at] & 0xc0) == 0x80) at--;
    size_t after = at;
    if (!(ts_char_kinds(ts_wtf8_next(s, &after)) & kinds) || after != s.len) break;
    s.len = at;
  }
  return s;
}

struct ts_str ts_todo_trim(struct ts_str s, unsigned kinds) {
  size_t from = 0;
  while (from < s.len) {
    size_t after = from;
    if (!(ts_char_kinds(ts_wtf8_next(s, &after)) & kinds)) break;
    from = after;
  }
  return ts_todo_trim_end(ts_str_sub(s, from, s.len), kinds);
}

size_t ts_todo_bad_bytes(struct ts_str s, size_t at) {
  const unsigned char *p = (const unsigned char *)s.ptr + at;
  size_t left = s.len - at, whole = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4, n = 2;
  unsigned low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
  unsigned high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
  bool begins = p[0] >= 0xc2 && p[0] <= 0xf4 && left > 1 && p[1] >= low && p[1] <= high;
  if (!begins) return 1;
  while (n < whole && n < left && (p[n] & 0xc0) == 0x80) n++;
  return n;
}

void ts_todo_add_utf8(struct ts_buf *out, struct ts_str s) {
  while (s.len > 0) {
    size_t good = ts_utf8_valid(s);
    ts_buf_add(out, ts_str_sub(s, 0, good));
    if (good == s.len) return;
    ts_utf8_put(out, 0xfffd);
    s = ts_str_sub(s, good + ts_todo_bad_bytes(s, good), s.len);
  }
}
