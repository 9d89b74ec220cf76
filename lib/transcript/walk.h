/* Walking through JSON text value by value, without an index of the whole: for arrays and objects that are longer
 * than what one cares to index at once, or that are cut off or damaged somewhere. The index j is used for one
 * value at a time. */
#ifndef TS_TRANSCRIPT_WALK_H
#define TS_TRANSCRIPT_WALK_H

#include "json/scan.h"

struct ts_walk {
  struct ts_str text; /* borrowed */
  size_t at;
  bool begun;
};

/* From the bracket at, or behind white space at, byte `at` of text. */
static inline struct ts_walk ts_walk(struct ts_str text, size_t at) { return (struct ts_walk){ text, at, false }; }

/* The next element of an array. 1: j is its index; 0: the end, w->at is behind the bracket; -1: the text is broken
 * there: j says why, where, and whether it is cut; w->at is where the element begins. */
int ts_walk_element(struct ts_walk *w, struct ts_json *j, const struct ts_json_shape *shape);
/* The next member of an object: its key (as it is spelled, borrowed from text), and w->at is where its value begins.
 * The caller sets w->at behind the value before it goes on. Otherwise as above. */
int ts_walk_member(struct ts_walk *w, struct ts_json *j, struct ts_str *key);
/* Goes over the value at w->at: 0, or -1 as above. */
int ts_walk_over(struct ts_walk *w, struct ts_json *j);

static inline bool ts_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/* The first byte at or behind `at` that is no white space; text.len: none. */
size_t ts_skip_blank(struct ts_str text, size_t at);
/* The byte there, or 0 behind the end. */
static inline char ts_byte_at(struct ts_str text, size_t at) { return at < text.len ? text.ptr[at] : '\0'; }

#endif
