/* Keywords that combine other schemas for the same value. */
#include "base/xalloc.h"
#include "schema/check.h"

enum { NAMED_MOST = 4, MARK_DEPTH = 100 };

/* Why none of several alternatives fits: what the alternatives say that come farthest in the value, and of
 * those rather the ones of the right type. */

static int compare_blames(const struct ts_blame *a, const struct ts_blame *b) {
  int order = ts_blame_order(a->at, a->depth, b->at, b->depth);
  bool wrong_type = a->fault == TS_FAULT_TYPE || a->fault == TS_FAULT_NEVER;
  bool other_wrong = b->fault == TS_FAULT_TYPE || b->fault == TS_FAULT_NEVER;
  return order ? order : (int)other_wrong - (int)wrong_type;
}

static void join_blame(struct ts_blame *best, size_t *named, struct ts_blame *other) {
  int order = best->found ? compare_blames(best, other) : -1;
  if (order < 0) {
    struct ts_blame swap = *best;
    *best = *other;
    *other = swap;
    *named = 1;
  } else if (order == 0 && !ts_str_has(ts_buf_str(&best->misfit.expected), ts_buf_str(&other->misfit.expected))) {
    if (++*named <= NAMED_MOST) ts_buf_addf(&best->misfit.expected, " or %s", ts_buf_z(&other->misfit.expected));
    if (*named == NAMED_MOST + 1) ts_buf_addz(&best->misfit.expected, " or \xe2\x80\xa6");
  }
  ts_blame_free(other);
}

static TS_ASIDE int blame_branches(struct ts_check *c, const struct ts_subs *branches, const struct ts_tree *v) {
  struct ts_why *w = c->why;
  if (!w) return 0;
  struct ts_blame kept = w->blame, best = { 0 };
  size_t named = 0;
  for (size_t i = 0; i < branches->count; i++) {
    w->blame = (struct ts_blame){ 0 };
    (void)ts_check(c, branches->item[i], v);
    if (w->blame.found) join_blame(&best, &named, &w->blame);
  }
  bool better = best.found && (!kept.found || ts_blame_order(best.at, best.depth, kept.at, kept.depth) < 0);
  ts_blame_free(better ? &kept : &best);
  w->blame = better ? best : kept;
  return 0;
}

static int check_all(struct ts_check *c, const struct ts_subs *branches, const struct ts_tree *v) {
  int answer = 1;
  for (size_t i = 0; i < branches->count && (answer || c->why); i++)
    answer = ts_both(answer, ts_check(c, branches->item[i], v));
  return answer;
}

static int check_any(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int answer = 0;
  for (size_t i = 0; i < sub->any.count; i++) {
    int one = ts_check_quiet(c, sub->any.item[i], v);
    if (one == 1) return 1;
    if (one < 0) answer = -1;
  }
  return answer ? answer : blame_branches(c, &sub->any, v);
}

static TS_ASIDE int check_one(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  struct ts_fault_detail detail = { 0 };
  size_t unsure = 0;
  for (size_t i = 0; i < sub->one.count; i++) {
    int one = ts_check_quiet(c, sub->one.item[i], v);
    detail.first += one == 1;
    unsure += one < 0;
  }
  if (detail.first > 1) return ts_check_blame(c, TS_FAULT_ONE, sub, v, &detail);
  if (unsure > 0) return -1;
  return detail.first == 1 ? 1 : blame_branches(c, &sub->one, v);
}

static TS_ASIDE int check_condition(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int holds = ts_check_quiet(c, sub->condition, v);
  if (holds == 1) return sub->then ? ts_check(c, sub->then, v) : 1;
  if (holds == 0) return sub->otherwise ? ts_check(c, sub->otherwise, v) : 1;
  int yes = sub->then ? ts_check_quiet(c, sub->then, v) : 1;
  int no = sub->otherwise ? ts_check_quiet(c, sub->otherwise, v) : 1;
  return yes == no ? yes : -1;
}

static TS_ASIDE int check_negated(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int inner = ts_check_quiet(c, sub->negated, v);
  if (inner == 1) return ts_check_blame(c, TS_FAULT_NOT, sub, v, NULL);
  return inner < 0 ? -1 : 1;
}

