/* What the lint checks share; not for other floors. A check looks at the whole catalog and reports what it finds. */
#ifndef TS_CHECK_LINT_RUN_H
#define TS_CHECK_LINT_RUN_H

#include "catalog/version.h"
#include "check/lint.h"
#include "check/visible.h"

struct ts_lint_run {
  const struct ts_catalog *catalog;
  const struct ts_lint_options *options;
  struct ts_version window; /* parsed; all zero: none */
  bool has_window;
  ts_finding_fn *report;
  void *context;
};

typedef void ts_lint_check(struct ts_lint_run *l);
ts_lint_check ts_lint_names, ts_lint_twins, ts_lint_aliases, ts_lint_versions, ts_lint_head, ts_lint_launchers,
    ts_lint_schemas, ts_lint_text, ts_lint_policy;

/* Where a finding belongs, and what differs from the rule's usual. */
struct ts_lint_spot {
  const struct ts_tool *tool;   /* names the finding and gives its place, … */
  const struct ts_place *place; /* … unless this is set */
  struct ts_str name;           /* likewise */
  const char *pointer;          /* JSON pointer into the record; NULL: none */
  struct ts_str value;          /* raw JSON: the value at fault */
  struct ts_str witness;        /* raw JSON */
  struct ts_vector vector;      /* all off: the rule's own */
};
void ts_lint_report(struct ts_lint_run *l, enum ts_rule_id rule, struct ts_lint_spot spot, const char *format, ...)
    TS_PRINTF(4, 5);

/* In the first turn of some mode or profile? */
bool ts_lint_in_some_head(const struct ts_catalog *c, const struct ts_tool *t);
/* "file:line" of a record, appended. */
void ts_lint_place(struct ts_buf *out, const struct ts_place *p);

#endif
