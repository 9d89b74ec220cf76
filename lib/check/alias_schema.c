#include "check/alias_schema.h"

#include "json/write.h"
#include "schema/subset.h"

/* An alias's argument map, read: objects `rename` and `set`, list `drop`. */
struct map {
  struct ts_json j;
  uint32_t rename, set, drop; /* 0: not there */
  struct ts_str action;       /* short for set.action */
  bool any;
};

static void read_map(struct map *m, const struct ts_tool *alias) {
  *m = (struct map){ .action = alias ? alias->action : TS_STR("") };
  if (alias && alias->arguments.len > 0 && ts_json_scan(&m->j, alias->arguments, NULL) == 0) {
    m->rename = TS_JSON_GET(&m->j, 0, "rename");
    m->set = TS_JSON_GET(&m->j, 0, "set");
    m->drop = TS_JSON_GET(&m->j, 0, "drop");
  }
  m->any = m->action.len > 0 || m->rename || m->set || m->drop;
}

static bool drops(const struct map *m, struct ts_str name) {
  for (uint32_t e = m->drop ? ts_json_first(&m->j, m->drop) : 0; e; e = ts_json_after(&m->j, m->drop, e))
    if (ts_json_says(&m->j, e, name)) return true;
  return false;
}

static bool sets(const struct map *m, struct ts_str name) {
  if (m->action.len > 0 && ts_str_is(name, "action")) return true;
  return m->set && ts_json_get(&m->j, m->set, name) != 0;
}

/* The name that a property has behind the map; *scratch may hold it. */
static struct ts_str renamed(const struct map *m, struct ts_str name, struct ts_buf *scratch) {
  uint32_t to = m->rename ? ts_json_get(&m->j, m->rename, name) : 0;
  return to ? ts_json_text(&m->j, to, scratch) : name;
}

static void write_const(struct ts_jw *w, struct ts_str name, struct ts_str value) {
  ts_jw_key_str(w, name);
  ts_jw_open(w, '{');
  ts_jw_member_raw(w, "const", value);
  ts_jw_close(w, '}');
}

/* What the map sets, each by `put`: as a property, or as a name that is always there. */
static void each_set(const struct map *m, struct ts_jw *w, bool as_property) {
  struct ts_buf name = { 0 }, quoted = { 0 };
  if (m->action.len > 0) {
    ts_json_quote(&quoted, m->action);
    if (as_property)
      write_const(w, TS_STR("action"), ts_buf_str(&quoted));
    else
      ts_jw_str(w, TS_STR("action"));
  }
  for (uint32_t k = m->set ? ts_json_first(&m->j, m->set) : 0; k; k = ts_json_after(&m->j, m->set, k)) {
    struct ts_str key = ts_json_text(&m->j, k, &name);
    if (as_property)
      write_const(w, key, ts_json_raw(&m->j, k + 1));
    else
      ts_jw_str(w, key);
  }
  ts_buf_free(&name);
  ts_buf_free(&quoted);
}

static void map_properties(const struct map *m, const struct ts_json *j, uint32_t object, struct ts_jw *w) {
  struct ts_buf from = { 0 }, to = { 0 };
  ts_jw_key(w, "properties");
  ts_jw_open(w, '{');
  for (uint32_t k = object ? ts_json_first(j, object) : 0; k; k = ts_json_after(j, object, k)) {
    struct ts_str name = ts_json_text(j, k, &from);
    if (drops(m, name)) continue;
    name = renamed(m, name, &to);
    if (sets(m, name)) continue;
    ts_jw_key_str(w, name);
    ts_jw_raw(w, ts_json_raw(j, k + 1));
  }
  each_set(m, w, true);
  ts_jw_close(w, '}');
  ts_buf_free(&from);
  ts_buf_free(&to);
}

