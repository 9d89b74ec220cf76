/* One line of a session log: what its header and its events must look like. Pure checks; session_log.h puts
 * them together. Format: dsh, version 0, as its own reader judges it; the lines are in the manual of
 * todo-write(1). */
#ifndef TS_TODO_LOG_FORMAT_H
#define TS_TODO_LOG_FORMAT_H

#include "json/scan.h"

struct ts_log_header {
  struct ts_buf id; /* owned */
  uint64_t seed_length;
  const char *problem; /* why it can't be the header of a log, static; NULL: it can. A recording's may have one */
};

/* Reads the first line. -1: it is no session header at all, or one of another version; *err says why, without
 * file and line. */
int ts_log_header_read(struct ts_log_header *h, struct ts_json *j, struct ts_str line, struct ts_buf *err);

/* An event's line taken apart; text is borrowed from it, or from scratch. */
struct ts_log_record {
  struct ts_str type;    /* empty when it is no string */
  bool has_seq;          /* numbered: the line is a log's, not a recording's */
  bool packed;           /* several chunk events in one line */
  uint64_t seq;          /* of the first event; UINT64_MAX: no whole number there */
  uint64_t events;       /* how many events the line stands for */
  struct ts_str todos;   /* the array of that name in its data; ptr NULL: there is none */
  const char *malformed; /* a packed line that can't be unpacked: why; NULL: all is well */
  const char *invalid;   /* an event that a log can't have: why; NULL: all is well */
  bool foreign;          /* its type is not known, and the event does not say that it may be ignored */
};

/* -1: the line is not one JSON object; *err says why. scratch holds the type when it is escaped. */
int ts_log_record_read(struct ts_log_record *r, struct ts_json *j, struct ts_str line, struct ts_buf *scratch,
                       struct ts_buf *err);

#endif
