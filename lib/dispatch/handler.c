#include "dispatch/handler.h"

#include "base/xalloc.h"
#include "json/scan.h"

static struct ts_handler *find_exact(const struct ts_handlers *h, struct ts_str name) {
  for (size_t i = 0; i < h->count; i++)
    if (ts_str_eq(h->handler[i].name, name)) return &h->handler[i];
  return NULL;
}

const struct ts_handler *ts_handlers_find(const struct ts_handlers *h, struct ts_str tool) {
  const struct ts_handler *own = find_exact(h, tool);
  return own ? own : find_exact(h, TS_STR("*"));
}

void ts_handlers_free(struct ts_handlers *h) {
  free(h->handler);
  ts_arena_free(&h->arena);
  *h = (struct ts_handlers){ 0 };
}

static void put(struct ts_handlers *h, struct ts_handler handler) {
  struct ts_handler *old = find_exact(h, handler.name);
  if (old) {
    *old = handler;
    return;
  }
  ts_xgrow(&h->handler, &h->cap, h->count + 1, sizeof *h->handler);
  h->handler[h->count++] = handler;
}

static char **words(struct ts_handlers *h, size_t count) {
  return ts_arena_alloc(&h->arena, (count + 1) * sizeof(char *));
}

static char *word(struct ts_handlers *h, struct ts_str text) {
  union {
    const char *borrowed;
    char *owned;
  } copy = { ts_arena_dup(&h->arena, text).ptr }; /* the arena's copy is ours to hand to execvp */
  return copy.owned;
}

void ts_handlers_add(struct ts_handlers *h, const char *option) {
  struct ts_str all = ts_str_z(option);
  size_t equals = ts_str_find(all, TS_STR("="));
  bool named = equals != SIZE_MAX && !ts_str_has(ts_str_sub(all, 0, equals), TS_STR("/"));
  struct ts_str name = named ? ts_str_sub(all, 0, equals) : TS_STR("*");
  struct ts_handler handler = { .name = ts_arena_dup(&h->arena, name), .argv = words(h, 1), .env = words(h, 0) };
  handler.argv[0] = word(h, named ? ts_str_sub(all, equals + 1, all.len) : all);
  put(h, handler);
}

/* One record being read; `why` is set by the first fault. */
struct reading {
  struct ts_handlers *h;
  const struct ts_json *j;
  struct ts_buf scratch;
  const char *why;
};

static struct ts_str string_of(struct reading *r, uint32_t node, const char *why) {
  struct ts_str s = TS_STR("");
  if (!ts_json_is(r->j, node, TS_JSON_STRING)) {
    r->why = r->why ? r->why : why;
    return s;
  }
  s = ts_json_text(r->j, node, &r->scratch);
  if (s.len > 0 && memchr(s.ptr, '\0', s.len)) r->why = r->why ? r->why : "a NUL in what a program is given";
  return s;
}

static bool flag_of(struct reading *r, struct ts_str key) {
  uint32_t node = ts_json_get(r->j, 0, key);
  bool is_flag = node == 0 || ts_json_is(r->j, node, TS_JSON_TRUE) || ts_json_is(r->j, node, TS_JSON_FALSE);
  if (!is_flag && !r->why) r->why = "stream, shell and clean_env are true or false";
  return node != 0 && ts_json_is(r->j, node, TS_JSON_TRUE);
}

static size_t count_children(const struct ts_json *j, uint32_t node) {
  size_t count = 0;
  for (uint32_t c = ts_json_first(j, node); c; c = ts_json_after(j, node, c)) count++;
  return count;
}

