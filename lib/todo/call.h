/* What asks for a new list, an argument text or a call record, and the result record that answers it. */
#ifndef TS_TODO_CALL_H
#define TS_TODO_CALL_H

#include "catalog/resolve.h"
#include "report/record.h"
#include "todo/serve.h"

/* All of a descriptor as one argument text, the very bytes (no byte order mark is dropped, nothing is unpacked). -1:
 * it can't be read, or is longer than max bytes; *err has `standard input: why`. */
int ts_todo_text_read(int fd, size_t max, struct ts_buf *text, struct ts_buf *err);

/* Owns its text; {0} is ready, and may be used again. */
struct ts_todo_record {
  struct ts_call_key key;  /* decoded; a number's spelling; empty: not given */
  struct ts_str arguments; /* the argument text: as it stands in the line, or decoded; borrowed from both */
  struct ts_buf session, agent, id, name, text; /* private */
};

/* 1: a call. 0: a record of another type. -1: no call record; *err has `file:line:column: why`. The line is borrowed
 * as long as the record is used. */
int ts_todo_record_read(struct ts_todo_record *r, struct ts_json *j, struct ts_str file, uint64_t line_number,
                        struct ts_str line, struct ts_buf *err);
void ts_todo_record_free(struct ts_todo_record *r);

/* Answers the call: when its name, resolved in the catalog, means todo_write, with the arguments mapped as its alias
 * says; else with the reason why it is not served. */
void ts_todo_serve_record(struct ts_todo_server *s, const struct ts_catalog *catalog, const struct ts_route *route,
                          struct ts_json *j, const struct ts_todo_record *r, struct ts_todo_reply *reply);

/* Appends the result record and its newline. `notice` is metadata to add: members without braces, or empty. */
void ts_todo_result_write(const struct ts_todo_server *s, const struct ts_call_key *key,
                          const struct ts_todo_reply *reply, struct ts_str notice, struct ts_buf *out);

#endif
