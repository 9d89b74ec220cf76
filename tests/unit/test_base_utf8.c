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

/* Every scalar by itself between two blanks: the first and the last of each range, and what stands beside them. */
static const struct {
  uint32_t first, last;
  unsigned kind;
} ranges[] = {
  { 0x00, 0x08, TS_HIDDEN_CONTROL },
  { 0x09, 0x0a, TS_HIDDEN_LAYOUT },
  { 0x0b, 0x0c, TS_HIDDEN_CONTROL },
  { 0x0d, 0x0d, TS_HIDDEN_LAYOUT },
  { 0x0e, 0x1f, TS_HIDDEN_CONTROL },
  { 0x20, 0x7e, 0 },
  { 0x7f, 0x7f, TS_HIDDEN_CONTROL },
  { 0x80, 0x9f, TS_HIDDEN_C1 },
  { 0xa0, 0xac, 0 },
  { 0xad, 0xad, TS_HIDDEN_ZERO_WIDTH },
  { 0xae, 0x34e, 0 },
  { 0x34f, 0x34f, TS_HIDDEN_ZERO_WIDTH },
  { 0x350, 0x61b, 0 },
  { 0x61c, 0x61c, TS_HIDDEN_BIDI },
  { 0x61d, 0x115e, 0 },
  { 0x115f, 0x1160, TS_HIDDEN_FILLER },
  { 0x1161, 0x17b3, 0 },
  { 0x17b4, 0x17b5, TS_HIDDEN_ZERO_WIDTH },
  { 0x17b6, 0x180a, 0 },
  { 0x180b, 0x180d, TS_HIDDEN_SELECTOR },
  { 0x180e, 0x180e, TS_HIDDEN_ZERO_WIDTH },
  { 0x180f, 0x180f, TS_HIDDEN_SELECTOR },
  { 0x1810, 0x200a, 0 },
  { 0x200b, 0x200d, TS_HIDDEN_ZERO_WIDTH },
  { 0x200e, 0x200f, TS_HIDDEN_BIDI },
  { 0x2010, 0x2027, 0 },
  { 0x2028, 0x2029, TS_HIDDEN_LAYOUT },
  { 0x202a, 0x202e, TS_HIDDEN_BIDI },
  { 0x202f, 0x205f, 0 },
  { 0x2060, 0x2065, TS_HIDDEN_ZERO_WIDTH },
  { 0x2066, 0x2069, TS_HIDDEN_BIDI },
  { 0x206a, 0x206f, TS_HIDDEN_ZERO_WIDTH },
  { 0x2070, 0x3163, 0 },
  { 0x3164, 0x3164, TS_HIDDEN_FILLER },
  { 0x3165, 0xd7ff, 0 },
  { 0xe000, 0xfdff, 0 },
  { 0xfe00, 0xfe0f, TS_HIDDEN_SELECTOR },
  { 0xfe10, 0xfefe, 0 },
  { 0xfeff, 0xfeff, TS_HIDDEN_ZERO_WIDTH },
  { 0xff00, 0xff9f, 0 },
  { 0xffa0, 0xffa0, TS_HIDDEN_FILLER },
  { 0xffa1, 0xffef, 0 },
  { 0xfff0, 0xfffb, TS_HIDDEN_ZERO_WIDTH },
  { 0xfffc, 0x1bc9f, 0 },
  { 0x1bca0, 0x1bca3, TS_HIDDEN_ZERO_WIDTH },
  { 0x1bca4, 0x1d172, 0 },
  { 0x1d173, 0x1d17a, TS_HIDDEN_ZERO_WIDTH },
  { 0x1d17b, 0xdffff, 0 },
  { 0xe0000, 0xe007f, TS_HIDDEN_TAG },
  { 0xe0080, 0xe00ff, TS_HIDDEN_ZERO_WIDTH },
  { 0xe0100, 0xe01ef, TS_HIDDEN_SELECTOR },
  { 0xe01f0, 0xe0fff, TS_HIDDEN_ZERO_WIDTH },
  { 0xe1000, 0x10ffff, 0 },
};

/* The kind of the first hidden character of " c "; 0: none. */
static unsigned kind_between_blanks(uint32_t c) {
  struct ts_buf b = { 0 };
  ts_buf_addc(&b, ' ');
  ts_utf8_put(&b, c);
  ts_buf_addc(&b, ' ');
  struct ts_hidden h = { 0 };
  unsigned kind = ts_hidden_next(&h, ts_buf_str(&b)) ? h.kind : 0;
  bool whole = kind == 0 || (h.from == 1 && h.end == b.len - 1 && h.c == c);
  ts_buf_free(&b);
  return whole ? kind : UINT32_MAX;
}

