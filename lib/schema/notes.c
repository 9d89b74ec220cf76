/* What B accepts besides what A accepts, parameters that came and went, and words that changed: nothing that
 * refuses a value of A. Both sides are looked at as views, so that what moved into a reference or an allOf is
 * still the same. */
#include "schema/compare.h"

enum { NOTES_MOST = 20000 };

static const struct ts_tree *keyword_tree(const struct ts_view *v, const char *keyword) {
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_tree *found = v->part[i]->tree ? ts_tree_get(v->part[i]->tree, keyword) : NULL;
    if (found) return found;
  }
  return NULL;
}

static void note_annotations(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  static const struct {
    const char *keyword;
    enum ts_rule_id rule;
  } table[] = {
    { "default", TS_RULE_DEFAULT_CHANGED },
    { "description", TS_RULE_DESCRIPTION_CHANGED },
  };
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    const struct ts_tree *was = keyword_tree(a, table[i].keyword), *now = keyword_tree(b, table[i].keyword);
    if (was == now || (was && now && ts_tree_equal(was, now))) continue;
    ts_change_note(c, table[i].rule, table[i].keyword, ts_json_of(c, was), ts_json_of(c, now));
  }
}

/* Types and listed values */

static void note_types(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b, const struct ts_facts *f,
                       const struct ts_facts *g) {
  bool choices = ts_view_choice(a) != SIZE_MAX && ts_view_choice(b) != SIZE_MAX;
  unsigned was = f->declared & a->types, now = g->declared & b->types;
  if (choices || !(now & ~was) || (was & ~now)) return;
  ts_change_note(c, TS_RULE_TYPE_WIDENED, "type", ts_types_json(c, f->declared), ts_types_json(c, g->declared));
}

static void note_values(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b,
                        const struct ts_facts *f, struct ts_facts *g) {
  const char *keyword = keyword_tree(b, "const") ? "const" : "enum";
  if (!f->listed || ts_view_choice(b) != SIZE_MAX) return;
  if (!g->listed) {
    keyword = keyword_tree(a, "const") ? "const" : "enum";
    bool narrowed = !(g->types & f->types); /* another type altogether */
    if (!narrowed)
      ts_change_note(c, TS_RULE_ENUM_DROPPED, keyword, ts_values_json(c, f->value, f->value_count), TS_ABSENT);
    return;
  }
  size_t added = 0;
  for (size_t i = 0; i < g->value_count; i++)
    if (ts_view_check(a, g->value[i]) == 0) g->value[added++] = g->value[i];
  if (added > 0) ts_change_note(c, TS_RULE_ENUM_VALUE_ADDED, keyword, TS_ABSENT, ts_values_json(c, g->value, added));
}

/* Bounds */

static void note_bound(struct ts_compare *c, const struct ts_bound *was, const struct ts_bound *now, int sign) {
  if (was->number.len == 0) return;
  int order = now->number.len > 0 ? ts_number_cmp(was->number, now->number) * sign : 1;
  if (order < 0 || (order == 0 && (now->excluded || !was->excluded))) return;
  ts_change_note(c, TS_RULE_BOUND_LOOSENED, now->number.len > 0 ? now->keyword : was->keyword, was->number,
                 now->number);
}

static struct ts_limits limits_of(const struct ts_view *v, size_t at) {
  struct ts_limits all = { 0, UINT64_MAX }, one;
  for (size_t i = 0; i < v->count; i++) {
    memcpy(&one, (const char *)v->part[i] + at, sizeof one);
    if (one.min > all.min) all.min = one.min;
    if (one.max < all.max) all.max = one.max;
  }
  return all;
}

static void note_limits(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b, unsigned types) {
  static const struct {
    unsigned type;
    const char *least, *most;
    size_t at;
  } table[] = {
    { TS_T_STRING, "minLength", "maxLength", offsetof(struct ts_sub, length) },
    { TS_T_ARRAY, "minItems", "maxItems", offsetof(struct ts_sub, items_count) },
    { TS_T_OBJECT, "minProperties", "maxProperties", offsetof(struct ts_sub, members) },
  };
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    struct ts_limits was = limits_of(a, table[i].at), now = limits_of(b, table[i].at);
    if (!(types & table[i].type)) continue;
    if (now.min < was.min)
      ts_change_note(c, TS_RULE_BOUND_LOOSENED, table[i].least, ts_count_json(c, was.min), ts_count_json(c, now.min));
    if (now.max > was.max)
      ts_change_note(c, TS_RULE_BOUND_LOOSENED, table[i].most, ts_count_json(c, was.max), ts_count_json(c, now.max));
  }
}

