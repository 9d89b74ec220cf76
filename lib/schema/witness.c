/* Witnesses: small arguments that one schema accepts and another refuses. Candidates for the part that is refused are
 * put into the smallest whole values that are found, and ts_sub_check has the last word on each. */
#include "schema/candidates.h"
#include "schema/shrink.h"

enum {
  CLIMB_MOST = 300, /* whole values checked for one witness */
  DEPTH_MOST = 6,   /* values within values */
  NAMES_MOST = 8,   /* names tried for one member */
};

/* Spots */

static bool is_declared(const struct ts_sub *sub, struct ts_str name) {
  bool declared = ts_declared(sub, name) != NULL;
  for (size_t i = 0; i < sub->pattern_count && !declared; i++)
    declared = ts_pattern_match(&sub->patterns[i], name) != 0;
  return declared;
}

bool ts_spot_has_name(const struct ts_spot *spot, struct ts_str name) {
  if (spot->kind == TS_AT_MEMBER) return ts_str_eq(name, spot->key);
  if (spot->kind == TS_AT_MATCHING) return ts_pattern_match(spot->pattern, name) == 1;
  if (spot->kind != TS_AT_REST || is_declared(spot->beside, name)) return false;
  for (size_t i = 0; i < spot->around->count; i++)
    if (is_declared(spot->around->part[i], name)) return false;
  return true;
}

bool ts_spot_has_index(const struct ts_spot *spot, size_t index) {
  return spot->kind == TS_AT_ELEMENT ? index == spot->index : spot->kind == TS_AT_TAIL && index >= spot->index;
}

/* Climbing to the whole value */

static void climb(struct ts_maker *m, const struct ts_spot *spot, struct ts_str json);

static void try_whole(struct ts_maker *m, struct ts_str json) {
  if (m->best.len > 0 && m->best.len <= json.len) return;
  struct ts_tree *value = ts_tree_parse(json, NULL);
  if (!value) return;
  if (ts_sub_check(m->c->a->root, value) == 1 && ts_sub_check(m->c->b->root, value) == 0)
    m->best = ts_arena_dup(&m->c->arena, json);
  ts_tree_free(value);
}

static void climb_member(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot, struct ts_str key,
                         struct ts_str value) {
  struct ts_members all = { 0 };
  if (!ts_add_required(m, &all, v, 3)) return;
  uint64_t least = ts_view_facts(m->c, v).members.min;
  bool there = false;
  for (size_t i = 0; i < all.count; i++) there |= ts_str_eq(all.item[i].key, key);
  if (all.count + !there < least) ts_fill_up(m, &all, v, least - !there, key, 3);
  for (size_t i = 0; i <= all.count; i++) { /* the smallest of each, then one of them another */
    struct ts_buf json = { 0 };
    if (i > 0 && all.item[i - 1].values.count < 2) continue;
    if (i > 0) all.item[i - 1].chosen = 1;
    ts_write_members(&json, &all, key, value);
    climb(m, spot->up, ts_buf_str(&json));
    ts_buf_free(&json);
    if (i > 0) all.item[i - 1].chosen = 0;
  }
}

/* The text of a string in the arena; absent: it is none. */
static struct ts_str text_of(struct ts_maker *m, struct ts_str json) {
  struct ts_tree *name = ts_tree_parse(json, NULL);
  bool text = name && ts_tree_kind(name) == TS_JSON_STRING;
  struct ts_str kept = text ? ts_arena_dup(&m->c->arena, ts_tree_text(name)) : TS_ABSENT;
  ts_tree_free(name);
  return kept;
}

/* A member of some name: one that is required anyway, the usual one, one that propertyNames lets through. */
static void climb_named(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot, struct ts_str value) {
  for (size_t k = 0; k < v->count; k++)
    for (size_t i = 0; i < v->part[k]->property_count; i++)
      if (v->part[k]->property[i].required && ts_spot_has_name(spot, v->part[k]->property[i].name))
        climb_member(m, v, spot, v->part[k]->property[i].name, value);
  climb_member(m, v, spot, spot->key, value);
  struct ts_view names = ts_view_names(m->c, v);
  struct ts_pool pool = { 0 };
  if (names.count > 0) pool = ts_values_of(m, &names, 3);
  for (size_t i = 0; i < pool.count && i < NAMES_MOST; i++) {
    struct ts_str key = text_of(m, pool.item[i]);
    if (key.ptr && ts_spot_has_name(spot, key)) climb_member(m, v, spot, key, value);
  }
}

/* The elements that `contains` asks for; none: NULL. */
static struct ts_sub *contained_by(const struct ts_view *v, size_t *count) {
  for (size_t i = 0; i < v->count; i++) {
    *count = v->part[i]->contains ? (size_t)v->part[i]->contained.min : 0;
    if (v->part[i]->contained.min > TS_COUNT_MOST) *count = TS_COUNT_MOST;
    if (*count > 0) return v->part[i]->contains;
  }
  *count = 0;
  return NULL;
}

