/* Reference cases for todo-write and todo-snapshot, made by running other implementations. They are not part of
 * the project: where the files are not there, this test says so and does nothing. */
#include "base/utf8.h"

#include <fcntl.h>
#include <unistd.h>

#include "json/scan.h"
#include "json/write.h"
#include "todo/accept.h"
#include "todo/session_log.h"
#include "todo/snapshot.h"
#include "todo/text.h"
#include "unit/tap.h"

#define VECTORS "../shared/vectors/"

/* One case at a time. */
struct vector {
  struct ts_json json;
  struct ts_buf file, id, text, other;
};

static bool load(const char *name, struct ts_buf *out) {
  struct ts_buf path = { 0 };
  ts_buf_addf(&path, VECTORS "%s", name);
  int fd = open(path.ptr, O_RDONLY | O_CLOEXEC);
  ts_buf_free(&path);
  ts_buf_clear(out);
  if (fd < 0) return false;
  for (;;) {
    ssize_t n = read(fd, ts_buf_reserve(out, 1 << 16), 1 << 16);
    if (n <= 0) break;
    ts_buf_cut(out, out->len + (size_t)n);
  }
  (void)close(fd);
  return true;
}

/* Calls run for each line of the file. */
static void each(const char *name, void (*run)(struct vector *v)) {
  struct vector v = { 0 };
  if (!load(name, &v.file)) {
    OK(true, "%s is not here", name);
    return;
  }
  struct ts_str rest = ts_buf_str(&v.file);
  while (rest.len > 0) {
    size_t end = ts_str_find(rest, TS_STR("\n"));
    struct ts_str line = ts_str_sub(rest, 0, end);
    rest = ts_str_sub(rest, end == SIZE_MAX ? rest.len : end + 1, rest.len);
    if (line.len == 0) continue;
    if (ts_json_scan(&v.json, line, NULL) < 0) {
      OK(false, "%s: not JSON", name);
      continue;
    }
    ts_buf_set(&v.id, ts_json_text(&v.json, TS_JSON_GET(&v.json, 0, "id"), &v.text));
    run(&v);
  }
  ts_json_free(&v.json);
  ts_buf_free(&v.file);
  ts_buf_free(&v.id);
  ts_buf_free(&v.text);
  ts_buf_free(&v.other);
}

static uint32_t get(struct vector *v, uint32_t at, const char *key) { return ts_json_get(&v->json, at, ts_str_z(key)); }

static bool is_true(struct vector *v, uint32_t at) { return ts_json_is(&v->json, at, TS_JSON_TRUE); }

static struct ts_str text_of(struct vector *v, uint32_t at) {
  return at ? ts_json_text(&v->json, at, &v->text) : TS_STR("");
}

static void check(struct vector *v, const char *what, struct ts_str got, uint32_t want) {
  IS(got, text_of(v, want), "%s: %s", ts_buf_z(&v->id), what);
}

/* todo-write */

static void run_write(struct vector *v, enum ts_write_dialect dialect) {
  struct ts_todo_accepted a = { 0 };
  struct ts_buf problem = { 0 }, ack = { 0 }, data = { 0 };
  uint32_t expect = get(v, 0, "expect"), policy = get(v, 0, "policy"), owner = get(v, 0, "owner");
  bool single = policy && !is_true(v, get(v, policy, "parallel"));
  int got = ts_todo_accept(dialect, text_of(v, get(v, 0, "args")), single, &a, &problem);
  if (got == 0 && owner && !is_true(v, owner)) {
    got = -1;
    ts_buf_addz(&problem, "Error: todo_write requires an owning agent session");
  }
  IS_INT(got, is_true(v, get(v, expect, "ok")) ? 0 : -1, "%s: accepted or not", ts_buf_z(&v->id));
  if (got == 0) {
    ts_todo_acknowledge(dialect, &a, &ack);
    check(v, "ack", ts_buf_str(&ack), get(v, expect, "ack"));
    ts_buf_addf(&data, "{\"todos\":%s}", ts_buf_z(&a.todos));
    if (dialect == TS_WRITE_DSH) check(v, "event", ts_buf_str(&data), get(v, expect, "event_data_json"));
  } else {
    check(v, "error", ts_buf_str(&problem), get(v, expect, "error"));
  }
  ts_todo_accepted_free(&a);
  ts_buf_free(&problem);
  ts_buf_free(&ack);
  ts_buf_free(&data);
}

static void run_dsh(struct vector *v) { run_write(v, TS_WRITE_DSH); }
static void run_codewhale(struct vector *v) { run_write(v, TS_WRITE_CODEWHALE); }

