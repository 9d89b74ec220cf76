#include "transcript/output.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/findings.h"
#include "report/readback.h"
#include "transcript/tell.h"

enum { FLUSH_AT = 64 * 1024 };

struct ts_output {
  const struct ts_reporter *reporter;
  struct ts_out *out;
  struct ts_report *report;
  struct ts_buf text; /* what the report has written */
  struct ts_threshold threshold;
  bool is_text, colour;
  struct ts_json json;
  struct ts_readback back;
  struct ts_findings kept; /* text: until they can be sorted */
  uint64_t seen[TS_RULES];
};

struct ts_output *ts_output_new(const struct ts_reporter *reporter, const struct ts_report_spec *spec,
                                struct ts_out *out) {
  struct ts_output *o = ts_xcalloc(1, sizeof *o);
  o->reporter = reporter;
  o->out = out;
  o->is_text = reporter && ts_str_is(ts_str_z(ts_reporter_name(reporter)), "text");
  o->threshold = spec->threshold;
  o->colour = spec->colour;
  if (reporter) o->report = ts_report_open(reporter, spec, &o->text);
  return o;
}

static void flush(struct ts_output *o, size_t at_least) {
  if (o->text.len < at_least) return;
  ts_out_add(o->out, ts_buf_str(&o->text));
  ts_buf_clear(&o->text);
}

/* The first of each rule are shown; more of the same would hide the others. */
static void keep(struct ts_output *o, const struct ts_finding *f) {
  if (o->seen[f->rule]++ < TS_OUTPUT_PER_RULE) ts_findings_add(&o->kept, f);
}

void ts_output_record(void *output, struct ts_str record) {
  struct ts_output *o = output;
  struct ts_finding f;
  if (!o->reporter) {
    ts_out_add(o->out, record);
    return;
  }
  if (ts_json_scan(&o->json, record, NULL) < 0) return; /* our own writer made it */
  if (TS_JSON_SAYS(&o->json, TS_JSON_GET(&o->json, 0, "type"), "verdict"))
    ts_tell_verdict(&o->json, &o->text);
  else if (ts_finding_read(&o->back, &o->json, &f, NULL) == 0 && o->is_text)
    keep(o, &f);
  else
    ts_report_finding(o->report, &f);
  flush(o, FLUSH_AT);
}

static void show_kept(struct ts_output *o) {
  ts_findings_sort_by_severity(&o->kept);
  for (size_t i = 0; i < o->kept.count; i++) {
    const struct ts_finding *f = &o->kept.item[i];
    ts_report_finding(o->report, f);
    bool is_last = true;
    for (size_t next = i + 1; next < o->kept.count && is_last; next++) is_last = o->kept.item[next].rule != f->rule;
    if (is_last && o->seen[f->rule] > TS_OUTPUT_PER_RULE)
      ts_buf_addf(&o->text, "... and %llu more %s: --format jsonl lists them all\n",
                  (unsigned long long)(o->seen[f->rule] - TS_OUTPUT_PER_RULE), ts_rule(f->rule)->id);
    flush(o, FLUSH_AT);
  }
  if (o->kept.count > 0) ts_buf_addc(&o->text, '\n');
}

void ts_output_end(struct ts_output *o, struct ts_summary *s) {
  struct ts_buf record = { 0 }, text = { 0 };
  if (s) ts_summary_write(s, &record);
  if (o->is_text && s) ts_tell_report(s, &o->threshold, o->colour, &text);
  if (o->is_text) show_kept(o);
  if (!o->reporter) {
    ts_out_add(o->out, ts_buf_str(&record));
  } else {
    if (s && text.len == 0) {
      ts_tell_line(s, &text);
      ts_buf_addc(&text, '\n');
    }
    if (s) ts_report_summary(o->report, ts_buf_str(&record), ts_buf_str(&text));
    ts_report_close(o->report);
    o->report = NULL;
    flush(o, 0);
  }
  ts_buf_free(&record);
  ts_buf_free(&text);
}

void ts_output_free(struct ts_output *o) {
  if (!o) return;
  if (o->report) ts_report_close(o->report);
  ts_buf_free(&o->text);
  ts_json_free(&o->json);
  ts_readback_free(&o->back);
  ts_findings_free(&o->kept);
  free(o);
}
