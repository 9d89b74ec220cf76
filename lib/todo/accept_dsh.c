/* Dialect dsh: everything that is wrong with the shape in one message, then the items one by one. Source of
 * words and order: the project's list of a write's errors, in todo-write(1). */
#include "base/map.h"
#include "todo/arguments.h"
#include "todo/contents.h"
#include "todo/lossless.h"
#include "todo/text.h"

#define NO_OBJECT "Error: invalid arguments: \"arguments\" must be an object"
#define LOSSY "Error: tool execution arguments must be losslessly JSON-serializable"
#define NO_CONTENT "Error: invalid todo: `content` must be a non-empty string"

/* The violations so far stand in *problem, one after the other. */
static void begin_violation(struct ts_buf *problem) {
  ts_buf_addz(problem, problem->len == 0 ? "Error: invalid arguments: " : "; ");
}

static void violation(struct ts_buf *problem, const char *before, size_t index, const char *member, const char *after) {
  begin_violation(problem);
  ts_buf_addf(problem, "%s\"todos[%zu]%s\"%s", before, index, member, after);
}

/* What ECMAScript calls an array index, 0 to 2^32 - 2 without leading zeros; UINT64_MAX for other keys. */
static uint64_t array_index(struct ts_str key) {
  uint64_t n = 0;
  if (key.len == 0 || key.len > 10 || (key.len > 1 && key.ptr[0] == '0')) return UINT64_MAX;
  for (size_t i = 0; i < key.len; i++) {
    if (key.ptr[i] < '0' || key.ptr[i] > '9') return UINT64_MAX;
    n = n * 10 + (uint64_t)(key.ptr[i] - '0');
  }
  return n <= 4294967294u ? n : UINT64_MAX;
}

/* How ECMAScript orders the keys of an object: indices ascending, then the others as they came. */
static int by_key_order(const void *a, const void *b) {
  const struct ts_todo_extra *x = a, *y = b;
  if (x->index != y->index) return x->index < y->index ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static void check_undeclared(struct ts_todo_arguments *a, struct ts_buf *problem) {
  struct ts_map seen = { 0 };
  size_t count = 0;
  for (size_t i = 0; i < a->extra_count; i++) {
    if (*ts_map_at(&seen, a->extra[i].key, i) != i) continue; /* doubled: it stands where it stood first */
    a->extra[count] = a->extra[i];
    a->extra[count].index = array_index(a->extra[i].key);
    count++;
  }
  ts_map_free(&seen);
  if (count > 1) qsort(a->extra, count, sizeof *a->extra, by_key_order);
  for (size_t i = 0; i < count; i++) {
    begin_violation(problem);
    ts_buf_addf(problem, "\"todos[%zu].", a->index);
    ts_buf_add(problem, a->extra[i].key);
    ts_buf_addz(problem, "\" is not a declared property (additionalProperties: false)");
  }
}

static void check_item(struct ts_todo_arguments *a, struct ts_buf *problem) {
  size_t i = a->index;
  bool content = a->content.value.ptr, status = a->status.value.ptr;
  if (a->kind != TS_JSON_OBJECT) {
    violation(problem, "", i, "", " must be an object");
    return;
  }
  if (!content) violation(problem, "missing required property ", i, ".content", "");
  if (!status) violation(problem, "missing required property ", i, ".status", "");
  if (content && !ts_todo_is_string(&a->content)) violation(problem, "", i, ".content", " must be a string");
  if (status && !ts_todo_is_string(&a->status))
    violation(problem, "", i, ".status", " must be a string");
  else if (status && ts_todo_arguments_status(a, TS_SPELLING_DSH) == TS_TODO_STATUSES)
    violation(problem, "", i, ".status", " must be one of [\"pending\",\"in_progress\",\"completed\"]");
  if (a->extra_count > 0) check_undeclared(a, problem);
}

static int check_schema(struct ts_todo_arguments *a, struct ts_buf *problem) {
  if (!a->todos.ptr) return ts_todo_problem(problem, "Error: invalid arguments: missing required property \"todos\"");
  if (a->todos_kind != TS_JSON_ARRAY)
    return ts_todo_problem(problem, "Error: invalid arguments: \"todos\" must be an array");
  while (ts_todo_arguments_next(a)) check_item(a, problem);
  ts_todo_arguments_rewind(a);
  return problem->len == 0 ? 0 : -1;
}

static int duplicate(struct ts_buf *problem, const struct ts_todo_accepted *out, size_t at, size_t len) {
  (void)ts_todo_problem(problem, "Error: invalid todos: duplicate content ");
  ts_buf_add(problem, ts_str_sub(ts_buf_str(&out->todos), at, len));
  return -1;
}

static int take_items(struct ts_todo_arguments *a, struct ts_todo_accepted *out, struct ts_buf *problem) {
  struct ts_contents seen = { .text = &out->todos };
  struct ts_buf text = { 0 };
  int result = 0;
  while (result == 0 && ts_todo_arguments_next(a)) {
    struct ts_str content = ts_todo_trim(ts_todo_step_text(&a->content, &text), TS_CHAR_SPACE_JS);
    size_t len;
    if (content.len == 0) {
      result = ts_todo_problem(problem, NO_CONTENT);
      break;
    }
    size_t at = ts_todo_accepted_add(out, content, ts_todo_arguments_status(a, TS_SPELLING_DSH), &len);
    if (!ts_contents_add(&seen, at, len)) result = duplicate(problem, out, at, len);
  }
  ts_buf_free(&text);
  ts_contents_free(&seen);
  return result;
}

int ts_todo_accept_dsh(struct ts_todo_arguments *a, struct ts_str text, bool single, struct ts_todo_accepted *out,
                       struct ts_buf *problem) {
  if (text.len == 0) text = TS_STR("{}");
  if (ts_todo_arguments_read(a, text) < 0) return ts_todo_problem(problem, NO_OBJECT);
  if (!ts_json_lossless(&a->json)) return ts_todo_problem(problem, LOSSY);
  if (check_schema(a, problem) < 0 || take_items(a, out, problem) < 0) return -1;
  size_t active = out->by_status[TS_TODO_IN_PROGRESS];
  if (!single || active <= 1) return 0;
  ts_buf_clear(problem);
  ts_buf_addf(problem, "Error: invalid todos: at most one task may be in_progress (got %zu)", active);
  return -1;
}

void ts_todo_acknowledge_dsh(const struct ts_todo_accepted *a, struct ts_buf *content) {
  ts_buf_addf(content, "Updated todo list: %zu pending, %zu in progress, %zu completed.", a->by_status[TS_TODO_PENDING],
              a->by_status[TS_TODO_IN_PROGRESS], a->by_status[TS_TODO_COMPLETED]);
}
