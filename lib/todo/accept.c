#include "todo/accept.h"

#include "todo/arguments.h"

static const struct dialect {
  const char *error_prefix;
  int (*accept)(struct ts_todo_arguments *a, struct ts_str text, bool single, struct ts_todo_accepted *out,
                struct ts_buf *problem);
  void (*acknowledge)(const struct ts_todo_accepted *a, struct ts_buf *content);
} dialects[] = {
  [TS_WRITE_DSH] = { "Error: ", ts_todo_accept_dsh, ts_todo_acknowledge_dsh },
  [TS_WRITE_CODEWHALE] = { "", ts_todo_accept_codewhale, ts_todo_acknowledge_codewhale },
};

int ts_todo_accept(enum ts_write_dialect dialect, struct ts_str text, bool single, struct ts_todo_accepted *out,
                   struct ts_buf *problem) {
  struct ts_todo_arguments a = { 0 };
  ts_buf_clear(&out->todos);
  ts_buf_clear(problem);
  out->count = out->current = out->demoted_count = 0;
  memset(out->by_status, 0, sizeof out->by_status);
  int result = dialects[dialect].accept(&a, text, single, out, problem);
  ts_buf_addz(&out->todos, out->count == 0 ? "[]" : "]");
  ts_todo_arguments_free(&a);
  return result;
}

const char *ts_todo_error_prefix(enum ts_write_dialect dialect) { return dialects[dialect].error_prefix; }

void ts_todo_acknowledge(enum ts_write_dialect dialect, const struct ts_todo_accepted *a, struct ts_buf *content) {
  dialects[dialect].acknowledge(a, content);
}

unsigned ts_todo_accepted_percent(const struct ts_todo_accepted *a) {
  return ts_todo_percent(a->by_status[TS_TODO_COMPLETED] + a->by_status[TS_TODO_CANCELLED], a->count);
}

void ts_todo_accepted_free(struct ts_todo_accepted *a) {
  ts_buf_free(&a->todos);
  free(a->demoted);
  *a = (struct ts_todo_accepted){ 0 };
}
