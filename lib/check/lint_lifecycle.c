/* The promises of the lifecycle: replacements, versions, replay. */
#include "base/xalloc.h"
#include "check/lint_run.h"

#define POLICY_WARNING ((struct ts_vector){ .level[TS_POLICY] = TS_WARNING })

/* --- replacements ------------------------------------------------------------------------------------------ */

/* Follows replacements from an alias to where they end: *path gets "a -> b -> c". Brent's trick is not needed: a
 * path is never longer than there are records, and each step is one look-up. */
static const char *follow(const struct ts_catalog *c, const struct ts_tool *alias, struct ts_buf *path) {
  size_t steps = 0;
  ts_buf_addf(path, "%.*s -> %.*s", TS_FMT(alias->name), TS_FMT(alias->replacement));
  if (ts_str_eq(alias->name, alias->replacement)) return "it is itself";
  const struct ts_tool *t = alias;
  struct ts_map seen = { 0 };
  const char *why = NULL;
  (void)ts_map_at(&seen, alias->name, 0);
  while (!why && !ts_find_visible(c, t->replacement)) {
    const struct ts_tool *next = ts_find_alias(c, t->replacement);
    if (!next)
      why = steps == 0 ? "there is no such tool" : "it is an alias itself, and the last name is no tool";
    else if (ts_map_get(&seen, next->name) != TS_MAP_NONE)
      why = "its replacements go round in a circle";
    else if (next->replacement.len == 0)
      why = "it is an alias itself";
    if (why) break;
    (void)ts_map_at(&seen, next->name, 0);
    ts_buf_addf(path, " -> %.*s", TS_FMT(next->replacement));
    t = next;
    steps++;
  }
  ts_map_free(&seen);
  return why ? why : steps > 0 ? "it is an alias itself" : NULL;
}

static void check_replacement(struct ts_lint_run *l, const struct ts_tool *alias) {
  if (alias->replacement.len == 0) {
    if (alias->state == TS_REMOVED) return;
    bool hidden = alias->state == TS_HIDDEN;
    struct ts_lint_spot spot = { .tool = alias, .pointer = "/replacement" };
    if (hidden) spot.vector = POLICY_WARNING;
    ts_lint_report(l, TS_RULE_REPLACEMENT_MISSING, spot, "'%.*s' is %s and names no replacement", TS_FMT(alias->name),
                   hidden ? "hidden" : "deprecated");
    return;
  }
  struct ts_buf path = { 0 };
  const char *why = follow(l->catalog, alias, &path);
  if (why)
    ts_lint_report(l, TS_RULE_REPLACEMENT_UNUSABLE, (struct ts_lint_spot){ .tool = alias, .pointer = "/replacement" },
                   "'%.*s' cannot use its replacement '%.*s': %s (%s)", TS_FMT(alias->name), TS_FMT(alias->replacement),
                   why, ts_buf_z(&path));
  ts_buf_free(&path);
}

static bool replay_promised(const struct ts_tool *alias) {
  return alias->has_replay_supported ? alias->replay_supported : alias->state != TS_REMOVED;
}

static void check_promise(struct ts_lint_run *l, const struct ts_tool *alias) {
  bool promised = replay_promised(alias);
  if (promised != (alias->state == TS_REMOVED)) return;
  ts_lint_report(l, TS_RULE_REPLAY_CONTRADICTION,
                 (struct ts_lint_spot){ .tool = alias,
                                        .pointer = "/replay_supported",
                                        .value = promised ? TS_STR("true") : TS_STR("false") },
                 promised ? "'%.*s' is removed, yet its replay is promised"
                          : "'%.*s' still dispatches, yet its replay is not promised",
                 TS_FMT(alias->name));
}

void ts_lint_aliases(struct ts_lint_run *l) {
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    if (!t->is_alias) continue;
    check_replacement(l, t);
    check_promise(l, t);
  }
}

/* --- versions ---------------------------------------------------------------------------------------------- */

/* A version as a record has it (ptr NULL: null or absent): `set` when it says a time at all, `ok` when it can be
 * compared. */
