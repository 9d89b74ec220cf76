#include "base/utf8.h"

#include "unit/tap.h"

/* One scalar, or one bad byte, from the start of a text: strict, and with surrogates. */
static const struct {
  struct ts_str text;
  uint32_t strict, lax;
  size_t strict_len, lax_len;
} firsts[] = {
  { TS_STR("a"), 'a', 'a', 1, 1 },
  { TS_STR("\0x"), 0, 0, 1, 1 },
  { TS_STR("\x7f"), 0x7f, 0x7f, 1, 1 },
  { TS_STR("\xc2\x80"), 0x80, 0x80, 2, 2 },
  { TS_STR("\xdf\xbf"), 0x7ff, 0x7ff, 2, 2 },
  { TS_STR("\xe0\xa0\x80"), 0x800, 0x800, 3, 3 },
  { TS_STR("\xed\x9f\xbf"), 0xd7ff, 0xd7ff, 3, 3 },
  { TS_STR("\xed\xa0\x80"), TS_UTF8_BAD, 0xd800, 1, 3 },
  { TS_STR("\xed\xbf\xbf"), TS_UTF8_BAD, 0xdfff, 1, 3 },
  { TS_STR("\xee\x80\x80"), 0xe000, 0xe000, 3, 3 },
  { TS_STR("\xef\xbf\xbf"), 0xffff, 0xffff, 3, 3 },
  { TS_STR("\xf0\x90\x80\x80"), 0x10000, 0x10000, 4, 4 },
  { TS_STR("\xf4\x8f\xbf\xbf"), 0x10ffff, 0x10ffff, 4, 4 },
  { TS_STR("\xf4\x90\x80\x80"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 }, /* beyond U+10FFFF */
  { TS_STR("\xf5\x80\x80\x80"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xff"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\x80"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 }, /* a continuation byte alone */
  { TS_STR("\xbf\xbf"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xc0\x80"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 }, /* overlong */
  { TS_STR("\xc1\xbf"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xe0\x9f\xbf"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xf0\x8f\xbf\xbf"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xc2"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 }, /* cut off */
  { TS_STR("\xe2\x82"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xf0\x9f\x98"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xc2x"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 }, /* the wrong byte behind */
  { TS_STR("\xe2x\x80"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xe2\x82x"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
  { TS_STR("\xf0\x9f\x98x"), TS_UTF8_BAD, TS_UTF8_BAD, 1, 1 },
};

static void reading(void) {
  for (size_t i = 0; i < TS_COUNT(firsts); i++) {
    size_t at = 0;
    IS_U64(ts_utf8_next(firsts[i].text, &at), firsts[i].strict, "row %zu: strict", i);
    IS_U64(at, firsts[i].strict_len, "row %zu: its length", i);
    at = 0;
    IS_U64(ts_wtf8_next(firsts[i].text, &at), firsts[i].lax, "row %zu: with surrogates", i);
    IS_U64(at, firsts[i].lax_len, "row %zu: its length", i);
  }
}

/* Every scalar, written and read again; every surrogate is read by the lax reader alone. */
static void round_trip(void) {
  struct ts_buf b = { 0 };
  uint32_t wrong = 0, bad_surrogates = 0, not_whole = 0;
  for (uint32_t c = 0; c <= 0x10ffff; c++) {
    size_t strict = 0, lax = 0;
    ts_buf_clear(&b);
    ts_utf8_put(&b, c);
    uint32_t got = ts_utf8_next(ts_buf_str(&b), &strict), got_lax = ts_wtf8_next(ts_buf_str(&b), &lax);
    if (c >= 0xd800 && c <= 0xdfff)
      bad_surrogates += got != TS_UTF8_BAD || strict != 1 || got_lax != c || lax != 3;
    else
      wrong += got != c || got_lax != c;
    not_whole += lax != b.len;
  }
  IS_U64(wrong, 0, "every scalar comes back");
  IS_U64(bad_surrogates, 0, "surrogates come back only when they may");
  IS_U64(not_whole, 0, "all bytes are read");
  ts_buf_free(&b);
}

static void validity(void) {
  static const struct {
    struct ts_str text;
    size_t valid, count;
  } rows[] = {
    { { NULL, 0 }, 0, 0 },
    { TS_STR(""), 0, 0 },
    { TS_STR("plain ASCII, longer than a word"), 31, 31 },
    { TS_STR("12345678"), 8, 8 },
    { TS_STR("1234567\xff"), 7, 8 },
    { TS_STR("12345678\xff"), 8, 9 },
    { TS_STR("\xc3\xa4\xc3\xb6\xc3\xbc"), 6, 3 },
    { TS_STR("a\xe2\x82\xac"), 4, 2 },
    { TS_STR("a\xe2\x82"), 1, 3 },
    { TS_STR("a\xed\xa0\x80z"), 1, 5 },
    { TS_STR("\xf0\x9f\x98\x80\xf0\x9f\x98"), 4, 4 },
    { TS_STR("a\0b"), 3, 3 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    IS_U64(ts_utf8_valid(rows[i].text), rows[i].valid, "row %zu: valid up to there", i);
    IS_U64(ts_utf8_count(rows[i].text), rows[i].count, "row %zu: scalars", i);
  }
  char text[64]; /* a bad byte is found wherever the eight-byte steps fall */
  for (size_t start = 0; start < 8; start++)
    for (size_t bad = 0; bad < 40; bad++) {
      memset(text, 'x', sizeof text);
      text[start + bad] = (char)0x80;
      if (ts_utf8_valid(ts_str(text + start, 40)) != bad) OK(false, "start %zu: a bad byte at %zu", start, bad);
    }
}

static void graphemes(void) {
  static const struct {
    const char *name;
    struct ts_str text;
    size_t first;
    size_t width;
  } rows[] = {
    { "nothing", { NULL, 0 }, 0, 0 },
    { "ASCII", TS_STR("ab"), 1, 2 },
    { "CR LF", TS_STR("\r\nx"), 2, 1 },
    { "e and a combining acute", TS_STR("e\xcc\x81x"), 3, 2 },
    { "a wide character", TS_STR("\xe4\xb8\xad\xe6\x96\x87"), 3, 4 },
    { "Hangul jamo", TS_STR("\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8x"), 9, 3 },
    { "a flag of two regional indicators", TS_STR("\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xa9"), 8, 3 },
    { "a family joined by ZWJ", TS_STR("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7x"), 11, 5 },
    { "a thumb with a skin tone", TS_STR("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbdx"), 8, 5 },
    { "a bad byte", TS_STR("\xff\xff"), 1, 2 },
    { "a mark behind a bad byte", TS_STR("\xff\xcc\x81"), 1, 1 },
    { "a bad byte behind a letter", TS_STR("a\xff"), 1, 2 },
    { "control bytes", TS_STR("\x1b[m"), 1, 2 },
    { "NUL", TS_STR("\0a"), 1, 1 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    IS_U64(ts_utf8_grapheme(rows[i].text), rows[i].first, "%s: bytes of the first cluster", rows[i].name);
    IS_U64(ts_utf8_width(rows[i].text), rows[i].width, "%s: columns", rows[i].name);
  }
}

int main(void) {
  reading();
  round_trip();
  validity();
  graphemes();
  return tap_done();
}