int ts_check_logic(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int answer = 1;
  if (sub->target) answer = ts_check(c, sub->target, v);
  if (sub->all.count && (answer || c->why)) answer = ts_both(answer, check_all(c, &sub->all, v));
  if (sub->any.count && (answer || c->why)) answer = ts_both(answer, check_any(c, sub, v));
  if (sub->one.count && (answer || c->why)) answer = ts_both(answer, check_one(c, sub, v));
  if (sub->condition && (answer || c->why)) answer = ts_both(answer, check_condition(c, sub, v));
  if (sub->negated && (answer || c->why)) answer = ts_both(answer, check_negated(c, sub, v));
  return answer;
}

/* Which members or elements some keyword of the subschema, or of one that it applies in place and that fits,
 * has looked at. */
struct marks {
  struct ts_sub *top;
  bool *seen;
  bool unsure; /* a part could not be decided: more may have been seen */
  unsigned depth;
};

static void mark(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v, struct marks *m);

static void mark_members(struct ts_sub *sub, const struct ts_tree *v, struct marks *m, bool all) {
  size_t i = 0;
  for (const struct ts_tree *member = ts_tree_first(v); member; member = ts_tree_after(member), i++) {
    const struct ts_property *p = ts_sub_property(sub, ts_tree_key(member));
    if (all || (p && p->schema)) m->seen[i] = true;
    for (size_t k = 0; k < sub->pattern_count && !m->seen[i]; k++) {
      int match = ts_pattern_match(&sub->patterns[k], ts_tree_key(member));
      m->seen[i] = match == 1;
      m->unsure |= match < 0;
    }
  }
}

static void mark_elements(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v, struct marks *m, bool all) {
  size_t i = 0;
  for (const struct ts_tree *item = ts_tree_first(v); item; item = ts_tree_after(item), i++) {
    int contained = !all && sub->contains ? ts_check_quiet(c, sub->contains, item) : 0;
    if (all || i < sub->prefix.count || contained == 1) m->seen[i] = true;
    m->unsure |= contained < 0;
  }
}

static void mark_fitting(struct ts_check *c, const struct ts_subs *branches, const struct ts_tree *v, struct marks *m) {
  for (size_t i = 0; i < branches->count; i++) {
    int fits = ts_check_quiet(c, branches->item[i], v);
    if (fits == 1) mark(c, branches->item[i], v, m);
    m->unsure |= fits < 0;
  }
}

static void mark_condition(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v, struct marks *m) {
  int holds = ts_check_quiet(c, sub->condition, v);
  m->unsure |= holds < 0;
  if (holds == 1) mark(c, sub->condition, v, m);
  struct ts_sub *chosen = holds == 1 ? sub->then : holds == 0 ? sub->otherwise : NULL;
  if (chosen) mark(c, chosen, v, m);
}

static void mark(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v, struct marks *m) {
  if (m->depth == MARK_DEPTH) m->unsure = true;
  if (m->depth == MARK_DEPTH) return;
  m->depth++;
  bool inner = sub != m->top;
  if (ts_tree_kind(v) == TS_JSON_OBJECT)
    mark_members(sub, v, m, sub->additional || (inner && sub->unevaluated_members));
  else
    mark_elements(c, sub, v, m, sub->items || (inner && sub->unevaluated_items));
  if (sub->target) mark(c, sub->target, v, m);
  for (size_t i = 0; i < sub->all.count; i++) mark(c, sub->all.item[i], v, m);
  mark_fitting(c, &sub->any, v, m);
  mark_fitting(c, &sub->one, v, m);
  if (sub->condition) mark_condition(c, sub, v, m);
  for (size_t i = 0; i < sub->dependency_count; i++)
    if (sub->dependency[i].schema && ts_tree_get(v, sub->dependency[i].name.ptr))
      mark(c, sub->dependency[i].schema, v, m);
  m->depth--;
}

int ts_check_unevaluated(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  bool object = ts_tree_kind(v) == TS_JSON_OBJECT;
  struct ts_sub *schema = object ? sub->unevaluated_members : sub->unevaluated_items;
  if (!schema) return 1;
  struct marks m = { .top = sub, .seen = ts_xcalloc(ts_tree_count(v), sizeof *m.seen) };
  mark(c, sub, v, &m);
  int answer = 1;
  size_t i = 0;
  for (const struct ts_tree *child = ts_tree_first(v); child; child = ts_tree_after(child), i++) {
    if (m.seen[i]) continue;
    int fits = m.unsure ? ts_check_quiet(c, schema, child) : ts_check_child(c, schema, child, i, object);
    answer = ts_both(answer, fits == 0 && m.unsure ? -1 : fits);
  }
  free(m.seen);
  return answer;
}
