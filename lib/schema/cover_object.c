/* Does B accept the members and elements that A accepts? */
#include "schema/compare.h"
#include "schema/sample.h"

/* Members */

static struct ts_spot at_member(const struct ts_spot *up, const struct ts_view *around, struct ts_str name) {
  return (struct ts_spot){ .up = up, .around = around, .kind = TS_AT_MEMBER, .key = name };
}

/* Members that nobody speaks of. */
static struct ts_spot at_rest(const struct ts_spot *up, const struct ts_view *around, struct ts_sub *beside) {
  static const char *const keys[] = { "x", "y", "extra", "other", "X1", "_", "-", "0", "zz", "\xc3\xa9" };
  struct ts_spot spot = { .up = up, .around = around, .kind = TS_AT_REST, .beside = beside };
  spot.key = TS_STR("another-member");
  for (size_t i = TS_COUNT(keys); i-- > 0;)
    if (ts_spot_has_name(&spot, ts_str_z(keys[i]))) spot.key = ts_str_z(keys[i]);
  return spot;
}

/* A key that a pattern matches; the pattern itself when none is found, which at least names what is meant. */
static struct ts_str matching_key(struct ts_compare *c, struct ts_pattern *p) {
  struct ts_str key = p->text;
  for (unsigned variant = 0; variant < 8; variant++) {
    struct ts_buf text = { 0 };
    bool good = ts_pattern_sample(p->text, (struct ts_sample){ variant, variant / 4, 0 }, &text);
    good = good && text.len > 0 && !memchr(text.ptr, '\0', text.len) && ts_pattern_match(p, ts_buf_str(&text)) == 1;
    if (good) key = ts_arena_dup(&c->arena, ts_buf_str(&text));
    ts_buf_free(&text);
    if (good) break;
  }
  return key;
}

static struct ts_spot at_matching(struct ts_compare *c, const struct ts_spot *up, const struct ts_view *around,
                                  struct ts_pattern *p) {
  return (
      struct ts_spot){ .up = up, .around = around, .kind = TS_AT_MATCHING, .pattern = p, .key = matching_key(c, p) };
}

/* Condition for one member: the value must fit a schema, which may be `false`. */
static bool narrowed_at(struct ts_compare *c, const struct ts_view *member, struct ts_sub *schema,
                        const struct ts_spot *spot, enum ts_rule_id rule, const char *keyword, struct ts_str a_json,
                        struct ts_str b_json) {
  struct ts_sub condition = schema->only_refers ? *schema->target : *schema; /* whose bounds help to find a witness */
  condition.active = NULL;
  return ts_narrowed(c, member, &condition, spot, rule, keyword, a_json, b_json);
}

static bool cover_required(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                           const struct ts_spot *spot) {
  bool good = true;
  for (size_t i = 0; i < b->property_count && (good || !c->quiet); i++) {
    struct ts_property only = b->property[i];
    if (!only.required || ts_view_requires(a, only.name)) continue;
    struct ts_sub condition = ts_blank();
    struct ts_sub *was = ts_view_declared(a, only.name);
    enum ts_rule_id rule = was ? TS_RULE_PARAM_NOW_REQUIRED : TS_RULE_PARAM_ADDED_REQUIRED;
    size_t mark = ts_enter(c, "properties", only.name);
    struct ts_str now = ts_sub_json(c, only.schema);
    only.schema = NULL;
    condition.property = &only;
    condition.property_count = condition.required_count = 1;
    good &= ts_narrowed(c, a, &condition, spot, rule, NULL, ts_sub_json(c, was), now);
    ts_leave(c, mark);
  }
  return good;
}

/* A property that A does not declare. Where A is open, it may be there with any value; but nobody sends what
 * is not declared, so this is no narrowing, though it is no proof either. */