struct when {
  struct ts_str text;
  struct ts_version version;
  bool set, ok;
};

static struct when read_when(struct ts_str text) {
  struct when w = { .text = text, .set = ts_version_is_set(text) };
  w.ok = w.set && ts_version_parse(text, &w.version) == 0;
  return w;
}

static void check_valid(struct ts_lint_run *l, struct ts_lint_spot spot, const struct when *w) {
  bool empty = w->text.ptr && w->text.len == 0;
  if (w->ok || !(w->set || empty)) return;
  ts_lint_report(l, TS_RULE_VERSION_INVALID, spot, "'%.*s' is not a version (MAJOR.MINOR.PATCH)", TS_FMT(w->text));
}

static int compare(const struct when *a, const struct when *b) { return ts_version_cmp(&a->version, &b->version); }

/* Where the rule needs the catalog's version and there is none, nobody knows. */
static void report_unknown(struct ts_lint_run *l, enum ts_rule_id rule, const struct ts_tool *t, const char *pointer) {
  struct ts_vector unknown = ts_rule(rule)->vector;
  for (size_t a = 0; a < TS_AUDIENCES; a++)
    if (unknown.level[a] != TS_OFF) unknown.level[a] = TS_UNKNOWN;
  struct ts_lint_spot spot = { .tool = t, .pointer = pointer, .vector = unknown };
  ts_lint_report(l, rule, spot, "'%.*s' cannot be judged: the catalog has no version", TS_FMT(t->name));
}

static void check_first(struct ts_lint_run *l, const struct ts_tool *t, const struct when *first,
                        const struct when *now) {
  const char *pointer = "/first_deprecated_version";
  if (t->state != TS_REMOVED && !t->first_deprecated_version.ptr)
    ts_lint_report(l, TS_RULE_FIRST_DEPRECATED_MISSING, (struct ts_lint_spot){ .tool = t, .pointer = pointer },
                   "'%.*s' does not say in which version it was first deprecated", TS_FMT(t->name));
  if (first->ok && !now->set) report_unknown(l, TS_RULE_FIRST_DEPRECATED_FUTURE, t, pointer);
  if (first->ok && now->ok && compare(first, now) > 0)
    ts_lint_report(l, TS_RULE_FIRST_DEPRECATED_FUTURE, (struct ts_lint_spot){ .tool = t, .pointer = pointer },
                   "'%.*s' was first deprecated in %.*s, but the catalog is %.*s", TS_FMT(t->name), TS_FMT(first->text),
                   TS_FMT(now->text));
}

static void check_removal(struct ts_lint_run *l, const struct ts_tool *t, const struct when *planned,
                          const struct when *now) {
  const char *pointer = "/planned_removal_version";
  bool gone = t->state == TS_REMOVED;
  enum ts_rule_id rule = gone ? TS_RULE_REMOVAL_EARLY : TS_RULE_REMOVAL_OVERDUE;
  if (planned->ok && !now->set) report_unknown(l, rule, t, pointer);
  if (!planned->ok || !now->ok) return;
  int order = compare(planned, now);
  struct ts_lint_spot spot = { .tool = t, .pointer = pointer };
  if (gone && order > 0)
    ts_lint_report(l, rule, spot, "'%.*s' is removed in %.*s, before its planned version %.*s", TS_FMT(t->name),
                   TS_FMT(now->text), TS_FMT(planned->text));
  if (!gone && order <= 0)
    ts_lint_report(l, rule, spot, "'%.*s' was to be removed in %.*s and still dispatches in %.*s", TS_FMT(t->name),
                   TS_FMT(planned->text), TS_FMT(now->text));
}

static void check_floor(struct ts_lint_run *l, const struct ts_tool *t, const struct when *floor,
                        const struct when *now) {
  if (t->state != TS_REMOVED || !floor->ok || !now->ok || compare(floor, now) <= 0) return;
  ts_lint_report(l, TS_RULE_REMOVAL_EARLY, (struct ts_lint_spot){ .tool = t, .pointer = "/not_before" },
                 "'%.*s' is removed in %.*s, but not before %.*s was promised", TS_FMT(t->name), TS_FMT(now->text),
                 TS_FMT(floor->text));
}

