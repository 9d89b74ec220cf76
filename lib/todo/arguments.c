#include "todo/arguments.h"

#include "base/xalloc.h"
#include "json/write.h"

int ts_todo_arguments_read(struct ts_todo_arguments *a, struct ts_str text) {
  static const struct ts_json_want wants[] = { { TS_STR("todos"), &ts_json_span } };
  static const struct ts_json_shape shape = { wants, TS_COUNT(wants), NULL };
  a->todos = TS_STR("");
  if (ts_json_scan(&a->json, text, &shape) < 0 || !ts_json_root_is(&a->json, TS_JSON_OBJECT)) return -1;
  if (a->json.issues & (1u << TS_JSON_BAD_UTF8)) return -1;
  uint32_t todos = TS_JSON_GET(&a->json, 0, "todos");
  a->todos = todos ? ts_json_raw(&a->json, todos) : ts_str(NULL, 0);
  a->todos_kind = todos ? (enum ts_json_kind)a->json.node[todos].kind : TS_JSON_NULL;
  ts_todo_arguments_rewind(a);
  return 0;
}

void ts_todo_arguments_rewind(struct ts_todo_arguments *a) { a->at = a->index = 0; }

static void note_extra(struct ts_todo_arguments *a, const struct ts_todo_step *member) {
  struct ts_str key = member->key;
  if (member->key_escaped) {
    ts_buf_clear(&a->word);
    ts_json_decode(key, &a->word);
    key = ts_arena_dup(&a->arena, ts_buf_str(&a->word));
  }
  ts_xgrow(&a->extra, &a->extra_cap, a->extra_count + 1, sizeof *a->extra);
  a->extra[a->extra_count] = (struct ts_todo_extra){ .key = key, .order = a->extra_count };
  a->extra_count++;
}

static void read_members(struct ts_todo_arguments *a, struct ts_str item) {
  struct ts_todo_step member;
  for (size_t at = 0; ts_todo_step(&a->item_json, item, &at, &member);) {
    if (ts_todo_step_is(&member, TS_STR("content"), &a->word))
      a->content = member;
    else if (ts_todo_step_is(&member, TS_STR("status"), &a->word))
      a->status = member;
    else
      note_extra(a, &member);
  }
}

bool ts_todo_arguments_next(struct ts_todo_arguments *a) {
  struct ts_todo_step item;
  bool first = a->at == 0;
  if (!ts_todo_step(&a->json, a->todos, &a->at, &item)) return false;
  if (!first) a->index++;
  a->kind = item.kind;
  a->content = a->status = (struct ts_todo_step){ .kind = TS_JSON_NULL };
  a->extra_count = 0;
  ts_arena_reset(&a->arena);
  if (item.kind == TS_JSON_OBJECT) read_members(a, item.value);
  return true;
}

void ts_todo_arguments_free(struct ts_todo_arguments *a) {
  ts_json_free(&a->json);
  ts_json_free(&a->item_json);
  ts_arena_free(&a->arena);
  ts_buf_free(&a->word);
  free(a->extra);
  *a = (struct ts_todo_arguments){ 0 };
}

bool ts_todo_is_string(const struct ts_todo_step *member) {
  return member->value.ptr && member->kind == TS_JSON_STRING;
}

enum ts_todo_status ts_todo_arguments_status(struct ts_todo_arguments *a, enum ts_todo_spelling spelling) {
  return ts_todo_status_find(ts_todo_step_text(&a->status, &a->word), spelling);
}

size_t ts_todo_accepted_add(struct ts_todo_accepted *out, struct ts_str content, enum ts_todo_status status,
                            size_t *len) {
  ts_buf_addz(&out->todos, out->count == 0 ? "[" : ",");
  ts_buf_addz(&out->todos, "{\"content\":");
  size_t at = out->todos.len;
  ts_json_quote(&out->todos, content);
  *len = out->todos.len - at;
  ts_buf_addz(&out->todos, ",\"status\":\"");
  ts_buf_addz(&out->todos, ts_todo_status_row(status)->name);
  ts_buf_addz(&out->todos, "\"}");
  out->count++;
  out->by_status[status]++;
  return at;
}

int ts_todo_problem(struct ts_buf *problem, const char *text) {
  ts_buf_clear(problem);
  ts_buf_addz(problem, text);
  return -1;
}
