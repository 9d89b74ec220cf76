/* What asks for a new list, an argument text or a call record, and the result record that answers it. */
#ifndef TS_TODO_CALL_H
#define TS_TODO_CALL_H

#include "catalog/resolve.h"
#include "report/call.h"
#include "todo/serve.h"

/* All of a descriptor as one argument text, the very bytes (no byte order mark is dropped, nothing is unpacked). -1:
 * it can't be read, or is longer than max bytes; *err has `standard input: why`. */
int ts_todo_text_read(int fd, size_t max, struct ts_buf *text, struct ts_buf *err);

/* ts_call_read (report/call.h), for a program that has no answer to a record without a name: that is no call, -1. */
int ts_todo_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number,
                      struct ts_str line, struct ts_buf *err);

/* Answers the call: when its name, resolved in the catalog, means todo_write, with the arguments mapped as its alias
 * says; else with the reason why it is not served. */
void ts_todo_serve_record(struct ts_todo_server *s, const struct ts_catalog *catalog, const struct ts_route *route,
                          struct ts_json *j, const struct ts_call *c, struct ts_todo_reply *reply);

/* Appends the result record and its newline. `notice` is metadata to add: members without braces, or empty. */
void ts_todo_result_write(const struct ts_todo_server *s, const struct ts_call_key *key,
                          const struct ts_todo_reply *reply, struct ts_str notice, struct ts_buf *out);

#endif
