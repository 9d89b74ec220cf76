/* The first-turn block: how large it is, what is in it twice, and whether it keeps still. */
#include <inttypes.h>

#include "base/xalloc.h"
#include "check/lint_run.h"
#include "json/tree.h"
#include "json/write.h"

#define API_TOOLS_MAX 128 /* tools in one request; source: the rule tool-count in toolsurface(7) */

/* --- every mode and profile -------------------------------------------------------------------------------- */

struct view {
  struct ts_surface surface;
  struct ts_head head;
};

static struct view build(const struct ts_lint_run *l, struct ts_str mode, struct ts_str profile) {
  struct view v = { .surface = { .mode = mode, .profile = profile } };
  struct ts_scope scope;
  if (ts_scope_open(&scope, l->catalog, &v.surface, NULL) == 0)
    ts_head_build(&v.head, l->catalog, &scope, l->options->api);
  ts_scope_close(&scope);
  return v;
}

static void describe(const struct view *v, struct ts_buf *out) {
  ts_buf_addf(out, "mode %.*s", TS_FMT(v->surface.mode));
  if (v->surface.profile.len > 0) ts_buf_addf(out, ", profile %.*s", TS_FMT(v->surface.profile));
}

static void check_size(struct ts_lint_run *l, const struct view *v) {
  const struct ts_catalog *c = l->catalog;
  struct ts_buf where = { 0 };
  struct ts_buf view = { 0 };
  struct ts_lint_spot spot = { .place = &c->header_place, .name = c->name };
  describe(v, &where);
  ts_json_quote(&view, ts_buf_str(&where)); /* so that each has a fingerprint of its own */
  spot.value = ts_buf_str(&view);
  uint64_t most = c->has_budget && c->budget_active < API_TOOLS_MAX ? c->budget_active : API_TOOLS_MAX;
  spot.pointer = most == API_TOOLS_MAX ? NULL : "/budget/active";
  if (v->head.count > most)
    ts_lint_report(l, TS_RULE_TOOL_COUNT, spot, "%s: %zu first-turn tools, at most %" PRIu64 " are allowed",
                   ts_buf_z(&where), v->head.count, most);
  spot.pointer = "/budget/bytes";
  if (c->has_budget && v->head.bytes.len > c->budget_bytes)
    ts_lint_report(l, TS_RULE_HEAD_BUDGET, spot, "%s: the first-turn block has %zu bytes, the budget is %" PRIu64,
                   ts_buf_z(&where), v->head.bytes.len, c->budget_bytes);
  ts_buf_free(&where);
  ts_buf_free(&view);
}

static struct ts_str bytes_of(const struct view *v, size_t tool) {
  return ts_str(v->head.bytes.ptr + v->head.tool[tool].start, v->head.tool[tool].end - v->head.tool[tool].start);
}

static bool declares_modes(const struct ts_tool *t) {
  for (size_t i = 0; i < t->action_count; i++)
    if (t->action_list[i].some_modes) return true;
  return false;
}

/* A tool that says itself which actions a mode has may differ: that is a note. Anything else that moves native
 * bytes between modes is an error. */
static void report_variance(struct ts_lint_run *l, const struct ts_tool *t, const struct view *a, const struct view *b,
                            size_t before, size_t after) {
  struct ts_lint_spot spot = { .tool = t, .pointer = declares_modes(t) ? "/actions" : NULL };
  if (declares_modes(t)) spot.vector.level[TS_CACHE] = TS_NOTE;
  ts_lint_report(l, TS_RULE_MODE_VARIANCE, spot, "'%.*s' has %zu bytes in mode %.*s and %zu in mode %.*s",
                 TS_FMT(t->name), before, TS_FMT(a->surface.mode), after, TS_FMT(b->surface.mode));
}

/* Two heads of different modes: their native tools must be the same bytes. Both are sorted by name. */
static void compare_modes(struct ts_lint_run *l, const struct view *a, const struct view *b) {
  size_t i = 0, k = 0, ends[] = { ts_head_native(&a->head), ts_head_native(&b->head) };
  while (i < ends[0] || k < ends[1]) {
    const struct ts_tool *left = i < ends[0] ? a->head.tool[i].tool : NULL,
                         *right = k < ends[1] ? b->head.tool[k].tool : NULL;
    int order = !left ? 1 : !right ? -1 : ts_str_cmp(left->name, right->name);
    struct ts_str before = order <= 0 ? bytes_of(a, i) : TS_STR(""), after = order >= 0 ? bytes_of(b, k) : TS_STR("");
    if (!ts_str_eq(before, after)) report_variance(l, order <= 0 ? left : right, a, b, before.len, after.len);
    i += order <= 0;
    k += order >= 0;
  }
}

static void check_modes(struct ts_lint_run *l) {
  const struct ts_catalog *c = l->catalog;
  struct view first = build(l, c->mode[0].name, TS_STR(""));
  for (size_t m = 0; m < c->mode_count; m++) {
    for (size_t p = 0; p <= c->profile_count; p++) {
      struct view v = build(l, c->mode[m].name, p == 0 ? TS_STR("") : c->profile[p - 1].name);
      check_size(l, &v);
      if (m > 0 && p == 0) compare_modes(l, &first, &v);
      ts_head_free(&v.head);
    }
  }
  ts_head_free(&first.head);
}

/* --- one thing shown twice --------------------------------------------------------------------------------- */

#define SAME_TEXT_MIN 20 /* bytes; shorter descriptions are alike by chance */

static int key_order(const void *a, const void *b) {
  return ts_str_cmp(ts_tree_key(*(const struct ts_tree *const *)a), ts_tree_key(*(const struct ts_tree *const *)b));
}