/* With "shell": the first word is a script for sh, the others its arguments. */
static char **read_argv(struct reading *r, bool shell) {
  uint32_t array = TS_JSON_GET(r->j, 0, "argv");
  size_t given = ts_json_is(r->j, array, TS_JSON_ARRAY) ? count_children(r->j, array) : 0, n = 0;
  char **argv = words(r->h, given + 3);
  if (given == 0 && !r->why) r->why = "argv is a list of at least one string";
  if (given == 0) return argv;
  static const char *const sh[] = { "/bin/sh", "-c" };
  for (size_t i = 0; shell && i < TS_COUNT(sh); i++) argv[n++] = word(r->h, ts_str_z(sh[i]));
  for (uint32_t e = ts_json_first(r->j, array); e; e = ts_json_after(r->j, array, e)) {
    argv[n++] = word(r->h, string_of(r, e, "argv is a list of strings"));
    if (shell && n == 3) argv[n++] = word(r->h, TS_STR("sh")); /* the script's $0 */
  }
  return argv;
}

static char **read_env(struct reading *r) {
  uint32_t object = TS_JSON_GET(r->j, 0, "env");
  if (object != 0 && !ts_json_is(r->j, object, TS_JSON_OBJECT) && !r->why) r->why = "env is an object of strings";
  if (!ts_json_is(r->j, object, TS_JSON_OBJECT)) return words(r->h, 0);
  char **env = words(r->h, count_children(r->j, object));
  struct ts_buf entry = { 0 };
  size_t n = 0;
  for (uint32_t k = ts_json_first(r->j, object); k; k = ts_json_after(r->j, object, k)) {
    ts_buf_set(&entry, string_of(r, k, "env is an object of strings"));
    if ((entry.len == 0 || ts_str_has(ts_buf_str(&entry), TS_STR("="))) && !r->why)
      r->why = "not a variable's name in env";
    ts_buf_addc(&entry, '=');
    ts_buf_add(&entry, string_of(r, k + 1, "env is an object of strings"));
    env[n++] = word(r->h, ts_buf_str(&entry));
  }
  ts_buf_free(&entry);
  return env;
}

static const char *read_record(struct ts_handlers *h, const struct ts_json *j) {
  struct reading r = { .h = h, .j = j };
  struct ts_handler handler = { .stream = flag_of(&r, TS_STR("stream")),
                                .clean_env = flag_of(&r, TS_STR("clean_env")) };
  if (!TS_JSON_SAYS(j, TS_JSON_GET(j, 0, "type"), "handler"))
    r.why = "a record of a handlers file has \"type\":\"handler\"";
  if (j->issues & 1u << TS_JSON_DUPLICATE_KEY) r.why = "a key is given twice";
  handler.name = ts_arena_dup(&h->arena, string_of(&r, TS_JSON_GET(j, 0, "name"), "name is a string"));
  if (handler.name.len == 0 && !r.why) r.why = "name is empty";
  handler.argv = read_argv(&r, flag_of(&r, TS_STR("shell")));
  handler.env = read_env(&r);
  if (!r.why) put(h, handler);
  ts_buf_free(&r.scratch);
  return r.why;
}

int ts_handlers_read(struct ts_handlers *h, struct ts_str file, struct ts_str text, struct ts_buf *err) {
  struct ts_json j = { 0 };
  int status = 0;
  for (size_t number = 1; text.len > 0 && status == 0; number++) {
    size_t end = ts_str_find(text, TS_STR("\n"));
    struct ts_str line = ts_str_trim(ts_str_sub(text, 0, end), " \t\r");
    text = end == SIZE_MAX ? TS_STR("") : ts_str_sub(text, end + 1, text.len);
    if (line.len == 0) continue;
    const char *why = NULL;
    if (ts_json_scan(&j, line, NULL) != 0)
      status = ts_fail(err, "%.*s:%zu:%zu: not JSON: %s", TS_FMT(file), number, j.at + 1, j.reason);
    else if (!ts_json_root_is(&j, TS_JSON_OBJECT))
      why = "not an object";
    else
      why = read_record(h, &j);
    if (why) status = ts_fail(err, "%.*s:%zu: not a handler record: %s", TS_FMT(file), number, why);
  }
  ts_json_free(&j);
  return status;
}