static void run_status(struct vector *v) {
  static const struct {
    const char *member;
    enum ts_todo_spelling spelling;
  } rows[] = { { "codewhale_write", TS_SPELLING_CODEWHALE },
               { "codewhale_snapshot", TS_SPELLING_SNAPSHOT },
               { "dsh", TS_SPELLING_DSH } };
  ts_buf_set(&v->other, text_of(v, get(v, 0, "spelling")));
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    enum ts_todo_status got = ts_todo_status_find(ts_buf_str(&v->other), rows[i].spelling);
    const char *name = got == TS_TODO_STATUSES ? "" : ts_todo_status_row(got)->name;
    IS(ts_str_z(name), text_of(v, get(v, 0, rows[i].member)), "'%s' in %s", ts_buf_z(&v->other), rows[i].member);
  }
}

/* todo-snapshot */

/* The snapshot of the case: its own, or one made of equal items. */
static void snapshot_of(struct vector *v, struct ts_buf *items, struct ts_todo_list *l) {
  uint32_t at = get(v, 0, "snapshot"), repeat = get(v, 0, "snapshot_repeat");
  if (repeat) {
    uint64_t count = 0, first = 0;
    at = repeat;
    (void)ts_json_u64(&v->json, get(v, at, "count"), &count);
    (void)ts_json_u64(&v->json, get(v, at, "first_id"), &first);
    struct ts_str content = ts_json_raw(&v->json, get(v, at, "content")),
                  status = ts_json_raw(&v->json, get(v, at, "status"));
    for (uint64_t i = 0; i < count; i++) {
      ts_buf_addf(items, "%s{\"id\":%" PRIu64 ",\"content\":", i ? "," : "[", first + i);
      ts_buf_add(items, content);
      ts_buf_addz(items, ",\"status\":");
      ts_buf_add(items, status);
      ts_buf_addc(items, '}');
    }
    ts_buf_addz(items, count ? "]" : "[]");
  } else {
    ts_buf_add(items, ts_json_raw(&v->json, get(v, at, "items")));
  }
  struct ts_buf err = { 0 };
  uint32_t percent = get(v, at, "completion_pct"), current = get(v, at, "in_progress_id");
  *l = (struct ts_todo_list){ 0 };
  l->has_percent = percent && ts_json_u64(&v->json, percent, &l->percent);
  l->has_current = current && ts_json_u64(&v->json, current, &l->current);
  OK(ts_todo_list_read(l, ts_buf_str(items), TS_TODO_NUMBERED, &err) == 0, "%s: a list", ts_buf_z(&v->id));
  ts_buf_free(&err);
}

static void render(const struct ts_todo_list *l, const struct ts_todo_dialect *dialect, enum ts_todo_frame frame,
                   struct ts_buf *out) {
  struct ts_todo_view view = { .dialect = dialect,
                               .frame = frame,
                               .max_items = TS_TODO_MAX_ITEMS,
                               .max_chars = TS_TODO_MAX_CHARS,
                               .max_item_chars = TS_TODO_MAX_ITEM_CHARS };
  ts_buf_clear(out);
  (void)ts_todo_render(&view, l, out, NULL);
  if (out->len > 0) ts_buf_cut(out, out->len - 1);
}

/* {"header","items","omitted"} as the lines of the card. */
static void card_of(struct vector *v, uint32_t card, struct ts_buf *out) {
  uint64_t omitted = 0;
  ts_buf_clear(out);
  if (!ts_json_is(&v->json, card, TS_JSON_OBJECT)) return;
  ts_buf_add(out, text_of(v, get(v, card, "header")));
  uint32_t items = get(v, card, "items");
  for (uint32_t i = ts_json_first(&v->json, items); i; i = ts_json_after(&v->json, items, i)) {
    ts_buf_addc(out, '\n');
    ts_buf_add(out, text_of(v, i));
  }
  (void)ts_json_u64(&v->json, get(v, card, "omitted"), &omitted);
  if (omitted > 0) ts_buf_addf(out, "\n\u2026 +%" PRIu64 " more", omitted);
}

static void run_frames(struct vector *v, const struct ts_todo_dialect *dialect, const char *body, const char *card,
                       const char *block) {
  struct ts_todo_list l;
  struct ts_buf items = { 0 }, out = { 0 }, want = { 0 };
  snapshot_of(v, &items, &l);
  render(&l, dialect, TS_FRAME_BODY, &out);
  check(v, body, ts_buf_str(&out), get(v, 0, body));
  render(&l, dialect, TS_FRAME_FORK_STATE, &out);
  check(v, block, ts_buf_str(&out), get(v, 0, block));
  render(&l, dialect, TS_FRAME_CARD, &out);
  card_of(v, get(v, 0, card), &want);
  IS(ts_buf_str(&out), ts_buf_str(&want), "%s: %s", ts_buf_z(&v->id), card);
  ts_buf_free(&items);
  ts_buf_free(&out);
  ts_buf_free(&want);
}

static void run_snapshot(struct vector *v) {
  run_frames(v, &ts_todo_codewhale, "expect_body", "expect_card", "expect_fork_block");
}

