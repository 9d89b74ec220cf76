/* What the model reads: words of the lifecycle, retired names, and characters that nobody sees. */
#include "base/utf8.h"
#include "check/lint_run.h"
#include "json/scan.h"

/* --- every text of a tool that is shown -------------------------------------------------------------------- */

typedef void text_fn(struct ts_lint_run *l, const struct ts_tool *t, struct ts_str text, const char *pointer);

/* The descriptions and titles inside a schema. */
static void each_schema_text(struct ts_lint_run *l, const struct ts_tool *t, text_fn *check) {
  struct ts_json j = { 0 };
  struct ts_buf scratch = { 0 }, pointer = { 0 };
  bool readable = t->input_schema.len > 0 && ts_json_scan(&j, t->input_schema, NULL) == 0;
  for (uint32_t i = 1; readable && i + 1 < j.count; i++) {
    bool is_key = j.node[i].kind == TS_JSON_STRING && j.node[i + 1].kind == TS_JSON_STRING &&
                  j.node[i].end < j.text.len && j.text.ptr[j.node[i].end] == ':';
    if (!is_key || (!TS_JSON_SAYS(&j, i, "description") && !TS_JSON_SAYS(&j, i, "title"))) continue;
    ts_buf_set(&pointer, TS_STR("/input_schema"));
    ts_json_pointer(j.text, j.node[i + 1].start, &pointer);
    check(l, t, ts_json_text(&j, i + 1, &scratch), ts_buf_z(&pointer));
  }
  ts_buf_free(&scratch);
  ts_buf_free(&pointer);
  ts_json_free(&j);
}

static void each_text(struct ts_lint_run *l, const struct ts_tool *t, text_fn *check) {
  check(l, t, t->description, "/description");
  each_schema_text(l, t, check);
}

/* --- invisible characters ---------------------------------------------------------------------------------- */

enum { ZWNJ = 0x200c, ZWJ = 0x200d };

/* Ranges that no reader sees. Source: the rule invisible-text in toolsurface(7). */
static const struct {
  uint32_t from, to;
  const char *what;
} invisible[] = {
  { 0x00, 0x1f, "a control character" },        { 0x7f, 0x9f, "a control character" },
  { 0x61c, 0x61c, "a bidi control" },           { 0x200b, 0x200d, "a zero-width character" },
  { 0x200e, 0x200f, "a bidi control" },         { 0x202a, 0x202e, "a bidi control" },
  { 0x2060, 0x2064, "a zero-width character" }, { 0x2066, 0x2069, "a bidi control" },
  { 0xfeff, 0xfeff, "a zero-width character" }, { 0xe0000, 0xe007f, "a tag character" },
};

static const char *what_is(uint32_t c) {
  for (size_t i = 0; i < TS_COUNT(invisible); i++)
    if (c >= invisible[i].from && c <= invisible[i].to) return invisible[i].what;
  return NULL;
}

/* Of a letter or an emoji, as far as joiners go: ASCII letters, and all beyond ASCII that can be seen. */
static bool is_joinable(uint32_t c) {
  bool ascii = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return ascii || (c >= 0xaa && c != TS_UTF8_BAD && !what_is(c));
}

/* A joiner is fine where it joins: between letters, and inside emoji. */
static bool joins(uint32_t c, uint32_t before, struct ts_str text, size_t at) {
  if ((c != ZWNJ && c != ZWJ) || !is_joinable(before) || at >= text.len) return false;
  return is_joinable(ts_wtf8_next(text, &at));
}

