/* Does B accept what A accepts, where B combines other schemas: allOf, anyOf, oneOf, not? */
#include "schema/compare.h"

/* Written alike, whatever the words in it say. */
static bool is_among(struct ts_compare *c, const struct ts_subs *list, struct ts_sub *sub) {
  for (size_t i = 0; i < list->count; i++)
    if (ts_same(c, list->item[i], sub)) return true;
  return false;
}

/* allOf */

/* One of B's allOf. Parameters that it adds are no narrowing: there is a note for them. */
static void narrow_all(struct ts_compare *c, const struct ts_view *a, struct ts_sub *one, bool peer,
                       const struct ts_spot *spot) {
  struct ts_trial trial = { 0 }, *outer = c->trial;
  c->trial = &trial;
  (void)ts_cover(c, a, one, spot);
  c->trial = outer;
  if (trial.faults == 0) return;
  if (peer) {
    (void)ts_cover(c, a, one, spot);
    return;
  }
  struct ts_sub condition = ts_blank();
  condition.all = (struct ts_subs){ &one, 1 };
  ts_sub_finish(&condition);
  if (trial.witness.len == 0) trial.witness = ts_witness(c, a, &condition, spot);
  (void)ts_narrowed_by(c, trial.witness, TS_RULE_ALLOF_ADDED, NULL, TS_ABSENT, ts_sub_json(c, one));
}

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
    narrow_all(c, a, one, i < peers->count && !is_among(c, &b->all, peers->item[i]), spot);
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

/* … or objects with a property that both have, and that keeps them apart: surely, when both require it; when not, by
 * the values that are listed for it. */
static bool are_told_apart(struct ts_compare *c, const struct ts_view *x, const struct ts_view *y, bool required) {
  if (are_apart(c, x, y)) return true;
  if ((ts_view_facts(c, x).types & ts_view_facts(c, y).types) != TS_T_OBJECT) return false;
  for (size_t k = 0; k < x->count; k++) {
    for (size_t i = 0; i < x->part[k]->property_count; i++) {
      struct ts_str name = x->part[k]->property[i].name;
      if (required ? !ts_view_requires(x, name) || !ts_view_requires(y, name) : !ts_view_declared(y, name)) continue;
      struct ts_view one = ts_view_member(c, x, name), other = ts_view_member(c, y, name);
      bool tag = ts_view_facts(c, &one).listed && ts_view_facts(c, &other).listed;
      if ((required || tag) && are_apart(c, &one, &other)) return true;
    }
  }
  return false;
}

/* At most one of the branches fits any value of A, so that oneOf means anyOf. */
static bool is_disjoint(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches) {
  unsigned types = ts_view_facts(c, a).types;
  for (size_t i = 0; i < branches->count; i++) {
    struct ts_view one = ts_view_of(c, branches->item[i]);
    one.types = types;
    for (size_t k = i + 1; k < branches->count; k++) {
      if (ts_is_spent(c)) return false;
      c->steps++;
      struct ts_view other = ts_view_of(c, branches->item[k]);
      if (!are_told_apart(c, &one, &other, true)) return false;
    }
  }
  return true;
}

/* anyOf, and oneOf where it means the same */

enum { PIECES_MOST = 200, VALUES_MOST = 32 }; /* of one alternative; of a member that it is split by */

struct choice {
  struct ts_sub *b;
  const struct ts_subs *branches; /* of b */
  const char *keyword;            /* "anyOf" or "oneOf" */
};

/* An alternative of A: a branch, and the branch that its list stands in. */
struct alternative {
  const struct alternative *up;
  const struct ts_subs *list;
  const char *keyword;
  size_t index;
};

static bool fits_one(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches) {
  for (size_t i = 0; i < branches->count; i++) /* most are as they were, and soon found */
    if (ts_is_part(a, branches->item[i])) return true;
  for (size_t i = 0; i < branches->count && !ts_is_spent(c); i++)
    if (ts_cover_quietly(c, a, branches->item[i])) return true;
  return false;
}

static bool fits(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches, unsigned *pieces);

