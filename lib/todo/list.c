#include "todo/list.h"

#include "base/diag.h"
#include "todo/text.h"

/* Statuses */

static const struct ts_todo_status_row rows[] = {
  [TS_TODO_PENDING] = { "pending", "[ ]", false },
  [TS_TODO_IN_PROGRESS] = { "in_progress", "[~]", false },
  [TS_TODO_COMPLETED] = { "completed", "[x]", true },
  [TS_TODO_CANCELLED] = { "cancelled", "[-]", true },
};

const struct ts_todo_status_row *ts_todo_status_row(enum ts_todo_status s) { return &rows[s]; }

enum { DSH = TS_SPELLING_DSH, SNAPSHOT = TS_SPELLING_SNAPSHOT, CODEWHALE = TS_SPELLING_CODEWHALE };

static const struct spelling {
  struct ts_str text;
  enum ts_todo_status status;
  unsigned known; /* enum ts_todo_spelling, as bits */
} spellings[] = {
  { TS_STR("pending"), TS_TODO_PENDING, DSH | SNAPSHOT | CODEWHALE },
  { TS_STR("in_progress"), TS_TODO_IN_PROGRESS, DSH | SNAPSHOT | CODEWHALE },
  { TS_STR("completed"), TS_TODO_COMPLETED, DSH | SNAPSHOT | CODEWHALE },
  { TS_STR("cancelled"), TS_TODO_CANCELLED, SNAPSHOT | CODEWHALE },
  { TS_STR("canceled"), TS_TODO_CANCELLED, SNAPSHOT | CODEWHALE },
  { TS_STR("inprogress"), TS_TODO_IN_PROGRESS, CODEWHALE },
  { TS_STR("in-progress"), TS_TODO_IN_PROGRESS, CODEWHALE },
  { TS_STR("in progress"), TS_TODO_IN_PROGRESS, CODEWHALE },
  { TS_STR("complete"), TS_TODO_COMPLETED, CODEWHALE },
  { TS_STR("done"), TS_TODO_COMPLETED, CODEWHALE },
};

enum ts_todo_status ts_todo_status_find(struct ts_str text, enum ts_todo_spelling spelling) {
  bool loose = spelling == TS_SPELLING_CODEWHALE;
  if (loose) text = ts_todo_trim(text, TS_CHAR_SPACE_RUST);
  for (size_t i = 0; i < TS_COUNT(spellings); i++) {
    const struct spelling *s = &spellings[i];
    if (!(s->known & spelling)) continue;
    if (loose ? ts_str_eq_nocase(s->text, text) : ts_str_eq(s->text, text)) return s->status;
  }
  return TS_TODO_STATUSES;
}

unsigned ts_todo_percent(uint64_t settled, uint64_t total) {
  return total == 0 ? 0 : (unsigned)((settled * 100 + total / 2) / total);
}

/* Members and elements, one after the other */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_blanks(struct ts_str text, size_t at) {
  while (at < text.len && is_blank(text.ptr[at])) at++;
  return at;
}

/* The value at or behind `at`, which is there: the text has been accepted. */
static const struct ts_json_node *value_at(struct ts_json *j, struct ts_str text, size_t at) {
  return ts_json_scan_at(j, text, at, &ts_json_span) < 0 ? NULL : &j->node[0];
}

/* Where the next key or element begins; SIZE_MAX: there is none. */
static size_t next_at(struct ts_str text, size_t at) {
  size_t from = skip_blanks(text, at == 0 ? skip_blanks(text, 0) + 1 : at);
  if (from < text.len && text.ptr[from] == ',') from = skip_blanks(text, from + 1);
  return from >= text.len || text.ptr[from] == ']' || text.ptr[from] == '}' ? SIZE_MAX : from;
}

bool ts_todo_step(struct ts_json *j, struct ts_str text, size_t *at, struct ts_todo_step *step) {
  size_t from = next_at(text, *at);
  if (from == SIZE_MAX) return false;
  *step = (struct ts_todo_step){ .kind = TS_JSON_NULL };
  const struct ts_json_node *node;
  if (text.ptr[skip_blanks(text, 0)] == '{') {
    node = value_at(j, text, from);
    if (!node) return false;
    step->key = ts_str_sub(text, node->start + 1, node->end - node->start - 2);
    step->key_escaped = node->escaped;
    from = skip_blanks(text, node->end) + 1; /* behind the colon */
  }
  node = value_at(j, text, from);
  if (!node) return false;
  step->value = ts_str_sub(text, node->start, node->end - node->start);
  step->kind = (enum ts_json_kind)node->kind;
  step->escaped = node->escaped;
  *at = node->end;
  return true;
}

static struct ts_str decoded(struct ts_str body, bool escaped, struct ts_buf *scratch) {
  if (!escaped) return body;
  ts_buf_clear(scratch);
  ts_json_decode(body, scratch);
  return ts_buf_str(scratch);
}

struct ts_str ts_todo_step_text(const struct ts_todo_step *step, struct ts_buf *scratch) {
  if (step->kind != TS_JSON_STRING) return TS_STR("");
  return decoded(ts_str_sub(step->value, 1, step->value.len - 2), step->escaped, scratch);
}

bool ts_todo_step_is(const struct ts_todo_step *step, struct ts_str key, struct ts_buf *scratch) {
  return ts_str_eq(decoded(step->key, step->key_escaped, scratch), key);
}

