/* What the formats of a report share: the row of each, and the pieces that several write. Only for the files
 * of this folder. */
#ifndef TS_REPORT_FORMAT_H
#define TS_REPORT_FORMAT_H

#include "report/report.h"

struct ts_reporter {
  const char *name;
  void (*open)(struct ts_report *r); /* this and the three below may be NULL */
  void (*finding)(struct ts_report *r, const struct ts_finding *f);
  void (*summary)(struct ts_report *r, struct ts_str record, struct ts_str text);
  void (*close)(struct ts_report *r); /* frees what state points at, not state itself */
};

struct ts_report {
  const struct ts_reporter *reporter;
  struct ts_report_spec spec;
  struct ts_buf *out;
  size_t count[TS_LEVELS]; /* findings by severity, the present one included */
  bool is_summed_up;       /* ts_report_summary was called before */
  void *state;             /* the format's own, from open; freed by ts_report_close */
};

extern const struct ts_reporter ts_report_text, ts_report_jsonl, ts_report_github, ts_report_sarif, ts_report_junit,
    ts_report_markdown;

/* The message, and the witness behind it; raw text, which the format makes visible. */
void ts_report_sentence(struct ts_buf *out, const struct ts_finding *f);
/* "file:line:column", as far as it is known, visible; nothing when no file is. */
void ts_report_place(struct ts_buf *out, const struct ts_place *p);
/* "2 errors, 1 warning": what r has counted; "no findings". */
void ts_report_totals(struct ts_buf *out, const struct ts_report *r);
/* "1 error", "2 errors", appended. */
void ts_report_number(struct ts_buf *out, size_t n, const char *one);

#endif
