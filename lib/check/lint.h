/* Is a catalog legal? Every lint rule of toolsurface(7), for one catalog by itself: all features on, in every mode
 * and profile. Findings come in the order of the checks; the caller sorts them. */
#ifndef TS_CHECK_LINT_H
#define TS_CHECK_LINT_H

#include "catalog/firstturn.h"
#include "dispatch/policy.h"
#include "report/findings.h"

struct ts_lint_options {
  enum ts_api api;                /* whose limits names and tool counts are held against */
  struct ts_str window;           /* shortest time between deprecation and removal, a version or a number of minor
                                   * versions; empty: none */
  const struct ts_policy *policy; /* --allow and --deny; NULL: none */
};

/* 0; -1 when an option cannot be used (*err). The catalog is finished; findings' text lives for the call. */
int ts_lint(const struct ts_catalog *c, const struct ts_lint_options *o, ts_finding_fn *report, void *context,
            struct ts_buf *err);

#endif
