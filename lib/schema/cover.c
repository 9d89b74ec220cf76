/* Does B accept whatever A accepts? Keyword by keyword: each one of B must be implied by what is known of A. */
#include "schema/compare.h"

enum {
  STEPS_MOST = 200000, /* subschemas compared: more only when references multiply */
  DEPTH_MOST = 500,    /* questions within questions: each is a few frames on the stack */
  CHOICES_MOST = 64,   /* branches of A followed one by one at one place */
};

bool ts_is_spent(const struct ts_compare *c) { return c->steps >= STEPS_MOST; }

/* Types and listed values */

/* What is lost is taken out of A: nothing more is said of it. */
static bool cover_types(struct ts_compare *c, struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  struct ts_facts f = ts_view_facts(c, a);
  unsigned lost = f.types & ~(unsigned)b->types, gained = b->types & ~f.declared;
  if (lost == 0) return true;
  struct ts_view gone = *a;
  struct ts_sub condition = ts_blank();
  condition.types = b->types;
  gone.types &= lost;
  a->types &= ~lost;
  return ts_narrowed(c, &gone, &condition, spot, gained ? TS_RULE_TYPE_CHANGED : TS_RULE_TYPE_NARROWED, "type",
                     ts_types_json(c, f.declared), ts_types_json(c, b->types));
}

/* The values of A that the condition refuses, as one value or a list of them. */
static struct ts_str refused_json(struct ts_compare *c, struct ts_facts f, struct ts_sub *condition) {
  size_t count = 0;
  for (size_t i = 0; i < f.value_count; i++)
    if (ts_sub_check_within(condition, f.value[i], &c->checks_left) != 1) f.value[count++] = f.value[i];
  return ts_values_json(c, f.value, count);
}

static bool cover_values(struct ts_compare *c, const struct ts_view *a, const struct ts_facts *f, struct ts_sub *b,
                         const struct ts_spot *spot) {
  if (!b->values && !b->constant) return true;
  struct ts_sub condition = ts_blank();
  condition.values = b->values;
  condition.words = b->words;
  condition.other_values = b->other_values;
  condition.constant = b->constant;
  ts_sub_finish(&condition);
  const char *keyword = b->constant ? "const" : "enum";
  struct ts_str now = ts_json_of(c, b->constant ? b->constant : b->values);
  if (!f->listed) return ts_narrowed(c, a, &condition, spot, TS_RULE_ENUM_INTRODUCED, keyword, TS_ABSENT, now);
  struct ts_str gone = refused_json(c, ts_view_facts(c, a), &condition);
  return ts_narrowed(c, a, &condition, spot, TS_RULE_ENUM_VALUE_REMOVED, keyword, gone, now);
}

/* Numbers */

/* The least integer that a lower bound lets through (sign 1), or the greatest for an upper one; false when the
 * bound is too large for a double to say. */
static bool integer_bound(const struct ts_bound *b, int sign, double *n) {
  struct ts_buf text = { 0 };
  ts_buf_add(&text, b->number);
  double x = strtod(ts_buf_z(&text), NULL) * sign;
  ts_buf_free(&text);
  if (!(x > -9e15 && x < 9e15)) return false;
  double whole = (double)(int64_t)x;
  if (whole < x) whole += 1;
  if (whole == x && b->excluded) whole += 1;
  *n = whole;
  return true;
}

static bool implies_bound(const struct ts_bound *a, const struct ts_bound *b, bool integers, int sign) {
  if (a->number.len == 0) return false;
  int order = ts_number_cmp(a->number, b->number) * sign;
  if (order > 0 || (order == 0 && (a->excluded || !b->excluded))) return true;
  double least, asked;
  return integers && integer_bound(a, sign, &least) && integer_bound(b, sign, &asked) && least >= asked;
}

