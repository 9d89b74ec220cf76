/* What kinds of characters the to-do rules tell apart: one table of Unicode ranges. Text is UTF-8 or WTF-8
 * (a lone surrogate as three bytes); a byte that is neither has no kind. */
#ifndef TS_TODO_TEXT_H
#define TS_TODO_TEXT_H

#include "base/buf.h"

/* Bits: a character may be of several kinds. */
enum ts_char_kind {
  TS_CHAR_SPACE_JS = 1,   /* white space as JavaScript trims it: U+FEFF yes, U+0085 no */
  TS_CHAR_SPACE_RUST = 2, /* white space as Rust trims it: U+0085 yes, U+FEFF no */
  TS_CHAR_CONTROL = 4,    /* C0, DEL, C1 */
  TS_CHAR_BREAK = 8,      /* line and paragraph separator */
  TS_CHAR_BIDI = 16,      /* turns the reading direction */
  TS_CHAR_IGNORABLE = 32, /* Default_Ignorable_Code_Point of Unicode 15, and the annotation marks FFF9-FFFB */
  TS_CHAR_JOINT = 64,     /* of those, the ones that spell words and emoji: ZWNJ, ZWJ, variation selectors */
};

/* The kinds of one scalar; 0 for an ordinary one and for TS_UTF8_BAD. */
unsigned ts_char_kinds(uint32_t scalar);

/* s without the characters of any of the kinds at both ends, or at its end only. */
struct ts_str ts_todo_trim(struct ts_str s, unsigned kinds);
struct ts_str ts_todo_trim_end(struct ts_str s, unsigned kinds);

/* How many bytes at s[at], where no character begins, one U+FFFD stands for: what could have begun one, or a single
 * byte. This is how decoders of the web replace them. */
size_t ts_todo_bad_bytes(struct ts_str s, size_t at);
/* Appends s, in UTF-8 whatever it was. */
void ts_todo_add_utf8(struct ts_buf *out, struct ts_str s);

#endif
