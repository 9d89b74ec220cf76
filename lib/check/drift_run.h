/* What the drift checks share; not for other floors. */
#ifndef TS_CHECK_DRIFT_RUN_H
#define TS_CHECK_DRIFT_RUN_H

#include "catalog/version.h"
#include "check/drift.h"
#include "check/visible.h"

/* One name before and after; of doubled names each occurrence is a pair of its own. One side may be NULL. */
struct ts_pair {
  const struct ts_tool *before, *after;
  bool waived; /* a finding about its going is waived */
};

struct ts_drift_run {
  const struct ts_catalog *before, *after;
  const struct ts_drift_options *options;
  struct ts_pair *pair;
  size_t pair_count, pair_cap;
  struct ts_version now; /* of the new catalog */
  bool has_now;
  ts_finding_fn *report;
  void *context;
};

typedef void ts_drift_check(struct ts_drift_run *d);
ts_drift_check ts_drift_names, ts_drift_lifecycle, ts_drift_contents, ts_drift_head;

/* What a finding is about, and what differs from the rule's usual. */
struct ts_drift_spot {
  struct ts_pair *pair;
  struct ts_str name;                          /* where there is no pair */
  const char *pointer;                         /* JSON pointer into the record; NULL: none */
  struct ts_str old_value, new_value, witness; /* raw JSON */
  struct ts_vector vector;                     /* all off: the rule's own */
};
void ts_drift_report(struct ts_drift_run *d, enum ts_rule_id rule, struct ts_drift_spot spot, const char *format, ...)
    TS_PRINTF(4, 5);

static inline bool ts_pair_dispatches(const struct ts_tool *t) { return t && ts_state_row(t->state)->dispatches; }
/* It could be called, and can't any more. */
static inline bool ts_pair_gone(const struct ts_pair *p) {
  return ts_pair_dispatches(p->before) && !ts_pair_dispatches(p->after);
}
/* It was shown, and is an old name now or gone. */
static inline bool ts_pair_retired(const struct ts_pair *p) {
  return ts_tool_visible(p->before) && !ts_tool_visible(p->after);
}

#endif