/* Lists */

static const struct shape_row {
  struct ts_str content; /* name of the member */
  enum ts_todo_spelling spelling;
  bool numbered;        /* items carry an id */
  bool status_optional; /* without a string there: pending */
} shapes[] = {
  [TS_TODO_WRITTEN] = { TS_STR("content"), TS_SPELLING_SNAPSHOT, false, false },
  [TS_TODO_LENIENT] = { TS_STR("content"), TS_SPELLING_CODEWHALE, false, true },
  [TS_TODO_NUMBERED] = { TS_STR("content"), TS_SPELLING_SNAPSHOT, true, false },
  [TS_TODO_PLANNED] = { TS_STR("step"), TS_SPELLING_SNAPSHOT, false, false },
};

/* The members of an item that count. */
static const struct ts_json_want item_wants[] = {
  { TS_STR("id"), &ts_json_span },
  { TS_STR("content"), &ts_json_span },
  { TS_STR("step"), &ts_json_span },
  { TS_STR("status"), &ts_json_span },
};
static const struct ts_json_shape item_shape = { item_wants, TS_COUNT(item_wants), NULL };

static int read_status(struct ts_todo_walk *w, struct ts_todo_item *item, struct ts_buf *err) {
  const struct shape_row *shape = &shapes[w->list->shape];
  uint32_t status = TS_JSON_GET(&w->json, 0, "status");
  bool spelt = ts_json_is(&w->json, status, TS_JSON_STRING);
  if (!spelt && shape->status_optional) return 0;
  if (!spelt) return ts_fail(err, "item %zu has no string 'status'", item->index + 1);
  struct ts_str word = ts_json_text(&w->json, status, &w->word);
  item->status = ts_todo_status_find(word, shape->spelling);
  if (item->status != TS_TODO_STATUSES) return 0;
  return ts_fail(err, "item %zu (#%llu) has the unknown status '%.*s'", item->index + 1, (unsigned long long)item->id,
                 TS_FMT(ts_str_sub(word, 0, 80)));
}

/* The item in w->json; *err says what is wrong with it. */
static int read_item(struct ts_todo_walk *w, struct ts_todo_item *item, struct ts_buf *err) {
  const struct shape_row *shape = &shapes[w->list->shape];
  size_t number = w->index + 1;
  if (!ts_json_root_is(&w->json, TS_JSON_OBJECT)) return ts_fail(err, "item %zu is not an object", number);
  *item = (struct ts_todo_item){ .index = w->index, .id = number };
  uint32_t id = shape->numbered ? TS_JSON_GET(&w->json, 0, "id") : 0;
  if (shape->numbered && !(id && ts_json_u64(&w->json, id, &item->id)))
    return ts_fail(err, "item %zu has no whole number 'id'", number);
  w->content = ts_json_get(&w->json, 0, shape->content);
  if (!ts_json_is(&w->json, w->content, TS_JSON_STRING))
    return ts_fail(err, "item %zu has no string '%.*s'", number, TS_FMT(shape->content));
  return read_status(w, item, err);
}

/* 1: an item; 0: the end; -1: it is none. */
static int next_item(struct ts_todo_walk *w, struct ts_todo_item *item, struct ts_buf *err) {
  size_t from = next_at(w->list->json, w->at);
  if (from == SIZE_MAX || ts_json_scan_at(&w->json, w->list->json, from, &item_shape) < 0) return 0;
  w->at = w->json.end;
  if (read_item(w, item, err) < 0) return -1;
  w->index++;
  return 1;
}

int ts_todo_walk_list(struct ts_todo_walk *w, struct ts_todo_list *l, struct ts_str json, enum ts_todo_shape shape,
                      struct ts_buf *err) {
  struct ts_todo_item item;
  int got;
  w->list = l;
  w->at = w->index = 0;
  l->json = json;
  l->shape = shape;
  l->count = 0;
  memset(l->by_status, 0, sizeof l->by_status);
  size_t open = skip_blanks(json, 0);
  if (open >= json.len || json.ptr[open] != '[') return ts_fail(err, "the list is not an array");
  while ((got = next_item(w, &item, err)) == 1) l->by_status[item.status]++;
  l->count = w->index;
  return got;
}

int ts_todo_list_read(struct ts_todo_list *l, struct ts_str json, enum ts_todo_shape shape, struct ts_buf *err) {
  struct ts_todo_walk w = { 0 };
  int result = ts_todo_walk_list(&w, l, json, shape, err);
  ts_todo_walk_free(&w);
  return result;
}

size_t ts_todo_settled(const struct ts_todo_list *l) {
  size_t settled = 0;
  for (size_t s = 0; s < TS_TODO_STATUSES; s++) settled += rows[s].settled ? l->by_status[s] : 0;
  return settled;
}

int ts_todo_next(struct ts_todo_walk *w, struct ts_todo_item *item) {
  return w->list->json.ptr && next_item(w, item, NULL) == 1;
}

struct ts_str ts_todo_content(struct ts_todo_walk *w) {
  return ts_json_text(&w->json, w->content, &w->text);
}

void ts_todo_walk_free(struct ts_todo_walk *w) {
  ts_json_free(&w->json);
  ts_buf_free(&w->text);
  ts_buf_free(&w->word);
}
