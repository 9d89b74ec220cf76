#include "catalog/resolve.h"

#include "catalog/surface.h"
#include "catalog/version.h"
#include "json/write.h"

/* The record that answers for a name: the first one that is on. */
static const struct ts_tool *find(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name) {
  const struct ts_tool *t = ts_catalog_find(c, name);
  while (t && !ts_surface_has(s, t->feature)) t = ts_catalog_twin(c, t);
  return t;
}

/* The tool that an alias reaches. An alias that has the name of a tool as well does not hide it. */
static const struct ts_tool *find_tool(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name) {
  const struct ts_tool *t = ts_catalog_find(c, name);
  while (t && (t->is_alias || !ts_surface_has(s, t->feature))) t = ts_catalog_twin(c, t);
  return t;
}

void ts_resolve(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name, struct ts_route *out) {
  const struct ts_tool *called = find(c, s, name);
  *out = (struct ts_route){ .name = name, .called = called, .state = TS_UNKNOWN_NAME };
  if (!called) return;
  out->state = ts_surface_state(c, s, called);
  if (called->is_alias) out->canonical = called->replacement;
  if (!ts_state_row(called->state)->dispatches) return;
  bool keeps_handler = !called->is_alias || called->replacement.len == 0;
  out->tool = keeps_handler ? called : find_tool(c, s, called->replacement);
  if (!out->tool) return;
  out->canonical = out->tool->name;
  out->dispatches = true;
}

/* printf would end a name at a NUL in it. */
static void quote(struct ts_buf *out, const char *before, struct ts_str name) {
  ts_buf_addz(out, before);
  ts_buf_addc(out, '\'');
  ts_buf_add(out, name);
  ts_buf_addc(out, '\'');
}

static void explain_removed(const struct ts_tool *t, struct ts_buf *out) {
  bool is_planned = ts_version_is_set(t->planned_removal_version), is_dated = t->first_deprecated_version.len > 0;
  quote(out, "tool ", t->name);
  ts_buf_addz(out, " is removed");
  if (is_planned || is_dated) ts_buf_addz(out, " (");
  if (is_dated) ts_buf_addf(out, "deprecated since %.*s", TS_FMT(t->first_deprecated_version));
  if (is_planned)
    ts_buf_addf(out, "%sits removal was planned for %.*s", is_dated ? ", " : "", TS_FMT(t->planned_removal_version));
  if (is_planned || is_dated) ts_buf_addc(out, ')');
  if (t->replacement.len == 0) return;
  quote(out, ": use ", t->replacement);
  if (t->action.len > 0) quote(out, " with action ", t->action);
  ts_buf_addz(out, " instead");
}

/* Why an alias that should dispatch does not. */
static void explain_unusable(const struct ts_catalog *c, const struct ts_tool *t, struct ts_buf *out) {
  const struct ts_tool *replacement = ts_catalog_find(c, t->replacement);
  const char *why = !replacement            ? "which is not in the catalog"
                    : replacement->is_alias ? "which is an alias itself"
                                            : "whose feature is off";
  quote(out, "tool ", t->name);
  quote(out, " cannot run: it stands for ", t->replacement);
  ts_buf_addf(out, ", %s", why);
}

static void explain_unknown(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name,
                            struct ts_buf *out) {
  struct ts_str suggestion[TS_SUGGESTIONS], list = TS_STR("todo_write");
  const struct ts_tool *writer = find_tool(c, s, list);
  quote(out, "unknown tool ", name);
  if (writer && ts_is_list_entry(name)) {
    ts_buf_addf(out, ": an entry of the to-do list is no tool; write the whole list with '%.*s'", TS_FMT(list));
    return;
  }
  size_t count = ts_suggest(c, s, name, suggestion);
  for (size_t i = 0; i < count; i++)
    quote(out, i == 0 ? ": did you mean " : i + 1 < count ? ", " : " or ", suggestion[i]);
  if (count > 0) ts_buf_addc(out, '?');
}

void ts_route_explain(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_route *r,
                      struct ts_buf *out) {
  struct ts_buf plain = { 0 };
  if (!r->called)
    explain_unknown(c, s, r->name, &plain);
  else if (r->state == TS_REMOVED)
    explain_removed(r->called, &plain);
  else if (!r->dispatches)
    explain_unusable(c, r->called, &plain);
  ts_visible(out, ts_buf_str(&plain));
  ts_buf_free(&plain);
}

void ts_route_members(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_route *r,
                      struct ts_buf *out) {
  struct ts_str suggestion[TS_SUGGESTIONS];
  struct ts_buf message = { 0 };
  struct ts_jw w = ts_jw(out);
  size_t count = r->called ? 0 : ts_suggest(c, s, r->name, suggestion);
  ts_route_explain(c, s, r, &message);
  if (count > 0) {
    ts_jw_key(&w, "suggestions");
    ts_jw_open(&w, '[');
    for (size_t i = 0; i < count; i++) ts_jw_str(&w, suggestion[i]);
    ts_jw_close(&w, ']');
  }
  ts_jw_member(&w, "message", ts_buf_str(&message));
  ts_buf_free(&message);
}
