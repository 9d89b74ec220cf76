#include "catalog/record.h"

#include "base/xalloc.h"
#include "json/write.h"

/* --- the members ---------------------------------------------------------------------------------------- */

enum value {
  APART,  /* read by the record's own function */
  TEXT,   /* a string, decoded */
  FLAG,   /* true or false */
  RAW,    /* anything, as it stands */
  LIST,   /* an array, as it stands */
  OBJECT, /* an object, as it stands */
};
static const char *const value_name[] = {
  [TEXT] = "a string", [FLAG] = "true or false", [LIST] = "an array", [OBJECT] = "an object"
};

struct member {
  struct ts_str key;
  enum value value;
  size_t at;     /* where it goes in the struct */
  size_t raw_at; /* where a string goes as it stands, quotes included; 0: nowhere */
};

#define ROW(type, field, key, value) \
  { TS_STR(key), value, offsetof(struct type, field), 0 }
#define TOOL(field, value) ROW(ts_tool, field, #field, value)
#define TOOL_TEXT(field) \
  { TS_STR(#field), TEXT, offsetof(struct ts_tool, field), offsetof(struct ts_tool, field##_json) }
#define OWN(key) \
  { TS_STR(key), APART, 0, 0 }

/* The order of the printed record. */
static const struct member catalog_members[] = {
  OWN("type"),   OWN("schema"), ROW(ts_catalog, name, "name", TEXT), ROW(ts_catalog, version, "version", TEXT),
  OWN("budget"),
};
static const struct member tool_members[] = {
  OWN("type"),
  TOOL_TEXT(name),
  OWN("state"),
  TOOL(implementation, TEXT),
  OWN("origin"),
  TOOL(server, TEXT),
  TOOL(niche, TEXT),
  TOOL(family, TEXT),
  TOOL(exclusive, FLAG),
  TOOL(feature, TEXT),
  TOOL(actions, LIST),
  TOOL(title, RAW),
  TOOL_TEXT(description),
  TOOL(input_schema, RAW),
  TOOL(output_schema, RAW),
  TOOL(annotations, RAW),
};
static const struct member alias_members[] = {
  OWN("type"),
  TOOL_TEXT(name),
  TOOL(replacement, TEXT),
  TOOL(action, TEXT),
  TOOL(arguments, OBJECT),
  OWN("state"),
  TOOL(implementation, TEXT),
  OWN("origin"),
  TOOL(server, TEXT),
  TOOL(niche, TEXT),
  TOOL(family, TEXT),
  TOOL(exclusive, FLAG),
  TOOL(feature, TEXT),
  TOOL(note, TEXT),
  TOOL(title, RAW),
  TOOL_TEXT(description),
  TOOL(input_schema, RAW),
  TOOL(output_schema, RAW),
  TOOL(annotations, RAW),
  TOOL(first_deprecated_version, TEXT),
  TOOL(planned_removal_version, TEXT),
  TOOL(not_before, TEXT),
  OWN("replay_supported"),
};
static const struct member profile_members[] = {
  OWN("type"),
  ROW(ts_profile, name, "name", TEXT),
  OWN("first_turn"),
  OWN("exclude"),
};
static const struct member mode_members[] = {
  OWN("type"),
  ROW(ts_mode, name, "name", TEXT),
  ROW(ts_mode, mcp, "mcp", TEXT),
};
static const struct member state_members[] = {
  OWN("type"),
  ROW(ts_pending_state, name, "name", TEXT),
  OWN("state"),
};

struct source {
  struct ts_loader *l;
  size_t at;            /* of the object in the source */
  struct ts_str record; /* in the arena, and indexed in l->index */
  enum ts_record_kind kind;
  struct ts_str name;
};

static int read_catalog(struct source *s);
static int read_tool(struct source *s);
static int read_profile(struct source *s);
static int read_mode(struct source *s);
static int read_state(struct source *s);

static const struct kind {
  const char *type;
  const struct member *member;
  size_t count;
  int (*read)(struct source *s);
} kinds[] = {
  [TS_RECORD_CATALOG] = { "catalog", catalog_members, TS_COUNT(catalog_members), read_catalog },
  [TS_RECORD_TOOL] = { "tool", tool_members, TS_COUNT(tool_members), read_tool },
  [TS_RECORD_ALIAS] = { "alias", alias_members, TS_COUNT(alias_members), read_tool },
  [TS_RECORD_PROFILE] = { "profile", profile_members, TS_COUNT(profile_members), read_profile },
  [TS_RECORD_MODE] = { "mode", mode_members, TS_COUNT(mode_members), read_mode },
  [TS_RECORD_STATE] = { "state", state_members, TS_COUNT(state_members), read_state },
};

enum ts_record_kind ts_record_kind(struct ts_str type) {
  for (unsigned k = 0; k < TS_RECORDS; k++)
    if (ts_str_is(type, kinds[k].type)) return (enum ts_record_kind)k;
  return TS_RECORDS;
}

/* How the tool lists of the providers and of MCP spell the members of a tool, the preferred spelling first. */
static const struct spelling {
  struct ts_str own, foreign;
} spellings[] = {
  { TS_STR("name"), TS_STR("name") },
  { TS_STR("title"), TS_STR("title") },
  { TS_STR("description"), TS_STR("description") },
  { TS_STR("input_schema"), TS_STR("input_schema") },
  { TS_STR("input_schema"), TS_STR("inputSchema") },
  { TS_STR("input_schema"), TS_STR("parameters") },
  { TS_STR("input_schema"), TS_STR("parametersJsonSchema") },
  { TS_STR("output_schema"), TS_STR("output_schema") },
  { TS_STR("output_schema"), TS_STR("outputSchema") },
  { TS_STR("annotations"), TS_STR("annotations") },
};

/* --- writing -------------------------------------------------------------------------------------------- */

/* The value of the member that becomes `own`; 0: there is none. */
static uint32_t find_member(const struct ts_json *j, uint32_t node, const struct ts_record_form *form,
                            struct ts_str own) {
  uint32_t found = form->served ? 0 : ts_json_get(j, node, own);
  if (found || !form->foreign) return found;
  for (size_t i = 0; i < TS_COUNT(spellings) && !found; i++)
    if (ts_str_eq(spellings[i].own, own)) found = ts_json_get(j, node, spellings[i].foreign);
  return found;
}

static void put(struct ts_buf *out, struct ts_str raw_key, struct ts_str raw_value) {
  char last = out->len > 0 ? out->ptr[out->len - 1] : '{';
  if (last != '{') ts_buf_addc(out, ',');
  ts_buf_add(out, raw_key);
  ts_buf_addc(out, ':');
  ts_json_minify(out, raw_value);
}

static void put_text(struct ts_buf *out, const char *key, struct ts_str text) {
  struct ts_buf quoted_key = { 0 }, quoted = { 0 };
  ts_json_quote(&quoted_key, ts_str_z(key));
  ts_json_quote(&quoted, text);
  put(out, ts_buf_str(&quoted_key), ts_buf_str(&quoted));
  ts_buf_free(&quoted_key);
  ts_buf_free(&quoted);
}

/* The state to print; empty when the record is to be refused for having none. */
static struct ts_str state_of(const struct ts_json *j, uint32_t node, const struct ts_record_form *form,
                              struct ts_buf *scratch) {
  uint32_t state = find_member(j, node, form, TS_STR("state"));
  if (form->state.len > 0) return form->state;
  if (state && !ts_json_is(j, state, TS_JSON_NULL)) return ts_json_text(j, state, scratch);
  return form->kind == TS_RECORD_TOOL ? ts_str_z(ts_state_row(TS_ACTIVE)->name) : TS_STR("");
}

static void put_known(const struct ts_json *j, uint32_t node, const struct ts_record_form *form, struct ts_buf *out) {
  const struct kind *kind = &kinds[form->kind];
  struct ts_buf scratch = { 0 };
  for (size_t i = 0; i < kind->count; i++) {
    struct ts_str key = kind->member[i].key;
    uint32_t found = find_member(j, node, form, key);
    if (ts_str_is(key, "type")) {
      put_text(out, "type", ts_str_z(kind->type));
    } else if (ts_str_is(key, "state")) {
      put_text(out, "state", state_of(j, node, form, &scratch));
    } else if (ts_str_is(key, "name") && form->name.len > 0) {
      put(out, TS_STR("\"name\""), form->name);
    } else if (found) {
      ts_buf_clear(&scratch);
      ts_json_quote(&scratch, key);
      put(out, ts_buf_str(&scratch), ts_json_raw(j, found));
    }
  }
  ts_buf_free(&scratch);
}

static bool is_member_of(const struct kind *kind, const struct ts_json *j, uint32_t key) {
  for (size_t i = 0; i < kind->count; i++)
    if (ts_json_says(j, key, kind->member[i].key)) return true;
  return false;
}

/* Was the member with this key read as one of the record's own? */
static bool is_known(const struct ts_json *j, uint32_t node, const struct ts_record_form *form, uint32_t key) {
  if (!form->served && is_member_of(&kinds[form->kind], j, key)) return true;
  for (size_t i = 0; form->foreign && i < TS_COUNT(spellings); i++)
    if (ts_json_says(j, key, spellings[i].foreign)) return find_member(j, node, form, spellings[i].own) == key + 1;
  return form->served && form->typed_function && TS_JSON_SAYS(j, key, "type");
}

static bool means_something_else(const struct ts_json *j, uint32_t key) {
  return is_member_of(&kinds[TS_RECORD_TOOL], j, key) || is_member_of(&kinds[TS_RECORD_ALIAS], j, key) ||
         TS_JSON_SAYS(j, key, "served");
}

void ts_record_write(const struct ts_json *j, uint32_t node, const struct ts_record_form *form, struct ts_buf *out) {
  struct ts_buf served = { 0 };
  ts_buf_addc(out, '{');
  ts_buf_addc(&served, '{');
  ts_buf_add(&served, form->outer);
  put_known(j, node, form, out);
  for (uint32_t k = ts_json_first(j, node); k; k = ts_json_after(j, node, k)) {
    if (is_known(j, node, form, k)) continue;
    put(form->served && means_something_else(j, k) ? &served : out, ts_json_raw(j, k), ts_json_raw(j, k + 1));
  }
  ts_buf_addc(&served, '}');
  if (served.len > 2) put(out, TS_STR("\"served\""), ts_buf_str(&served));
  ts_buf_addc(out, '}');
  ts_buf_free(&served);
}

/* --- reading -------------------------------------------------------------------------------------------- */

static int refuse(struct source *s, const char *key, const char *why) {
  return ts_load_fail(s->l, s->at, "%s '%.*s': '%s' %s", kinds[s->kind].type, TS_FMT(s->name), key, why);
}

static struct ts_str text_of(struct source *s, uint32_t node) {
  struct ts_str text = ts_json_text(&s->l->index, node, &s->l->scratch);
  return s->l->index.node[node].escaped ? ts_arena_dup(&s->l->c->arena, text) : text;
}

static bool is_absent(const struct ts_json *j, uint32_t node) { return !node || ts_json_is(j, node, TS_JSON_NULL); }

static bool fits(const struct ts_json *j, uint32_t node, enum value value) {
  enum ts_json_kind kind = (enum ts_json_kind)j->node[node].kind;
  switch (value) {
    case TEXT:
      return kind == TS_JSON_STRING;
    case FLAG:
      return kind == TS_JSON_TRUE || kind == TS_JSON_FALSE;
    case LIST:
      return kind == TS_JSON_ARRAY;
    case OBJECT:
      return kind == TS_JSON_OBJECT;
    case RAW:
    case APART:
      break;
  }
  return true;
}

/* Reads the members of the kind's table into the struct at `base`. null is as good as absent. */
static int read_members(struct source *s, char *base) {
  const struct kind *kind = &kinds[s->kind];
  const struct ts_json *j = &s->l->index;
  for (size_t i = 0; i < kind->count; i++) {
    const struct member *m = &kind->member[i];
    uint32_t node = ts_json_get(j, 0, m->key);
    if (m->value == APART || is_absent(j, node)) continue;
    if (!fits(j, node, m->value))
      return ts_load_fail(s->l, s->at, "%s '%.*s': '%.*s' is not %s", kind->type, TS_FMT(s->name), TS_FMT(m->key),
                          value_name[m->value]);
    struct ts_str raw = ts_json_raw(j, node), text = m->value == TEXT ? text_of(s, node) : raw;
    bool flag = j->node[node].kind == TS_JSON_TRUE;
    if (m->value == FLAG)
      memcpy(base + m->at, &flag, sizeof flag);
    else
      memcpy(base + m->at, &text, sizeof text);
    if (m->raw_at) memcpy(base + m->raw_at, &raw, sizeof raw);
  }
  return 0;
}

/* An array of strings. */
static int read_list(struct source *s, const char *key, uint32_t node, struct ts_str **list, size_t *count) {
  const struct ts_json *j = &s->l->index;
  size_t n = 0;
  if (!ts_json_is(j, node, TS_JSON_ARRAY)) return refuse(s, key, "is not an array of strings");
  for (uint32_t e = ts_json_first(j, node); e; e = ts_json_after(j, node, e)) n++;
  *list = ts_arena_alloc(&s->l->c->arena, n * sizeof **list);
  *count = 0;
  for (uint32_t e = ts_json_first(j, node); e; e = ts_json_after(j, node, e)) {
    if (!ts_json_is(j, e, TS_JSON_STRING)) return refuse(s, key, "is not an array of strings");
    (*list)[(*count)++] = text_of(s, e);
  }
  return 0;
}

static int read_budget(struct source *s, uint32_t budget, const char *key, struct ts_str member, uint64_t *value) {
  const struct ts_json *j = &s->l->index;
  uint32_t node = ts_json_get(j, budget, member);
  *value = UINT64_MAX;
  if (is_absent(j, node) || ts_json_u64(j, node, value)) return 0;
  return refuse(s, key, "is not a whole number");
}

static int read_catalog(struct source *s) {
  const struct ts_json *j = &s->l->index;
  struct ts_catalog *c = s->l->c;
  uint64_t version = 1;
  uint32_t schema = TS_JSON_GET(j, 0, "schema"), budget = TS_JSON_GET(j, 0, "budget");
  if (!is_absent(j, schema) && (!ts_json_u64(j, schema, &version) || version != 1))
    return refuse(s, "schema", "is not 1, the only version of catalog records that is known here");
  if (!is_absent(j, budget) && !ts_json_is(j, budget, TS_JSON_OBJECT)) return refuse(s, "budget", "is not an object");
  c->name = c->version = ts_str(NULL, 0);
  c->has_budget = ts_json_is(j, budget, TS_JSON_OBJECT);
  c->header = s->record;
  c->header_place = ts_load_place(s->l, s->at);
  if (c->has_budget && (read_budget(s, budget, "budget.active", TS_STR("active"), &c->budget_active) < 0 ||
                        read_budget(s, budget, "budget.bytes", TS_STR("bytes"), &c->budget_bytes) < 0))
    return -1;
  return read_members(s, (char *)c);
}

static int read_action(struct source *s, uint32_t node, struct ts_action *a) {
  const struct ts_json *j = &s->l->index;
  uint32_t name = TS_JSON_GET(j, node, "name"), feature = TS_JSON_GET(j, node, "feature");
  uint32_t modes = TS_JSON_GET(j, node, "modes");
  if (!ts_json_is(j, name, TS_JSON_STRING)) return refuse(s, "actions", "is not an array of objects with a name");
  a->name = text_of(s, name);
  if (!is_absent(j, feature) && !ts_json_is(j, feature, TS_JSON_STRING))
    return refuse(s, "actions", "has a feature that is not a string");
  if (!is_absent(j, feature)) a->feature = text_of(s, feature);
  a->some_modes = !is_absent(j, modes);
  return a->some_modes ? read_list(s, "actions.modes", modes, &a->mode, &a->mode_count) : 0;
}

static int read_actions(struct source *s, struct ts_tool *t) {
  const struct ts_json *j = &s->l->index;
  uint32_t list = TS_JSON_GET(j, 0, "actions");
  size_t n = 0;
  if (is_absent(j, list)) return 0;
  for (uint32_t e = ts_json_first(j, list); e; e = ts_json_after(j, list, e)) n++;
  t->action_list = ts_arena_alloc(&s->l->c->arena, n * sizeof *t->action_list);
  for (uint32_t e = ts_json_first(j, list); e; e = ts_json_after(j, list, e))
    if (read_action(s, e, &t->action_list[t->action_count++]) < 0) return -1;
  return 0;
}

/* {"set":{…},"rename":{"old":"new"},"drop":["…"]} */
static int check_argument_map(struct source *s) {
  const struct ts_json *j = &s->l->index;
  uint32_t map = TS_JSON_GET(j, 0, "arguments");
  if (is_absent(j, map)) return 0;
  uint32_t set = TS_JSON_GET(j, map, "set"), rename = TS_JSON_GET(j, map, "rename"), drop = TS_JSON_GET(j, map, "drop");
  struct ts_str *list;
  size_t count;
  if (set && !ts_json_is(j, set, TS_JSON_OBJECT)) return refuse(s, "arguments.set", "is not an object");
  if (rename && !ts_json_is(j, rename, TS_JSON_OBJECT)) return refuse(s, "arguments.rename", "is not an object");
  for (uint32_t k = rename ? ts_json_first(j, rename) : 0; k; k = ts_json_after(j, rename, k))
    if (!ts_json_is(j, k + 1, TS_JSON_STRING))
      return refuse(s, "arguments.rename", "names something that is no string");
  return drop ? read_list(s, "arguments.drop", drop, &list, &count) : 0;
}

static int read_lifecycle(struct source *s, struct ts_tool *t) {
  const struct ts_json *j = &s->l->index;
  uint32_t replay = TS_JSON_GET(j, 0, "replay_supported"), origin = TS_JSON_GET(j, 0, "origin");
  t->state = ts_state_find(ts_json_text(j, TS_JSON_GET(j, 0, "state"), &s->l->scratch));
  if (t->state == TS_STATES || ts_state_row(t->state)->alias != t->is_alias)
    return refuse(s, "state",
                  t->is_alias ? "of an alias is hidden-compatibility, deprecated or removed"
                              : "of a tool is active or deferred (a retired name is an alias)");
  if (!is_absent(j, origin)) t->origin = ts_origin_find(ts_json_text(j, origin, &s->l->scratch));
  if (t->origin == TS_ORIGINS) return refuse(s, "origin", "is not native, mcp or synthetic");
  if (t->is_alias && !is_absent(j, replay) && !fits(j, replay, FLAG))
    return refuse(s, "replay_supported", "is not true or false");
  t->has_replay_supported = t->is_alias && !is_absent(j, replay);
  t->replay_supported = t->has_replay_supported ? j->node[replay].kind == TS_JSON_TRUE : t->state != TS_REMOVED;
  return 0;
}

static int read_tool(struct source *s) {
  const struct ts_json *j = &s->l->index;
  struct ts_catalog *c = s->l->c;
  struct ts_tool t = { .is_alias = s->kind == TS_RECORD_ALIAS, .record = s->record, .twin = SIZE_MAX };
  if (read_members(s, (char *)&t) < 0 || read_lifecycle(s, &t) < 0) return -1;
  if (t.is_alias ? check_argument_map(s) < 0 : read_actions(s, &t) < 0) return -1;
  uint32_t served = TS_JSON_GET(j, 0, "served");
  if (ts_json_is(j, served, TS_JSON_OBJECT)) t.served = ts_json_raw(j, served);
  t.place = ts_load_place(s->l, s->at);
  ts_xgrow(&c->tool, &c->tool_cap, c->tool_count + 1, sizeof *c->tool);
  c->tool[c->tool_count++] = t;
  return 0;
}

static int read_profile(struct source *s) {
  const struct ts_json *j = &s->l->index;
  struct ts_catalog *c = s->l->c;
  struct ts_profile p = { .record = s->record, .place = ts_load_place(s->l, s->at) };
  uint32_t first_turn = TS_JSON_GET(j, 0, "first_turn"), exclude = TS_JSON_GET(j, 0, "exclude");
  if (read_members(s, (char *)&p) < 0) return -1;
  p.has_first_turn = !is_absent(j, first_turn);
  if (p.has_first_turn && read_list(s, "first_turn", first_turn, &p.first_turn, &p.first_turn_count) < 0) return -1;
  if (!is_absent(j, exclude) && read_list(s, "exclude", exclude, &p.exclude, &p.exclude_count) < 0) return -1;
  size_t i = *ts_map_at(&ts_loading(c)->profiles, p.name, c->profile_count);
  ts_xgrow(&c->profile, &c->profile_cap, i + 1, sizeof *c->profile);
  c->profile[i] = p;
  if (i == c->profile_count) c->profile_count++;
  return 0;
}

static int read_mode(struct source *s) {
  struct ts_catalog *c = s->l->c;
  struct ts_mode m = { .record = s->record, .place = ts_load_place(s->l, s->at) };
  if (read_members(s, (char *)&m) < 0) return -1;
  m.mcp_active = ts_str_is(m.mcp, ts_state_row(TS_ACTIVE)->name);
  size_t i = *ts_map_at(&ts_loading(c)->modes, m.name, c->mode_count);
  ts_xgrow(&c->mode, &c->mode_cap, i + 1, sizeof *c->mode);
  c->mode[i] = m;
  if (i == c->mode_count) c->mode_count++;
  return 0;
}

static int read_state(struct source *s) {
  const struct ts_json *j = &s->l->index;
  struct ts_loading *loading = ts_loading(s->l->c);
  struct ts_pending_state p = { .place = ts_load_place(s->l, s->at) };
  if (read_members(s, (char *)&p) < 0) return -1;
  p.state = ts_state_find(ts_json_text(j, TS_JSON_GET(j, 0, "state"), &s->l->scratch));
  if (p.state == TS_STATES || ts_state_row(p.state)->alias)
    return refuse(s, "state", "of a tool is active or deferred (a retired name is an alias)");
  ts_xgrow(&loading->state, &loading->state_cap, loading->state_count + 1, sizeof *loading->state);
  loading->state[loading->state_count++] = p;
  return 0;
}

int ts_record_take(struct ts_loader *l, uint32_t node, const struct ts_record_form *form) {
  struct source s = { .l = l, .at = l->json.node[node].start, .kind = form->kind };
  ts_buf_clear(&l->made);
  ts_record_write(&l->json, node, form, &l->made);
  s.record = ts_arena_dup(&l->c->arena, ts_buf_str(&l->made));
  if (ts_json_scan(&l->index, s.record, NULL) < 0) return ts_load_fail(l, s.at, "record: %s", l->index.reason);
  uint32_t name = TS_JSON_GET(&l->index, 0, "name");
  bool unnamed_header = form->kind == TS_RECORD_CATALOG && is_absent(&l->index, name);
  if (!ts_json_is(&l->index, name, TS_JSON_STRING) && !unnamed_header)
    return ts_load_fail(l, s.at, "%s without a name", kinds[form->kind].type);
  if (name) s.name = text_of(&s, name);
  return kinds[form->kind].read(&s);
}
