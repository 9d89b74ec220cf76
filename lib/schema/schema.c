#include "schema/schema.h"

#include "base/diag.h"
#include "base/xalloc.h"

enum { NESTING_MAX = 500 }; /* subschemas within each other; a person's schema has ten */

struct reading {
  struct ts_schema *schema;
  struct ts_sub *resource;
  unsigned depth;
  size_t references; /* read so far */
};

static struct ts_sub *read_sub(struct reading *r, const struct ts_tree *tree);

/* Readers of keyword values: false when the value has the wrong shape. `at` is where in the subschema it goes. */
typedef bool reader(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at);

static void *member(struct ts_sub *sub, size_t at) { return (char *)sub + at; }

static bool is_schema(const struct ts_tree *v) {
  enum ts_json_kind kind = ts_tree_kind(v);
  return kind == TS_JSON_OBJECT || kind == TS_JSON_TRUE || kind == TS_JSON_FALSE;
}

static bool read_schema(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  if (!is_schema(v)) return false;
  struct ts_sub *child = read_sub(r, v);
  memcpy(member(sub, at), &child, sizeof child);
  return true;
}

static bool read_schemas(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  struct ts_subs *list = member(sub, at);
  size_t count = ts_tree_count(v);
  if (ts_tree_kind(v) != TS_JSON_ARRAY || count == 0) return false;
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one))
    if (!is_schema(one)) return false;
  list->item = ts_arena_alloc(&r->schema->arena, count * sizeof *list->item);
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one))
    list->item[list->count++] = read_sub(r, one);
  return true;
}

/* Schemas that are only referred to: read here so that their anchors are known. */
static bool read_definitions(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)sub, (void)at;
  if (ts_tree_kind(v) != TS_JSON_OBJECT) return false;
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one))
    if (is_schema(one)) (void)read_sub(r, one);
  return true;
}

static bool read_count(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)r;
  if (ts_tree_kind(v) != TS_JSON_NUMBER || !ts_number_is_integer(ts_tree_text(v))) return false;
  if (ts_number_cmp(ts_tree_text(v), TS_STR("0")) < 0) return false;
  double count = ts_tree_number(v);
  *(uint64_t *)member(sub, at) = count < 1e18 ? (uint64_t)count : (uint64_t)1000000000000000000;
  return true;
}

static bool read_number(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)r;
  if (ts_tree_kind(v) != TS_JSON_NUMBER) return false;
  *(struct ts_str *)member(sub, at) = ts_tree_text(v);
  return true;
}

static bool read_multiple(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  return ts_tree_kind(v) == TS_JSON_NUMBER && ts_number_cmp(ts_tree_text(v), TS_STR("0")) > 0 &&
         read_number(r, sub, v, at);
}

static bool read_flag(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)r;
  enum ts_json_kind kind = ts_tree_kind(v);
  *(bool *)member(sub, at) = kind == TS_JSON_TRUE;
  return kind == TS_JSON_TRUE || kind == TS_JSON_FALSE;
}

/* A number, or draft 4's boolean, which makes minimum or maximum itself exclusive. */
static bool read_above(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  return read_number(r, sub, v, at) || read_flag(r, sub, v, offsetof(struct ts_sub, minimum_excluded));
}
static bool read_below(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  return read_number(r, sub, v, at) || read_flag(r, sub, v, offsetof(struct ts_sub, maximum_excluded));
}

static bool read_tree(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)r;
  memcpy(member(sub, at), &v, sizeof v);
  return true;
}

static bool read_type(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)r, (void)at;
  unsigned types = 0;
  bool list = ts_tree_kind(v) == TS_JSON_ARRAY;
  for (const struct ts_tree *one = list ? ts_tree_first(v) : v; one; one = list ? ts_tree_after(one) : NULL) {
    unsigned type = ts_tree_kind(one) == TS_JSON_STRING ? ts_type_find(ts_tree_text(one)) : 0;
    if (type == 0) return false;
    types |= type;
  }
  if (types != 0) sub->types = (uint8_t)types;
  return types != 0;
}

static int compare_texts(const void *a, const void *b) {
  return ts_str_cmp(*(const struct ts_str *)a, *(const struct ts_str *)b);
}

static bool read_enum(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)at;
  if (ts_tree_kind(v) != TS_JSON_ARRAY) return false;
  sub->values = v;
  sub->words.item = ts_arena_alloc(&r->schema->arena, ts_tree_count(v) * sizeof *sub->words.item);
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one)) {
    if (ts_tree_kind(one) == TS_JSON_STRING)
      sub->words.item[sub->words.count++] = ts_tree_text(one);
    else
      sub->other_values = true;
  }
  if (sub->words.count > 1) qsort(sub->words.item, sub->words.count, sizeof *sub->words.item, compare_texts);
  return true;
}

