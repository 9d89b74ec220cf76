#include "base/xalloc.h"
#include "check/drift_run.h"

static ts_drift_check *const checks[] = { ts_drift_names, ts_drift_lifecycle, ts_drift_contents, ts_drift_head };

void ts_drift_report(struct ts_drift_run *d, enum ts_rule_id rule, struct ts_drift_spot spot, const char *format, ...) {
  struct ts_buf message = { 0 };
  va_list args;
  va_start(args, format);
  ts_buf_addv(&message, format, args);
  va_end(args);
  const struct ts_tool *t = spot.pair ? (spot.pair->after ? spot.pair->after : spot.pair->before) : NULL;
  struct ts_finding f = { .rule = rule, .vector = spot.vector, .message = ts_buf_str(&message) };
  f.name = t ? t->name : spot.name;
  f.place = t ? t->place : d->after->header_place;
  f.has_pointer = spot.pointer != NULL;
  f.pointer = ts_str_z(spot.pointer);
  f.old_value = spot.old_value;
  f.new_value = spot.new_value;
  f.witness = spot.witness;
  if (spot.pair && ts_pair_gone(spot.pair) && d->options->waived && d->options->waived(d->options->waived_context, &f))
    spot.pair->waived = true;
  d->report(d->context, &f);
  ts_buf_free(&message);
}

static void add_pair(struct ts_drift_run *d, const struct ts_tool *before, const struct ts_tool *after) {
  ts_xgrow(&d->pair, &d->pair_cap, d->pair_count + 1, sizeof *d->pair);
  d->pair[d->pair_count++] = (struct ts_pair){ before, after, false };
}

static const struct ts_tool *next(const struct ts_catalog *c, const struct ts_tool *t) {
  return t ? ts_catalog_twin(c, t) : NULL;
}

/* Names in the order of the old catalog, then the new ones in theirs. */
static void make_pairs(struct ts_drift_run *d) {
  for (size_t i = 0; i < d->before->tool_count; i++) {
    const struct ts_tool *before = &d->before->tool[i], *after = ts_catalog_find(d->after, before->name);
    if (ts_catalog_find(d->before, before->name) != before) continue;
    for (; before || after; before = next(d->before, before), after = next(d->after, after)) add_pair(d, before, after);
  }
  for (size_t i = 0; i < d->after->tool_count; i++)
    if (!ts_catalog_find(d->before, d->after->tool[i].name)) add_pair(d, NULL, &d->after->tool[i]);
}

void ts_drift(const struct ts_catalog *before, const struct ts_catalog *after, const struct ts_drift_options *o,
              ts_finding_fn *report, void *context) {
  struct ts_drift_run d = { .before = before, .after = after, .options = o, .report = report, .context = context };
  d.has_now = ts_version_parse(after->version, &d.now) == 0;
  make_pairs(&d);
  for (size_t i = 0; i < TS_COUNT(checks); i++) checks[i](&d);
  free(d.pair);
}
