/* Views: what a value must fit when it must fit several subschemas at once. */
#include "schema/compare.h"

enum {
  TYPES_STEPS = 500, /* subschemas looked at for the types of one */
  PARTS_MAX = 200,
};

/* Single subschemas */

static unsigned listed_types(const struct ts_sub *sub) {
  unsigned types = TS_T_ALL;
  if (sub->constant) types &= ts_value_type(sub->constant);
  if (!sub->values) return types;
  unsigned of_values = 0;
  for (const struct ts_tree *v = ts_tree_first(sub->values); v; v = ts_tree_after(v)) of_values |= ts_value_type(v);
  return types & of_values;
}

static unsigned types_below(const struct ts_sub *sub, bool listed, unsigned *steps);

static unsigned types_of_any(const struct ts_subs *branches, bool listed, unsigned *steps) {
  unsigned types = 0;
  for (size_t i = 0; i < branches->count; i++) types |= types_below(branches->item[i], listed, steps);
  return branches->count > 0 ? types : TS_T_ALL;
}

/* All types when there is no end to it: views that are too wide are sound. */
static unsigned types_below(const struct ts_sub *sub, bool listed, unsigned *steps) {
  if (sub->never) return 0;
  if (*steps == 0) return TS_T_ALL;
  --*steps;
  unsigned types = sub->types & (listed ? listed_types(sub) : (unsigned)TS_T_ALL);
  if (sub->target) types &= types_below(sub->target, listed, steps);
  for (size_t i = 0; i < sub->all.count; i++) types &= types_below(sub->all.item[i], listed, steps);
  return types & types_of_any(&sub->any, listed, steps) & types_of_any(&sub->one, listed, steps);
}

/* Asked over and over: kept in the subschema, with a bit that is no type. */
static unsigned types_within(struct ts_sub *sub, bool listed) {
  enum { KNOWN = TS_T_ALL + 1 };
  uint8_t *kept = listed ? &sub->types_listed : &sub->types_declared;
  unsigned steps = TYPES_STEPS;
  if (!*kept) *kept = (uint8_t)(types_below(sub, listed, &steps) | KNOWN);
  return *kept & (unsigned)TS_T_ALL;
}

const struct ts_subs *ts_branches(const struct ts_sub *sub) { return sub->any.count > 0 ? &sub->any : &sub->one; }

static bool applies_others(const struct ts_sub *sub) {
  return sub->reference.len > 0 || sub->all.count || sub->any.count || sub->one.count || sub->condition ||
         sub->dependency_count || sub->contains;
}

struct ts_sub *ts_rest_members(const struct ts_sub *sub) {
  if (sub->additional) return sub->additional;
  return applies_others(sub) ? NULL : sub->unevaluated_members;
}

struct ts_sub *ts_rest_items(const struct ts_sub *sub) {
  if (sub->items) return sub->items;
  return applies_others(sub) ? NULL : sub->unevaluated_items;
}

bool ts_depends(const struct ts_sub *sub) {
  bool members = sub->unevaluated_members && !sub->additional;
  return applies_others(sub) && (members || (sub->unevaluated_items && !sub->items));
}

bool ts_accepts_all(const struct ts_sub *sub) {
  if (sub->only_refers) sub = sub->target;
  return sub->uses == 0 && !sub->never && !sub->undecided;
}

struct ts_sub ts_blank(void) {
  struct ts_sub sub = { .types = TS_T_ALL, .contained = { 1, UINT64_MAX } };
  sub.length.max = sub.items_count.max = sub.members.max = UINT64_MAX;
  return sub;
}

struct ts_sub *ts_declared(const struct ts_sub *sub, struct ts_str key) {
  const struct ts_property *p = ts_sub_property(sub, key);
  return p ? p->schema : NULL;
}

/* Making views */

static void add_part(struct ts_compare *c, struct ts_view *v, struct ts_sub *sub) {
  if (sub->only_refers) sub = sub->target;
  if (!sub->tree && !sub->never && sub->uses == 0) return; /* `true` adds nothing */
  for (size_t i = 0; i < v->count; i++)
    if (v->part[i] == sub) return;
  if (v->count == PARTS_MAX) v->cut = true; /* fewer conditions on A: still sound */
  if (v->cut) return;
  size_t room = v->count & (v->count - 1) ? 0 : v->count ? v->count * 2 : 1; /* a power of two is full */
  if (room > 0) {
    struct ts_sub **part = ts_arena_alloc(&c->arena, room * sizeof(struct ts_sub *));
    bool *chosen = ts_arena_alloc(&c->arena, room * sizeof *chosen);
    for (size_t i = 0; i < v->count; i++) {
      part[i] = v->part[i];
      chosen[i] = v->chosen[i];
    }
    v->part = part;
    v->chosen = chosen;
  }
  v->chosen[v->count] = false;
  v->part[v->count++] = sub;
  if (sub->target) add_part(c, v, sub->target);
  for (size_t i = 0; i < sub->all.count; i++) add_part(c, v, sub->all.item[i]);
}

