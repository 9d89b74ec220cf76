#include "check/lint_run.h"

#include <inttypes.h>

static ts_lint_check *const checks[] = {
  ts_lint_names,     ts_lint_twins,   ts_lint_aliases, ts_lint_versions, ts_lint_head,
  ts_lint_launchers, ts_lint_schemas, ts_lint_text,    ts_lint_policy,
};

void ts_lint_report(struct ts_lint_run *l, enum ts_rule_id rule, struct ts_lint_spot spot, const char *format, ...) {
  struct ts_buf message = { 0 };
  va_list args;
  va_start(args, format);
  ts_buf_addv(&message, format, args);
  va_end(args);
  struct ts_finding f = { .rule = rule, .vector = spot.vector, .message = ts_buf_str(&message) };
  f.name = spot.tool ? spot.tool->name : spot.name;
  if (spot.tool) f.place = spot.tool->place;
  if (spot.place) f.place = *spot.place;
  f.has_pointer = spot.pointer != NULL;
  f.pointer = ts_str_z(spot.pointer);
  f.new_value = spot.value;
  f.witness = spot.witness;
  l->report(l->context, &f);
  ts_buf_free(&message);
}

bool ts_lint_in_some_head(const struct ts_catalog *c, const struct ts_tool *t) {
  bool mcp = false;
  if (t->is_alias) return false;
  for (size_t i = 0; i < c->mode_count; i++) mcp = mcp || c->mode[i].mcp_active;
  return t->state == TS_ACTIVE || t->origin == TS_SYNTHETIC || (t->origin == TS_MCP && mcp);
}

void ts_lint_place(struct ts_buf *out, const struct ts_place *p) {
  ts_buf_addf(out, "%.*s:%" PRIu64, TS_FMT(p->file), p->line);
}

/* "0.2.0", or "2" for two minor versions. */
static int parse_window(struct ts_lint_run *l, struct ts_buf *err) {
  struct ts_str text = l->options->window;
  if (text.len == 0) return 0;
  l->has_window = true;
  if (ts_version_parse(text, &l->window) == 0 && l->window.prerelease.len == 0) return 0;
  bool digits = text.ptr[0] != '0' || text.len == 1;
  for (size_t i = 0; i < text.len; i++) digits = digits && text.ptr[i] >= '0' && text.ptr[i] <= '9';
  if (!digits)
    return ts_fail(err, "--window takes a version such as 0.2.0, or a number of minor versions, not '%.*s'",
                   TS_FMT(text));
  l->window = (struct ts_version){ .core = { TS_STR("0"), text, TS_STR("0") } };
  return 0;
}

int ts_lint(const struct ts_catalog *c, const struct ts_lint_options *o, ts_finding_fn *report, void *context,
            struct ts_buf *err) {
  struct ts_lint_run l = { .catalog = c, .options = o, .report = report, .context = context };
  if (parse_window(&l, err) != 0) return -1;
  for (size_t i = 0; i < TS_COUNT(checks); i++) checks[i](&l);
  return 0;
}
