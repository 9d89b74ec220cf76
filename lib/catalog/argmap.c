#include "catalog/argmap.h"

#include "base/xalloc.h"
#include "json/scan.h"
#include "json/write.h"

/* What happens to the members: the alias's map, indexed, and what is set besides. */
struct map {
  struct ts_json index;
  uint32_t set, rename, drop; /* nodes of index; 0: none */
  struct ts_str action;
};

static int map_open(struct map *m, const struct ts_tool *alias, struct ts_buf *err) {
  *m = (struct map){ .action = alias->action };
  if (alias->arguments.len == 0) return 0;
  if (ts_json_scan(&m->index, alias->arguments, NULL) < 0)
    return ts_fail(err, "argument map of '%.*s': %s", TS_FMT(alias->name), m->index.reason);
  m->set = TS_JSON_GET(&m->index, 0, "set");
  m->rename = TS_JSON_GET(&m->index, 0, "rename");
  m->drop = TS_JSON_GET(&m->index, 0, "drop");
  if (m->set && TS_JSON_GET(&m->index, m->set, "action")) m->action = ts_str(NULL, 0); /* the map's own is the last */
  return 0;
}

static bool is_dropped(const struct map *m, struct ts_str key) {
  for (uint32_t e = m->drop ? ts_json_first(&m->index, m->drop) : 0; e; e = ts_json_after(&m->index, m->drop, e))
    if (ts_json_says(&m->index, e, key)) return true;
  return false;
}

/* The node of the new name's text; 0: the name stays. */
static uint32_t renamed(const struct map *m, struct ts_str key) {
  return m->rename ? ts_json_get(&m->index, m->rename, key) : 0;
}

/* The value that is set, raw; empty: none. */
static struct ts_str value_set(const struct map *m, struct ts_str key, struct ts_buf *quoted) {
  uint32_t node = m->set ? ts_json_get(&m->index, m->set, key) : 0;
  if (node) return ts_json_raw(&m->index, node);
  if (m->action.len == 0 || !ts_str_is(key, "action")) return ts_str(NULL, 0);
  ts_buf_clear(quoted);
  ts_json_quote(quoted, m->action);
  return ts_buf_str(quoted);
}

static void put(struct ts_buf *out, struct ts_str raw_key, struct ts_str raw_value) {
  if (out->ptr[out->len - 1] != '{') ts_buf_addc(out, ',');
  ts_buf_add(out, raw_key);
  ts_buf_addc(out, ':');
  ts_json_minify(out, raw_value);
}

/* One call's work: members that stay, then those that are set and were not there. */
struct work {
  const struct map *map;
  struct ts_json index; /* the arguments */
  struct ts_map seen;   /* key as the tool takes it -> was it renamed into this? */
  struct ts_arena keys;
  struct ts_buf *out, scratch, quoted;
};

static int put_member(struct work *w, uint32_t k, struct ts_str alias, struct ts_buf *err) {
  const struct map *m = w->map;
  struct ts_str key = ts_json_text(&w->index, k, &w->scratch), raw_key = ts_json_raw(&w->index, k);
  if (is_dropped(m, key)) return 0;
  uint32_t new_name = renamed(m, key);
  if (new_name) raw_key = ts_json_raw(&m->index, new_name);
  struct ts_str new_key = new_name ? ts_json_text(&m->index, new_name, &w->scratch) : key;
  new_key = ts_arena_dup(&w->keys, new_key);
  size_t before = w->seen.count, *was_renamed = ts_map_at(&w->seen, new_key, new_name != 0);
  if (w->seen.count == before && (*was_renamed || new_name))
    return ts_fail(err, "'%.*s' renames an argument to '%.*s', which the call has already", TS_FMT(alias),
                   TS_FMT(new_key));
  struct ts_str set = value_set(m, new_key, &w->quoted);
  put(w->out, raw_key, set.len > 0 ? set : ts_json_raw(&w->index, k + 1));
  return 0;
}

static void put_missing(struct work *w) {
  const struct map *m = w->map;
  struct ts_str action = TS_STR("action");
  if (m->action.len > 0 && ts_map_get(&w->seen, action) == TS_MAP_NONE)
    put(w->out, TS_STR("\"action\""), value_set(m, action, &w->quoted));
  for (uint32_t k = m->set ? ts_json_first(&m->index, m->set) : 0; k; k = ts_json_after(&m->index, m->set, k))
    if (ts_map_get(&w->seen, ts_json_text(&m->index, k, &w->scratch)) == TS_MAP_NONE)
      put(w->out, ts_json_raw(&m->index, k), ts_json_raw(&m->index, k + 1));
}

static int map_members(const struct map *m, struct ts_str alias, struct ts_str arguments, struct ts_buf *out,
                       struct ts_buf *err) {
  struct work w = { .map = m, .out = out };
  int result = 0;
  if (ts_json_scan(&w.index, arguments, NULL) < 0 || !ts_json_root_is(&w.index, TS_JSON_OBJECT))
    result = ts_fail(err, "arguments of '%.*s' are not a JSON object", TS_FMT(alias));
  if (result == 0) ts_buf_addc(out, '{');
  for (uint32_t k = result == 0 ? ts_json_first(&w.index, 0) : 0; k && result == 0; k = ts_json_after(&w.index, 0, k))
    result = put_member(&w, k, alias, err);
  if (result == 0) {
    put_missing(&w);
    ts_buf_addc(out, '}');
  }
  ts_json_free(&w.index);
  ts_map_free(&w.seen);
  ts_arena_free(&w.keys);
  ts_buf_free(&w.scratch);
  ts_buf_free(&w.quoted);
  return result;
}

int ts_argmap_apply(const struct ts_tool *alias, struct ts_str arguments, struct ts_buf *out, struct ts_buf *err) {
  struct map m;
  if (alias->action.len == 0 && alias->arguments.len == 0) {
    ts_json_minify(out, arguments);
    return 0;
  }
  int result = map_open(&m, alias, err);
  if (result == 0) result = map_members(&m, alias->name, arguments, out, err);
  ts_json_free(&m.index);
  return result;
}
