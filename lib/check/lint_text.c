/* What the model reads: words of the lifecycle, retired names, and characters that nobody sees. */
#include "base/utf8.h"
#include "check/lint_run.h"
#include "check/texts.h"
#include "json/scan.h"

/* --- invisible characters ---------------------------------------------------------------------------------- */

/* Variation selectors pass, but for a run of them. What is no UTF-8 is no text: another rule's. */
enum {
  IN_DATA = TS_HIDDEN_C1 | TS_HIDDEN_BIDI | TS_HIDDEN_ZERO_WIDTH | TS_HIDDEN_FILLER | TS_HIDDEN_RUN | TS_HIDDEN_TAG,
  IN_PROSE = IN_DATA | TS_HIDDEN_CONTROL,
  IN_NAME = IN_PROSE | TS_HIDDEN_LAYOUT,
};

/* What counts where. A default may well be a tab or a NUL. */
static const unsigned counts[] = {
  [TS_TEXT_NAME] = IN_NAME,
  [TS_TEXT_PROSE] = IN_PROSE,
  [TS_TEXT_TITLE] = IN_PROSE,
  [TS_TEXT_DATA] = IN_DATA,
};

static const struct {
  unsigned kinds;
  const char *what;
} names[] = {
  { TS_HIDDEN_LAYOUT | TS_HIDDEN_CONTROL | TS_HIDDEN_C1, "a control character" },
  { TS_HIDDEN_BIDI, "a bidi control" },
  { TS_HIDDEN_ZERO_WIDTH, "a zero-width character" },
  { TS_HIDDEN_FILLER, "a filler" },
  { TS_HIDDEN_RUN, "a run of variation selectors" },
  { TS_HIDDEN_TAG, "a tag character" },
};

static const char *name_of(unsigned kind) {
  size_t i = 0;
  while (i + 1 < TS_COUNT(names) && !(names[i].kinds & kind)) i++;
  return names[i].what;
}

/* The first of each text is told. */
static void check_visible(void *context, const struct ts_tool *t, const struct ts_text *text) {
  struct ts_hidden h = { 0 };
  while (ts_hidden_next(&h, text->text)) {
    if (!(h.kind & counts[text->kind])) continue;
    struct ts_buf pointer = { 0 };
    ts_text_pointer(text, &pointer);
    ts_lint_report(context, TS_RULE_INVISIBLE_TEXT, (struct ts_lint_spot){ .tool = t, .pointer = ts_buf_z(&pointer) },
                   "'%.*s' has %s, U+%04X, at byte %zu of %s%s", TS_FMT(t->name), name_of(h.kind), (unsigned)h.c,
                   h.from, text->is_key ? "the key " : "", ts_buf_z(&pointer) + 1);
    ts_buf_free(&pointer);
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

static void report_word(struct ts_lint_run *l, const struct ts_tool *t, const struct ts_text *text, struct ts_str word,
                        const char *what) {
  struct ts_buf pointer = { 0 };
  ts_text_pointer(text, &pointer);
  ts_lint_report(
      l, TS_RULE_LIFECYCLE_LEAK,
      (struct ts_lint_spot){ .tool = t, .pointer = ts_buf_z(&pointer), .vector = { .level[TS_MODEL] = TS_WARNING } },
      "'%.*s' tells the model about %s: '%.*s'", TS_FMT(t->name), what, TS_FMT(word));
  ts_buf_free(&pointer);
}

/* A retired name may stand in the text of what replaced it: there it helps. */
static bool is_foreign_retired(const struct ts_catalog *c, const struct ts_tool *t, struct ts_str word) {
  const struct ts_tool *r = ts_catalog_find(c, word);
  return r && r->is_alias && !ts_find_visible(c, word) && !ts_str_eq(r->replacement, t->name);
}

static void check_words(void *context, const struct ts_tool *t, const struct ts_text *prose) {
  struct ts_lint_run *l = context;
  struct ts_str text = prose->text;
  if (prose->kind != TS_TEXT_PROSE) return;
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
      report_word(l, t, prose, gone ? ts_str_sub(text, from, word.len + 3) : word, "the lifecycle");
    else if (is_foreign_retired(l->catalog, t, word))
      report_word(l, t, prose, word, "a retired name");
  }
}

void ts_lint_text(struct ts_lint_run *l) {
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    if (!ts_tool_visible(t)) {
      check_visible(l, t, &(struct ts_text){ .kind = TS_TEXT_NAME, .text = t->name, .member = "name" });
      continue;
    }
    ts_each_text(t, check_visible, l);
    check_members(l, t);
    ts_each_text(t, check_words, l);
  }
}