static bool fits_by_branch(struct ts_compare *c, const struct ts_view *a, size_t part, const struct ts_subs *branches,
                           unsigned *pieces) {
  const struct ts_subs *before = ts_branches(a->part[part]);
  for (size_t i = 0; i < before->count; i++) {
    struct ts_view one = ts_view_choose(c, a, part, before->item[i]);
    if (!ts_view_is_empty(c, &one) && !fits(c, &one, branches, pieces)) return false;
  }
  return true;
}

static bool fits_by_type(struct ts_compare *c, const struct ts_view *a, unsigned types, const struct ts_subs *branches,
                         unsigned *pieces) {
  for (unsigned type = 1; type <= TS_T_OBJECT; type *= 2) {
    struct ts_view only = *a;
    only.types = type;
    if (types & type && !fits(c, &only, branches, pieces)) return false;
  }
  return true;
}

/* The objects of A with this value of a member (NULL: without the member). */
static bool fits_with(struct ts_compare *c, const struct ts_view *a, struct ts_str name, const struct ts_tree *value,
                      const struct ts_subs *branches, unsigned *pieces) {
  struct ts_sub *of_member = ts_arena_alloc(&c->arena, sizeof *of_member), *whole;
  struct ts_property *only = ts_arena_alloc(&c->arena, sizeof *only);
  if ((*pieces)++ >= PIECES_MOST) return false;
  *of_member = ts_blank();
  of_member->constant = value;
  of_member->never = !value;
  ts_sub_finish(of_member);
  *only = (struct ts_property){ name, of_member, value != NULL };
  whole = ts_arena_alloc(&c->arena, sizeof *whole);
  *whole = ts_blank();
  whole->property = only;
  whole->property_count = 1;
  whole->required_count = value != NULL;
  ts_sub_finish(whole);
  struct ts_view piece = ts_view_with(c, a, whole);
  return fits_one(c, &piece, branches);
}

/* Objects that a member with few values tells apart: each value may go to another branch. */
static bool fits_by_member(struct ts_compare *c, const struct ts_view *a, struct ts_str name,
                           const struct ts_subs *branches, unsigned *pieces) {
  struct ts_view member = ts_view_member(c, a, name);
  struct ts_facts f = ts_view_facts(c, &member);
  if (!f.finite || f.value_count < 2 || f.value_count > VALUES_MOST) return false;
  if (!ts_view_requires(a, name) && !fits_with(c, a, name, NULL, branches, pieces)) return false;
  for (size_t i = 0; i < f.value_count; i++)
    if (!fits_with(c, a, name, f.value[i], branches, pieces)) return false;
  return true;
}

/* Is A covered by the branches together? Where no branch takes all of it, it is split: by its own alternatives, by
 * type, by the values of a member. */
static bool fits(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *branches, unsigned *pieces) {
  if (fits_one(c, a, branches)) return true;
  if ((*pieces)++ >= PIECES_MOST) return false;
  size_t part = ts_view_choice(a);
  if (part != SIZE_MAX) return fits_by_branch(c, a, part, branches, pieces);
  unsigned types = ts_view_facts(c, a).types;
  if (types & (types - 1)) return fits_by_type(c, a, types, branches, pieces);
  for (size_t k = 0; k < a->count && types == TS_T_OBJECT; k++)
    for (size_t i = 0; i < a->part[k]->property_count; i++)
      if (fits_by_member(c, a, a->part[k]->property[i].name, branches, pieces)) return true;
  return false;
}

size_t ts_find_heir(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *before,
                    const struct ts_subs *branches, size_t index) {
  size_t heir = SIZE_MAX, heirs = 0;
  for (size_t i = 0; i < branches->count; i++) {
    struct ts_view branch = ts_view_of(c, branches->item[i]);
    if (ts_is_spent(c)) return SIZE_MAX;
    c->steps++;
    if (are_told_apart(c, a, &branch, false)) continue;
    if (before && is_among(c, before, branches->item[i])) continue;
    if (i == index) return i;
    heir = i;
    heirs++;
  }
  return heirs == 1 ? heir : SIZE_MAX;
}

