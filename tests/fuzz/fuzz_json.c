/* Fuzzing lib/json: the engines must agree with one another, whole scans with shaped ones, and what is accepted must
 * survive being minified, unescaped, and made a tree and written again. */
#include "fuzz.h"
#include "json/engine.h"
#include "json/tree.h"
#include "json/write.h"

static const struct ts_json_want wants[] = { { TS_STR("a"), &ts_json_span }, { TS_STR("type"), NULL } };
static const struct ts_json_shape element = { wants, TS_COUNT(wants), NULL };
static const struct ts_json_shape shape = { wants, TS_COUNT(wants), &element };

static bool same_verdict(const struct ts_json *a, const struct ts_json *b) {
  if (!a->reason != !b->reason || a->cut != b->cut || a->at != b->at || a->end != b->end) return false;
  if (a->reason) return strcmp(a->reason, b->reason) == 0;
  for (unsigned i = 0; i < TS_JSON_ISSUES; i++)
    if (a->issues >> i & 1 && a->issue_at[i] != b->issue_at[i]) return false;
  return a->issues == b->issues && a->depth == b->depth;
}

static void check_engines(struct ts_str text, size_t from, bool whole) {
  struct ts_json first = { 0 }, other = { 0 };
  const struct ts_json_engine_row *row = ts_json_engines();
  (void)ts_json_scan_by(row->run, &first, text, from, whole, NULL);
  for (; row->name; row++) {
    (void)ts_json_scan_by(row->run, &other, text, from, whole, NULL);
    MUST(same_verdict(&first, &other));
    MUST(first.reason || first.count == other.count);
    MUST(first.reason || memcmp(first.node, other.node, first.count * sizeof *first.node) == 0);
    (void)ts_json_scan_by(row->run, &other, text, from, whole, &shape);
    MUST(same_verdict(&first, &other));
  }
  ts_json_free(&first);
  ts_json_free(&other);
}

/* Every string, unescaped and quoted, says the same again. */
static void check_strings(const struct ts_json *j) {
  struct ts_buf text = { 0 }, quoted = { 0 }, again = { 0 };
  struct ts_json one = { 0 };
  for (uint32_t i = 0; i < j->count; i++) {
    if (j->node[i].kind != TS_JSON_STRING) continue;
    struct ts_str said = ts_json_text(j, i, &text);
    MUST(ts_json_says(j, i, said));
    ts_buf_clear(&quoted);
    ts_json_quote(&quoted, said);
    MUST(ts_json_scan(&one, ts_buf_str(&quoted), NULL) == 0);
    MUST(j->issues & 1u << TS_JSON_BAD_UTF8 || ts_str_eq(ts_json_text(&one, 0, &again), said));
  }
  ts_buf_free(&text);
  ts_buf_free(&quoted);
  ts_buf_free(&again);
  ts_json_free(&one);
}

static void check_minified(struct ts_str text, const struct ts_json *j) {
  struct ts_buf small = { 0 }, smaller = { 0 };
  struct ts_json again = { 0 };
  ts_json_minify(&small, text);
  MUST(ts_json_scan(&again, ts_buf_str(&small), NULL) == 0 && again.count == j->count && again.issues == j->issues);
  ts_json_minify(&smaller, ts_buf_str(&small));
  MUST(ts_str_eq(ts_buf_str(&small), ts_buf_str(&smaller)));
  ts_json_free(&again);
  ts_buf_free(&small);
  ts_buf_free(&smaller);
}

static void check_tree(struct ts_str text, const struct ts_json *j) {
  struct ts_buf err = { 0 }, out = { 0 };
  struct ts_tree *tree = ts_tree_parse(text, &err);
  MUST((tree != NULL) == (j->depth <= TS_TREE_DEPTH_MAX));
  if (tree) {
    ts_tree_write(tree, &out);
    struct ts_tree *again = ts_tree_parse(ts_buf_str(&out), &err);
    MUST(again && ts_tree_equal(tree, tree));
    MUST(j->issues & 1u << TS_JSON_BAD_UTF8 || (ts_tree_equal(tree, again) && ts_tree_equal(again, tree)));
    ts_tree_free(again);
  }
  ts_tree_free(tree);
  ts_buf_free(&err);
  ts_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ts_str text = ts_str((const char *)data, size);
  struct ts_json j = { 0 };
  struct ts_buf pointer = { 0 };
  check_engines(text, 0, true);
  check_engines(text, size / 2, false);
  if (ts_json_scan(&j, text, NULL) == 0) {
    check_strings(&j);
    check_minified(text, &j);
    check_tree(text, &j);
    ts_json_pointer(text, size / 2, &pointer);
  }
  ts_buf_free(&pointer);
  ts_json_free(&j);
  return 0;
}