/* Adds two decimal numbers of any size. */
static struct ts_str add_numbers(struct ts_arena *a, struct ts_str x, struct ts_str y) {
  size_t len = (x.len > y.len ? x.len : y.len) + 1;
  char *sum = ts_arena_alloc(a, len + 1);
  unsigned carry = 0;
  for (size_t i = 0; i < len; i++) {
    unsigned digit = carry;
    if (i < x.len) digit += (unsigned)(x.ptr[x.len - 1 - i] - '0');
    if (i < y.len) digit += (unsigned)(y.ptr[y.len - 1 - i] - '0');
    sum[len - 1 - i] = (char)('0' + digit % 10);
    carry = digit / 10;
  }
  return sum[0] == '0' && len > 1 ? ts_str(sum + 1, len - 1) : ts_str(sum, len);
}

/* The first version that keeps the window: each part of the window is added to its part of the version, and what is
 * less important than the window's first part starts again at zero (0.8.53 and 0.2.0 give 0.10.0). */
static struct ts_version window_end(struct ts_arena *a, const struct ts_version *first,
                                    const struct ts_version *window) {
  struct ts_version end = { .core = { TS_STR("0"), TS_STR("0"), TS_STR("0") } };
  bool reset = false;
  for (size_t i = 0; i < 3; i++) {
    end.core[i] = reset ? window->core[i] : add_numbers(a, first->core[i], window->core[i]);
    reset = reset || !ts_str_is(window->core[i], "0");
  }
  return end;
}

static void check_window(struct ts_lint_run *l, const struct ts_tool *t, const struct when *first,
                         const struct when *planned) {
  if (!l->has_window || !first->ok || !planned->ok) return;
  struct ts_arena arena = { 0 };
  struct ts_version end = window_end(&arena, &first->version, &l->window);
  if (ts_version_cmp(&planned->version, &end) < 0)
    ts_lint_report(l, TS_RULE_WINDOW_SHORT, (struct ts_lint_spot){ .tool = t, .pointer = "/planned_removal_version" },
                   "'%.*s' goes from %.*s to %.*s: shorter than the window of %.*s, which ends at %.*s.%.*s.%.*s",
                   TS_FMT(t->name), TS_FMT(first->text), TS_FMT(planned->text), TS_FMT(l->options->window),
                   TS_FMT(end.core[0]), TS_FMT(end.core[1]), TS_FMT(end.core[2]));
  ts_arena_free(&arena);
}

static void check_alias_versions(struct ts_lint_run *l, const struct ts_tool *t, const struct when *now) {
  struct when first = read_when(t->first_deprecated_version), planned = read_when(t->planned_removal_version);
  struct when floor = read_when(t->not_before);
  check_valid(l, (struct ts_lint_spot){ .tool = t, .pointer = "/first_deprecated_version" }, &first);
  check_valid(l, (struct ts_lint_spot){ .tool = t, .pointer = "/planned_removal_version" }, &planned);
  check_valid(l, (struct ts_lint_spot){ .tool = t, .pointer = "/not_before" }, &floor);
  check_first(l, t, &first, now);
  check_removal(l, t, &planned, now);
  check_floor(l, t, &floor, now);
  check_window(l, t, &first, &planned);
  if (t->state == TS_DEPRECATED && !planned.set)
    ts_lint_report(l, TS_RULE_UNDATED_DEPRECATION,
                   (struct ts_lint_spot){ .tool = t, .pointer = "/planned_removal_version" },
                   "'%.*s' is deprecated without a version in which it will go", TS_FMT(t->name));
}

void ts_lint_versions(struct ts_lint_run *l) {
  struct when now = read_when(l->catalog->version);
  check_valid(l, (struct ts_lint_spot){ .place = &l->catalog->header_place, .pointer = "/version" }, &now);
  for (size_t i = 0; i < l->catalog->tool_count; i++)
    if (l->catalog->tool[i].is_alias) check_alias_versions(l, &l->catalog->tool[i], &now);
}