struct ts_view ts_view_of(struct ts_compare *c, struct ts_sub *sub) {
  struct ts_view v = { .types = TS_T_ALL };
  add_part(c, &v, sub);
  return v;
}

/* A copy that can grow without touching v. */
static struct ts_view copy_view(struct ts_compare *c, const struct ts_view *v) {
  struct ts_view copy = { .count = v->count, .types = v->types, .cut = v->cut };
  size_t room = 1;
  c->steps += v->count / TS_WIDE;
  while (room < v->count) room *= 2;
  copy.part = ts_arena_alloc(&c->arena, room * sizeof(struct ts_sub *));
  copy.chosen = ts_arena_alloc(&c->arena, room * sizeof *copy.chosen);
  for (size_t i = 0; i < v->count; i++) {
    copy.part[i] = v->part[i];
    copy.chosen[i] = v->chosen[i];
  }
  return copy;
}

struct ts_view ts_view_with(struct ts_compare *c, const struct ts_view *v, struct ts_sub *sub) {
  struct ts_view more = copy_view(c, v);
  add_part(c, &more, sub);
  return more;
}

size_t ts_view_choice(const struct ts_view *v) {
  for (size_t i = 0; i < v->count; i++)
    if (!v->chosen[i] && ts_branches(v->part[i])->count > 0) return i;
  return SIZE_MAX;
}

struct ts_view ts_view_choose(struct ts_compare *c, const struct ts_view *v, size_t part, struct ts_sub *branch) {
  struct ts_view more = copy_view(c, v);
  more.chosen[part] = true;
  add_part(c, &more, branch);
  return more;
}

static void add_member(struct ts_compare *c, struct ts_view *v, struct ts_sub *part, struct ts_str key) {
  struct ts_sub *declared = ts_declared(part, key), *rest = ts_rest_members(part);
  bool known = declared != NULL;
  if (declared) add_part(c, v, declared);
  for (size_t i = 0; i < part->pattern_count; i++) {
    int match = ts_pattern_match(&part->patterns[i], key);
    known |= match != 0;
    if (match == 1) add_part(c, v, part->patterns[i].schema);
  }
  if (!known && rest && !ts_accepts_all(rest)) add_part(c, v, rest);
}

struct ts_view ts_view_member(struct ts_compare *c, const struct ts_view *v, struct ts_str key) {
  struct ts_view member = { .types = TS_T_ALL };
  for (size_t i = 0; i < v->count; i++) add_member(c, &member, v->part[i], key);
  return member;
}

struct ts_view ts_view_rest(struct ts_compare *c, const struct ts_view *v) {
  struct ts_view rest = { .types = TS_T_ALL };
  for (size_t i = 0; i < v->count; i++) {
    struct ts_sub *one = ts_rest_members(v->part[i]);
    if (one && !ts_accepts_all(one)) add_part(c, &rest, one);
  }
  return rest;
}

struct ts_view ts_view_names(struct ts_compare *c, const struct ts_view *v) {
  struct ts_view names = { .types = TS_T_STRING };
  for (size_t i = 0; i < v->count; i++)
    if (v->part[i]->names) add_part(c, &names, v->part[i]->names);
  return names;
}

struct ts_view ts_view_element(struct ts_compare *c, const struct ts_view *v, size_t index) {
  struct ts_view element = { .types = TS_T_ALL };
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_sub *part = v->part[i];
    struct ts_sub *item = index < part->prefix.count ? part->prefix.item[index] : ts_rest_items(part);
    if (item) add_part(c, &element, item);
  }
  return element;
}

struct ts_sub *ts_view_declared(const struct ts_view *v, struct ts_str key) {
  for (size_t i = 0; i < v->count; i++)
    if (ts_declared(v->part[i], key)) return ts_declared(v->part[i], key);
  return NULL;
}

bool ts_view_requires(const struct ts_view *v, struct ts_str key) {
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_property *p = ts_sub_property(v->part[i], key);
    if (p && p->required) return true;
  }
  return false;
}