static bool cover_bounds(struct ts_compare *c, const struct ts_view *a, const struct ts_facts *f, struct ts_sub *b,
                         const struct ts_spot *spot) {
  const struct {
    struct ts_str number;
    const char *keyword;
    size_t at;
    bool excluded;
    int sign;
  } table[] = {
    { b->minimum, "minimum", offsetof(struct ts_sub, minimum), false, 1 },
    { b->above, "exclusiveMinimum", offsetof(struct ts_sub, above), true, 1 },
    { b->maximum, "maximum", offsetof(struct ts_sub, maximum), false, -1 },
    { b->below, "exclusiveMaximum", offsetof(struct ts_sub, below), true, -1 },
  };
  bool good = true, integers = !(f->types & TS_T_FRACTION);
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    const struct ts_bound *was = table[i].sign > 0 ? &f->lower : &f->upper;
    struct ts_bound now = { table[i].number, table[i].excluded, table[i].keyword };
    if (now.number.len == 0 || implies_bound(was, &now, integers, table[i].sign)) continue;
    struct ts_sub condition = ts_blank();
    memcpy((char *)&condition + table[i].at, &now.number, sizeof now.number);
    bool same = was->number.len > 0 && strcmp(was->keyword, now.keyword) == 0;
    good &= ts_narrowed(c, a, &condition, spot, TS_RULE_BOUND_TIGHTENED, now.keyword, same ? was->number : TS_ABSENT,
                        now.number);
  }
  return good;
}

static bool cover_multiple(struct ts_compare *c, const struct ts_view *a, const struct ts_facts *f, struct ts_sub *b,
                           const struct ts_spot *spot) {
  if (b->multiple_of.len == 0) return true;
  struct ts_str was = f->types & TS_T_FRACTION ? TS_ABSENT : TS_STR("1");
  if (was.len > 0 && ts_number_is_multiple(was, b->multiple_of) == 1) return true;
  was = TS_ABSENT;
  for (size_t i = 0; i < a->count; i++) {
    struct ts_str of = a->part[i]->multiple_of;
    if (of.len > 0) was = of;
    if (of.len > 0 && ts_number_is_multiple(of, b->multiple_of) == 1) return true;
  }
  struct ts_sub condition = ts_blank();
  condition.multiple_of = b->multiple_of;
  return ts_narrowed(c, a, &condition, spot, TS_RULE_BOUND_TIGHTENED, "multipleOf", was, b->multiple_of);
}

/* Lengths and counts */

static bool cover_limits(struct ts_compare *c, const struct ts_view *a, const struct ts_facts *f, struct ts_sub *b,
                         const struct ts_spot *spot) {
  const struct {
    unsigned type;
    const char *least, *most;
    struct ts_limits was;
    size_t at;
  } table[] = {
    { TS_T_STRING, "minLength", "maxLength", f->length, offsetof(struct ts_sub, length) },
    { TS_T_ARRAY, "minItems", "maxItems", f->items, offsetof(struct ts_sub, items_count) },
    { TS_T_OBJECT, "minProperties", "maxProperties", f->members, offsetof(struct ts_sub, members) },
  };
  bool good = true;
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    struct ts_limits was = table[i].was, now;
    memcpy(&now, (char *)b + table[i].at, sizeof now);
    if (!(f->types & table[i].type)) continue;
    for (int is_max = 0; is_max < 2; is_max++) {
      if (is_max ? now.max >= was.max : now.min <= was.min) continue;
      struct ts_sub condition = ts_blank();
      struct ts_limits one = is_max ? (struct ts_limits){ 0, now.max } : (struct ts_limits){ now.min, UINT64_MAX };
      memcpy((char *)&condition + table[i].at, &one, sizeof one);
      good &= ts_narrowed(c, a, &condition, spot, TS_RULE_BOUND_TIGHTENED, is_max ? table[i].most : table[i].least,
                          ts_count_json(c, is_max ? was.max : was.min), ts_count_json(c, is_max ? now.max : now.min));
    }
  }
  return good;
}