static bool read_pattern(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)at;
  if (ts_tree_kind(v) != TS_JSON_STRING) return false;
  sub->pattern = ts_arena_alloc(&r->schema->arena, sizeof *sub->pattern);
  sub->pattern->text = ts_tree_text(v);
  return true;
}

static bool read_reference(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)at;
  r->references++;
  if (ts_tree_kind(v) != TS_JSON_STRING) return false;
  sub->reference = ts_tree_text(v).len > 0 ? ts_tree_text(v) : TS_STR("#");
  return true;
}

static bool read_items(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  if (ts_tree_kind(v) != TS_JSON_ARRAY) return read_schema(r, sub, v, at);
  if (sub->prefix.count > 0) return false;
  sub->items_is_list = true;
  return ts_tree_count(v) == 0 || read_schemas(r, sub, v, offsetof(struct ts_sub, prefix));
}

static bool read_prefix(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  sub->prefix = (struct ts_subs){ 0 };
  sub->items_is_list = false;
  return read_schemas(r, sub, v, at);
}

static bool read_patterns(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)at;
  if (ts_tree_kind(v) != TS_JSON_OBJECT) return false;
  bool good = true;
  sub->patterns = ts_arena_alloc(&r->schema->arena, ts_tree_count(v) * sizeof *sub->patterns);
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one)) {
    good &= is_schema(one);
    if (!is_schema(one)) continue;
    struct ts_pattern *p = &sub->patterns[sub->pattern_count++];
    *p = (struct ts_pattern){ .text = ts_tree_key(one), .schema = read_sub(r, one) };
  }
  return good;
}

static bool read_texts(struct reading *r, struct ts_texts *list, const struct ts_tree *v) {
  list->item = ts_arena_alloc(&r->schema->arena, ts_tree_count(v) * sizeof *list->item);
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one)) {
    if (ts_tree_kind(one) != TS_JSON_STRING) return false;
    list->item[list->count++] = ts_tree_text(one);
  }
  return true;
}

/* dependentRequired, dependentSchemas, and dependencies, which is either, may stand side by side. */
static bool read_dependencies(struct reading *r, struct ts_sub *sub, const struct ts_tree *v, size_t at) {
  (void)at;
  if (ts_tree_kind(v) != TS_JSON_OBJECT) return false;
  bool good = true;
  size_t count = sub->dependency_count + ts_tree_count(v);
  struct ts_dependency *all = ts_arena_alloc(&r->schema->arena, count * sizeof *all);
  if (sub->dependency_count > 0) memcpy(all, sub->dependency, sub->dependency_count * sizeof *all);
  sub->dependency = all;
  for (const struct ts_tree *one = ts_tree_first(v); one; one = ts_tree_after(one)) {
    struct ts_dependency *d = &all[sub->dependency_count];
    d->name = ts_tree_key(one);
    bool list = ts_tree_kind(one) == TS_JSON_ARRAY;
    bool fine = list ? read_texts(r, &d->required, one) : is_schema(one);
    if (fine && !list) d->schema = read_sub(r, one);
    sub->dependency_count += fine;
    good &= fine;
  }
  return good;
}

#define AT(name) offsetof(struct ts_sub, name)
static const struct {
  const char *name;
  reader *read;
  size_t at;
} keywords[] = {
  { "type", read_type, 0 },
  { "nullable", read_flag, AT(nullable) },
  { "enum", read_enum, 0 },
  { "const", read_tree, AT(constant) },
  { "properties", read_tree, AT(properties_tree) },
  { "required", read_tree, AT(required_tree) },
  { "additionalProperties", read_schema, AT(additional) },
  { "patternProperties", read_patterns, 0 },
  { "propertyNames", read_schema, AT(names) },
  { "minProperties", read_count, AT(members.min) },
  { "maxProperties", read_count, AT(members.max) },
  { "items", read_items, AT(items) },
  { "prefixItems", read_prefix, AT(prefix) },
  { "additionalItems", read_schema, AT(additional_items) },
  { "contains", read_schema, AT(contains) },
  { "minContains", read_count, AT(contained.min) },
  { "maxContains", read_count, AT(contained.max) },
  { "minItems", read_count, AT(items_count.min) },
  { "maxItems", read_count, AT(items_count.max) },
  { "uniqueItems", read_flag, AT(unique) },
  { "minimum", read_number, AT(minimum) },
  { "maximum", read_number, AT(maximum) },
  { "exclusiveMinimum", read_above, AT(above) },
  { "exclusiveMaximum", read_below, AT(below) },
  { "multipleOf", read_multiple, AT(multiple_of) },
  { "minLength", read_count, AT(length.min) },
  { "maxLength", read_count, AT(length.max) },
  { "pattern", read_pattern, 0 },
  { "allOf", read_schemas, AT(all) },
  { "anyOf", read_schemas, AT(any) },
  { "oneOf", read_schemas, AT(one) },
  { "not", read_schema, AT(negated) },
  { "if", read_schema, AT(condition) },
  { "then", read_schema, AT(then) },
  { "else", read_schema, AT(otherwise) },
  { "dependentRequired", read_dependencies, 0 },
  { "dependentSchemas", read_dependencies, 0 },
  { "dependencies", read_dependencies, 0 },
  { "unevaluatedItems", read_schema, AT(unevaluated_items) },
  { "unevaluatedProperties", read_schema, AT(unevaluated_members) },
  { "$ref", read_reference, 0 },
  { "$dynamicRef", read_reference, 0 },
  { "$recursiveRef", read_reference, 0 },
  { "$defs", read_definitions, 0 },
  { "definitions", read_definitions, 0 },
};

