#include "todo/call.h"

#include <errno.h>
#include <unistd.h>

#include "catalog/argmap.h"

enum { BLOCK = 1 << 16 }; /* bytes read at a time */

int ts_todo_text_read(int fd, size_t max, struct ts_buf *text, struct ts_buf *err) {
  for (;;) {
    ssize_t n = read(fd, ts_buf_reserve(text, BLOCK), BLOCK);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ts_fail(err, "standard input: %s", strerror(errno));
    if (n == 0) return 0;
    ts_buf_cut(text, text->len + (size_t)n);
    if (text->len > max) return ts_fail(err, "standard input: longer than %zu bytes", max);
  }
}

int ts_todo_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number,
                      struct ts_str line, struct ts_buf *err) {
  int kind = ts_call_read(c, j, file, line_number, line, err);
  if (kind <= 0 || c->key.name.len > 0) return kind;
  return ts_fail(err, "%.*s:%llu:1: not a call record: it names no tool", TS_FMT(file),
                 (unsigned long long)line_number);
}

/* The arguments as todo_write takes them. Those that are no object stay as they are: they get an error of their
 * own. */
static int map_arguments(const struct ts_tool *called, struct ts_json *j, struct ts_str *arguments, struct ts_buf *own,
                         struct ts_buf *why) {
  bool mapped = called->is_alias && (called->action.len > 0 || called->arguments.len > 0);
  if (!mapped || ts_json_scan(j, *arguments, &ts_json_span) < 0 || !ts_json_root_is(j, TS_JSON_OBJECT)) return 0;
  if (ts_argmap_apply(called, *arguments, own, why) < 0) return -1;
  *arguments = ts_buf_str(own);
  return 0;
}

void ts_todo_serve_record(struct ts_todo_server *s, const struct ts_catalog *catalog, const struct ts_route *route,
                          struct ts_json *j, const struct ts_call *c, struct ts_todo_reply *reply) {
  static const struct ts_surface everything = { 0 };
  struct ts_buf why = { 0 }, mapped = { 0 };
  struct ts_todo_call call = { c->key.session, c->key.agent, c->arguments };
  if (!route->dispatches)
    ts_route_explain(catalog, &everything, route, &why);
  else if (!ts_str_is(route->canonical, "todo_write"))
    (void)ts_fail(&why, "'%.*s' is not served here: only todo_write is", TS_FMT(route->name));
  else if (map_arguments(route->called, j, &call.arguments, &mapped, &why) == 0)
    ts_todo_serve(s, &call, reply);
  if (why.len > 0) ts_todo_refuse(s, reply, ts_buf_str(&why));
  ts_buf_free(&why);
  ts_buf_free(&mapped);
}

void ts_todo_result_write(const struct ts_todo_server *s, const struct ts_call_key *key,
                          const struct ts_todo_reply *reply, struct ts_str notice, struct ts_buf *out) {
  struct ts_buf content = { 0 }, value = { 0 }, metadata = { 0 };
  ts_buf_addc(&metadata, '{');
  ts_buf_add(&metadata, reply->is_error ? TS_STR("") : notice);
  struct ts_jw w = { &metadata, metadata.len > 1 };
  ts_todo_reply_content(reply, &content);
  ts_todo_reply_value(s, reply, &value);
  ts_todo_reply_metadata(s, reply, &w);
  bool said = metadata.len > 1;
  ts_buf_addc(&metadata, '}');
  struct ts_result_record record = { .key = *key,
                                     .is_error = reply->is_error,
                                     .content_json = ts_buf_str(&content),
                                     .metadata_json = said ? ts_buf_str(&metadata) : TS_STR(""),
                                     .more_json = ts_buf_str(&value) };
  ts_result_write(out, &record);
  ts_buf_free(&content);
  ts_buf_free(&value);
  ts_buf_free(&metadata);
}