static struct ts_str multiple_of(const struct ts_view *v) {
  for (size_t i = 0; i < v->count; i++)
    if (v->part[i]->multiple_of.len > 0) return v->part[i]->multiple_of;
  return TS_ABSENT;
}

static void note_multiple(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  struct ts_str was = multiple_of(a), now = multiple_of(b);
  if (was.len == 0 || (now.len > 0 && ts_number_cmp(was, now) == 0)) return;
  if (now.len == 0 || ts_number_is_multiple(was, now) == 1)
    ts_change_note(c, TS_RULE_BOUND_LOOSENED, "multipleOf", was, now);
}

static const struct ts_sub *part_with_pattern(const struct ts_view *v) {
  for (size_t i = 0; i < v->count; i++)
    if (v->part[i]->pattern) return v->part[i];
  return NULL;
}

static void note_pattern(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  const struct ts_sub *was = part_with_pattern(a);
  if (was && !part_with_pattern(b))
    ts_change_note(c, TS_RULE_PATTERN_REMOVED, "pattern", ts_json_of(c, keyword_tree(a, "pattern")), TS_ABSENT);
}

/* Members */

/* Names that are required, though nobody declares them. */
static void note_undeclared(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  for (size_t k = 0; k < a->count; k++) {
    for (size_t i = 0; i < a->part[k]->property_count; i++) {
      const struct ts_property *p = &a->part[k]->property[i];
      if (!p->required || ts_view_declared(a, p->name) || ts_view_requires(b, p->name)) continue;
      size_t mark = ts_enter(c, "properties", p->name);
      ts_change_note(c, TS_RULE_PARAM_NOW_OPTIONAL, NULL, TS_ABSENT, ts_sub_json(c, ts_view_declared(b, p->name)));
      ts_leave(c, mark);
    }
  }
}

static const struct ts_property *find_property(const struct ts_view *v, struct ts_str key) {
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_property *p = ts_sub_property(v->part[i], key);
    if (p && p->schema) return p;
  }
  return NULL;
}

/* The k-th property that a view declares, each name once; NULL behind the last. */
static const struct ts_property *nth_property(const struct ts_view *v, size_t *part, size_t *at) {
  for (; *part < v->count; ++*part, *at = 0) {
    while (*at < v->part[*part]->property_count) {
      const struct ts_property *p = &v->part[*part]->property[(*at)++];
      if (p->schema && find_property(v, p->name) == p) return p;
    }
  }
  return NULL;
}

static void note_gone(struct ts_compare *c, const struct ts_view *b, const struct ts_property *p) {
  struct ts_view now = ts_view_member(c, b, p->name);
  if (ts_view_is_empty(c, &now)) return; /* refused now: an error, not a note */
  ts_change_note(c, TS_RULE_PARAM_REMOVED_OPEN, NULL, ts_sub_json(c, p->schema), TS_ABSENT);
}

static void note_member(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b, struct ts_str name) {
  struct ts_view was = ts_view_member(c, a, name), now = ts_view_member(c, b, name);
  if (ts_view_requires(a, name) && !ts_view_requires(b, name))
    ts_change_note(c, TS_RULE_PARAM_NOW_OPTIONAL, NULL, ts_sub_json(c, ts_view_declared(a, name)),
                   ts_sub_json(c, ts_view_declared(b, name)));
  ts_note_changes(c, &was, &now);
}

static void note_members(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  const struct ts_property *p;
  for (size_t part = 0, at = 0; (p = nth_property(a, &part, &at));) {
    size_t mark = ts_enter(c, "properties", p->name);
    if (find_property(b, p->name))
      note_member(c, a, b, p->name);
    else
      note_gone(c, b, p);
    ts_leave(c, mark);
  }
  for (size_t part = 0, at = 0; (p = nth_property(b, &part, &at));) {
    if (find_property(a, p->name) || ts_view_requires(b, p->name)) continue;
    size_t mark = ts_enter(c, "properties", p->name);
    ts_change_note(c, TS_RULE_PARAM_ADDED_OPTIONAL, NULL, TS_ABSENT, ts_sub_json(c, p->schema));
    ts_leave(c, mark);
  }
}