static void read_keyword(struct reading *r, struct ts_sub *sub, const struct ts_tree *v) {
  for (size_t i = 0; i < TS_COUNT(keywords); i++) {
    if (!ts_str_is(ts_tree_key(v), keywords[i].name)) continue;
    if (!keywords[i].read(r, sub, v, keywords[i].at)) sub->odd = keywords[i].name;
    return;
  }
}

/* Names that are declared, required or both become one table. */

static void add_declared(struct reading *r, struct ts_sub *sub) {
  const struct ts_tree *list = sub->properties_tree;
  if (!list) return;
  if (ts_tree_kind(list) != TS_JSON_OBJECT) {
    sub->odd = "properties";
    return;
  }
  for (const struct ts_tree *one = ts_tree_first(list); one; one = ts_tree_after(one)) {
    if (is_schema(one))
      sub->property[sub->property_count++] = (struct ts_property){ ts_tree_key(one), read_sub(r, one), false };
    else
      sub->odd = "properties";
  }
}

static void add_required(struct ts_sub *sub) {
  const struct ts_tree *list = sub->required_tree;
  if (!list) return;
  if (ts_tree_kind(list) != TS_JSON_ARRAY) {
    sub->odd = "required";
    return;
  }
  for (const struct ts_tree *one = ts_tree_first(list); one; one = ts_tree_after(one)) {
    if (ts_tree_kind(one) == TS_JSON_STRING)
      sub->property[sub->property_count++] = (struct ts_property){ ts_tree_text(one), NULL, true };
    else
      sub->odd = "required";
  }
}

static int compare_properties(const void *a, const void *b) {
  return ts_str_cmp(((const struct ts_property *)a)->name, ((const struct ts_property *)b)->name);
}

static void merge_properties(struct ts_sub *sub) {
  size_t kept = 0;
  for (size_t i = 0; i < sub->property_count; i++) {
    struct ts_property *p = &sub->property[i];
    if (kept == 0 || !ts_str_eq(sub->property[kept - 1].name, p->name)) {
      sub->property[kept++] = *p;
      continue;
    }
    if (p->schema) sub->property[kept - 1].schema = p->schema;
    sub->property[kept - 1].required |= p->required;
  }
  sub->property_count = kept;
  for (size_t i = 0; i < kept; i++) sub->required_count += sub->property[i].required;
}

static void read_properties(struct reading *r, struct ts_sub *sub) {
  size_t most = (sub->properties_tree ? ts_tree_count(sub->properties_tree) : 0) +
                (sub->required_tree ? ts_tree_count(sub->required_tree) : 0);
  if (most > 0) sub->property = ts_arena_alloc(&r->schema->arena, most * sizeof *sub->property);
  add_declared(r, sub);
  add_required(sub);
  if (sub->property_count > 1) qsort(sub->property, sub->property_count, sizeof *sub->property, compare_properties);
  merge_properties(sub);
}

static void join_keywords(struct reading *r, struct ts_sub *sub) {
  read_properties(r, sub);
  if (sub->items_is_list) sub->items = sub->additional_items;
  if (sub->nullable) sub->types |= TS_T_NULL;
  if (sub->minimum_excluded) {
    sub->above = sub->minimum;
    sub->minimum = ts_str(NULL, 0);
  }
  if (sub->maximum_excluded) {
    sub->below = sub->maximum;
    sub->maximum = ts_str(NULL, 0);
  }
}

static bool is_limited(struct ts_limits l) { return l.min > 0 || l.max != UINT64_MAX; }

