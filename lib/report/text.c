/* The formats without ends: lines for people, and records for programs. */
#include "base/diag.h"
#include "report/format.h"

/* Select Graphic Rendition of ECMA-48. */
static const char *const colours[TS_LEVELS] = {
  [TS_OFF] = "", [TS_NOTE] = "\x1b[36m", [TS_UNKNOWN] = "\x1b[35m", [TS_WARNING] = "\x1b[33m", [TS_ERROR] = "\x1b[31m",
};
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

/* file:line:column: severity: message [rule] (audience level, …). In an audit all concerns the replay. */
static void text_finding(struct ts_report *r, const struct ts_finding *f) {
  enum ts_level severity = ts_finding_severity(f);
  struct ts_vector vector = ts_finding_vector(f);
  struct ts_buf sentence = { 0 };
  const struct ts_rule *rule = ts_rule(f->rule);
  const char *bold = r->spec.colour ? BOLD : "", *plain = r->spec.colour ? PLAIN : "";
  if (f->place.file.len > 0) {
    ts_buf_addz(r->out, bold);
    ts_report_place(r->out, &f->place);
    ts_buf_addf(r->out, ":%s ", plain);
  }
  ts_buf_addf(r->out, "%s%s%s:%s ", bold, r->spec.colour ? colours[severity] : "", ts_level_name(severity), plain);
  ts_report_sentence(&sentence, f);
  ts_visible(r->out, ts_buf_str(&sentence));
  ts_buf_free(&sentence);
  ts_buf_addf(r->out, " [%s]", rule->id);
  if (rule->part != TS_AUDIT) {
    ts_buf_addz(r->out, " (");
    ts_vector_text(r->out, &vector);
    ts_buf_addc(r->out, ')');
  }
  ts_buf_addc(r->out, '\n');
}

static void text_summary(struct ts_report *r, struct ts_str record, struct ts_str text) {
  (void)record;
  ts_buf_add(r->out, text);
}

const struct ts_reporter ts_report_text = { .name = "text", .finding = text_finding, .summary = text_summary };

static void jsonl_finding(struct ts_report *r, const struct ts_finding *f) { ts_finding_write(r->out, f); }

static void jsonl_summary(struct ts_report *r, struct ts_str record, struct ts_str text) {
  (void)text;
  if (record.len == 0) return;
  ts_buf_add(r->out, record);
  if (!ts_str_ends(record, TS_STR("\n"))) ts_buf_addc(r->out, '\n');
}

const struct ts_reporter ts_report_jsonl = { .name = "jsonl", .finding = jsonl_finding, .summary = jsonl_summary };
