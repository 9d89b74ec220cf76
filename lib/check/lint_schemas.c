/* Schemas: shapes that providers refuse, and aliases whose calls would not fit what they reach. */
#include "base/xalloc.h"
#include "check/alias_schema.h"
#include "check/lint_run.h"
#include "json/scan.h"

/* --- shapes that providers refuse -------------------------------------------------------------------------- */

/* A schema being looked at. */
struct shape {
  struct ts_lint_run *l;
  const struct ts_tool *tool;
  const struct ts_json *j;
};

/* `member` is a node below which the fault is: its place in the record is told. */
static void refuse(const struct shape *s, uint32_t member, const char *why) {
  struct ts_buf pointer = { 0 };
  ts_buf_addz(&pointer, "/input_schema");
  ts_json_pointer(s->j->text, s->j->node[member].start, &pointer);
  ts_lint_report(s->l, TS_RULE_SCHEMA_REFUSED,
                 (struct ts_lint_spot){ .tool = s->tool,
                                        .pointer = ts_buf_z(&pointer),
                                        .value = member ? ts_json_raw(s->j, member) : TS_STR("") },
                 "providers refuse the schema of '%.*s': %s", TS_FMT(s->tool->name), why);
  ts_buf_free(&pointer);
}

/* Gemini's own spelling of types is in capitals; it takes both, the others do not. */
static bool says_object(const struct shape *s, uint32_t type) {
  bool capitals = s->l->options->api == TS_API_GEMINI && TS_JSON_SAYS(s->j, type, "OBJECT");
  return capitals || TS_JSON_SAYS(s->j, type, "object");
}

static void check_top(const struct shape *s) {
  static const char *const unions[] = { "oneOf", "anyOf", "allOf" };
  uint32_t type = TS_JSON_GET(s->j, 0, "type");
  if (!says_object(s, type)) refuse(s, type, "its top level is not \"type\":\"object\"");
  for (size_t i = 0; i < TS_COUNT(unions); i++) {
    uint32_t node = ts_json_get(s->j, 0, ts_str_z(unions[i]));
    if (node != 0) refuse(s, node, "its top level is a union (oneOf, anyOf or allOf)");
  }
}

static void check_required(const struct shape *s, uint32_t schema, uint32_t properties) {
  struct ts_buf name = { 0 };
  uint32_t required = TS_JSON_GET(s->j, schema, "required");
  bool listed =
      ts_json_is(s->j, required, TS_JSON_ARRAY) && (ts_json_is(s->j, properties, TS_JSON_OBJECT) || schema == 0);
  for (uint32_t e = listed ? ts_json_first(s->j, required) : 0; e; e = ts_json_after(s->j, required, e)) {
    struct ts_str text = ts_json_text(s->j, e, &name);
    bool declared = ts_json_is(s->j, properties, TS_JSON_OBJECT) && ts_json_get(s->j, properties, text) != 0;
    if (!declared) refuse(s, e, "it requires a property that it does not declare");
  }
  ts_buf_free(&name);
}

/* One subschema: an object at a place where a schema may stand. */
static void check_subschema(const struct shape *s, uint32_t schema) {
  uint32_t properties = TS_JSON_GET(s->j, schema, "properties"), values = TS_JSON_GET(s->j, schema, "enum");
  if (properties != 0 && !ts_json_is(s->j, properties, TS_JSON_OBJECT))
    refuse(s, properties, "its properties are no object");
  if (ts_json_is(s->j, values, TS_JSON_ARRAY) && ts_json_first(s->j, values) == 0)
    refuse(s, values, "an enum is empty");
  check_required(s, schema, properties);
}

/* Keywords below which schemas stand: the value itself, its elements, or its members' values. */
enum nest { SELF = 1, ELEMENTS = 2, MEMBERS = 4 };
static const struct {
  const char *keyword;
  unsigned nest;
} nesting[] = {
  { "properties", MEMBERS },
  { "patternProperties", MEMBERS },
  { "$defs", MEMBERS },
  { "definitions", MEMBERS },
  { "additionalProperties", SELF },
  { "items", SELF | ELEMENTS },
  { "prefixItems", ELEMENTS },
  { "anyOf", ELEMENTS },
  { "oneOf", ELEMENTS },
  { "allOf", ELEMENTS },
  { "not", SELF },
  { "contains", SELF },
  { "if", SELF },
  { "then", SELF },
  { "else", SELF },
  { "propertyNames", SELF },
};

struct pending {
  uint32_t *node;
  size_t count, cap;
};

static void push(struct pending *p, const struct ts_json *j, uint32_t node) {
  if (node == 0 || !ts_json_is(j, node, TS_JSON_OBJECT)) return;
  ts_xgrow(&p->node, &p->cap, p->count + 1, sizeof *p->node);
  p->node[p->count++] = node;
}

static void push_nested(struct pending *p, const struct ts_json *j, uint32_t schema) {
  for (size_t i = 0; i < TS_COUNT(nesting); i++) {
    uint32_t node = ts_json_get(j, schema, ts_str_z(nesting[i].keyword));
    if (node == 0) continue;
    bool object = ts_json_is(j, node, TS_JSON_OBJECT), array = ts_json_is(j, node, TS_JSON_ARRAY);
    if (object && nesting[i].nest & SELF) push(p, j, node);
    bool elements = array && (nesting[i].nest & ELEMENTS), members = object && (nesting[i].nest & MEMBERS);
    for (uint32_t c = elements || members ? ts_json_first(j, node) : 0; c; c = ts_json_after(j, node, c))
      push(p, j, members ? c + 1 : c);
  }
}

