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

/* The action that the arguments name; empty when they name none. */
static void find_action(struct ts_str arguments, struct ts_buf *action) {
  struct ts_json j = { 0 };
  struct ts_buf scratch = { 0 };
  if (arguments.len > 0 && ts_json_scan(&j, arguments, NULL) == 0 && ts_json_root_is(&j, TS_JSON_OBJECT)) {
    uint32_t node = TS_JSON_GET(&j, 0, "action");
    if (ts_json_is(&j, node, TS_JSON_STRING)) ts_buf_set(action, ts_json_text(&j, node, &scratch));
  }
  ts_buf_free(&scratch);
  ts_json_free(&j);
}

/* The action that an alias sets, by itself or in its argument map; empty: none. */
static void alias_action(const struct ts_tool *alias, struct ts_buf *action) {
  struct ts_json j = { 0 };
  ts_buf_set(action, alias->action);
  if (alias->action.len == 0 && alias->arguments.len > 0 && ts_json_scan(&j, alias->arguments, NULL) == 0) {
    uint32_t set = TS_JSON_GET(&j, 0, "set");
    if (ts_json_is(&j, set, TS_JSON_OBJECT)) find_action(ts_json_raw(&j, set), action);
  }
  ts_json_free(&j);
}

/* Is alias another name of this very call? A call whose arguments name no action might be any of the tool's
 * actions: for a prohibition it counts as all of them, for a permission as none. */
static bool is_twin(const struct ts_tool *alias, struct ts_str canonical, struct ts_str action, bool unknown_counts) {
  if (!alias->is_alias || !ts_str_eq(alias->replacement, canonical)) return false;
  struct ts_buf sets = { 0 };
  alias_action(alias, &sets);
  bool twin = sets.len == 0 || ts_str_eq(ts_buf_str(&sets), action) || (action.len == 0 && unknown_counts);
  ts_buf_free(&sets);
  return twin;
}

static const struct ts_str *match_any_name(const struct ts_str *patterns, size_t count, const struct ts_catalog *c,
                                           const struct ts_route *r, struct ts_str action, bool unknown_counts) {
  const struct ts_str *hit = match(patterns, count, r->name);
  if (!hit && r->canonical.len > 0) hit = match(patterns, count, r->canonical);
  for (size_t i = 0; i < c->tool_count && !hit && r->canonical.len > 0; i++)
    if (is_twin(&c->tool[i], r->canonical, action, unknown_counts)) hit = match(patterns, count, c->tool[i].name);
  return hit;
}

bool ts_policy_permits(const struct ts_policy *p, const struct ts_catalog *c, const struct ts_route *r,
                       struct ts_str arguments, struct ts_buf *why) {
  if (!p->has_allow && p->deny_count == 0) return true;
  struct ts_buf action = { 0 };
  find_action(arguments, &action);
  struct ts_str a = ts_buf_str(&action);
  const struct ts_str *denied = match_any_name(p->deny, p->deny_count, c, r, a, true);
  bool allowed = !p->has_allow || match_any_name(p->allow, p->allow_count, c, r, a, false) != NULL;
  if (denied)
    ts_fail(why, "'%.*s' is denied by '%.*s'", TS_FMT(r->name), TS_FMT(*denied));
  else if (!allowed)
    ts_fail(why, "'%.*s' is not on the list of allowed names", TS_FMT(r->name));
  ts_buf_free(&action);
  return !denied && allowed;
}
