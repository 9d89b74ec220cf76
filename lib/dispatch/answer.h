/* What came of a call, before it is written as a result record. Owns its text; {0} is an empty success. */
#ifndef TS_DISPATCH_ANSWER_H
#define TS_DISPATCH_ANSWER_H

#include "json/write.h"
#include "report/call.h"

struct ts_answer {
  bool is_error;
  bool content_is_json; /* content is one JSON value, else bytes */
  struct ts_buf content;
  struct ts_buf metadata; /* the members of an object, without its braces */
  struct ts_buf extra;    /* members of the record behind content, likewise */
};

/* Empties it for the next call, keeping the room. */
void ts_answer_clear(struct ts_answer *a);
void ts_answer_free(struct ts_answer *a);
/* An error result that says why. Replaces what was there. */
void ts_answer_fail(struct ts_answer *a, struct ts_str why);
/* A writer for one more metadata member. */
struct ts_jw ts_answer_metadata(struct ts_answer *a);
/* Appends the result record and its newline. Bytes that are not UTF-8 go out as base64. */
void ts_answer_write(const struct ts_answer *a, const struct ts_call *c, struct ts_buf *out);

#endif