/* Not recursive: a schema may be nested as deep as the scanner lets it. */
static void check_shape(struct ts_lint_run *l, const struct ts_tool *t) {
  struct ts_json j = { 0 };
  struct pending p = { 0 };
  struct shape s = { l, t, &j };
  if (ts_json_scan(&j, t->input_schema, NULL) != 0 || !ts_json_root_is(&j, TS_JSON_OBJECT)) {
    ts_lint_report(l, TS_RULE_SCHEMA_REFUSED, (struct ts_lint_spot){ .tool = t, .pointer = "/input_schema" },
                   "providers refuse the schema of '%.*s': it is no object", TS_FMT(t->name));
  } else {
    check_top(&s);
    check_subschema(&s, 0);
    push_nested(&p, &j, 0);
    while (p.count > 0) {
      uint32_t schema = p.node[--p.count];
      check_subschema(&s, schema);
      push_nested(&p, &j, schema);
    }
  }
  free(p.node);
  ts_json_free(&j);
}

/* --- aliases that have to say which action ----------------------------------------------------------------- */

static const char *const discriminators[] = { "action", "method" };

static bool schema_requires(struct ts_str schema, struct ts_str name) {
  struct ts_json j = { 0 };
  bool found = false;
  uint32_t required = schema.len > 0 && ts_json_scan(&j, schema, NULL) == 0 && ts_json_root_is(&j, TS_JSON_OBJECT)
                          ? TS_JSON_GET(&j, 0, "required")
                          : 0;
  bool listed = ts_json_is(&j, required, TS_JSON_ARRAY);
  for (uint32_t e = listed ? ts_json_first(&j, required) : 0; e && !found; e = ts_json_after(&j, required, e))
    found = ts_json_says(&j, e, name);
  ts_json_free(&j);
  return found;
}

/* Does a call of the alias bring the discriminator: by its action, its map, or because its own callers send it? */
static bool brings(const struct ts_tool *alias, struct ts_str name) {
  struct ts_json j = { 0 };
  if (ts_str_is(name, "action") && alias->action.len > 0) return true;
  bool map = alias->arguments.len > 0 && ts_json_scan(&j, alias->arguments, NULL) == 0;
  uint32_t set = map ? TS_JSON_GET(&j, 0, "set") : 0;
  bool found = ts_json_is(&j, set, TS_JSON_OBJECT) && ts_json_get(&j, set, name) != 0;
  ts_json_free(&j);
  return found || schema_requires(alias->input_schema, name);
}

struct reached {
  struct ts_map count; /* tool name -> dispatching aliases that reach it */
};

static void check_discriminators(struct ts_lint_run *l, const struct reached *r, const struct ts_tool *alias) {
  const struct ts_tool *tool = ts_find_visible(l->catalog, alias->replacement);
  if (!tool || ts_map_get(&r->count, tool->name) < 2) return;
  for (size_t i = 0; i < TS_COUNT(discriminators); i++) {
    struct ts_str name = ts_str_z(discriminators[i]);
    if (!schema_requires(tool->input_schema, name) || brings(alias, name)) continue;
    ts_lint_report(l, TS_RULE_ALIAS_NEEDS_MAP, (struct ts_lint_spot){ .tool = alias, .pointer = "/arguments" },
                   "'%.*s' reaches '%.*s', which requires '%s', and does not set it", TS_FMT(alias->name),
                   TS_FMT(tool->name), discriminators[i]);
  }
}

/* Arguments that the alias's own schema accepts, and the tool it leads to refuses. */
static void check_gap(struct ts_lint_run *l, const struct ts_tool *alias) {
  const struct ts_tool *tool = ts_find_visible(l->catalog, alias->replacement);
  struct ts_buf witness = { 0 };
  if (tool && ts_alias_schema_fits(alias, alias->input_schema, tool, &witness) == 0)
    ts_lint_report(l, TS_RULE_ALIAS_SCHEMA_GAP,
                   (struct ts_lint_spot){ .tool = alias, .pointer = "/input_schema", .witness = ts_buf_str(&witness) },
                   "'%.*s' takes arguments that '%.*s' refuses: %s", TS_FMT(alias->name), TS_FMT(tool->name),
                   ts_buf_z(&witness));
  ts_buf_free(&witness);
}

static bool reaches_tool(const struct ts_tool *t) {
  return t->is_alias && t->replacement.len > 0 && ts_state_row(t->state)->dispatches;
}

void ts_lint_schemas(struct ts_lint_run *l) {
  const struct ts_catalog *c = l->catalog;
  struct reached r = { 0 };
  for (size_t i = 0; i < c->tool_count; i++)
    if (reaches_tool(&c->tool[i])) ++*ts_map_at(&r.count, c->tool[i].replacement, 0);
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i];
    if (ts_tool_visible(t) && t->input_schema.len > 0) check_shape(l, t);
    if (!reaches_tool(t)) continue;
    check_discriminators(l, &r, t);
    check_gap(l, t);
  }
  ts_map_free(&r.count);
}
