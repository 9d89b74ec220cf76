#include "dispatch/policy.h"

#include "base/xalloc.h"
#include "json/scan.h"

static void add_list(struct ts_str **items, size_t *count, size_t *cap, const char *list) {
  struct ts_str rest = ts_str_z(list);
  while (rest.len > 0) {
    size_t comma = ts_str_find(rest, TS_STR(","));
    struct ts_str item = ts_str_trim(ts_str_sub(rest, 0, comma), " ");
    rest = comma == SIZE_MAX ? TS_STR("") : ts_str_sub(rest, comma + 1, rest.len);
    if (item.len == 0) continue;
    ts_xgrow(items, cap, *count + 1, sizeof **items);
    (*items)[(*count)++] = item;
  }
}

void ts_policy_allow(struct ts_policy *p, const char *list) {
  p->has_allow = true;
  add_list(&p->allow, &p->allow_count, &p->allow_cap, list);
}

void ts_policy_deny(struct ts_policy *p, const char *list) { add_list(&p->deny, &p->deny_count, &p->deny_cap, list); }

void ts_policy_free(struct ts_policy *p) {
  free(p->allow);
  free(p->deny);
  *p = (struct ts_policy){ 0 };
}

bool ts_pattern_matches(struct ts_str pattern, struct ts_str name) {
  if (ts_str_ends(pattern, TS_STR("*"))) return ts_str_starts(name, ts_str_sub(pattern, 0, pattern.len - 1));
  return ts_str_eq(pattern, name);
}

/* The pattern that matches name, or NULL. */
static const struct ts_str *match(const struct ts_str *patterns, size_t count, struct ts_str name) {
  for (size_t i = 0; i < count; i++)
    if (ts_pattern_matches(patterns[i], name)) return &patterns[i];
  return NULL;
}

enum twin { TWIN_NO, TWIN_MAYBE, TWIN_YES };

/* Has the call the value that an alias sets? A call that leaves it out may mean any, and numbers, lists and objects
 * have many spellings. */
static enum twin same_value(const struct ts_json *call, uint32_t value, const struct ts_json *map, uint32_t set) {
  struct ts_buf scratch = { 0 };
  if (value == 0) return TWIN_MAYBE;
  bool is_string = ts_json_is(map, set, TS_JSON_STRING);
  bool is_same = is_string ? ts_json_says(call, value, ts_json_text(map, set, &scratch))
                           : ts_str_eq(ts_json_raw(call, value), ts_json_raw(map, set));
  bool is_other = is_string || call->node[value].kind != map->node[set].kind;
  ts_buf_free(&scratch);
  return is_same ? TWIN_YES : is_other ? TWIN_NO : TWIN_MAYBE;
}

/* Would the alias have led to this very call? By what its map and its `action` set. */
static enum twin is_twin(const struct ts_tool *alias, struct ts_str canonical, const struct ts_json *call) {
  struct ts_json map = { 0 };
  struct ts_buf key = { 0 };
  if (!alias->is_alias || !ts_str_eq(alias->replacement, canonical)) return TWIN_NO;
  bool has_map = alias->arguments.len > 0 && ts_json_scan(&map, alias->arguments, NULL) == 0;
  uint32_t set = has_map ? TS_JSON_GET(&map, 0, "set") : 0, action = TS_JSON_GET(call, 0, "action");
  enum twin twin = TWIN_YES;
  if (alias->action.len > 0 && !(set && TS_JSON_GET(&map, set, "action")))
    twin = action == 0 ? TWIN_MAYBE : ts_json_says(call, action, alias->action) ? TWIN_YES : TWIN_NO;
  for (uint32_t k = set ? ts_json_first(&map, set) : 0; k; k = ts_json_after(&map, set, k)) {
    enum twin same = same_value(call, ts_json_get(call, 0, ts_json_text(&map, k, &key)), &map, k + 1);
    twin = same < twin ? same : twin;
  }
  ts_buf_free(&key);
  ts_json_free(&map);
  return twin;
}

/* The pattern that matches one of the call's names: the one it was called by, the tool's, or that of an alias that is
 * its twin by at least `least`. */
static const struct ts_str *match_any_name(const struct ts_str *patterns, size_t count, const struct ts_catalog *c,
                                           const struct ts_route *r, const struct ts_json *call, enum twin least) {
  const struct ts_str *hit = match(patterns, count, r->name);
  if (!hit && r->canonical.len > 0) hit = match(patterns, count, r->canonical);
  for (size_t i = 0; i < c->tool_count && !hit && count > 0 && r->canonical.len > 0; i++)
    if (is_twin(&c->tool[i], r->canonical, call) >= least) hit = match(patterns, count, c->tool[i].name);
  return hit;
}

bool ts_policy_permits(const struct ts_policy *p, const struct ts_catalog *c, const struct ts_route *r,
                       struct ts_str arguments, struct ts_buf *why) {
  struct ts_json call = { 0 };
  if (!p->has_allow && p->deny_count == 0) return true;
  if (ts_json_scan(&call, arguments.len > 0 ? arguments : TS_STR("{}"), NULL) != 0)
    return ts_fail(why, "not JSON") == 0;
  const struct ts_str *denied = match_any_name(p->deny, p->deny_count, c, r, &call, TWIN_MAYBE);
  bool allowed = !p->has_allow || match_any_name(p->allow, p->allow_count, c, r, &call, TWIN_YES) != NULL;
  if (denied)
    ts_fail(why, "'%.*s' is denied by '%.*s'", TS_FMT(r->name), TS_FMT(*denied));
  else if (!allowed)
    ts_fail(why, "'%.*s' is not on the list of allowed names", TS_FMT(r->name));
  ts_json_free(&call);
  return !denied && allowed;
}
