/* Names: what a provider takes, and names that two records claim. */
#include "base/utf8.h"
#include "check/lint_run.h"

/* What an API takes as the name of a tool. Source: the rule name-charset in toolsurface(7). */
struct name_limits {
  const char *api;
  const char *also; /* besides ASCII letters and digits */
  size_t max;       /* characters */
};
static const struct name_limits limits[] = {
  [TS_API_OPENAI] = { "openai", "_-", 64 },
  [TS_API_RESPONSES] = { "responses", "_-", 64 },
  [TS_API_ANTHROPIC] = { "anthropic", "_-", 128 },
  [TS_API_GEMINI] = { "gemini", "_-.:", 64 },
  [TS_API_MCP] = { "mcp", "_-.", 128 },
};

static bool is_letter_or_digit(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void check_characters(struct ts_lint_run *l, const struct ts_tool *t, const struct name_limits *limit) {
  for (size_t at = 0; at < t->name.len;) {
    size_t from = at;
    uint32_t c = ts_wtf8_next(t->name, &at);
    if (is_letter_or_digit(c) || (c != 0 && c < 0x80 && strchr(limit->also, (int)c))) continue;
    struct ts_lint_spot spot = { .tool = t, .pointer = "/name", .value = t->name_json };
    ts_lint_report(l, TS_RULE_NAME_CHARSET, spot,
                   "'%.*s' has U+%04X at byte %zu: %s takes letters, digits and %s in a name", TS_FMT(t->name),
                   (unsigned)c, from, limit->api, limit->also);
    return;
  }
}

static void check_length(struct ts_lint_run *l, const struct ts_tool *t, const struct name_limits *limit) {
  size_t length = ts_utf8_count(t->name);
  if (length > 0 && length <= limit->max) return;
  struct ts_lint_spot spot = { .tool = t, .pointer = "/name", .value = t->name_json };
  ts_lint_report(l, TS_RULE_NAME_LENGTH, spot, "'%.*s' has %zu characters: %s takes 1 to %zu", TS_FMT(t->name), length,
                 limit->api, limit->max);
}

/* Names that are never shown are never sent: only visible ones are held against the API. */
void ts_lint_names(struct ts_lint_run *l) {
  const struct name_limits *limit = &limits[l->options->api];
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    if (!ts_tool_visible(t)) continue;
    check_length(l, t, limit);
    check_characters(l, t, limit);
  }
}

static void report_duplicate(struct ts_lint_run *l, const struct ts_tool *first, const struct ts_tool *second) {
  struct ts_buf place = { 0 };
  ts_lint_place(&place, &first->place);
  struct ts_lint_spot spot = { .tool = second, .pointer = "/name", .value = second->name_json };
  ts_lint_report(l, TS_RULE_NAME_DUPLICATE, spot, "'%.*s' is the name of %s here and of %s at %s", TS_FMT(second->name),
                 second->is_alias ? "an alias" : "a tool", first->is_alias ? "an alias" : "a tool", ts_buf_z(&place));
  if (first->is_alias != second->is_alias) {
    const struct ts_tool *alias = first->is_alias ? first : second;
    ts_lint_report(l, TS_RULE_ALIAS_SHADOWS,
                   (struct ts_lint_spot){ .tool = alias, .pointer = "/name", .value = alias->name_json },
                   "the alias '%.*s' has the name of a tool", TS_FMT(alias->name));
  }
  ts_buf_free(&place);
}

static void fold(struct ts_str name, struct ts_buf *out) {
  ts_buf_set(out, name);
  for (size_t i = 0; i < out->len; i++)
    if (out->ptr[i] >= 'A' && out->ptr[i] <= 'Z') out->ptr[i] = (char)(out->ptr[i] + ('a' - 'A'));
}

void ts_lint_twins(struct ts_lint_run *l) {
  const struct ts_catalog *c = l->catalog;
  struct ts_map folded = { 0 };
  struct ts_arena arena = { 0 };
  struct ts_buf name = { 0 };
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i], *first = ts_catalog_find(c, t->name);
    if (first != t) {
      report_duplicate(l, first, t);
      continue;
    }
    if (!ts_state_row(t->state)->dispatches) continue;
    fold(t->name, &name);
    size_t twin = *ts_map_at(&folded, ts_arena_dup(&arena, ts_buf_str(&name)), i);
    if (twin != i)
      ts_lint_report(l, TS_RULE_NAME_CASE_CLASH,
                     (struct ts_lint_spot){ .tool = t, .pointer = "/name", .value = t->name_json },
                     "'%.*s' and '%.*s' differ only in case", TS_FMT(t->name), TS_FMT(c->tool[twin].name));
  }
  ts_buf_free(&name);
  ts_arena_free(&arena);
  ts_map_free(&folded);
}
