#include "catalog/load.h"

#include "base/xalloc.h"

struct ts_loading *ts_loading(struct ts_catalog *c) {
  if (!c->loading) c->loading = ts_xcalloc(1, sizeof *c->loading);
  return c->loading;
}

/* Lines are counted on from where the last question was: the values of a source come in its order. */
struct ts_place ts_load_place(struct ts_loader *l, size_t at) {
  if (at < l->counted) {
    l->counted = l->line_at = 0;
    l->line = 1;
  }
  const char *from = l->text.ptr + l->counted, *end = l->text.ptr + at, *feed;
  while (from < end && (feed = memchr(from, '\n', (size_t)(end - from))) != NULL) {
    from = feed + 1;
    l->line++;
    l->line_at = (size_t)(from - l->text.ptr);
  }
  l->counted = at;
  return (struct ts_place){ l->file, l->line, at - l->line_at + 1 };
}

int ts_load_fail(struct ts_loader *l, size_t at, const char *format, ...) {
  struct ts_place place = ts_load_place(l, at);
  struct ts_buf why = { 0 };
  va_list args;
  va_start(args, format);
  ts_buf_addv(&why, format, args);
  va_end(args);
  int failed = ts_fail(l->err, "%.*s:%llu:%llu: %s", TS_FMT(place.file), (unsigned long long)place.line,
                       (unsigned long long)place.column, ts_buf_z(&why));
  ts_buf_free(&why);
  return failed;
}

void ts_load_find(struct ts_catalog *c, const struct ts_finding *f) {
  struct ts_finding copy = *f;
  struct ts_str *text[] = { &copy.message, &copy.name, &copy.pointer, &copy.old_value, &copy.new_value };
  for (size_t i = 0; i < TS_COUNT(text); i++)
    if (text[i]->ptr) *text[i] = ts_arena_dup(&c->arena, *text[i]);
  ts_xgrow(&c->finding, &c->finding_cap, c->finding_count + 1, sizeof *c->finding);
  c->finding[c->finding_count++] = copy;
}

int ts_load_check_keys(struct ts_loader *l, uint32_t object) {
  const struct ts_json *j = &l->json;
  struct ts_map seen = { 0 };
  struct ts_arena keys = { 0 };
  int result = 0;
  if (!(j->issues & 1u << TS_JSON_DUPLICATE_KEY)) return 0;
  for (uint32_t k = ts_json_first(j, object); k && result == 0; k = ts_json_after(j, object, k)) {
    struct ts_str key = ts_arena_dup(&keys, ts_json_text(j, k, &l->scratch));
    if (*ts_map_at(&seen, key, k) != k)
      result = ts_load_fail(l, j->node[k].start, "member '%.*s' stands twice in one object", TS_FMT(key));
  }
  ts_map_free(&seen);
  ts_arena_free(&keys);
  return result;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static size_t skip_blanks(struct ts_str text, size_t at) {
  while (at < text.len && is_blank(text.ptr[at])) at++;
  return at;
}

/* Indexes the value at `at`: on its own line if it ends there (JSONL), else as far as it goes (a document). */
static int index_value(struct ts_loader *l, size_t at) {
  struct ts_json *j = &l->json;
  const char *feed = memchr(l->text.ptr + at, '\n', l->text.len - at);
  size_t end = feed ? (size_t)(feed - l->text.ptr) : l->text.len;
  if (ts_json_scan_at(j, ts_str_sub(l->text, 0, end), at, NULL) == 0) return 0;
  if (!j->cut || end == l->text.len) return ts_load_fail(l, j->at, "%s", j->reason);
  if (ts_json_scan_at(j, l->text, at, NULL) == 0) return 0;
  /* A record that ends too early is wrong where it ends, not where the next one begins. */
  size_t next = skip_blanks(l->text, end);
  if (j->at > next || (j->at == next && next < l->text.len && l->text.ptr[next] != '{'))
    return ts_load_fail(l, j->at, "%s", j->reason);
  (void)ts_json_scan_at(j, ts_str_sub(l->text, 0, end), at, NULL);
  return ts_load_fail(l, j->at, "%s", j->reason);
}

/* What follows a value on its line; blanks may. */
static int check_line_end(struct ts_loader *l, size_t end) {
  size_t next = skip_blanks(l->text, end);
  if (next == l->text.len || memchr(l->text.ptr + end, '\n', next - end)) return 0;
  return ts_load_fail(l, next, "more text behind the record on its line");
}

/* The value, and what is to be said of it: a doubled key that no one refused stands in a value passed on. */
static int read_shape(struct ts_loader *l) {
  const struct ts_json *j = &l->json;
  if (j->issues & 1u << TS_JSON_BAD_UTF8) return ts_load_fail(l, j->issue_at[TS_JSON_BAD_UTF8], "invalid UTF-8");
  if (ts_shape_read(l, 0) < 0) return -1;
  if (!(j->issues & 1u << TS_JSON_DUPLICATE_KEY)) return 0;
  struct ts_finding f = { .rule = TS_RULE_DUPLICATE_KEY,
                          .message = TS_STR("a key stands twice in a value that is passed on; the last one counts"),
                          .place = ts_load_place(l, j->issue_at[TS_JSON_DUPLICATE_KEY]) };
  ts_load_find(l->c, &f);
  return 0;
}

static int read_values(struct ts_loader *l, size_t at) {
  struct ts_json *j = &l->json;
  while ((at = skip_blanks(l->text, at)) < l->text.len) {
    if (index_value(l, at) < 0) return -1;
    at = j->end;
    if (check_line_end(l, at) < 0) return -1;
    if (read_shape(l) < 0) return -1;
  }
  return 0;
}

static struct ts_loader loader_of(struct ts_catalog *c, struct ts_str name, struct ts_str text, struct ts_buf *err) {
  return (struct ts_loader){ .c = c, .file = ts_arena_dup(&c->arena, name), .text = text, .err = err, .line = 1 };
}

static void loader_free(struct ts_loader *l) {
  ts_json_free(&l->json);
  ts_json_free(&l->index);
  ts_buf_free(&l->made);
  ts_buf_free(&l->scratch);
}

int ts_catalog_read(struct ts_catalog *c, struct ts_str name, struct ts_str text, struct ts_buf *err) {
  struct ts_str bom = TS_STR("\xef\xbb\xbf");
  struct ts_loader l = loader_of(c, name, text, err);
  int result = read_values(&l, ts_str_starts(text, bom) ? bom.len : 0);
  loader_free(&l);
  return result;
}

int ts_catalog_read_tools(struct ts_catalog *c, struct ts_str name, struct ts_str tools, struct ts_buf *err) {
  struct ts_loader l = loader_of(c, name, tools, err);
  int result = -1;
  l.listed = true;
  if (ts_json_scan(&l.json, tools, NULL) < 0)
    (void)ts_load_fail(&l, l.json.at, "%s", l.json.reason);
  else
    result = read_shape(&l);
  loader_free(&l);
  return result;
}