/* The one property of `of` that `other` lacks and whose schema is the same as p's; NULL: none or several. */
static const struct ts_property *find_twin(struct ts_compare *c, const struct ts_property *p, const struct ts_view *of,
                                           const struct ts_view *other) {
  const struct ts_property *twin = NULL, *one;
  for (size_t part = 0, at = 0; (one = nth_property(of, &part, &at));) {
    if (find_property(other, one->name) || !ts_same(c, p->schema, one->schema)) continue;
    if (twin) return NULL;
    twin = one;
  }
  return twin;
}

static struct ts_str name_json(struct ts_compare *c, struct ts_str name) {
  struct ts_buf json = { 0 };
  ts_tree_quote(&json, name, SIZE_MAX);
  struct ts_str kept = ts_arena_dup(&c->arena, ts_buf_str(&json));
  ts_buf_free(&json);
  return kept;
}

static void note_renames(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  const struct ts_property *p;
  for (size_t part = 0, at = 0; (p = nth_property(a, &part, &at));) {
    if (find_property(b, p->name) || ts_accepts_all(p->schema)) continue;
    const struct ts_property *now = find_twin(c, p, b, a);
    if (!now || find_twin(c, now, a, b) != p) continue;
    const struct ts_property *shown = c->flipped ? now : p; /* at the old name */
    size_t mark = ts_enter(c, "properties", shown->name);
    ts_change_note(c, TS_RULE_PARAM_RENAMED, NULL, name_json(c, p->name), name_json(c, now->name));
    ts_leave(c, mark);
  }
}

static void note_patterns(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  for (size_t k = 0; k < a->count; k++) {
    for (size_t i = 0; i < a->part[k]->pattern_count; i++) {
      const struct ts_pattern *was = &a->part[k]->patterns[i];
      const struct ts_pattern *now = NULL;
      for (size_t m = 0; m < b->count; m++)
        for (size_t n = 0; n < b->part[m]->pattern_count; n++)
          if (ts_str_eq(b->part[m]->patterns[n].text, was->text)) now = &b->part[m]->patterns[n];
      size_t mark = ts_enter(c, "patternProperties", was->text);
      struct ts_view x = ts_view_of(c, was->schema);
      struct ts_view y = { .types = TS_T_ALL };
      if (now) y = ts_view_of(c, now->schema);
      struct ts_view rest = ts_view_rest(c, b);
      if (now)
        ts_note_changes(c, &x, &y);
      else if (!ts_view_is_empty(c, &rest))
        ts_change_note(c, TS_RULE_PATTERN_REMOVED, NULL, ts_sub_json(c, was->schema), TS_ABSENT);
      ts_leave(c, mark);
    }
  }
}

static void note_rest(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  struct ts_view was = ts_view_rest(c, a), now = ts_view_rest(c, b);
  if (was.count == 0) return;
  bool closed = ts_view_is_empty(c, &was);
  if (now.count == 0 || (closed && !ts_view_is_empty(c, &now))) {
    ts_change_note(c, TS_RULE_OBJECT_OPENED, "additionalProperties", ts_sub_json(c, was.part[0]),
                   now.count ? ts_sub_json(c, now.part[0]) : TS_ABSENT);
  } else if (!closed) {
    size_t mark = ts_enter(c, "additionalProperties", TS_ABSENT);
    ts_note_changes(c, &was, &now);
    ts_leave(c, mark);
  }
}

static void note_object(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  note_members(c, a, b);
  note_undeclared(c, a, b);
  note_renames(c, a, b);
  note_patterns(c, a, b);
  note_rest(c, a, b);
  struct ts_view was = ts_view_names(c, a), now = ts_view_names(c, b);
  if (was.count == 0) return;
  size_t mark = ts_enter(c, "propertyNames", TS_ABSENT);
  ts_note_changes(c, &was, &now);
  ts_leave(c, mark);
}

/* Elements */

static void note_contains(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  const struct ts_sub *was = NULL, *now = NULL;
  for (size_t i = 0; i < a->count && !was; i++) was = a->part[i]->contains ? a->part[i] : NULL;
  for (size_t i = 0; i < b->count && !now; i++) now = b->part[i]->contains ? b->part[i] : NULL;
  if (!was) return;
  size_t mark = ts_enter(c, "contains", TS_ABSENT);
  struct ts_view x = ts_view_of(c, was->contains), y = { .types = TS_T_ALL };
  if (now) y = ts_view_of(c, now->contains);
  if (now)
    ts_note_changes(c, &x, &y);
  else
    ts_change_note(c, TS_RULE_TYPE_WIDENED, NULL, ts_sub_json(c, was->contains), TS_ABSENT);
  ts_leave(c, mark);
  if (!now) return;
  if (now->contained.min < was->contained.min)
    ts_change_note(c, TS_RULE_BOUND_LOOSENED, "minContains", ts_count_json(c, was->contained.min),
                   ts_count_json(c, now->contained.min));
  if (now->contained.max > was->contained.max)
    ts_change_note(c, TS_RULE_BOUND_LOOSENED, "maxContains", ts_count_json(c, was->contained.max),
                   ts_count_json(c, now->contained.max));
}

