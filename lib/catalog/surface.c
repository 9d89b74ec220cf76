#include "catalog/surface.h"

bool ts_surface_has(const struct ts_surface *s, struct ts_str feature) {
  if (feature.len == 0 || !s->some_features) return true;
  for (size_t i = 0; i < s->feature_count; i++)
    if (ts_str_eq(s->feature[i], feature)) return true;
  return false;
}

/* NULL: the catalog has no such mode. */
static const struct ts_mode *find_mode(const struct ts_catalog *c, const struct ts_surface *s) {
  struct ts_str name = s->mode.len > 0 ? s->mode : TS_STR("agent");
  for (size_t i = 0; i < c->mode_count; i++)
    if (ts_str_eq(c->mode[i].name, name)) return &c->mode[i];
  return NULL;
}

static enum ts_state state_in(const struct ts_mode *mode, const struct ts_tool *t) {
  if (t->is_alias) return t->state;
  if (t->origin == TS_SYNTHETIC || (t->origin == TS_MCP && mode && mode->mcp_active)) return TS_ACTIVE;
  return t->state;
}

enum ts_state ts_surface_state(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_tool *t) {
  return state_in(t->origin == TS_MCP ? find_mode(c, s) : NULL, t);
}

bool ts_surface_next(const struct ts_catalog *c, struct ts_surface *s, size_t *at) {
  size_t profiles = c->profile_count + 1, mode = *at / profiles, profile = *at % profiles;
  if (mode >= c->mode_count) return false;
  s->mode = c->mode[mode].name;
  s->profile = profile > 0 ? c->profile[profile - 1].name : TS_STR("");
  (*at)++;
  return true;
}

static int refuse_mode(const struct ts_catalog *c, struct ts_str name, struct ts_buf *err) {
  struct ts_buf names = { 0 };
  for (size_t i = 0; i < c->mode_count; i++) ts_buf_addf(&names, "%s%.*s", i > 0 ? ", " : "", TS_FMT(c->mode[i].name));
  ts_fail(err, "no mode '%.*s': there are %s", TS_FMT(name), ts_buf_z(&names));
  ts_buf_free(&names);
  return -1;
}

static int refuse_profile(const struct ts_catalog *c, struct ts_str name, struct ts_buf *err) {
  struct ts_buf names = { 0 };
  for (size_t i = 0; i < c->profile_count; i++)
    ts_buf_addf(&names, "%s%.*s", i > 0 ? ", " : "", TS_FMT(c->profile[i].name));
  ts_fail(err, "no profile '%.*s': there %s %s", TS_FMT(name), c->profile_count == 1 ? "is" : "are",
          names.len > 0 ? ts_buf_z(&names) : "none");
  ts_buf_free(&names);
  return -1;
}

int ts_scope_open(struct ts_scope *o, const struct ts_catalog *c, const struct ts_surface *s, struct ts_buf *err) {
  *o = (struct ts_scope){ .surface = s, .mode = find_mode(c, s) };
  if (!o->mode) return refuse_mode(c, s->mode, err);
  if (s->profile.len == 0) return 0;
  for (size_t i = 0; i < c->profile_count; i++)
    if (ts_str_eq(c->profile[i].name, s->profile)) o->profile = &c->profile[i];
  if (!o->profile) return refuse_profile(c, s->profile, err);
  for (size_t i = 0; i < o->profile->first_turn_count; i++) (void)ts_map_at(&o->kept, o->profile->first_turn[i], i);
  for (size_t i = 0; i < o->profile->exclude_count; i++) (void)ts_map_at(&o->excluded, o->profile->exclude[i], i);
  return 0;
}

void ts_scope_close(struct ts_scope *o) {
  ts_map_free(&o->kept);
  ts_map_free(&o->excluded);
}

bool ts_scope_has(const struct ts_scope *o, const struct ts_tool *t) {
  return ts_surface_has(o->surface, t->feature) && ts_map_get(&o->excluded, t->name) == TS_MAP_NONE;
}

enum ts_state ts_scope_state(const struct ts_scope *o, const struct ts_tool *t) { return state_in(o->mode, t); }

bool ts_scope_first_turn(const struct ts_scope *o, const struct ts_tool *t) {
  bool restricted = t->origin == TS_NATIVE && o->profile && o->profile->has_first_turn;
  if (!ts_scope_has(o, t) || !ts_state_row(ts_scope_state(o, t))->first_turn) return false;
  return !restricted || ts_map_get(&o->kept, t->name) != TS_MAP_NONE;
}

bool ts_scope_searchable(const struct ts_scope *o, const struct ts_tool *t) {
  return ts_scope_has(o, t) && ts_state_row(ts_scope_state(o, t))->searchable;
}
