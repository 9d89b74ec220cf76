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

/* --- what nobody sees -------------------------------------------------------------------------------------- */

enum { ZWNJ = 0x200c, ZWJ = 0x200d, VIRAMA = 9 };

/* Ascending and disjoint. Source: Cc of UnicodeData.txt, Default_Ignorable_Code_Point of DerivedCoreProperties.txt
 * with Bidi_Control and Variation_Selector of PropList.txt, the separators U+2028 and U+2029, and the interlinear
 * annotations, which programs are to hide. */
static const struct {
  uint32_t first, last;
  enum ts_hidden_kind kind;
} hidden[] = {
  { 0x00000, 0x00008, TS_HIDDEN_CONTROL },    { 0x00009, 0x0000a, TS_HIDDEN_LAYOUT },
  { 0x0000b, 0x0000c, TS_HIDDEN_CONTROL },    { 0x0000d, 0x0000d, TS_HIDDEN_LAYOUT },
  { 0x0000e, 0x0001f, TS_HIDDEN_CONTROL },    { 0x0007f, 0x0007f, TS_HIDDEN_CONTROL },
  { 0x00080, 0x0009f, TS_HIDDEN_C1 },         { 0x000ad, 0x000ad, TS_HIDDEN_ZERO_WIDTH },
  { 0x0034f, 0x0034f, TS_HIDDEN_ZERO_WIDTH }, { 0x0061c, 0x0061c, TS_HIDDEN_BIDI },
  { 0x0115f, 0x01160, TS_HIDDEN_FILLER },     { 0x017b4, 0x017b5, TS_HIDDEN_ZERO_WIDTH },
  { 0x0180b, 0x0180d, TS_HIDDEN_SELECTOR },   { 0x0180e, 0x0180e, TS_HIDDEN_ZERO_WIDTH },
  { 0x0180f, 0x0180f, TS_HIDDEN_SELECTOR },   { 0x0200b, 0x0200d, TS_HIDDEN_ZERO_WIDTH },
  { 0x0200e, 0x0200f, TS_HIDDEN_BIDI },       { 0x02028, 0x02029, TS_HIDDEN_LAYOUT },
  { 0x0202a, 0x0202e, TS_HIDDEN_BIDI },       { 0x02060, 0x02065, TS_HIDDEN_ZERO_WIDTH },
  { 0x02066, 0x02069, TS_HIDDEN_BIDI },       { 0x0206a, 0x0206f, TS_HIDDEN_ZERO_WIDTH },
  { 0x03164, 0x03164, TS_HIDDEN_FILLER },     { 0x0fe00, 0x0fe0f, TS_HIDDEN_SELECTOR },
  { 0x0feff, 0x0feff, TS_HIDDEN_ZERO_WIDTH }, { 0x0ffa0, 0x0ffa0, TS_HIDDEN_FILLER },
  { 0x0fff0, 0x0fffb, TS_HIDDEN_ZERO_WIDTH }, { 0x1bca0, 0x1bca3, TS_HIDDEN_ZERO_WIDTH },
  { 0x1d173, 0x1d17a, TS_HIDDEN_ZERO_WIDTH }, { 0xe0000, 0xe007f, TS_HIDDEN_TAG },
  { 0xe0080, 0xe00ff, TS_HIDDEN_ZERO_WIDTH }, { 0xe0100, 0xe01ef, TS_HIDDEN_SELECTOR },
  { 0xe01f0, 0xe0fff, TS_HIDDEN_ZERO_WIDTH },
};

static unsigned kind_alone(uint32_t c) {
  if (c >= 0x20 && c < 0x7f) return 0;
  if (c == TS_UTF8_BAD) return TS_HIDDEN_BYTE;
  size_t low = 0, high = TS_COUNT(hidden);
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c > hidden[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < TS_COUNT(hidden) && c >= hidden[low].first ? hidden[low].kind : 0;
}

/* Of a letter or an emoji, as far as joiners go: ASCII letters, and all beyond ASCII that can be seen. */
static bool is_joinable(uint32_t c) {
  bool ascii = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return ascii || (c >= 0xaa && c != TS_UTF8_BAD);
}

/* RFC 5892, appendix A.1 and A.2, lets a joiner stand behind a virama, whatever follows. */
static bool is_virama(uint32_t c) { return utf8proc_get_property((utf8proc_int32_t)c)->combining_class == VIRAMA; }

static bool joins(const struct ts_hidden *h, struct ts_str s) {
  if (h->is_hidden || !is_joinable(h->before)) return false;
  if (is_virama(h->before)) return true;
  size_t at = h->end;
  uint32_t after = at < s.len ? ts_utf8_next(s, &at) : 0;
  return is_joinable(after) && kind_alone(after) == 0;
}

/* Keycaps are made of ASCII: '1', U+FE0F, U+20E3. U+00A9 is the first emoji. */
static bool can_vary(uint32_t c) { return (c >= '0' && c <= '9') || c == '#' || c == '*' || c >= 0xa9; }

/* Of the character h is at. 0: it is seen. */
static unsigned kind_of(const struct ts_hidden *h, struct ts_str s) {
  unsigned kind = kind_alone(h->c);
  if (kind == TS_HIDDEN_SELECTOR) {
    if (kind_alone(h->before) == TS_HIDDEN_SELECTOR) return TS_HIDDEN_RUN;
    return !h->is_hidden && can_vary(h->before) ? 0 : kind;
  }
  return (h->c == ZWNJ || h->c == ZWJ) && joins(h, s) ? 0 : kind;
}

bool ts_hidden_next(struct ts_hidden *h, struct ts_str s) {
  while (h->end < s.len) {
    h->from = h->end;
    h->before = h->c;
    h->c = ts_utf8_next(s, &h->end);
    unsigned kind = kind_of(h, s);
    h->is_hidden = kind != 0;
    if (kind == 0) continue;
    h->kind = (enum ts_hidden_kind)kind;
    return true;
  }
  return false;
}