static void enter_alternative(struct ts_compare *c, const struct alternative *at) {
  if (at->up) enter_alternative(c, at->up);
  (void)ts_enter_index(c, at->keyword, at->index);
}

/* Nothing takes all of an alternative of A (NULL: A has none). It is held against the branch that was made of it, but
 * what that one refuses is lost only when the others refuse it, too. */
static bool narrow_alternative(struct ts_compare *c, const struct ts_view *a, const struct choice *choice,
                               const struct alternative *at, const struct ts_spot *spot) {
  size_t heir = ts_find_heir(c, a, at ? at->list : NULL, choice->branches, at && !at->up ? at->index : SIZE_MAX);
  struct ts_sub condition = ts_blank();
  condition.any = *choice->branches;
  size_t mark = c->pointer.len;
  bool good;
  if (heir != SIZE_MAX) {
    struct ts_spot within = { .up = spot, .kind = TS_AT_CHOICE, .beside = &condition };
    ts_sub_finish(&condition);
    (void)ts_enter_index(c, choice->keyword, heir);
    good = ts_cover(c, a, choice->branches->item[heir], &within);
  } else if (!at) {
    good = ts_narrowed(c, a, &condition, spot, TS_RULE_ALLOF_ADDED, choice->keyword, TS_ABSENT,
                       ts_keyword_json(c, choice->b, choice->keyword));
  } else {
    enter_alternative(c, at);
    good = ts_narrowed(c, a, &condition, spot, TS_RULE_ANYOF_BRANCH_REMOVED, NULL,
                       ts_sub_json(c, at->list->item[at->index]), TS_ABSENT);
  }
  ts_leave(c, mark);
  return good;
}

/* The first choice that is left among the parts from `from` on. */
static size_t choice_from(const struct ts_view *v, size_t from) {
  for (size_t i = from; i < v->count; i++)
    if (!v->chosen[i] && ts_branches(v->part[i])->count > 0) return i;
  return SIZE_MAX;
}

/* Each branch of a part of A; of nested alternatives, each one by itself. */
static bool cover_branches(struct ts_compare *c, const struct ts_view *a, size_t part, const struct choice *choice,
                           const struct alternative *up, const struct ts_spot *spot) {
  struct alternative at = { up, ts_branches(a->part[part]), a->part[part]->any.count > 0 ? "anyOf" : "oneOf", 0 };
  bool good = true;
  for (; at.index < at.list->count && (good || !c->quiet); at.index++) {
    struct ts_view one = ts_view_choose(c, a, part, at.list->item[at.index]);
    unsigned pieces = 0;
    if (ts_view_is_empty(c, &one) || fits(c, &one, choice->branches, &pieces)) continue;
    good = false;
    if (c->quiet) break;
    size_t nested = choice_from(&one, a->count);
    if (nested != SIZE_MAX && !ts_is_spent(c))
      (void)cover_branches(c, &one, nested, choice, &at, spot);
    else
      (void)narrow_alternative(c, &one, choice, &at, spot);
  }
  return good;
}

/* A had no alternatives: each of its types may go to another one. */
static bool cover_types_apart(struct ts_compare *c, const struct ts_view *a, const struct choice *choice,
                              const struct ts_spot *spot) {
  unsigned types = ts_view_facts(c, a).types;
  bool good = true;
  for (unsigned type = 1; type <= TS_T_OBJECT && (good || !c->quiet); type *= 2) {
    struct ts_view only = *a;
    unsigned pieces = 0;
    only.types = type;
    if (!(types & type) || fits(c, &only, choice->branches, &pieces)) continue;
    good = !c->quiet && narrow_alternative(c, &only, choice, NULL, spot) && good;
  }
  return good;
}

static bool cover_alternatives(struct ts_compare *c, const struct ts_view *a, const struct choice *choice,
                               const struct ts_spot *spot) {
  size_t part = ts_view_choice(a);
  return part == SIZE_MAX ? cover_types_apart(c, a, choice, spot) : cover_branches(c, a, part, choice, NULL, spot);
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
  if (is_disjoint(c, a, &b->one)) return cover_listed(c, a, &b->one) || cover_alternatives(c, a, &choice, spot);
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