static bool cover_pattern(struct ts_compare *c, const struct ts_view *a, const struct ts_facts *f, struct ts_sub *b,
                          const struct ts_spot *spot) {
  const struct ts_sub *was = NULL;
  if (!b->pattern || b->pattern->text.len == 0 || !(f->types & TS_T_STRING)) return true;
  for (size_t i = 0; i < a->count; i++) {
    if (!a->part[i]->pattern) continue;
    was = a->part[i];
    if (ts_str_eq(was->pattern->text, b->pattern->text)) return true;
  }
  struct ts_sub condition = ts_blank();
  condition.pattern = b->pattern;
  struct ts_str now = ts_keyword_json(c, b, "pattern");
  if (!was) return ts_narrowed(c, a, &condition, spot, TS_RULE_PATTERN_ADDED, "pattern", TS_ABSENT, now);
  if (f->finite) return ts_narrowed(c, a, &condition, spot, TS_RULE_PATTERN_ADDED, "pattern", TS_ABSENT, now);
  return ts_undecided(c, TS_RULE_PATTERN_CHANGED, "pattern", ts_keyword_json(c, was, "pattern"), now);
}

/* What is not followed */

/* A remote reference, nesting beyond reason, or a keyword of a wrong shape: fine only when A has it as well. */
static bool cover_undecided(struct ts_compare *c, const struct ts_view *a, const struct ts_sub *b) {
  if (!b->undecided && !b->odd) return true;
  for (size_t i = 0; i < a->count; i++) {
    const struct ts_sub *part = a->part[i];
    if (b->undecided && part->undecided && ts_str_eq(b->reference, part->reference)) return true;
    if (!b->undecided && part->odd && strcmp(part->odd, b->odd) == 0) return true;
  }
  const char *keyword = !b->undecided ? b->odd : b->reference.len > 0 ? "$ref" : NULL;
  if (!keyword) return ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, NULL, TS_ABSENT, TS_ABSENT);
  return ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, keyword, ts_keyword_json(c, a->count ? a->part[0] : NULL, keyword),
                      ts_keyword_json(c, b, keyword));
}

static bool same_or_absent(struct ts_compare *c, struct ts_sub *one, struct ts_sub *other) {
  return one && other ? ts_same(c, one, other) : one == other;
}

static bool cover_condition(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b) {
  if (!b->condition || (!b->then && !b->otherwise)) return true;
  struct ts_sub *was = NULL;
  for (size_t i = 0; i < a->count; i++) {
    struct ts_sub *part = a->part[i];
    if (!part->condition) continue;
    was = part;
    if (ts_same(c, part->condition, b->condition) && same_or_absent(c, part->then, b->then) &&
        same_or_absent(c, part->otherwise, b->otherwise))
      return true;
  }
  const char *keyword = "if";
  if (was && ts_same(c, was->condition, b->condition))
    keyword = same_or_absent(c, was->then, b->then) ? "else" : "then";
  return ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, keyword, ts_keyword_json(c, was, keyword),
                      ts_keyword_json(c, b, keyword));
}

/* The own keywords of b, apart from those that choose. */
static bool cover_keywords(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                           const struct ts_spot *spot) {
  struct ts_facts f = ts_view_facts(c, a);
  bool good = cover_undecided(c, a, b);
  if (good || !c->quiet) good &= cover_values(c, a, &f, b, spot);
  if ((good || !c->quiet) && f.types & TS_T_NUMBER) good &= cover_bounds(c, a, &f, b, spot);
  if ((good || !c->quiet) && f.types & TS_T_NUMBER) good &= cover_multiple(c, a, &f, b, spot);
  if (good || !c->quiet) good &= cover_limits(c, a, &f, b, spot);
  if (good || !c->quiet) good &= cover_pattern(c, a, &f, b, spot);
  if ((good || !c->quiet) && f.types & TS_T_ARRAY) good &= ts_cover_array(c, a, b, spot);
  if ((good || !c->quiet) && f.types & TS_T_OBJECT) good &= ts_cover_object(c, a, b, spot);
  if (good || !c->quiet) good &= cover_condition(c, a, b);
  return good;
}

