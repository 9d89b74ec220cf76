/* What a catalog says of one call: does its name dispatch, and are its arguments taken. */
#ifndef TS_TRANSCRIPT_JUDGE_H
#define TS_TRANSCRIPT_JUDGE_H

#include "catalog/fit.h"
#include "transcript/event.h"

enum ts_call_arguments { TS_CALL_FIT, TS_CALL_MISFIT, TS_CALL_UNCHECKED, TS_CALL_MALFORMED };
const char *ts_call_arguments_name(enum ts_call_arguments a); /* "fit" */

struct ts_verdict {
  bool judged;           /* there is a catalog to judge the name by; false: route says nothing */
  struct ts_route route; /* borrowed from the catalog and the event */
  enum ts_call_arguments arguments;
  struct ts_str problem;          /* malformed: why; borrowed from the judge until its next call */
  const struct ts_misfit *misfit; /* misfit: where; likewise */
};

/* Not shared between threads. */
struct ts_judge;

/* The catalog is finished and borrowed, so is the surface; without a catalog (NULL) only the form of arguments is
 * judged. The caller frees it. */
struct ts_judge *ts_judge_new(const struct ts_catalog *c, const struct ts_surface *s);
void ts_judge_free(struct ts_judge *j);

/* Where a name leads; false: there is no catalog. */
bool ts_judge_route(const struct ts_judge *j, struct ts_str name, struct ts_route *out);
/* e is a call. */
void ts_judge_call(struct ts_judge *j, const struct ts_event *e, struct ts_verdict *out);
/* Does it dispatch, and do its arguments fit, as far as they can be checked? */
bool ts_judge_replays(struct ts_judge *j, const struct ts_event *e);
/* Why the call does not dispatch, in one sentence; borrowed until the next call of it. */
struct ts_str ts_judge_explain(struct ts_judge *j, const struct ts_route *r);
/* Where the arguments of a call do not fit, in one sentence; appended. */
void ts_misfit_explain(const struct ts_misfit *why, struct ts_str name, struct ts_buf *out);

#endif