static bool cover_added(struct ts_compare *c, const struct ts_view *a, const struct ts_view *member,
                        const struct ts_property *p, const struct ts_spot *spot) {
  bool required = p->required && !ts_view_requires(a, p->name);
  if (ts_view_is_empty(c, member) || required) return true; /* required ones are reported as such */
  if (ts_accepts_all(p->schema)) return true;
  if (!ts_view_is_open(member)) return ts_cover_below(c, member, p->schema, spot);
  ts_change_note(c, TS_RULE_PARAM_ADDED_OPTIONAL, NULL, TS_ABSENT, ts_sub_json(c, p->schema));
  return false;
}

static bool cover_declared(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *up) {
  bool good = true;
  for (size_t i = 0; i < b->property_count && (good || !c->quiet); i++) {
    const struct ts_property *p = &b->property[i];
    if (!p->schema) continue;
    struct ts_view member = ts_view_member(c, a, p->name);
    struct ts_spot spot = at_member(up, a, p->name);
    size_t mark = ts_enter(c, "properties", p->name);
    if (ts_view_declared(a, p->name))
      good &= ts_cover_below(c, &member, p->schema, &spot);
    else
      good &= cover_added(c, a, &member, p, &spot);
    ts_leave(c, mark);
  }
  return good;
}

/* One property of A against what B says of names that it does not declare itself: patterns, then the rest. */
static bool cover_gone(struct ts_compare *c, const struct ts_view *a, const struct ts_property *p, struct ts_sub *b,
                       const struct ts_spot *up) {
  struct ts_view member = ts_view_member(c, a, p->name);
  struct ts_spot spot = at_member(up, a, p->name);
  struct ts_sub *rest = ts_rest_members(b);
  bool good = true, known = ts_declared(b, p->name) != NULL, unsure = false;
  if (ts_view_is_empty(c, &member)) return true;
  for (size_t i = 0; i < b->pattern_count; i++) {
    int match = ts_pattern_match(&b->patterns[i], p->name);
    known |= match == 1;
    unsure |= match < 0;
    if (match == 1) good &= ts_cover_below(c, &member, b->patterns[i].schema, &spot);
  }
  if (unsure) return ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, NULL, ts_sub_json(c, p->schema), TS_ABSENT) && good;
  if (known || !rest) return good;
  if (!rest->never) return ts_cover_below(c, &member, rest, &spot) && good;
  return narrowed_at(c, &member, rest, &spot, TS_RULE_PARAM_REMOVED_CLOSED, NULL, ts_sub_json(c, p->schema), TS_ABSENT);
}

static bool cover_all_gone(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *up) {
  bool good = true;
  if (b->pattern_count == 0 && !ts_rest_members(b)) return true;
  for (size_t k = 0; k < a->count; k++) {
    const struct ts_sub *part = a->part[k];
    for (size_t i = 0; i < part->property_count && (good || !c->quiet); i++) {
      if (!part->property[i].schema) continue;
      size_t mark = ts_enter(c, "properties", part->property[i].name);
      good &= cover_gone(c, a, &part->property[i], b, up);
      ts_leave(c, mark);
    }
  }
  return good;
}

static struct ts_sub *pattern_of(const struct ts_sub *sub, struct ts_str text) {
  for (size_t i = 0; i < sub->pattern_count; i++)
    if (ts_str_eq(sub->patterns[i].text, text)) return sub->patterns[i].schema;
  return NULL;
}

/* What A says of names that match a pattern, as far as it uses the same pattern. */
static struct ts_view matching(struct ts_compare *c, const struct ts_view *a, struct ts_str text, bool *known) {
  struct ts_view v = { .types = TS_T_ALL };
  *known = false;
  for (size_t i = 0; i < a->count; i++) {
    struct ts_sub *schema = pattern_of(a->part[i], text), *rest = ts_rest_members(a->part[i]);
    if (schema) *known = true;
    if (schema || rest) v = ts_view_with(c, &v, schema ? schema : rest);
  }
  return v;
}

