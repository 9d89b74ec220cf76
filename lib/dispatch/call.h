/* A call record as read: what it asks for, or why it can't be served. */
#ifndef TS_DISPATCH_CALL_H
#define TS_DISPATCH_CALL_H

#include "json/scan.h"

/* Owns its text. {0} is an empty call; ts_call_read may be given the same one again and again. */
struct ts_call {
  struct ts_str session, agent, id, name, turn; /* decoded; empty when absent */
  struct ts_str arguments; /* a JSON object without blanks between its tokens; "{}" when absent, null or blank */
  struct ts_str input;     /* raw text instead of arguments (is_input), decoded */
  bool is_input;
  struct ts_buf problem; /* why the call is refused, one sentence; empty: it can be served */
  struct ts_buf text;    /* holds what the members above point at */
};

/* 1: a call, perhaps one with a problem. 0: a record of another type, to be passed over. -1: the line is not a
 * JSON object; *err has `file:line:column: why`. j is the scanner to use. */
int ts_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number, struct ts_str line,
                 struct ts_buf *err);
void ts_call_free(struct ts_call *c);

#endif
