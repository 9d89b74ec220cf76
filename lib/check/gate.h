/* What tscat --lint and --against do: run the checks that are asked for, set waived findings aside, sort what is left,
 * report it in one of the formats, and say whether it counts. */
#ifndef TS_CHECK_GATE_H
#define TS_CHECK_GATE_H

#include "check/corpus.h"
#include "check/drift.h"
#include "check/lint.h"
#include "check/waiver.h"
#include "report/report.h"

struct ts_gate {
  const struct ts_catalog *catalog, *before; /* before NULL: nothing to compare with */
  bool lint;
  struct ts_lint_options lint_options;
  struct ts_drift_options drift_options; /* `waived` is the gate's own */
  struct ts_waivers *waivers;            /* loaded; NULL: none */
  const struct ts_reporter *reporter;
  struct ts_report_spec spec;     /* with the threshold; `parts` is the gate's own */
  const struct ts_corpus *corpus; /* says of every drift finding how many saved calls it breaks; NULL: none */
};

/* Appends the report to *out and one line about it to *summary. 1: a finding counts; 0: none does; -1: the check is
 * worth nothing (no tool at all, a baseline that is incomplete, an option that can't be used), *err says why. */
int ts_gate_run(const struct ts_gate *g, struct ts_buf *out, struct ts_buf *summary, struct ts_buf *err);

#endif
