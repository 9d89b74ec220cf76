/* UTF-8: the strict form of RFC 3629 (no surrogates, nothing overlong, nothing beyond U+10FFFF). Lengths
 * and offsets are bytes unless a name says otherwise. Graphemes and widths come from utf8proc. */
#ifndef TS_BASE_UTF8_H
#define TS_BASE_UTF8_H

#include "base/buf.h"

#define TS_UTF8_BAD UINT32_MAX

/* Reads the scalar at s[*at] and moves *at behind it. A byte that begins no valid sequence is TS_UTF8_BAD
 * and one byte long. *at must be below s.len. */
uint32_t ts_utf8_next(struct ts_str s, size_t *at);
/* Like ts_utf8_next, but also reads surrogates written as three bytes (WTF-8, as JSON's lone \uD800 decodes). */
uint32_t ts_wtf8_next(struct ts_str s, size_t *at);
/* Appends one scalar (or surrogate, as three bytes). */
void ts_utf8_put(struct ts_buf *out, uint32_t c);
/* Offset of the first byte that is not valid UTF-8, or s.len. Fast on long ASCII. */
size_t ts_utf8_valid(struct ts_str s);
/* Scalars in s; every invalid byte counts as one. */
size_t ts_utf8_count(struct ts_str s);
/* Bytes of the first extended grapheme cluster of s (UAX 29); 0 for empty text. */
size_t ts_utf8_grapheme(struct ts_str s);
/* Columns that s takes on a terminal. */
size_t ts_utf8_width(struct ts_str s);

/* What may stand in a text without being seen in it, and a terminal or a model reads all the same. */
enum ts_hidden_kind {
  TS_HIDDEN_LAYOUT = 1 << 0,  /* tab, LF, CR, U+2028, U+2029 */
  TS_HIDDEN_CONTROL = 1 << 1, /* the rest of C0, and DEL */
  TS_HIDDEN_C1 = 1 << 2,
  TS_HIDDEN_BIDI = 1 << 3,       /* turns the reading direction */
  TS_HIDDEN_ZERO_WIDTH = 1 << 4, /* takes no room */
  TS_HIDDEN_FILLER = 1 << 5,     /* a letter that is only room */
  TS_HIDDEN_SELECTOR = 1 << 6,   /* a variation selector with nothing before it to vary */
  TS_HIDDEN_RUN = 1 << 7,        /* a variation selector behind another: no text needs it, smuggled bytes do */
  TS_HIDDEN_TAG = 1 << 8,
  TS_HIDDEN_BYTE = 1 << 9, /* no UTF-8 */
};

/* A walk over the hidden characters of a text. {0} stands before it. Ordinary text has none: U+200C and U+200D are
 * seen where they join (between letters, behind a virama, inside emoji), a variation selector where it varies
 * (behind a character beyond ASCII, a digit, '#' or '*'). */
struct ts_hidden {
  enum ts_hidden_kind kind;
  uint32_t c;       /* TS_UTF8_BAD: a byte that is no UTF-8 */
  size_t from, end; /* its bytes */
  uint32_t before;  /* private: the character in front of it … */
  bool is_hidden;   /* … and whether that one was hidden */
};
/* Goes on to the next one of s, always the same text. false: there is none. */
bool ts_hidden_next(struct ts_hidden *h, struct ts_str s);

#endif
