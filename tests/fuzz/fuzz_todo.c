/* Any bytes as an argument text, as a list and as a session log: nothing crashes, what is accepted is accepted again
 * as it was written, and no rendering leaves its bounds or has more lines than rows. */
#include "fuzz.h"

#include "base/utf8.h"
#include "todo/accept.h"
#include "todo/session_log.h"
#include "todo/snapshot.h"

static size_t count_lines(struct ts_str s) {
  size_t lines = 0;
  for (size_t i = 0; i < s.len; i++) lines += s.ptr[i] == '\n';
  return lines;
}

static void render(const struct ts_todo_list *l, const struct ts_todo_dialect *dialect) {
  struct ts_todo_view v = { .dialect = dialect, .max_items = 3, .max_chars = 200, .max_item_chars = 20 };
  struct ts_buf out = { 0 };
  if (ts_todo_render(&v, l, &out, NULL) == 0) {
    struct ts_str text = ts_buf_str(&out);
    size_t rows = l->count < 3 ? l->count : 3;
    MUST(ts_utf8_valid(text) == text.len);
    MUST(ts_utf8_count(text) <= 201); /* and the last newline */
    MUST(count_lines(text) <= 1 + rows + (l->count > 1));
    MUST((text.len == 0) == (l->count == 0));
  }
  ts_buf_free(&out);
}

static void accept(enum ts_write_dialect dialect, struct ts_str text) {
  struct ts_todo_accepted once = { 0 }, twice = { 0 };
  struct ts_todo_list list = { 0 };
  struct ts_buf again = { 0 }, problem = { 0 };
  if (ts_todo_accept(dialect, text, false, &once, &problem) == 0) {
    ts_buf_addf(&again, "{\"todos\":");
    ts_buf_add(&again, ts_buf_str(&once.todos));
    ts_buf_addc(&again, '}');
    MUST(ts_todo_accept(dialect, ts_buf_str(&again), false, &twice, &problem) == 0);
    MUST(ts_str_eq(ts_buf_str(&once.todos), ts_buf_str(&twice.todos)));
    MUST(ts_todo_list_read(&list, ts_buf_str(&once.todos), TS_TODO_WRITTEN, NULL) == 0 && list.count == once.count);
    render(&list, &ts_todo_strict);
    render(&list, &ts_todo_codewhale);
  } else {
    MUST(problem.len > 0);
  }
  ts_todo_accepted_free(&once);
  ts_todo_accepted_free(&twice);
  ts_buf_free(&again);
  ts_buf_free(&problem);
}

static void read_log(struct ts_str text) {
  struct ts_session_log s = { .file = TS_STR("log") };
  struct ts_todo_list list = { 0 };
  struct ts_buf err = { 0 };
  int result = 0;
  while (result == 0 && text.len > 0) {
    size_t end = ts_str_find(text, TS_STR("\n"));
    result = ts_session_log_line(&s, ts_str_sub(text, 0, end), end != SIZE_MAX, &err);
    text = end == SIZE_MAX ? TS_STR("") : ts_str_sub(text, end + 1, text.len);
  }
  if (result == 0) result = ts_session_log_end(&s, &err);
  MUST((result < 0) == (err.len > 0));
  if (s.has_list) MUST(ts_todo_list_read(&list, ts_buf_str(&s.list), TS_TODO_WRITTEN, NULL) == 0);
  ts_session_log_free(&s);
  ts_buf_free(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ts_str text = ts_str((const char *)data, size);
  accept(TS_WRITE_DSH, text);
  accept(TS_WRITE_CODEWHALE, text);
  read_log(text);
  return 0;
}