/* When something in A leaves a choice and B's keywords are not implied without it, each choice is tried. */
static bool cover_by_choices(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b,
                             const struct ts_spot *spot) {
  size_t part = ts_view_choice(a);
  if (part == SIZE_MAX || ts_branches(a->part[part])->count > CHOICES_MOST || ts_is_spent(c))
    return cover_keywords(c, a, b, spot);
  c->steps++;
  c->quiet++;
  bool good = cover_keywords(c, a, b, spot);
  c->quiet--;
  if (good) return true;
  const struct ts_subs *branches = ts_branches(a->part[part]);
  good = true;
  for (size_t i = 0; i < branches->count && (good || !c->quiet); i++) {
    struct ts_view one = ts_view_choose(c, a, part, branches->item[i]);
    good &= cover_by_choices(c, &one, b, spot);
  }
  return good;
}

/* The comparison itself */

static uint64_t hash_of(struct ts_sub *sub) {
  size_t steps = 0;
  if (sub->hash == 0) sub->hash = ts_value_hash(sub->tree, &steps);
  return sub->hash;
}

bool ts_is_part(const struct ts_view *a, struct ts_sub *b) {
  for (size_t i = 0; i < a->count; i++) {
    struct ts_sub *part = a->part[i];
    if (part == b) return true;
    if (!part->tree || !b->tree || part->refers || b->refers) continue;
    if (hash_of(part) == hash_of(b) && ts_tree_equal(part->tree, b->tree)) return true;
  }
  return false;
}

static bool same_view(const struct ts_view *x, const struct ts_view *y) {
  if (x->count != y->count || x->types != y->types) return false;
  for (size_t i = 0; i < x->count; i++)
    if (x->part[i] != y->part[i] || x->chosen[i] != y->chosen[i]) return false;
  return true;
}

/* Recursive schemas come back to the same question. Further down in the value, the answer is yes if nothing speaks
 * against it elsewhere; of the same value it would prove itself. */
static const struct ts_pair *find_asked(const struct ts_compare *c, const struct ts_view *a, const struct ts_sub *b) {
  for (const struct ts_pair *p = c->pairs; p; p = p->up)
    if (p->b == b && same_view(p->a, a)) return p;
  return NULL;
}

static bool cover_parts(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  struct ts_view left = *a;
  bool good = cover_types(c, &left, b, spot);
  if (good || !c->quiet) good &= cover_by_choices(c, &left, b, spot);
  if (b->target && (good || !c->quiet)) good &= ts_cover(c, &left, b->target, spot);
  if (good || !c->quiet) good &= ts_cover_choice(c, &left, b, spot);
  return good;
}

bool ts_cover(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  if (b->only_refers) b = b->target;
  if (ts_accepts_all(b) && !b->odd) return true;
  const struct ts_pair *asked = find_asked(c, a, b);
  if (ts_is_part(a, b) || (asked && asked->below < c->below)) return true;
  if (!ts_is_spent(c) && ts_view_is_empty(c, a)) return true;
  unsigned depth = c->pairs ? c->pairs->depth + 1 : 1;
  if (asked || depth > DEPTH_MOST || ts_is_spent(c))
    return ts_undecided(c, TS_RULE_REF_OR_UNSUPPORTED, NULL, TS_ABSENT, TS_ABSENT);
  struct ts_pair pair = { c->pairs, a, b, c->below, depth };
  c->steps += 1 + (depth + a->count) / TS_WIDE;
  c->pairs = &pair;
  bool good;
  if (b->never) {
    struct ts_sub condition = ts_blank();
    condition.never = true;
    good = ts_narrowed(c, a, &condition, spot, TS_RULE_TYPE_NARROWED, NULL,
                       ts_sub_json(c, a->count ? a->part[0] : NULL), TS_STR("false"));
  } else {
    good = cover_parts(c, a, b, spot);
  }
  c->pairs = pair.up;
  return good;
}

bool ts_cover_quietly(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b) {
  c->quiet++;
  bool good = ts_cover(c, a, b, NULL);
  c->quiet--;
  return good;
}

bool ts_cover_below(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot) {
  c->below++;
  bool good = ts_cover(c, a, b, spot);
  c->below--;
  return good;
}

bool ts_same(struct ts_compare *c, struct ts_sub *one, struct ts_sub *other) {
  c->steps++;
  struct ts_view a = ts_view_of(c, one), b = ts_view_of(c, other);
  return ts_cover_quietly(c, &a, other) && ts_cover_quietly(c, &b, one);
}