/* A pattern of B that A does not have is like a property that A does not declare. */
static bool cover_patterns(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *up) {
  bool good = true;
  for (size_t i = 0; i < b->pattern_count && (good || !c->quiet); i++) {
    bool known;
    struct ts_pattern *p = &b->patterns[i];
    struct ts_view was = matching(c, a, p->text, &known);
    struct ts_spot spot = at_matching(c, up, a, p);
    size_t mark = ts_enter(c, "patternProperties", p->text);
    if (known || !ts_view_is_open(&was)) {
      good &= ts_cover_below(c, &was, p->schema, &spot);
    } else if (!ts_accepts_all(p->schema)) {
      ts_change_note(c, TS_RULE_PARAM_ADDED_OPTIONAL, NULL, TS_ABSENT, ts_sub_json(c, p->schema));
      good = false;
    }
    ts_leave(c, mark);
  }
  return good;
}

/* Names that match a pattern of A only: B takes them for undeclared ones. */
static bool cover_lost_patterns(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                                const struct ts_spot *up) {
  struct ts_sub *rest = ts_rest_members(b);
  bool good = true;
  for (size_t k = 0; k < a->count && rest; k++) {
    for (size_t i = 0; i < a->part[k]->pattern_count && (good || !c->quiet); i++) {
      bool known;
      struct ts_pattern *p = &a->part[k]->patterns[i];
      struct ts_view was = matching(c, a, p->text, &known);
      struct ts_spot spot = at_matching(c, up, a, p);
      if (pattern_of(b, p->text)) continue;
      size_t mark = ts_enter(c, "patternProperties", p->text);
      good &= rest->never ? narrowed_at(c, &was, rest, &spot, TS_RULE_PARAM_REMOVED_CLOSED, NULL,
                                        ts_sub_json(c, p->schema), TS_ABSENT)
                          : ts_cover_below(c, &was, rest, &spot);
      ts_leave(c, mark);
    }
  }
  return good;
}

static bool cover_rest(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *up) {
  struct ts_sub *rest = ts_rest_members(b);
  if (!rest || ts_accepts_all(rest)) return true;
  struct ts_view was = ts_view_rest(c, a);
  struct ts_spot spot = at_rest(up, a, b);
  if (ts_view_is_empty(c, &was)) return true;
  const char *keyword = b->additional ? "additionalProperties" : "unevaluatedProperties";
  if (ts_view_is_open(&was) || rest->never)
    return narrowed_at(c, &was, rest, &spot, TS_RULE_OBJECT_CLOSED, keyword,
                       ts_keyword_json(c, a->count ? a->part[0] : NULL, keyword), ts_sub_json(c, rest));
  size_t mark = ts_enter(c, keyword, TS_ABSENT);
  bool good = ts_cover_below(c, &was, rest, &spot);
  ts_leave(c, mark);
  return good;
}

static bool covers_items(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b) {
  c->quiet++;
  bool good = ts_cover_below(c, a, b, NULL);
  c->quiet--;
  return good;
}

/* Names */

/* The names that a closed A allows all fit. */
static bool declared_names_fit(struct ts_compare *c, const struct ts_view *a, struct ts_sub *names) {
  struct ts_view rest = ts_view_rest(c, a);
  if (rest.count == 0 || !ts_view_is_empty(c, &rest)) return false;
  for (size_t k = 0; k < a->count; k++) {
    const struct ts_sub *part = a->part[k];
    if (part->pattern_count > 0) return false;
    for (size_t i = 0; i < part->property_count; i++) {
      struct ts_buf quoted = { 0 };
      ts_tree_quote(&quoted, part->property[i].name, SIZE_MAX);
      struct ts_tree *name = ts_tree_parse(ts_buf_str(&quoted), NULL);
      bool fits = name && ts_sub_check(names, name) == 1;
      ts_tree_free(name);
      ts_buf_free(&quoted);
      if (!fits) return false;
    }
  }
  return true;
}