/* JSON text that is the same for values that differ only in the order of their members. */
static void canonical(const struct ts_tree *t, struct ts_buf *out) {
  enum ts_json_kind kind = ts_tree_kind(t);
  if (kind != TS_JSON_OBJECT && kind != TS_JSON_ARRAY) {
    ts_tree_write(t, out);
    return;
  }
  size_t count = ts_tree_count(t), n = 0;
  const struct ts_tree **child = ts_xcalloc(count, sizeof(const struct ts_tree *));
  for (const struct ts_tree *c = ts_tree_first(t); c; c = ts_tree_after(c)) child[n++] = c;
  if (kind == TS_JSON_OBJECT && n > 0) qsort(child, n, sizeof(const struct ts_tree *), key_order);
  ts_buf_addc(out, kind == TS_JSON_OBJECT ? '{' : '[');
  for (size_t i = 0; i < n; i++) {
    if (kind == TS_JSON_OBJECT) ts_json_quote(out, ts_tree_key(child[i]));
    canonical(child[i], out);
    ts_buf_addc(out, ',');
  }
  ts_buf_addc(out, kind == TS_JSON_OBJECT ? '}' : ']');
  free(child);
}

static void same_text_key(const struct ts_tool *t, struct ts_buf *out) {
  struct ts_tree *schema = t->input_schema.len > 0 ? ts_tree_parse(t->input_schema, NULL) : NULL;
  ts_buf_set(out, t->description);
  ts_buf_addc(out, '\0');
  if (schema) canonical(schema, out);
  ts_tree_free(schema);
}

/* What a map remembers of earlier tools, by some key; 0 in it is the first tool, so indexes are kept plus one. */
struct earlier {
  struct ts_map map;
  struct ts_arena arena;
};

static const struct ts_tool *seen_before(struct ts_lint_run *l, struct earlier *e, struct ts_str key, size_t index) {
  if (key.len == 0) return NULL;
  size_t first = *ts_map_at(&e->map, ts_arena_dup(&e->arena, key), index);
  return first == index ? NULL : &l->catalog->tool[first];
}

static void earlier_free(struct earlier *e) {
  ts_map_free(&e->map);
  ts_arena_free(&e->arena);
}

static void check_twice(struct ts_lint_run *l) {
  struct earlier by_implementation = { 0 }, by_text = { 0 }, by_niche = { 0 };
  struct ts_buf key = { 0 };
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i], *twin = NULL;
    struct ts_lint_spot spot = { .tool = t };
    if (ts_lint_in_some_head(l->catalog, t)) {
      same_text_key(t, &key);
      twin = seen_before(l, &by_implementation, t->implementation, i);
      spot.pointer = "/implementation";
      if (twin)
        ts_lint_report(l, TS_RULE_DUPLICATE_ACTIVE_ALIAS, spot,
                       "'%.*s' and '%.*s' are both shown and share the implementation %.*s", TS_FMT(twin->name),
                       TS_FMT(t->name), TS_FMT(t->implementation));
      const struct ts_tool *alike =
          t->description.len >= SAME_TEXT_MIN ? seen_before(l, &by_text, ts_buf_str(&key), i) : NULL;
      spot.pointer = "/description";
      if (alike && !twin)
        ts_lint_report(l, TS_RULE_DUPLICATE_ACTIVE_ALIAS, spot,
                       "'%.*s' and '%.*s' are both shown with the same description and schema", TS_FMT(alike->name),
                       TS_FMT(t->name));
    }
    if (!ts_tool_visible(t)) continue;
    twin = seen_before(l, &by_niche, t->niche, i);
    spot.pointer = "/niche";
    if (twin)
      ts_lint_report(l, TS_RULE_NICHE_SHARED, spot, "'%.*s' and '%.*s' both claim the niche '%.*s'", TS_FMT(twin->name),
                     TS_FMT(t->name), TS_FMT(t->niche));
  }
  ts_buf_free(&key);
  earlier_free(&by_implementation);
  earlier_free(&by_text);
  earlier_free(&by_niche);
}

/* --- names that must not be shown -------------------------------------------------------------------------- */

static void check_hidden(struct ts_lint_run *l) {
  const struct ts_catalog *c = l->catalog;
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i], *alias = ts_tool_visible(t) ? ts_find_alias(c, t->name) : NULL;
    if (alias)
      ts_lint_report(
          l, TS_RULE_HIDDEN_VISIBLE, (struct ts_lint_spot){ .tool = t, .pointer = "/name", .value = t->name_json },
          "'%.*s' is %s, and a record shows it all the same", TS_FMT(t->name), ts_state_row(alias->state)->name);
  }
  for (size_t p = 0; p < c->profile_count; p++) {
    const struct ts_profile *profile = &c->profile[p];
    for (size_t k = 0; k < profile->first_turn_count; k++) {
      struct ts_str name = profile->first_turn[k];
      const struct ts_tool *alias = ts_find_alias(c, name);
      struct ts_lint_spot spot = { .place = &profile->place, .name = name, .pointer = "/first_turn" };
      if (alias && !ts_find_visible(c, name))
        ts_lint_report(l, TS_RULE_HIDDEN_VISIBLE, spot, "profile '%.*s' puts '%.*s', which is %s, in the first turn",
                       TS_FMT(profile->name), TS_FMT(name), ts_state_row(alias->state)->name);
    }
  }
}

void ts_lint_head(struct ts_lint_run *l) {
  check_modes(l);
  check_twice(l);
  check_hidden(l);
}