static void check_visible(struct ts_lint_run *l, const struct ts_tool *t, struct ts_str text, const char *pointer) {
  bool name = strcmp(pointer, "/name") == 0;
  uint32_t before = 0, c;
  for (size_t at = 0; at < text.len; before = c) {
    size_t from = at;
    c = ts_wtf8_next(text, &at);
    const char *what = what_is(c);
    bool layout = !name && (c == '\t' || c == '\n' || c == '\r');
    if (!what || layout || joins(c, before, text, at)) continue;
    ts_lint_report(l, TS_RULE_INVISIBLE_TEXT, (struct ts_lint_spot){ .tool = t, .pointer = pointer },
                   "'%.*s' has %s, U+%04X, at byte %zu of %s", TS_FMT(t->name), what, (unsigned)c, from, pointer + 1);
    return;
  }
}

/* --- words of the lifecycle -------------------------------------------------------------------------------- */

/* Members of a record that never belong into what a model is shown. */
static const char *const lifecycle_members[] = {
  "state",      "replacement", "first_deprecated_version", "planned_removal_version", "not_before", "replay_supported",
  "deprecated", "removed",
};

static void check_members(struct ts_lint_run *l, const struct ts_tool *t) {
  struct ts_json j = { 0 };
  bool readable = t->served.len > 0 && ts_json_scan(&j, t->served, NULL) == 0;
  for (size_t i = 0; readable && i < TS_COUNT(lifecycle_members); i++) {
    uint32_t member = ts_json_get(&j, 0, ts_str_z(lifecycle_members[i]));
    struct ts_buf pointer = { 0 };
    ts_buf_addf(&pointer, "/%s", lifecycle_members[i]);
    if (member != 0)
      ts_lint_report(
          l, TS_RULE_LIFECYCLE_LEAK,
          (struct ts_lint_spot){ .tool = t, .pointer = ts_buf_z(&pointer), .value = ts_json_raw(&j, member) },
          "'%.*s' shows the model its lifecycle: the tool has a member '%s'", TS_FMT(t->name), lifecycle_members[i]);
    ts_buf_free(&pointer);
  }
  ts_json_free(&j);
}

static bool is_word(char c) {
  return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         (c & 0x80);
}

static void report_word(struct ts_lint_run *l, const struct ts_tool *t, const char *pointer, struct ts_str word,
                        const char *what) {
  ts_lint_report(l, TS_RULE_LIFECYCLE_LEAK,
                 (struct ts_lint_spot){ .tool = t, .pointer = pointer, .vector = { .level[TS_MODEL] = TS_WARNING } },
                 "'%.*s' tells the model about %s: '%.*s'", TS_FMT(t->name), what, TS_FMT(word));
}

/* A retired name may stand in the text of what replaced it: there it helps. */
static bool is_foreign_retired(const struct ts_catalog *c, const struct ts_tool *t, struct ts_str word) {
  const struct ts_tool *r = ts_catalog_find(c, word);
  return r && r->is_alias && !ts_find_visible(c, word) && !ts_str_eq(r->replacement, t->name);
}

static void check_words(struct ts_lint_run *l, const struct ts_tool *t, struct ts_str text, const char *pointer) {
  for (size_t at = 0; at < text.len;) {
    size_t from = at;
    while (at < text.len && is_word(text.ptr[at])) at++;
    struct ts_str word = ts_str_sub(text, from, at - from);
    if (word.len == 0) {
      at++;
      continue;
    }
    bool gone = ts_str_eq_nocase(word, TS_STR("removed")) && ts_str_eq_nocase(ts_str_sub(text, at, 3), TS_STR(" in")) &&
                (at + 3 == text.len || !is_word(text.ptr[at + 3]));
    if (ts_str_eq_nocase(word, TS_STR("deprecated")) || gone)
      report_word(l, t, pointer, gone ? ts_str_sub(text, from, word.len + 3) : word, "the lifecycle");
    else if (is_foreign_retired(l->catalog, t, word))
      report_word(l, t, pointer, word, "a retired name");
  }
}

void ts_lint_text(struct ts_lint_run *l) {
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    check_visible(l, t, t->name, "/name");
    if (!ts_tool_visible(t)) continue;
    each_text(l, t, check_visible);
    check_members(l, t);
    each_text(l, t, check_words);
  }
}