static size_t places_of(const struct ts_view *v, bool *list) {
  size_t places = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (v->part[i]->prefix.count > places) places = v->part[i]->prefix.count;
    *list |= v->part[i]->items_is_list;
  }
  return places;
}

static void note_array(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b, const struct ts_facts *f,
                       const struct ts_facts *g) {
  bool list = false;
  size_t places = places_of(a, &list), others = places_of(b, &list);
  if (others > places) places = others;
  for (size_t i = 0; i <= places; i++) {
    struct ts_view was = ts_view_element(c, a, i), now = ts_view_element(c, b, i);
    if (was.count == 0 && now.count == 0) continue;
    size_t mark = i < places ? ts_enter_index(c, list ? "items" : "prefixItems", i)
                             : ts_enter(c, list ? "additionalItems" : "items", TS_ABSENT);
    ts_note_changes(c, &was, &now);
    ts_leave(c, mark);
  }
  note_contains(c, a, b);
  if (f->unique && !g->unique) ts_change_note(c, TS_RULE_BOUND_LOOSENED, "uniqueItems", TS_STR("true"), TS_ABSENT);
}

/* Alternatives */

static size_t find_same(struct ts_compare *c, const struct ts_subs *list, struct ts_sub *sub) {
  for (size_t i = 0; i < list->count; i++)
    if (ts_same(c, list->item[i], sub)) return i;
  return SIZE_MAX;
}

/* The alternative of A that became this branch of B; SIZE_MAX: the branch is new. */
static size_t find_peer(struct ts_compare *c, const struct ts_subs *was, const struct ts_subs *now, size_t branch) {
  size_t peer = find_same(c, was, now->item[branch]);
  for (size_t i = 0; i < was->count && peer == SIZE_MAX && !ts_is_spent(c); i++) {
    struct ts_view one = ts_view_of(c, was->item[i]);
    bool gone = find_same(c, now, was->item[i]) == SIZE_MAX;
    if (gone && ts_find_heir(c, &one, was, now, i) == branch) peer = i;
  }
  return peer;
}

/* No choice is left: a note, unless what chose is said in other words now. */
static void note_free_choice(struct ts_compare *c, const struct ts_view *b, const struct ts_sub *part) {
  struct ts_sub condition = ts_blank();
  condition.any = *ts_branches(part);
  ts_sub_finish(&condition);
  const char *keyword = part->any.count > 0 ? "anyOf" : "oneOf";
  if (!ts_cover_quietly(c, b, &condition))
    ts_change_note(c, TS_RULE_TYPE_WIDENED, keyword, ts_keyword_json(c, part, keyword), TS_ABSENT);
}

/* What a branch takes was taken before, in other words. */
static bool is_known(struct ts_compare *c, struct ts_sub *branch, const struct ts_subs *was) {
  struct ts_view v = ts_view_of(c, branch);
  struct ts_sub condition = ts_blank();
  condition.any = *was;
  ts_sub_finish(&condition);
  return ts_cover_quietly(c, &v, &condition);
}

static void note_alternatives(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  size_t p = ts_view_choice(a), q = ts_view_choice(b);
  if (p != SIZE_MAX && q == SIZE_MAX) note_free_choice(c, b, a->part[p]);
  if (p == SIZE_MAX || q == SIZE_MAX) return;
  const struct ts_subs *was = ts_branches(a->part[p]), *now = ts_branches(b->part[q]);
  for (size_t i = 0; i < now->count; i++) {
    size_t peer = find_peer(c, was, now, i);
    if (ts_is_spent(c)) return; /* nobody knows what is new */
    size_t mark = ts_enter_index(c, b->part[q]->any.count > 0 ? "anyOf" : "oneOf", i);
    if (peer == SIZE_MAX) {
      if (!is_known(c, now->item[i], was) && !ts_is_spent(c))
        ts_change_note(c, TS_RULE_ANYOF_BRANCH_ADDED, NULL, TS_ABSENT, ts_sub_json(c, now->item[i]));
    } else {
      struct ts_view x = ts_view_of(c, was->item[peer]), y = ts_view_of(c, now->item[i]);
      ts_note_changes(c, &x, &y);
    }
    ts_leave(c, mark);
  }
}