void ts_sub_finish(struct ts_sub *s) {
  const struct {
    bool used;
    unsigned bit;
  } table[] = {
    { s->types != TS_T_ALL, TS_USES_TYPE },
    { s->values || s->constant, TS_USES_VALUES },
    { s->minimum.len || s->maximum.len || s->above.len || s->below.len || s->multiple_of.len, TS_USES_NUMBER },
    { is_limited(s->length) || s->pattern, TS_USES_STRING },
    { s->prefix.count || s->items || s->contains || is_limited(s->items_count) || s->unique, TS_USES_ARRAY },
    { s->property_count || s->pattern_count || s->additional || s->names || is_limited(s->members) ||
          s->dependency_count,
      TS_USES_OBJECT },
    { s->all.count || s->any.count || s->one.count || s->negated || s->condition || s->reference.len, TS_USES_LOGIC },
    { s->unevaluated_items || s->unevaluated_members, TS_USES_UNEVALUATED },
  };
  s->uses = 0;
  for (size_t i = 0; i < TS_COUNT(table); i++)
    if (table[i].used) s->uses |= (uint8_t)table[i].bit;
}

struct ts_sub *ts_sub_new(struct ts_schema *s) {
  struct ts_sub *sub = ts_arena_alloc(&s->arena, sizeof *sub);
  sub->types = TS_T_ALL;
  sub->contained.min = 1;
  sub->length.max = sub->contained.max = sub->items_count.max = sub->members.max = UINT64_MAX;
  sub->next = s->all;
  s->all = sub;
  return sub;
}

static struct ts_sub *read_sub(struct reading *r, const struct ts_tree *tree) {
  if (ts_tree_kind(tree) == TS_JSON_TRUE) return r->schema->any;
  if (ts_tree_kind(tree) == TS_JSON_FALSE) return r->schema->none;
  struct ts_sub *sub = ts_sub_new(r->schema), *resource = r->resource;
  const struct ts_tree *id = ts_tree_get(tree, "$id");
  bool named = id && ts_tree_kind(id) == TS_JSON_STRING && !ts_str_starts(ts_tree_text(id), TS_STR("#"));
  sub->tree = tree;
  if (named || !r->resource) r->resource = sub;
  sub->resource = r->resource;
  *ts_map_at(&r->schema->by_tree, ts_str((const char *)&sub->tree, sizeof sub->tree), 0) = (uintptr_t)sub;
  size_t references = r->references;
  if (++r->depth > NESTING_MAX) {
    sub->undecided = true;
  } else {
    for (const struct ts_tree *v = ts_tree_first(tree); v; v = ts_tree_after(v)) read_keyword(r, sub, v);
    join_keywords(r, sub);
    ts_sub_finish(sub);
  }
  sub->refers = r->references != references;
  r->depth--;
  r->resource = resource;
  return sub;
}

struct ts_sub *ts_schema_read(struct ts_schema *s, const struct ts_tree *tree, struct ts_sub *resource) {
  struct reading r = { .schema = s, .resource = resource };
  if (!is_schema(tree)) return NULL;
  size_t known = ts_map_get(&s->by_tree, ts_str((const char *)&tree, sizeof tree));
  return known != TS_MAP_NONE ? (struct ts_sub *)known : read_sub(&r, tree);
}

struct ts_schema *ts_schema_parse(struct ts_str text, struct ts_buf *err) {
  struct ts_tree *tree = ts_tree_parse(text, err);
  if (!tree) return NULL;
  if (!is_schema(tree)) {
    ts_fail(err, "a schema must be an object or a boolean");
    ts_tree_free(tree);
    return NULL;
  }
  struct ts_schema *s = ts_xcalloc(1, sizeof *s);
  s->tree = tree;
  s->any = ts_sub_new(s);
  s->none = ts_sub_new(s);
  s->none->never = true;
  s->root = ts_schema_read(s, tree, NULL);
  ts_schema_link(s);
  return s;
}

static void free_pattern(struct ts_pattern *p) {
  if (p) ts_regex_free(p->regex);
}

void ts_schema_free(struct ts_schema *s) {
  if (!s) return;
  for (struct ts_sub *sub = s->all; sub; sub = sub->next) {
    free_pattern(sub->pattern);
    for (size_t i = 0; i < sub->pattern_count; i++) free_pattern(&sub->patterns[i]);
  }
  ts_map_free(&s->by_tree);
  ts_arena_free(&s->arena);
  ts_tree_free(s->tree);
  free(s);
}

const struct ts_property *ts_sub_property(const struct ts_sub *sub, struct ts_str name) {
  size_t low = 0, high = sub->property_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = ts_str_cmp(name, sub->property[middle].name);
    if (order == 0) return &sub->property[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

int ts_pattern_match(struct ts_pattern *p, struct ts_str text) {
  if (p->refused) return -1;
  if (!p->regex) p->regex = ts_regex_compile(p->text, false, NULL);
  p->refused = !p->regex;
  return p->refused ? -1 : ts_regex_match(p->regex, text);
}
