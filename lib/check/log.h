/* The life of every name over the history of a catalog's path: tscat --log. */
#ifndef TS_CHECK_LOG_H
#define TS_CHECK_LOG_H

#include "catalog/lifecycle.h"
#include "git/history.h"

struct ts_log; /* owns everything; ts_log_free */

/* Reads the history of path (from the repository's root) in `range`, and each distinct content once. What is no catalog
 * is told to notes and counts as unchanged. NULL with a sentence in *err. */
struct ts_log *ts_log_read(struct ts_repo *r, struct ts_str range, struct ts_str path, const struct ts_notes *notes,
                           struct ts_buf *err);
void ts_log_free(struct ts_log *l);
/* Event records, oldest first, then by name (tsrecord(5)). */
void ts_log_records(const struct ts_log *l, struct ts_buf *out);
/* A timeline for people: a row a name, a column a release, coloured by state when asked. */
void ts_log_timeline(const struct ts_log *l, bool colour, struct ts_buf *out);
/* "159 commits, 42 names, 311 events" */
void ts_log_summary(const struct ts_log *l, struct ts_buf *out);

#endif
