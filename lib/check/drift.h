/* What a change of the catalog breaks, and for whom: every drift rule of toolsurface(7), from an old catalog to a new
 * one. Either may be of any shape. Findings come in the order of the checks; the caller sorts them. What is gone is
 * placed at its line in the old file, everything else in the new one. */
#ifndef TS_CHECK_DRIFT_H
#define TS_CHECK_DRIFT_H

#include "catalog/firstturn.h"
#include "report/findings.h"

struct ts_drift_options {
  enum ts_api api; /* in whose shape the first-turn blocks are compared */
  uint64_t mass;   /* names that may go at once */
  /* Is the finding waived? Then the name it is about does not count for `mass`. NULL: none is. */
  bool (*waived)(void *context, const struct ts_finding *f);
  void *waived_context;
  /* Was the name ever in a tagged release? One that never was may go without ceremony. NULL: it was. */
  bool (*tagged)(void *context, struct ts_str name);
  void *tagged_context;
};
#define TS_DRIFT_MASS 10

/* Both catalogs are finished; findings' text lives for the call. */
void ts_drift(const struct ts_catalog *before, const struct ts_catalog *after, const struct ts_drift_options *o,
              ts_finding_fn *report, void *context);

#endif
