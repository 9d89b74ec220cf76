/* A table in GitHub's Markdown, as for a comment or a job summary. Text from the outside must stay text: it
 * can't end a cell, be formatted, become HTML or a link, or mention anybody. */
#include "base/diag.h"
#include "report/format.h"

/* The colon of "https://…" and the dot of "www.…" make links of what stands around them. */
static bool begins_link(struct ts_str s, size_t at) {
  return ts_str_starts(ts_str_sub(s, at, 3), TS_STR("://")) ||
         (at >= 3 && ts_str_eq_nocase(ts_str_sub(s, at - 3, 4), TS_STR("www.")));
}

/* A mention or a reference is recognised after Markdown is done, so no escape helps; inside <code> it is not. */
static void add_plain(struct ts_buf *out, struct ts_str s) {
  struct ts_buf text = { 0 };
  ts_visible(&text, s);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    if (c == '<')
      ts_buf_addz(out, "&lt;");
    else if (c == '>')
      ts_buf_addz(out, "&gt;");
    else if (c == '&')
      ts_buf_addz(out, "&amp;");
    else if (c == '@' || c == '#')
      ts_buf_addf(out, "<code>%c</code>", c);
    else if (begins_link(ts_buf_str(&text), i))
      ts_buf_addf(out, "\\%c", c);
    else
      ts_buf_addf(out, strchr("\\`*_[]|~$!", c) ? "\\%c" : "%c", c);
  }
  ts_buf_free(&text);
}

static void markdown_finding(struct ts_report *r, const struct ts_finding *f) {
  struct ts_buf place = { 0 }, sentence = { 0 };
  ts_report_place(&place, &f->place);
  ts_report_sentence(&sentence, f);
  if (ts_report_count(r) == 1)
    ts_buf_addz(r->out, "| severity | place | rule | message |\n| --- | --- | --- | --- |\n");
  ts_buf_addf(r->out, "| %s | ", ts_level_name(ts_finding_severity(f)));
  add_plain(r->out, ts_buf_str(&place));
  ts_buf_addf(r->out, " | %s | ", ts_rule(f->rule)->id);
  add_plain(r->out, ts_buf_str(&sentence));
  ts_buf_addz(r->out, " |\n");
  ts_buf_free(&place);
  ts_buf_free(&sentence);
}

static void markdown_summary(struct ts_report *r, struct ts_str record, struct ts_str text) {
  (void)record;
  if (ts_report_count(r) > 0) ts_buf_addc(r->out, '\n');
  while (text.len > 0) {
    size_t len = ts_str_find(text, TS_STR("\n"));
    add_plain(r->out, ts_str_sub(text, 0, len));
    text = ts_str_sub(text, len == SIZE_MAX ? len : len + 1, SIZE_MAX);
    ts_buf_addz(r->out, text.len > 0 ? "<br>\n" : "\n");
  }
}

static void markdown_close(struct ts_report *r) {
  if (ts_report_count(r) > 0 || r->is_summed_up) ts_buf_addc(r->out, '\n');
  ts_buf_addf(r->out, "%s: ", r->spec.program);
  ts_report_totals(r->out, r);
  ts_buf_addz(r->out, ".\n");
}

const struct ts_reporter ts_report_markdown = {
  .name = "markdown", .finding = markdown_finding, .summary = markdown_summary, .close = markdown_close
};
