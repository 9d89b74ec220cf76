#include "transcript/discovery.h"

/* An agent's compaction is not the session's: what the session was told stays told. */
static struct ts_hash128 hash_of(struct ts_str session, struct ts_window w, struct ts_str name) {
  const struct ts_str parts[] = { session, ts_str((const char *)&w.session, sizeof w.session), name };
  return ts_hash128(parts, TS_COUNT(parts));
}

/* A tool's name is its own member in most lists; the Chat format has it one level down. */
static const struct ts_json_want function_wants[] = { { TS_STR("name"), NULL } };
static const struct ts_json_shape function = { function_wants, TS_COUNT(function_wants), NULL };
static const struct ts_json_want tool_wants[] = { { TS_STR("name"), NULL }, { TS_STR("function"), &function } };
static const struct ts_json_shape tool = { tool_wants, TS_COUNT(tool_wants), NULL };
static const struct ts_json_shape list = { NULL, 0, &tool };

static void take_list(struct ts_discovery *d, const struct ts_event *e, struct ts_window w) {
  struct ts_json *j = &d->json;
  if (ts_json_scan(j, e->tools, &list) < 0) return;
  for (uint32_t at = ts_json_first(j, 0); at; at = ts_json_after(j, 0, at)) {
    uint32_t name = TS_JSON_GET(j, at, "name");
    if (name == 0) name = TS_JSON_GET(j, TS_JSON_GET(j, at, "function"), "name");
    if (ts_json_is(j, name, TS_JSON_STRING))
      ts_seen_add(&d->names, hash_of(e->session, w, ts_json_text(j, name, &d->scratch)), 0);
  }
}

void ts_discovery_event(struct ts_discovery *d, const struct ts_event *e, struct ts_window w) {
  ts_seen_add(&d->sessions, ts_hash128(&e->session, 1), 0);
  if (e->kind == TS_EVENT_CATALOG)
    take_list(d, e, w);
  else
    ts_seen_add(&d->names, hash_of(e->session, w, e->name), 0);
}

bool ts_discovery_recorded(const struct ts_discovery *d, struct ts_str session) {
  return d->sessions.count > 0 && ts_seen_find(&d->sessions, ts_hash128(&session, 1)) != NULL;
}

bool ts_discovery_has(const struct ts_discovery *d, struct ts_str session, struct ts_window w, struct ts_str name) {
  return d->names.count > 0 && ts_seen_find(&d->names, hash_of(session, w, name)) != NULL;
}

void ts_discovery_forget(struct ts_discovery *d) {
  ts_seen_free(&d->sessions);
  ts_seen_free(&d->names);
}

void ts_discovery_free(struct ts_discovery *d) {
  ts_discovery_forget(d);
  ts_json_free(&d->json);
  ts_buf_free(&d->scratch);
  *d = (struct ts_discovery){ 0 };
}