/* An array with the value `at` there, and, where they do not come before the place, `wanted` elements. */
static void climb_array(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot, struct ts_str value,
                        size_t at, size_t count, struct ts_sub *wanted, size_t step) {
  struct ts_buf json = { 0 };
  for (size_t i = 0; i < count; i++) {
    struct ts_view item = ts_view_element(m->c, v, i);
    struct ts_pool items = { 0 };
    if (i >= spot->index && wanted) item = ts_view_with(m->c, &item, wanted);
    if (i != at) items = ts_values_of(m, &item, 3);
    struct ts_str other = items.count > 0 ? items.item[step * i % items.count] : TS_STR("null");
    ts_buf_addf(&json, "%s%.*s", i ? "," : "[", TS_FMT(i == at ? value : other));
  }
  ts_buf_addc(&json, ']');
  climb(m, spot->up, ts_buf_str(&json));
  ts_buf_free(&json);
}

static void climb_element(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot,
                          struct ts_str value) {
  uint64_t least = ts_view_facts(m->c, v).items.min;
  size_t more, count = spot->index + 1 > least ? spot->index + 1 : (size_t)least;
  struct ts_sub *wanted = contained_by(v, &more);
  if (count > TS_COUNT_MOST) return;
  for (size_t step = 0; step < 2; step++) climb_array(m, v, spot, value, spot->index, count, NULL, step);
  if (!wanted) return;
  if (count < spot->index + 1 + more) count = spot->index + 1 + more;
  size_t at = spot->kind == TS_AT_TAIL ? count - 1 : spot->index;
  for (size_t step = 0; step < 2; step++) climb_array(m, v, spot, value, at, count, wanted, step);
}

/* The value is a name: give the member of that name a value. */
static void climb_name(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot, struct ts_str json) {
  struct ts_str key = text_of(m, json);
  if (!key.ptr) return;
  struct ts_view member = ts_view_member(m->c, v, key);
  struct ts_pool values = ts_values_of(m, &member, 3);
  if (values.count > 0) climb_member(m, v, spot, key, values.item[0]);
}

/* No branch takes it. */
static void climb_choice(struct ts_maker *m, const struct ts_spot *spot, struct ts_str json) {
  struct ts_tree *value = ts_tree_parse(json, NULL);
  if (value && ts_sub_check(spot->beside, value) == 0) climb(m, spot->up, json);
  ts_tree_free(value);
}

static void climb_in(struct ts_maker *m, const struct ts_view *v, const struct ts_spot *spot, struct ts_str json) {
  size_t part = ts_view_choice(v);
  if (part != SIZE_MAX) {
    const struct ts_subs *branches = ts_branches(v->part[part]);
    for (size_t i = 0; i < branches->count && i < TS_CHOICES_MOST; i++) {
      struct ts_view one = ts_view_choose(m->c, v, part, branches->item[i]);
      climb_in(m, &one, spot, json);
    }
    return;
  }
  switch (spot->kind) {
    case TS_AT_MEMBER:
      climb_member(m, v, spot, spot->key, json);
      break;
    case TS_AT_MATCHING:
    case TS_AT_REST:
      climb_named(m, v, spot, json);
      break;
    case TS_AT_ELEMENT:
    case TS_AT_TAIL:
      climb_element(m, v, spot, json);
      break;
    case TS_AT_NAME:
      climb_name(m, v, spot, json);
      break;
    case TS_AT_CHOICE:
      break;
  }
}

static void climb(struct ts_maker *m, const struct ts_spot *spot, struct ts_str json) {
  if (m->climbs++ > CLIMB_MOST) return;
  if (!spot)
    try_whole(m, json);
  else if (spot->kind == TS_AT_CHOICE)
    climb_choice(m, spot, json);
  else
    climb_in(m, spot->around, spot, json);
}

/* Names that are there anyway. */
static void offer_names(struct ts_maker *m, const struct ts_view *v, struct ts_pool *pool) {
  for (size_t k = 0; k < v->count; k++) {
    for (size_t i = 0; i < v->part[k]->property_count; i++) {
      struct ts_buf json = { 0 };
      ts_tree_quote(&json, v->part[k]->property[i].name, SIZE_MAX);
      if (v->part[k]->property[i].required) ts_offer(m, pool, ts_buf_str(&json));
      ts_buf_free(&json);
    }
  }
}

/* The one that was found, made smaller. */
static struct ts_str shrunk(struct ts_compare *c, struct ts_str best, const struct ts_target *target) {
  struct ts_buf witness = { 0 };
  ts_buf_set(&witness, best);
  c->steps += ts_shrink(target, &witness) / 4;
  best = ts_arena_dup(&c->arena, ts_buf_str(&witness));
  ts_buf_free(&witness);
  return best;
}

struct ts_str ts_witness(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition,
                         const struct ts_spot *spot) {
  struct ts_maker m = { .c = c, .hint = condition, .blank = ts_blank() };
  struct ts_pool pool = { .view = a, .condition = condition, .spot = spot };
  if (condition->negated) {
    struct ts_view refused = ts_view_with(c, a, condition->negated);
    ts_make(&m, &refused, &pool, DEPTH_MOST);
  }
  if (spot && spot->kind == TS_AT_NAME) offer_names(&m, spot->around, &pool);
  ts_make(&m, a, &pool, DEPTH_MOST);
  ts_pool_sort(&pool, 0);
  m.hint = &m.blank;
  size_t work = m.work;
  for (size_t i = 0; i < pool.count; i++) {
    m.work = m.climbs = 0;
    climb(&m, spot, pool.item[i]);
    work += m.work + m.climbs;
  }
  c->steps += work / 4; /* a comparison that needs very many witnesses ends undecided */
  if (m.best.len == 0) return m.best;
  return shrunk(c, m.best, &(struct ts_target){ c->a->root, c->b->root, spot, a, condition });
}