static void run_weak(struct vector *v) {
  run_frames(v, &ts_todo_codewhale, "upstream_body", "upstream_card", "upstream_fork_block");
  run_frames(v, &ts_todo_strict, "better_body", "better_card", "better_fork_block");
}

/* Session logs */

static struct ts_str next_line(struct ts_str *rest, bool *ended) {
  size_t end = ts_str_find(*rest, TS_STR("\n"));
  *ended = end != SIZE_MAX;
  struct ts_str line = ts_str_sub(*rest, 0, end);
  *rest = ts_str_sub(*rest, *ended ? end + 1 : rest->len, rest->len);
  return line;
}

/* 0 when the log is readable and the session's. */
static int read_log(struct ts_session_log *s, struct ts_str log, struct ts_str id, struct ts_buf *err) {
  bool ended;
  while (log.len > 0) {
    struct ts_str line = next_line(&log, &ended);
    if (ts_session_log_line(s, line, ended, err) < 0) return -1;
  }
  if (ts_session_log_end(s, err) < 0) return -1;
  return ts_str_eq(ts_buf_str(&s->header.id), id) ? 0 : -1;
}

/* "pending a" and so on, a line an item. */
static void list_text(struct ts_str json, struct ts_buf *out) {
  struct ts_todo_list l = { 0 };
  struct ts_todo_item item;
  ts_buf_clear(out);
  if (!json.ptr || ts_todo_list_read(&l, json, TS_TODO_WRITTEN, NULL) < 0) {
    ts_buf_addz(out, "no list");
    return;
  }
  struct ts_todo_walk w = { .list = &l };
  while (ts_todo_next(&w, &item)) {
    ts_buf_addf(out, "%s ", ts_todo_status_row(item.status)->name);
    ts_json_quote(out, ts_todo_content(&w));
    ts_buf_addc(out, '\n');
  }
  ts_todo_walk_free(&w);
}

static void run_log(struct vector *v) {
  struct ts_session_log s = { .file = TS_STR("log"), .standing = true };
  struct ts_buf err = { 0 }, got = { 0 }, want = { 0 };
  uint32_t expect = get(v, 0, "expect"), inspect = get(v, expect, "inspect");
  ts_buf_set(&v->other, text_of(v, get(v, 0, "session_id")));
  bool ok = is_true(v, get(v, inspect, "ok"));
  int result = read_log(&s, text_of(v, get(v, 0, "log")), ts_buf_str(&v->other), &err);
  IS_INT(result, ok ? 0 : -1, "%s: readable or not: %s", ts_buf_z(&v->id), ts_buf_z(&err));
  if (ok) {
    uint32_t todos = get(v, expect, "todos");
    list_text(s.has_list ? ts_buf_str(&s.list) : ts_str(NULL, 0), &got);
    list_text(todos ? ts_json_raw(&v->json, todos) : ts_str(NULL, 0), &want);
    IS(ts_buf_str(&got), ts_buf_str(&want), "%s: list", ts_buf_z(&v->id));
  }
  ts_session_log_free(&s);
  ts_buf_free(&err);
  ts_buf_free(&got);
  ts_buf_free(&want);
}

/* trim-sets.json: exhaustive over all scalars. */
static void trim_set(struct vector *v, const char *member, unsigned kind) {
  uint32_t list = get(v, 0, member);
  uint32_t at = ts_json_first(&v->json, list);
  unsigned wrong = 0;
  for (uint32_t c = 0; c < 0x110000; c++) {
    struct ts_buf name = { 0 };
    ts_buf_addf(&name, "U+%04X", (unsigned)c);
    bool want = at && ts_json_says(&v->json, at, ts_buf_str(&name));
    if (want) at = ts_json_after(&v->json, list, at);
    wrong += want != ((ts_char_kinds(c) & kind) != 0);
    ts_buf_free(&name);
  }
  OK(wrong == 0 && at == 0, "%s: the same characters", member);
}

static void run_trim_sets(void) {
  struct vector v = { 0 };
  if (load("trim-sets.json", &v.file) && ts_json_scan(&v.json, ts_buf_str(&v.file), NULL) == 0) {
    trim_set(&v, "js_trim", TS_CHAR_SPACE_JS);
    trim_set(&v, "rust_trim", TS_CHAR_SPACE_RUST);
  }
  ts_json_free(&v.json);
  ts_buf_free(&v.file);
}

int main(void) {
  each("todo-write.jsonl", run_dsh);
  each("todo-write-codewhale.jsonl", run_codewhale);
  each("status-aliases.jsonl", run_status);
  each("todo-snapshot.jsonl", run_snapshot);
  each("todo-snapshot-weak.jsonl", run_weak);
  each("session-log.jsonl", run_log);
  run_trim_sets();
  return tap_done();
}