static void map_required(const struct map *m, const struct ts_json *j, uint32_t array, struct ts_jw *w) {
  struct ts_buf from = { 0 }, to = { 0 };
  ts_jw_key(w, "required");
  ts_jw_open(w, '[');
  for (uint32_t e = array ? ts_json_first(j, array) : 0; e; e = ts_json_after(j, array, e)) {
    struct ts_str name = ts_json_text(j, e, &from);
    if (drops(m, name)) continue;
    name = renamed(m, name, &to);
    if (!sets(m, name)) ts_jw_str(w, name);
  }
  each_set(m, w, false);
  ts_jw_close(w, ']');
  ts_buf_free(&from);
  ts_buf_free(&to);
}

/* The schema of what comes out of the map when what goes in fits `schema`. -1: it is no object. */
static int map_schema(const struct map *m, struct ts_str schema, struct ts_buf *out) {
  struct ts_json j = { 0 };
  struct ts_jw w = ts_jw(out);
  int status = ts_json_scan(&j, schema, NULL) == 0 && ts_json_root_is(&j, TS_JSON_OBJECT) ? 0 : -1;
  if (status == 0) {
    uint32_t properties = TS_JSON_GET(&j, 0, "properties"), required = TS_JSON_GET(&j, 0, "required");
    ts_jw_open(&w, '{');
    for (uint32_t k = ts_json_first(&j, 0); k; k = ts_json_after(&j, 0, k)) {
      if (k + 1 == properties || k + 1 == required) continue;
      struct ts_buf key = { 0 };
      ts_jw_key_str(&w, ts_json_text(&j, k, &key));
      ts_jw_raw(&w, ts_json_raw(&j, k + 1));
      ts_buf_free(&key);
    }
    map_properties(m, &j, ts_json_is(&j, properties, TS_JSON_OBJECT) ? properties : 0, &w);
    map_required(m, &j, ts_json_is(&j, required, TS_JSON_ARRAY) ? required : 0, &w);
    ts_jw_close(&w, '}');
  }
  ts_json_free(&j);
  return status;
}

/* Back to what the caller sends: names as they were, without what the map sets. */
static void unmap_witness(const struct map *m, struct ts_str mapped, struct ts_buf *out) {
  struct ts_json j = { 0 };
  struct ts_buf name = { 0 }, other = { 0 };
  struct ts_jw w = ts_jw(out);
  if (ts_json_scan(&j, mapped, NULL) == 0 && ts_json_root_is(&j, TS_JSON_OBJECT)) {
    ts_jw_open(&w, '{');
    for (uint32_t k = ts_json_first(&j, 0); k; k = ts_json_after(&j, 0, k)) {
      struct ts_str key = ts_json_text(&j, k, &name);
      if (sets(m, key)) continue;
      for (uint32_t r = m->rename ? ts_json_first(&m->j, m->rename) : 0; r; r = ts_json_after(&m->j, m->rename, r))
        if (ts_json_says(&m->j, r + 1, key)) key = ts_json_text(&m->j, r, &other);
      ts_jw_key_str(&w, key);
      ts_jw_raw(&w, ts_json_raw(&j, k + 1));
    }
    ts_jw_close(&w, '}');
  }
  ts_buf_free(&name);
  ts_buf_free(&other);
  ts_json_free(&j);
}

int ts_alias_schema_fits(const struct ts_tool *alias, struct ts_str schema, const struct ts_tool *tool,
                         struct ts_buf *witness) {
  if (schema.len == 0 || tool->input_schema.len == 0) return 1;
  struct map m;
  struct ts_buf mapped = { 0 }, found = { 0 };
  read_map(&m, alias);
  int fits = m.any ? map_schema(&m, schema, &mapped) : 0;
  struct ts_schema *sent = fits == 0 ? ts_schema_parse(m.any ? ts_buf_str(&mapped) : schema, NULL) : NULL;
  struct ts_schema *taken = ts_schema_parse(tool->input_schema, NULL);
  fits = sent && taken ? ts_schema_fits(sent, taken, &found) : -1;
  if (fits == 0 && witness && m.any) unmap_witness(&m, ts_buf_str(&found), witness);
  if (fits == 0 && witness && !m.any) ts_buf_add(witness, ts_buf_str(&found));
  ts_schema_free(sent);
  ts_schema_free(taken);
  ts_buf_free(&mapped);
  ts_buf_free(&found);
  ts_json_free(&m.j);
  return fits;
}