int ts_view_check(const struct ts_view *v, const struct ts_tree *value) {
  int answer = ts_value_type(value) & v->types ? 1 : 0;
  for (size_t i = 0; i < v->count && answer; i++) {
    int one = ts_sub_check(v->part[i], value);
    answer = one == 0 ? 0 : one < answer ? one : answer;
  }
  return answer;
}

/* Facts */

static void raise_bound(struct ts_bound *b, struct ts_str number, bool excluded, const char *keyword, int sign) {
  if (number.len == 0) return;
  int order = b->number.len > 0 ? ts_number_cmp(number, b->number) * sign : 1;
  if (order > 0 || (order == 0 && excluded && !b->excluded)) *b = (struct ts_bound){ number, excluded, keyword };
}

static void raise_limits(struct ts_limits *l, struct ts_limits by) {
  if (by.min > l->min) l->min = by.min;
  if (by.max < l->max) l->max = by.max;
}

static size_t count_declared(const struct ts_sub *sub) {
  size_t n = 0;
  for (size_t i = 0; i < sub->property_count; i++) n += sub->property[i].schema != NULL;
  return n;
}

static void add_facts(struct ts_facts *f, const struct ts_sub *part) {
  const struct ts_sub *rest = ts_rest_members(part), *items = ts_rest_items(part);
  bool closed = rest && rest->never && part->pattern_count == 0;
  raise_bound(&f->lower, part->minimum, false, "minimum", 1);
  raise_bound(&f->lower, part->above, true, "exclusiveMinimum", 1);
  raise_bound(&f->upper, part->maximum, false, "maximum", -1);
  raise_bound(&f->upper, part->below, true, "exclusiveMaximum", -1);
  raise_limits(&f->length, part->length);
  raise_limits(&f->items, part->items_count);
  raise_limits(&f->members, part->members);
  raise_limits(&f->members, (struct ts_limits){ part->required_count, closed ? count_declared(part) : UINT64_MAX });
  if (items && items->never) raise_limits(&f->items, (struct ts_limits){ 0, part->prefix.count });
  if (part->contains) raise_limits(&f->items, (struct ts_limits){ part->contained.min, UINT64_MAX });
  f->unique |= part->unique;
  f->listed |= part->values || part->constant;
}

static void keep_value(struct ts_compare *c, struct ts_facts *f, const struct ts_view *v, const struct ts_tree *value) {
  int answer = ts_value_type(value) & v->types ? 1 : 0;
  for (size_t i = 0; i < v->count && answer; i++) answer = ts_sub_check_within(v->part[i], value, &c->checks_left);
  if (answer != 0) f->value[f->value_count++] = value;
}

/* The values, when some part lists them or nothing but null and booleans is left. */
static void list_values(struct ts_compare *c, struct ts_facts *f, const struct ts_view *v) {
  const struct ts_sub *best = NULL;
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_sub *part = v->part[i];
    if (part->constant || (part->values && !(best && best->constant))) best = part;
  }
  f->finite = best || !(f->types & ~(unsigned)(TS_T_NULL | TS_T_BOOLEAN));
  if (!f->finite) return;
  size_t room = best && !best->constant ? ts_tree_count(best->values) : 3;
  c->steps += room / TS_WIDE;
  f->value = ts_arena_alloc(&c->arena, room * sizeof(const struct ts_tree *));
  if (best && best->constant) {
    keep_value(c, f, v, best->constant);
  } else if (best) {
    for (const struct ts_tree *one = ts_tree_first(best->values); one; one = ts_tree_after(one))
      keep_value(c, f, v, one);
  } else {
    keep_value(c, f, v, c->null_value);
    keep_value(c, f, v, c->false_value);
    keep_value(c, f, v, c->true_value);
  }
}

struct ts_facts ts_view_facts(struct ts_compare *c, const struct ts_view *v) {
  struct ts_facts f = { .types = v->types, .declared = TS_T_ALL };
  f.length.max = f.items.max = f.members.max = UINT64_MAX;
  c->steps += v->count / TS_WIDE;
  for (size_t i = 0; i < v->count; i++) {
    f.types &= types_within(v->part[i], true);
    f.declared &= types_within(v->part[i], false);
    add_facts(&f, v->part[i]);
  }
  list_values(c, &f, v);
  return f;
}

bool ts_view_is_open(const struct ts_view *v) {
  for (size_t i = 0; i < v->count; i++)
    if (!ts_accepts_all(v->part[i])) return false;
  return true;
}

bool ts_view_is_empty(struct ts_compare *c, const struct ts_view *v) {
  struct ts_facts f = ts_view_facts(c, v);
  return f.types == 0 || (f.finite && f.value_count == 0);
}
