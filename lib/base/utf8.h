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

#endif
