/* Does B accept what A accepts, where B combines other schemas: allOf, anyOf, oneOf, not? */
#include "schema/compare.h"

/* Written alike, whatever the words in it say. */
static bool is_among(struct ts_compare *c, const struct ts_subs *list, struct ts_sub *sub) {
  for (size_t i = 0; i < list->count; i++)
    if (ts_same(c, list->item[i], sub)) return true;
  return false;
}

/* allOf */

static bool cover_all(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  static const struct ts_subs nothing;
  const struct ts_subs *peers = &nothing;
  bool good = true;
  for (size_t i = 0; i < a->count && peers->count == 0; i++) peers = &a->part[i]->all;
  for (size_t i = 0; i < b->all.count; i++) {
    struct ts_sub *one = b->all.item[i];
    if (ts_cover_quietly(c, a, one)) continue;
    good = false;
    if (c->quiet) return false;
    size_t mark = ts_enter_index(c, "allOf", i);
    if (i < peers->count && !is_among(c, &b->all, peers->item[i])) {
      (void)ts_cover(c, a, one, spot);
    } else {
      struct ts_sub condition = ts_blank();
      condition.all = (struct ts_subs){ &one, 1 };
      (void)ts_narrowed(c, a, &condition, spot, TS_RULE_ALLOF_ADDED, NULL, TS_ABSENT, ts_sub_json(c, one));
    }
    ts_leave(c, mark);
  }
  return good;
}

/* Telling alternatives apart */

static bool all_refused(const struct ts_facts *f, const struct ts_view *by) {
  for (size_t i = 0; i < f->value_count; i++)
    if (ts_view_check(by, f->value[i]) != 0) return false;
  return f->finite;
}

/* No value fits both: other types, or listed values that the other one refuses. */
static bool are_apart(struct ts_compare *c, const struct ts_view *x, const struct ts_view *y) {
  struct ts_facts f = ts_view_facts(c, x), g = ts_view_facts(c, y);
  return !(f.types & g.types) || all_refused(&f, y) || all_refused(&g, x);
}

/* … or objects with a property that both have, and that keeps them apart. */
static bool are_told_apart(struct ts_compare *c, const struct ts_view *x, const struct ts_view *y, bool required) {
  if (are_apart(c, x, y)) return true;
  if ((ts_view_facts(c, x).types & ts_view_facts(c, y).types) != TS_T_OBJECT) return false;
  for (size_t k = 0; k < x->count; k++) {
    for (size_t i = 0; i < x->part[k]->property_count; i++) {
      struct ts_str name = x->part[k]->property[i].name;
      if (required ? !ts_view_requires(x, name) || !ts_view_requires(y, name) : !ts_view_declared(y, name)) continue;
      struct ts_view one = ts_view_member(c, x, name), other = ts_view_member(c, y, name);
      if (are_apart(c, &one, &other)) return true;
    }
  }
  return false;
}

/* At most one of the branches fits any value, so that oneOf means anyOf. */
static bool is_disjoint(struct ts_compare *c, const struct ts_subs *branches) {
  for (size_t i = 0; i < branches->count; i++) {
    struct ts_view one = ts_view_of(c, branches->item[i]);
    for (size_t k = i + 1; k < branches->count; k++) {
      struct ts_view other = ts_view_of(c, branches->item[k]);
      if (!are_told_apart(c, &one, &other, true)) return false;
    }
  }
  return true;
}

/* anyOf, and oneOf where it means the same */

struct choice {
  struct ts_sub *b;
  const struct ts_subs *branches; /* of b */
  const struct ts_subs *before;   /* A's alternatives; NULL: it had none */
  const char *keyword, *was;      /* "anyOf" or "oneOf", of b and of A */
};

static bool fits_one(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches) {
  for (size_t i = 0; i < branches->count; i++)
    if (ts_cover_quietly(c, a, branches->item[i])) return true;
  return false;
}

/* Each type may go to another branch. */
static bool fits_by_type(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches) {
  if (fits_one(c, a, branches)) return true;
  unsigned types = ts_view_facts(c, a).types;
  if (!(types & (types - 1))) return false;
  for (unsigned type = 1; type <= TS_T_OBJECT; type *= 2) {
    struct ts_view only = *a;
    only.types = type;
    if (types & type && !fits_one(c, &only, branches)) return false;
  }
  return true;
}

size_t ts_find_heir(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *before,
                    const struct ts_subs *branches, size_t index) {
  size_t heir = SIZE_MAX, heirs = 0;
  for (size_t i = 0; i < branches->count; i++) {
    struct ts_view branch = ts_view_of(c, branches->item[i]);
    if (are_told_apart(c, a, &branch, false)) continue;
    if (before && is_among(c, before, branches->item[i])) continue;
    if (i == index) return i;
    heir = i;
    heirs++;
  }
  return heirs == 1 ? heir : SIZE_MAX;
}