static void hidden_alone(void) {
  for (size_t i = 0; i < TS_COUNT(ranges); i++) {
    uint32_t wrong = 0, at = 0;
    for (uint32_t c = ranges[i].first; c <= ranges[i].last; c++) {
      if (kind_between_blanks(c) == ranges[i].kind) continue;
      if (wrong++ == 0) at = c;
    }
    IS_U64(wrong, 0, "U+%04X to U+%04X are of kind %u (first wrong: U+%04X)", (unsigned)ranges[i].first,
           (unsigned)ranges[i].last, ranges[i].kind, (unsigned)at);
  }
}

/* What a neighbour makes of it: text, and the hidden kinds in it, in order. */
#define ZWNJ "\xe2\x80\x8c"
#define ZWJ "\xe2\x80\x8d"
#define VS16 "\xef\xb8\x8f"
static const struct {
  struct ts_str text;
  unsigned kind[3];
} contexts[] = {
  { TS_STR("\xd9\x85\xdb\x8c" ZWNJ "\xd8\xae"), { 0 } },            /* Persian */
  { TS_STR("Auf" ZWNJ "lage"), { 0 } },                             /* German without a ligature */
  { TS_STR("\xe0\xa4\x95\xe0\xa5\x8d" ZWJ "\xe0\xa4\xb7"), { 0 } }, /* Hindi: a half form */
  { TS_STR("\xe0\xb4\xa8\xe0\xb5\x8d" ZWJ " x"), { 0 } },           /* Malayalam: a chillu that ends a word */
  { TS_STR("\xe0\xb4\xa8\xe0\xb5\x8d" ZWJ), { 0 } },                /* likewise, and the text */
  { TS_STR("\xe2\x9d\xa4" VS16 ZWJ "\xf0\x9f\x94\xa5"), { 0 } },    /* a heart on fire */
  { TS_STR("\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd" ZWJ "\xf0\x9f\x92\xbb"), { 0 } }, /* with the colour of the skin */
  { TS_STR("1" VS16 "\xe2\x83\xa3 \xc2\xa9" VS16 " \xe2\x9a\xa0" VS16), { 0 } },
  { TS_STR("\xe8\x91\x9b\xf3\xa0\x84\x80"), { 0 } }, /* an ideograph's variant */
  { TS_STR(ZWJ "a"), { TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("a" ZWJ), { TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("a" ZWNJ " b"), { TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("a." ZWNJ "b"), { TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("a" ZWNJ ZWJ "b"), { TS_HIDDEN_ZERO_WIDTH, TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("\xff" ZWJ "a"), { TS_HIDDEN_BYTE, TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("a" ZWJ "\xff"), { TS_HIDDEN_ZERO_WIDTH, TS_HIDDEN_BYTE } },
  { TS_STR(VS16), { TS_HIDDEN_SELECTOR } },
  { TS_STR("a" VS16 ZWJ "b"), { TS_HIDDEN_SELECTOR, TS_HIDDEN_ZERO_WIDTH } },
  { TS_STR("\xe2\x9a\xa0" VS16 VS16 "\xf3\xa0\x84\x80"), { TS_HIDDEN_RUN, TS_HIDDEN_RUN } },
  { TS_STR("\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7"), { TS_HIDDEN_TAG } },
  { TS_STR("\xed\xa0\x80"), { TS_HIDDEN_BYTE, TS_HIDDEN_BYTE, TS_HIDDEN_BYTE } },
  { TS_STR(""), { 0 } },
};

static void hidden_in_text(void) {
  for (size_t i = 0; i < TS_COUNT(contexts); i++) {
    struct ts_hidden h = { 0 };
    size_t n = 0;
    while (ts_hidden_next(&h, contexts[i].text)) {
      if (n < 3) IS_U64(h.kind, contexts[i].kind[n], "context %zu: number %zu", i, n);
      n++;
    }
    size_t wanted = 0;
    while (wanted < 3 && contexts[i].kind[wanted]) wanted++;
    IS_U64(n, wanted, "context %zu: so many are hidden", i);
  }
}

int main(void) {
  reading();
  round_trip();
  validity();
  graphemes();
  hidden_alone();
  hidden_in_text();
  return tap_done();
}