static bool cover_names(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *up) {
  if (!b->names || declared_names_fit(c, a, b->names)) return true;
  struct ts_view was = ts_view_names(c, a);
  bool known = was.count > 0;
  struct ts_spot spot = { .up = up, .around = a, .kind = TS_AT_NAME };
  size_t mark = ts_enter(c, "propertyNames", TS_ABSENT);
  bool good = known ? ts_cover_below(c, &was, b->names, &spot)
                    : covers_items(c, &was, b->names) || narrowed_at(c, &was, b->names, &spot, TS_RULE_ITEMS_INTRODUCED,
                                                                     NULL, TS_ABSENT, ts_sub_json(c, b->names));
  ts_leave(c, mark);
  return good;
}

/* Dependencies */

static bool asks_no_more(struct ts_compare *c, const struct ts_dependency *was, const struct ts_dependency *now) {
  if (!ts_str_eq(was->name, now->name)) return false;
  for (size_t i = 0; i < now->required.count; i++) {
    bool found = false;
    for (size_t k = 0; k < was->required.count; k++) found |= ts_str_eq(was->required.item[k], now->required.item[i]);
    if (!found) return false;
  }
  return !now->schema || (was->schema && ts_same(c, was->schema, now->schema));
}

static bool knows_dependency(struct ts_compare *c, const struct ts_view *known, const struct ts_dependency *asked) {
  for (size_t k = 0; k < known->count; k++)
    for (size_t i = 0; i < known->part[k]->dependency_count; i++)
      if (asks_no_more(c, &known->part[k]->dependency[i], asked)) return true;
  struct ts_view member = ts_view_member(c, known, asked->name);
  return ts_view_is_empty(c, &member); /* it is never there */
}

bool ts_knows_dependencies(struct ts_compare *c, const struct ts_view *known, const struct ts_sub *asked) {
  for (size_t i = 0; i < asked->dependency_count; i++)
    if (!knows_dependency(c, known, &asked->dependency[i])) return false;
  return true;
}

static bool cover_dependencies(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b) {
  static const char *const keywords[] = { "dependentRequired", "dependentSchemas", "dependencies" };
  if (ts_knows_dependencies(c, a, b)) return true;
  for (size_t i = 0; i < TS_COUNT(keywords); i++)
    if (b->tree && ts_tree_get(b->tree, keywords[i]))
      (void)ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, keywords[i],
                         ts_keyword_json(c, a->count ? a->part[0] : NULL, keywords[i]),
                         ts_keyword_json(c, b, keywords[i]));
  return false;
}

static bool cover_depending(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, bool members) {
  struct ts_sub *now = members ? b->unevaluated_members : b->unevaluated_items;
  if (!now || !ts_depends(b) || ts_accepts_all(now)) return true;
  return ts_undecided(
      c, TS_RULE_REF_OR_UNSUPPORTED, members ? "unevaluatedProperties" : "unevaluatedItems",
      a->count ? ts_sub_json(c, members ? a->part[0]->unevaluated_members : a->part[0]->unevaluated_items) : TS_ABSENT,
      ts_sub_json(c, now));
}

bool ts_cover_object(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  bool good = cover_required(c, a, b, spot);
  if (good || !c->quiet) good &= cover_declared(c, a, b, spot);
  if (good || !c->quiet) good &= cover_all_gone(c, a, b, spot);
  if (good || !c->quiet) good &= cover_patterns(c, a, b, spot);
  if (good || !c->quiet) good &= cover_lost_patterns(c, a, b, spot);
  if (good || !c->quiet) good &= cover_rest(c, a, b, spot);
  if (good || !c->quiet) good &= cover_names(c, a, b, spot);
  if (good || !c->quiet) good &= cover_dependencies(c, a, b);
  if (good || !c->quiet) good &= cover_depending(c, a, b, true);
  return good;
}

/* Elements */

