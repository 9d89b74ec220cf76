#include "report/report.h"

#include "base/diag.h"
#include "base/xalloc.h"
#include "report/format.h"

static const struct ts_reporter *const reporters[] = {
  &ts_report_text, &ts_report_jsonl, &ts_report_github, &ts_report_sarif, &ts_report_junit, &ts_report_markdown,
};

const struct ts_reporter *ts_reporter_at(size_t i) { return i < TS_COUNT(reporters) ? reporters[i] : NULL; }

const struct ts_reporter *ts_reporter_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(reporters); i++)
    if (ts_str_is(name, reporters[i]->name)) return reporters[i];
  return NULL;
}

const char *ts_reporter_name(const struct ts_reporter *r) { return r->name; }

struct ts_report *ts_report_open(const struct ts_reporter *reporter, const struct ts_report_spec *spec,
                                 struct ts_buf *out) {
  struct ts_report *r = ts_xcalloc(1, sizeof *r);
  r->reporter = reporter;
  r->spec = *spec;
  r->spec.parts |= 1u << TS_INTEGRITY;
  r->out = out;
  if (reporter->open) reporter->open(r);
  return r;
}

void ts_report_finding(struct ts_report *r, const struct ts_finding *f) {
  r->count[ts_finding_severity(f)]++;
  r->reporter->finding(r, f);
}

void ts_report_summary(struct ts_report *r, struct ts_str record, struct ts_str text) {
  if (r->reporter->summary) r->reporter->summary(r, record, text);
  r->is_summed_up = true;
}

void ts_report_close(struct ts_report *r) {
  if (r->reporter->close) r->reporter->close(r);
  free(r->state);
  free(r);
}

size_t ts_report_count_of(const struct ts_report *r, enum ts_level severity) { return r->count[severity]; }

size_t ts_report_count(const struct ts_report *r) {
  size_t all = 0;
  for (int i = 0; i < TS_LEVELS; i++) all += r->count[i];
  return all;
}

void ts_report_sentence(struct ts_buf *out, const struct ts_finding *f) {
  ts_buf_add(out, f->message);
  if (f->witness.len == 0) return;
  ts_buf_addz(out, "; witness ");
  ts_json_minify(out, f->witness);
}

void ts_report_place(struct ts_buf *out, const struct ts_place *p) {
  if (p->file.len == 0) return;
  ts_visible(out, p->file);
  if (p->line > 0) ts_buf_addf(out, ":%llu", (unsigned long long)p->line);
  if (p->line > 0 && p->column > 0) ts_buf_addf(out, ":%llu", (unsigned long long)p->column);
}

void ts_report_number(struct ts_buf *out, size_t n, const char *one) {
  ts_buf_addf(out, "%zu %s%s", n, one, n == 1 ? "" : "s");
}

void ts_report_totals(struct ts_buf *out, const struct ts_report *r) {
  const char *before = "";
  for (int i = TS_LEVELS - 1; i > TS_OFF; i--) {
    if (r->count[i] == 0) continue;
    ts_buf_addz(out, before);
    if (i == TS_UNKNOWN) /* an adjective */
      ts_buf_addf(out, "%zu unknown", r->count[i]);
    else
      ts_report_number(out, r->count[i], ts_level_name((enum ts_level)i));
    before = ", ";
  }
  if (*before == '\0') ts_buf_addz(out, "no findings");
}
