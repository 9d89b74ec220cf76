/* Exclusive families: of such a family the model is shown one tool, and a profile that excludes the family shows none
 * of its names. */
#include "base/xalloc.h"
#include "check/lint_run.h"

/* An exclusive family and the visible tool that was met first. */
struct family {
  struct ts_str name;
  const struct ts_tool *first;
};

struct families {
  struct family *item;
  size_t count, cap;
  struct ts_map by_name;
};

static void find_exclusive(const struct ts_catalog *c, struct families *f) {
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i];
    if (!t->exclusive || t->family.len == 0) continue;
    if (*ts_map_at(&f->by_name, t->family, f->count) != f->count) continue;
    ts_xgrow(&f->item, &f->cap, f->count + 1, sizeof *f->item);
    f->item[f->count++] = (struct family){ .name = t->family };
  }
}

/* The exclusive family that a name belongs to, through its replacement where it is an alias. */
static struct family *family_of(const struct ts_catalog *c, const struct families *f, const struct ts_tool *t) {
  size_t at = t->family.len > 0 ? ts_map_get(&f->by_name, t->family) : TS_MAP_NONE;
  if (at == TS_MAP_NONE && t->is_alias && t->replacement.len > 0) {
    const struct ts_tool *target = ts_find_visible(c, t->replacement);
    if (target && target->family.len > 0) at = ts_map_get(&f->by_name, target->family);
  }
  return at == TS_MAP_NONE ? NULL : &f->item[at];
}

static void check_one_shown(struct ts_lint_run *l, const struct families *f) {
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    struct family *family = ts_tool_visible(t) ? family_of(l->catalog, f, t) : NULL;
    if (!family) continue;
    if (!family->first) {
      family->first = t;
      continue;
    }
    ts_lint_report(l, TS_RULE_LAUNCHER_EXCLUSIVE, (struct ts_lint_spot){ .tool = t, .pointer = "/family" },
                   "'%.*s' and '%.*s' are both visible, but the family '%.*s' is exclusive",
                   TS_FMT(family->first->name), TS_FMT(t->name), TS_FMT(family->name));
  }
}

static bool excludes(const struct ts_catalog *c, const struct families *f, const struct ts_profile *p,
                     const struct family *family) {
  for (size_t i = 0; i < p->exclude_count; i++) {
    const struct ts_tool *t = ts_catalog_find(c, p->exclude[i]);
    if (t && family_of(c, f, t) == family) return true;
  }
  return false;
}

static bool lists(const struct ts_str *names, size_t count, struct ts_str name) {
  for (size_t i = 0; i < count; i++)
    if (ts_str_eq(names[i], name)) return true;
  return false;
}

/* Does the profile show this name? Aliases only when it lists them (which is a fault of its own). */
static bool shows(const struct ts_profile *p, const struct ts_tool *t) {
  if (lists(p->exclude, p->exclude_count, t->name)) return false;
  if (p->has_first_turn && lists(p->first_turn, p->first_turn_count, t->name)) return true;
  return ts_tool_visible(t) && (!p->has_first_turn || t->state == TS_DEFERRED);
}

static void check_profile(struct ts_lint_run *l, const struct families *f, const struct ts_profile *p) {
  if (p->exclude_count == 0) return;
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *t = &l->catalog->tool[i];
    const struct family *family = family_of(l->catalog, f, t);
    if (!family || !shows(p, t) || !excludes(l->catalog, f, p, family)) continue;
    ts_lint_report(l, TS_RULE_LAUNCHER_EXCLUSIVE,
                   (struct ts_lint_spot){ .place = &p->place, .name = t->name, .pointer = "/exclude" },
                   "profile '%.*s' excludes the family '%.*s' and still shows '%.*s'", TS_FMT(p->name),
                   TS_FMT(family->name), TS_FMT(t->name));
  }
}

void ts_lint_launchers(struct ts_lint_run *l) {
  struct families f = { 0 };
  find_exclusive(l->catalog, &f);
  if (f.count > 0) {
    check_one_shown(l, &f);
    for (size_t p = 0; p < l->catalog->profile_count; p++) check_profile(l, &f, &l->catalog->profile[p]);
  }
  free(f.item);
  ts_map_free(&f.by_name);
}
