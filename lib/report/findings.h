/* Findings that are kept until they can be sorted: a list that owns copies of all their text. {0} is empty. */
#ifndef TS_REPORT_FINDINGS_H
#define TS_REPORT_FINDINGS_H

#include "base/arena.h"
#include "report/finding.h"

struct ts_findings {
  struct ts_finding *item;
  size_t count, cap;
  struct ts_arena arena;
};

/* Copies f; made to be a callback: list is a struct ts_findings. */
void ts_findings_add(void *list, const struct ts_finding *f);
void ts_findings_free(struct ts_findings *l);

/* By place: file, line, column, rule, name, pointer, message (lint). By name: name, rule, pointer, old, new (drift).
 * By severity: the worst first, as they stand otherwise (text reports). Stable, and the same in any locale. */
void ts_findings_sort_by_place(struct ts_findings *l);
void ts_findings_sort_by_name(struct ts_findings *l);
void ts_findings_sort_by_severity(struct ts_findings *l);

/* What checks hand their findings to. */
typedef void ts_finding_fn(void *context, const struct ts_finding *f);

#endif
