/* A first look at a transcript: what detect.c has in hand, and the rules that tell the formats apart (look.c). Private
 * to these two. */
#ifndef TS_TRANSCRIPT_LOOK_H
#define TS_TRANSCRIPT_LOOK_H

#include "transcript/dialect.h"
#include "transcript/walk.h"

struct ts_look {
  struct ts_input *in;
  struct ts_str bytes; /* peeked so far; moves when more are */
  uint64_t max;        /* bytes of the first value */
  struct ts_json json;
};

#define TS_LOOK_BEYOND (8u << 20) /* bytes behind the first line that are looked at */

/* Looks further: false at the end, or when more than `limit` bytes are in hand. */
bool ts_look_further(struct ts_look *l, uint64_t limit);
/* Behind the white space from `at` on; bytes.len: nothing else comes. */
size_t ts_look_skip_blank(struct ts_look *l, size_t at);
/* Where the line that byte `at` is in ends; bytes.len: with what there is. */
size_t ts_look_line_end(struct ts_look *l, size_t at, uint64_t limit);

/* The format of documents that the value at byte `at` is in, whole or not; NULL: none. */
const struct ts_format *ts_look_document(struct ts_look *l, size_t at);
/* The format of lines that the value at byte `first` is a record of, or a list of records; *records: is it JSON? */
const struct ts_format *ts_look_record(struct ts_look *l, size_t first, size_t *records);
/* The format that the lines from byte `first` on show; *records: how many of them were JSON. */
const struct ts_format *ts_look_lines(struct ts_look *l, size_t first, size_t *records);

/* The format that a whole value shows, a document or a record; NULL: none. */
const struct ts_format *ts_look_value(struct ts_str value);
/* Do both read the same? */
bool ts_look_alike(const struct ts_format *a, const struct ts_format *b);

#endif
