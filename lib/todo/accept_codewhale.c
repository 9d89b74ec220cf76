/* Dialect codewhale: the first thing that is wrong answers; of several items in progress the last one stays. */
#include "base/xalloc.h"
#include "json/write.h"
#include "todo/arguments.h"

static int unknown_status(struct ts_todo_arguments *a, struct ts_buf *problem) {
  struct ts_buf text = { 0 };
  (void)ts_todo_problem(problem, "unknown todo status '");
  ts_buf_add(problem, ts_todo_step_text(&a->status, &text));
  ts_buf_addz(problem, "'; expected pending, in_progress, completed, or cancelled");
  ts_buf_free(&text);
  return -1;
}

/* Of the item at hand; TS_TODO_STATUSES when it is a word that is none. */
static enum ts_todo_status status_of(struct ts_todo_arguments *a) {
  return ts_todo_is_string(&a->status) ? ts_todo_arguments_status(a, TS_SPELLING_CODEWHALE) : TS_TODO_PENDING;
}

/* *last is the index of the last item in progress, or SIZE_MAX. */
static int check_items(struct ts_todo_arguments *a, size_t *last, struct ts_buf *problem) {
  *last = SIZE_MAX;
  while (ts_todo_arguments_next(a)) {
    if (!ts_todo_is_string(&a->content)) return ts_todo_problem(problem, "Todo item missing 'content'");
    enum ts_todo_status status = status_of(a);
    if (status == TS_TODO_STATUSES) return unknown_status(a, problem);
    if (status == TS_TODO_IN_PROGRESS) *last = a->index;
  }
  ts_todo_arguments_rewind(a);
  return 0;
}

static void take_items(struct ts_todo_arguments *a, size_t last, struct ts_todo_accepted *out) {
  struct ts_buf text = { 0 };
  while (ts_todo_arguments_next(a)) {
    enum ts_todo_status status = status_of(a);
    size_t id = a->index + 1, len;
    if (status == TS_TODO_IN_PROGRESS && a->index != last) {
      status = TS_TODO_PENDING;
      ts_xgrow(&out->demoted, &out->demoted_cap, out->demoted_count + 1, sizeof *out->demoted);
      out->demoted[out->demoted_count++] = id;
    } else if (status == TS_TODO_IN_PROGRESS) {
      out->current = id;
    }
    (void)ts_todo_accepted_add(out, ts_todo_step_text(&a->content, &text), status, &len);
  }
  ts_buf_free(&text);
}

int ts_todo_accept_codewhale(struct ts_todo_arguments *a, struct ts_str text, bool single, struct ts_todo_accepted *out,
                             struct ts_buf *problem) {
  size_t last;
  (void)single; /* one item in progress is all there ever is */
  if (ts_todo_arguments_read(a, text) < 0 || !a->todos.ptr || a->todos_kind != TS_JSON_ARRAY)
    return ts_todo_problem(problem, "Missing or invalid 'todos' array");
  if (check_items(a, &last, problem) < 0) return -1;
  take_items(a, last, out);
  return 0;
}

/* The snapshot, pretty-printed with two blanks a level, each item as {"id","content","status"}. */
static void write_items(const struct ts_todo_accepted *a, struct ts_buf *out) {
  struct ts_todo_list list = { 0 };
  struct ts_todo_item item;
  (void)ts_todo_list_read(&list, ts_buf_str(&a->todos), TS_TODO_WRITTEN, NULL);
  struct ts_todo_walk w = { .list = &list };
  ts_buf_addz(out, "  \"items\": [\n");
  while (ts_todo_next(&w, &item)) {
    ts_buf_addf(out, "%s    {\n      \"id\": %llu,\n      \"content\": ", item.index ? ",\n" : "",
                (unsigned long long)item.id);
    ts_json_quote(out, ts_todo_content(&w));
    ts_buf_addf(out, ",\n      \"status\": \"%s\"\n    }", ts_todo_status_row(item.status)->name);
  }
  ts_buf_addz(out, "\n  ],\n");
  ts_todo_walk_free(&w);
}

void ts_todo_acknowledge_codewhale(const struct ts_todo_accepted *a, struct ts_buf *content) {
  unsigned percent = ts_todo_accepted_percent(a);
  ts_buf_addf(content, "Todo list updated (%zu items, %u%% settled)\n{\n", a->count, percent);
  if (a->count > 0) write_items(a, content);
  ts_buf_addf(content, "  \"completion_pct\": %u", percent);
  if (a->current) ts_buf_addf(content, ",\n  \"in_progress_id\": %zu", a->current);
  ts_buf_addz(content, "\n}");
}