static bool cover_element(struct ts_compare *c, const struct ts_view *a, struct ts_sub *now, size_t index, bool tail,
                          const struct ts_spot *up) {
  struct ts_view was = ts_view_element(c, a, index);
  struct ts_spot spot = { .up = up, .around = a, .kind = tail ? TS_AT_TAIL : TS_AT_ELEMENT, .index = index };
  if (ts_accepts_all(now) || !ts_view_is_open(&was)) return ts_cover_below(c, &was, now, &spot);
  return narrowed_at(c, &was, now, &spot, TS_RULE_ITEMS_INTRODUCED, NULL, TS_ABSENT, ts_sub_json(c, now));
}

static bool cover_elements(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                           const struct ts_spot *spot) {
  struct ts_facts f = ts_view_facts(c, a);
  size_t places = b->prefix.count;
  bool good = true;
  for (size_t i = 0; i < a->count; i++)
    if (a->part[i]->prefix.count > places) places = a->part[i]->prefix.count;
  for (size_t i = 0; i <= places && i < f.items.max && (good || !c->quiet); i++) {
    struct ts_sub *now = i < b->prefix.count ? b->prefix.item[i] : ts_rest_items(b);
    if (!now) break;
    const char *rest = b->items_is_list ? "additionalItems" : b->items ? "items" : "unevaluatedItems";
    size_t mark =
        i < places ? ts_enter_index(c, b->items_is_list ? "items" : "prefixItems", i) : ts_enter(c, rest, TS_ABSENT);
    good &= cover_element(c, a, now, i, i == places, spot);
    ts_leave(c, mark);
  }
  return good;
}

static bool cover_contains(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                           const struct ts_spot *spot) {
  if (!b->contains || (b->contained.min == 0 && b->contained.max == UINT64_MAX)) return true;
  struct ts_sub *was = NULL, condition = ts_blank();
  for (size_t i = 0; i < a->count; i++) {
    struct ts_sub *part = a->part[i];
    if (!part->contains) continue;
    was = part;
    struct ts_view inner = ts_view_of(c, part->contains), now = ts_view_of(c, b->contains);
    bool least =
        b->contained.min == 0 || (part->contained.min >= b->contained.min && covers_items(c, &inner, b->contains));
    bool most = b->contained.max == UINT64_MAX ||
                (part->contained.max <= b->contained.max && covers_items(c, &now, part->contains));
    if (least && most) return true;
  }
  condition.contains = b->contains;
  condition.contained = b->contained;
  if (!was)
    return ts_narrowed(c, a, &condition, spot, TS_RULE_ITEMS_INTRODUCED, "contains", TS_ABSENT,
                       ts_sub_json(c, b->contains));
  if (!ts_same(c, was->contains, b->contains))
    return ts_narrowed(c, a, &condition, spot, TS_RULE_ITEMS_INTRODUCED, "contains", ts_sub_json(c, was->contains),
                       ts_sub_json(c, b->contains));
  bool most = was->contained.max > b->contained.max;
  return ts_narrowed(c, a, &condition, spot, TS_RULE_BOUND_TIGHTENED, most ? "maxContains" : "minContains",
                     ts_count_json(c, most ? was->contained.max : was->contained.min),
                     ts_count_json(c, most ? b->contained.max : b->contained.min));
}

bool ts_cover_array(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  struct ts_facts f = ts_view_facts(c, a);
  bool good = cover_elements(c, a, b, spot);
  if (good || !c->quiet) good &= cover_contains(c, a, b, spot);
  if (good || !c->quiet) good &= cover_depending(c, a, b, false);
  if (!b->unique || f.unique || f.items.max < 2 || (c->quiet && !good)) return good;
  struct ts_sub condition = ts_blank();
  condition.unique = true;
  return ts_narrowed(c, a, &condition, spot, TS_RULE_BOUND_TIGHTENED, "uniqueItems", TS_ABSENT, TS_STR("true")) && good;
}
