#include "report/explain.h"

#include "base/diag.h"
#include "base/wrap.h"
#include "report/finding.h"

#define ID_WIDTH 26 /* columns: the longest id and two */

/* What the halves of a pair are, by part. */
static const struct {
  const char *before, *after;
} headings[TS_PARTS] = {
  [TS_AUDIT] = { "reported", "not reported" },
  [TS_LINT] = { "reported", "not reported" },
  [TS_DRIFT] = { "old catalog", "new catalog" },
  [TS_INTEGRITY] = { "reported", "not reported" },
};

static void write_record(struct ts_buf *out, const struct ts_rule *rule, bool with_pair) {
  struct ts_jw w = ts_jw(out);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("rule"));
  ts_jw_member(&w, "rule", ts_str_z(rule->id));
  ts_jw_member(&w, "part", ts_str_z(ts_part_name(rule->part)));
  ts_jw_member(&w, "severity", ts_str_z(ts_level_name(ts_vector_worst(&rule->vector))));
  ts_jw_key(&w, "vector");
  ts_vector_write(&w, &rule->vector);
  ts_jw_member(&w, "purpose", ts_str_z(rule->purpose));
  if (with_pair && rule->before) {
    ts_jw_member_if(&w, "options", ts_str_z(rule->options));
    ts_jw_member(&w, "before", ts_str_z(rule->before));
    ts_jw_member(&w, "after", ts_str_z(rule->after));
  }
  ts_jw_close(&w, '}');
  ts_buf_addc(out, '\n');
}

static void write_lines(struct ts_buf *out, const struct ts_rule *rule) {
  ts_buf_addf(out, "%-*s", ID_WIDTH, rule->id);
  ts_vector_text(out, &rule->vector);
  ts_buf_addz(out, "\n    ");
  ts_wrap(out, rule->purpose, 4, 4, false);
  ts_buf_addc(out, '\n');
}

void ts_rules_list(struct ts_buf *out, unsigned parts, bool jsonl) {
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_rule *rule = ts_rule((enum ts_rule_id)i);
    if ((parts >> rule->part & 1) == 0) continue;
    if (jsonl)
      write_record(out, rule, false);
    else
      write_lines(out, rule);
  }
}

/* One half of a pair, indented; a torn line may hold any byte. */
static void write_half(struct ts_buf *out, const char *heading, struct ts_str text) {
  ts_buf_addf(out, "\n%s:\n", heading);
  while (text.len > 0) {
    size_t len = ts_str_find(text, TS_STR("\n"));
    ts_buf_addz(out, "    ");
    ts_visible(out, ts_str_sub(text, 0, len));
    ts_buf_addc(out, '\n');
    text = ts_str_sub(text, len == SIZE_MAX ? len : len + 1, SIZE_MAX);
  }
}

static void write_page(struct ts_buf *out, const struct ts_rule *rule) {
  ts_buf_addf(out, "%s (%s): ", rule->id, ts_part_name(rule->part));
  ts_vector_text(out, &rule->vector);
  ts_buf_addz(out, "\n\n");
  ts_wrap(out, rule->purpose, 0, 0, false);
  ts_buf_addc(out, '\n');
  if (!rule->before) return;
  if (rule->options) ts_buf_addf(out, "\nwith %s\n", rule->options);
  write_half(out, headings[rule->part].before, ts_str_z(rule->before));
  write_half(out, headings[rule->part].after, ts_str_z(rule->after));
}

int ts_rules_explain(struct ts_buf *out, struct ts_str rule, bool jsonl, struct ts_buf *err) {
  enum ts_rule_id id = ts_rule_find(rule), near = ts_rule_nearest(rule);
  if (id == TS_RULES && near == TS_RULES) return ts_fail(err, "no rule '%.*s': --rules lists them", TS_FMT(rule));
  if (id == TS_RULES) return ts_fail(err, "no rule '%.*s': did you mean '%s'?", TS_FMT(rule), ts_rule(near)->id);
  if (jsonl)
    write_record(out, ts_rule(id), true);
  else
    write_page(out, ts_rule(id));
  return 0;
}
