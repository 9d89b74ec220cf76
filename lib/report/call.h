/* A call record of tsrecord(5) as read: what it asks for and, for programs that run it, why it can't be served. */
#ifndef TS_REPORT_CALL_H
#define TS_REPORT_CALL_H

#include "json/scan.h"
#include "report/record.h"

/* Owns its text. {0} is an empty call; ts_call_read may be given the same one again and again. */
struct ts_call {
  struct ts_call_key key;  /* decoded; of a number its spelling; empty: not given */
  struct ts_str turn;      /* likewise */
  struct ts_str arguments; /* the argument text, as it stands in the record or decoded from a string; empty when it is
                            * absent, null or blank */
  bool is_input;           /* it never was to be JSON: the record has it as "input" */
  struct ts_buf problem;   /* set by ts_call_settle: one sentence; empty: it can be served */
  struct ts_buf text, settled; /* what the members above point at */
};

/* 1: a call. 0: a record of another type, to be passed over. -1: the line is not a JSON object; *err has
 * `file:line:column: why`. j is the scanner to use, and holds the record's index behind it. */
int ts_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number, struct ts_str line,
                 struct ts_buf *err);
/* Directly behind ts_call_read, for a program that runs the call: the arguments become one JSON object without blanks
 * between its tokens ("{}" for none; of an input they stay), and what cannot be that, or what checkers and executors
 * could read in different ways (a doubled key, invalid UTF-8), or has no name, is a problem. */
void ts_call_settle(struct ts_call *c, struct ts_json *j);
void ts_call_free(struct ts_call *c);

#endif