static bool cover_alternative(struct ts_compare *c, const struct ts_view *a, const struct choice *choice, size_t index,
                              const struct ts_spot *spot) {
  if (fits_by_type(c, a, choice->branches)) return true;
  if (c->quiet) return false;
  size_t heir = ts_find_heir(c, a, choice->before, choice->branches, index);
  struct ts_sub condition = ts_blank();
  condition.any = *choice->branches;
  if (heir != SIZE_MAX) {
    size_t mark = ts_enter_index(c, choice->keyword, heir);
    bool good = ts_cover(c, a, choice->branches->item[heir], spot);
    ts_leave(c, mark);
    return good;
  }
  if (!choice->before)
    return ts_narrowed(c, a, &condition, spot, TS_RULE_ALLOF_ADDED, choice->keyword, TS_ABSENT,
                       ts_keyword_json(c, choice->b, choice->keyword));
  size_t mark = ts_enter_index(c, choice->was, index);
  bool good = ts_narrowed(c, a, &condition, spot, TS_RULE_ANYOF_BRANCH_REMOVED, NULL,
                          ts_sub_json(c, choice->before->item[index]), TS_ABSENT);
  ts_leave(c, mark);
  return good;
}

/* A had no alternatives: each of its types may go to another one. */
static bool cover_types_apart(struct ts_compare *c, const struct ts_view *a, const struct choice *choice,
                              const struct ts_spot *spot) {
  unsigned types = ts_view_facts(c, a).types;
  bool good = true;
  for (unsigned type = 1; type <= TS_T_OBJECT && (good || !c->quiet); type *= 2) {
    struct ts_view only = *a;
    only.types = type;
    if (types & type) good &= cover_alternative(c, &only, choice, SIZE_MAX, spot);
  }
  return good;
}

static bool cover_alternatives(struct ts_compare *c, const struct ts_view *a, struct choice *choice,
                               const struct ts_spot *spot) {
  size_t part = ts_view_choice(a);
  bool good = true;
  if (part == SIZE_MAX) return cover_types_apart(c, a, choice, spot);
  choice->before = ts_branches(a->part[part]);
  choice->was = a->part[part]->any.count > 0 ? "anyOf" : "oneOf";
  for (size_t i = 0; i < choice->before->count && (good || !c->quiet); i++) {
    struct ts_view one = ts_view_choose(c, a, part, choice->before->item[i]);
    if (!ts_view_is_empty(c, &one)) good &= cover_alternative(c, &one, choice, i, spot);
  }
  return good;
}

static bool cover_listed(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches) {
  struct ts_sub condition = ts_blank();
  condition.any = *branches;
  ts_sub_finish(&condition);
  return ts_all_fit(c, a, &condition);
}

static bool cover_any(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  struct choice choice = { .b = b, .branches = &b->any, .keyword = "anyOf" };
  return b->any.count == 0 || cover_listed(c, a, &b->any) || cover_alternatives(c, a, &choice, spot);
}

/* oneOf */

static bool same_lists(struct ts_compare *c, const struct ts_subs *x, const struct ts_subs *y) {
  if (x->count != y->count) return false;
  for (size_t i = 0; i < x->count; i++)
    if (!ts_same(c, x->item[i], y->item[i])) return false;
  return true;
}

static bool cover_one(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  struct choice choice = { .b = b, .branches = &b->one, .keyword = "oneOf" };
  const struct ts_sub *was = NULL;
  if (b->one.count == 0) return true;
  for (size_t i = 0; i < a->count; i++) {
    if (a->part[i]->one.count == 0) continue;
    was = a->part[i];
    if (same_lists(c, &was->one, &b->one)) return true;
  }
  if (is_disjoint(c, &b->one)) return cover_listed(c, a, &b->one) || cover_alternatives(c, a, &choice, spot);
  struct ts_facts f = ts_view_facts(c, a);
  struct ts_sub condition = ts_blank();
  condition.one = b->one;
  if (f.finite)
    return ts_narrowed(c, a, &condition, spot, TS_RULE_ANYOF_BRANCH_REMOVED, "oneOf", ts_keyword_json(c, was, "oneOf"),
                       ts_keyword_json(c, b, "oneOf"));
  return ts_undecided(c, TS_RULE_ONEOF_CHANGED, "oneOf", ts_keyword_json(c, was, "oneOf"),
                      ts_keyword_json(c, b, "oneOf"));
}

/* not: what B refuses there, A must refuse too. The direction turns round: of the values that A has otherwise,
 * those that fit B's `not` must fit A's. */

static bool cover_negated(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  if (!b->negated) return true;
  struct ts_sub *was = NULL;
  struct ts_view refused = ts_view_with(c, a, b->negated);
  if (ts_view_is_empty(c, &refused)) return true;
  for (size_t i = 0; i < a->count; i++) {
    if (!a->part[i]->negated) continue;
    was = a->part[i]->negated;
    if (ts_cover_quietly(c, &refused, was)) return true;
  }
  if (c->quiet) return false;
  struct ts_sub condition = ts_blank();
  condition.negated = b->negated;
  if (!was)
    return ts_narrowed(c, a, &condition, spot, TS_RULE_ALLOF_ADDED, "not", TS_ABSENT, ts_sub_json(c, b->negated));
  size_t mark = ts_enter(c, "not", TS_ABSENT);
  c->flipped = !c->flipped;
  bool good = ts_cover(c, &refused, was, spot);
  c->flipped = !c->flipped;
  ts_leave(c, mark);
  return good;
}

bool ts_cover_choice(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  bool good = cover_all(c, a, b, spot);
  if (good || !c->quiet) good &= cover_any(c, a, b, spot);
  if (good || !c->quiet) good &= cover_one(c, a, b, spot);
  if (good || !c->quiet) good &= cover_negated(c, a, b, spot);
  return good;
}