/* What is not followed and differs: A may have asked for something that B does not ask for any more. */

static void note_dependencies(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  static const char *const keywords[] = { "dependentRequired", "dependentSchemas", "dependencies" };
  for (size_t i = 0; i < a->count; i++) {
    if (ts_knows_dependencies(c, b, a->part[i])) continue;
    for (size_t k = 0; k < TS_COUNT(keywords); k++)
      if (keyword_tree(a, keywords[k]))
        ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, keywords[k], ts_json_of(c, keyword_tree(a, keywords[k])),
                     ts_json_of(c, keyword_tree(b, keywords[k])));
  }
}

static void note_unfollowed(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  static const char *const keywords[] = { "unevaluatedProperties", "unevaluatedItems", "if" };
  for (size_t k = 0; k < TS_COUNT(keywords); k++) {
    const struct ts_tree *was = keyword_tree(a, keywords[k]);
    bool plain = k < 2 && a->count > 0 && !ts_depends(a->part[0]); /* as additionalProperties, which was compared */
    if (was && !plain && !keyword_tree(b, keywords[k]))
      ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, keywords[k], ts_json_of(c, was), TS_ABSENT);
  }
  for (size_t i = 0; i < a->count; i++) {
    const struct ts_sub *part = a->part[i];
    bool kept = !part->undecided || part->reference.len == 0;
    for (size_t k = 0; k < b->count && !kept; k++) kept = ts_str_eq(b->part[k]->reference, part->reference);
    if (!kept) ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, "$ref", ts_keyword_json(c, part, "$ref"), TS_ABSENT);
  }
}

/* What `not` accepts less, the whole accepts more. */
static void note_negated(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  struct ts_sub *was = NULL, *now = NULL;
  for (size_t i = 0; i < a->count && !was; i++) was = a->part[i]->negated;
  for (size_t i = 0; i < b->count && !now; i++) now = b->part[i]->negated;
  if (was && !now) ts_change_note(c, TS_RULE_TYPE_WIDENED, "not", ts_sub_json(c, was), TS_ABSENT);
  if (!was || !now) return;
  size_t mark = ts_enter(c, "not", TS_ABSENT);
  struct ts_view x = ts_view_of(c, now), y = ts_view_of(c, was);
  c->flipped = !c->flipped;
  ts_note_changes(c, &x, &y);
  c->flipped = !c->flipped;
  ts_leave(c, mark);
}

/* The comparison */

static bool is_alike(const struct ts_view *a, const struct ts_view *b) {
  if (a->count == 0 && b->count == 0) return true;
  if (a->count != 1 || b->count != 1) return false;
  const struct ts_sub *x = a->part[0], *y = b->part[0];
  return x == y || (x->tree && y->tree && !x->refers && !y->refers && ts_tree_equal(x->tree, y->tree));
}

static bool same_parts(const struct ts_view *x, const struct ts_view *y) {
  if (x->count != y->count) return false;
  for (size_t i = 0; i < x->count; i++)
    if (x->part[i] != y->part[i]) return false;
  return true;
}

static bool is_noted(const struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  for (const struct ts_noting *n = c->noting; n; n = n->up)
    if (same_parts(n->a, a) && same_parts(n->b, b)) return true;
  return false;
}

void ts_note_changes(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b) {
  if (a->cut || b->cut || is_alike(a, b) || is_noted(c, a, b) || c->noted++ >= NOTES_MOST) return;
  struct ts_noting noting = { c->noting, a, b };
  c->noting = &noting;
  struct ts_facts f = ts_view_facts(c, a), g = ts_view_facts(c, b);
  unsigned types = f.types & g.types;
  note_annotations(c, a, b);
  note_types(c, a, b, &f, &g);
  note_values(c, a, b, &f, &g);
  if (types & TS_T_NUMBER) {
    note_bound(c, &f.lower, &g.lower, 1);
    note_bound(c, &f.upper, &g.upper, -1);
    note_multiple(c, a, b);
  }
  note_limits(c, a, b, types);
  if (types & TS_T_STRING) note_pattern(c, a, b);
  if (types & TS_T_OBJECT) note_object(c, a, b);
  if (types & TS_T_ARRAY) note_array(c, a, b, &f, &g);
  note_alternatives(c, a, b);
  note_negated(c, a, b);
  note_dependencies(c, a, b);
  note_unfollowed(c, a, b);
  c->noting = noting.up;
}
