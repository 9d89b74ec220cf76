/* The audit of transcripts: every event is paired, judged and counted, and what is wrong becomes a finding record,
 * in the order of the file. */
#ifndef TS_TRANSCRIPT_AUDIT_H
#define TS_TRANSCRIPT_AUDIT_H

#include "transcript/ordered.h"
#include "transcript/reader.h"
#include "transcript/selection.h"
#include "transcript/summary.h"

/* What an audit goes by: read only, borrowed, shared by threads. */
struct ts_audit_rules {
  const struct ts_catalog *catalog; /* NULL: the lists that the transcripts carry */
  const struct ts_surface *surface;
  const struct ts_selection *only; /* findings and verdicts of other calls are left out; counts are of all */
  const struct ts_threshold *threshold;
  bool crc;
};

/* Where its records go. */
struct ts_audit_views {
  ts_record_fn *finding; /* NULL: not wanted; they count all the same */
  ts_record_fn *verdict; /* NULL: not wanted */
  void *context;
};

/* What was found in one file, beside the records. */
struct ts_audit_outcome {
  bool counts;   /* a finding counts by the threshold */
  bool selected; /* a call that the selection is about; where everything is selected, one that does not dispatch */
};

/* Not shared between threads; used for file after file. */
struct ts_audit;

struct ts_audit *ts_audit_new(const struct ts_audit_rules *rules, const struct ts_audit_views *views);
void ts_audit_free(struct ts_audit *a);

/* One file: its name and what is borrowed live until ts_audit_end. stats->format is known before the first event; where
 * it is NULL at the end the file was no transcript, and is not counted. Counts are added to *sum. */
void ts_audit_begin(struct ts_audit *a, struct ts_str file, const struct ts_read_stats *stats, struct ts_summary *sum);
/* A ts_event_fn; the context is the audit. */
int ts_audit_event(void *audit, const struct ts_event *e);
/* -1: findings that had to wait in a temporary file could not be read back. */
int ts_audit_end(struct ts_audit *a, struct ts_audit_outcome *outcome, struct ts_buf *err);

#endif
