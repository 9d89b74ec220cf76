/* tsreplay's work: file after file is read, on one thread or several, and what the view asks for is handed over in
 * the order of the files, the same bytes for any number of threads. A file that cannot be read does not stop the
 * others. */
#ifndef TS_TRANSCRIPT_REPLAY_H
#define TS_TRANSCRIPT_REPLAY_H

#include "transcript/audit.h"
#include "transcript/files.h"

/* What is handed over of each file. */
enum ts_replay_records {
  TS_REPLAY_FINDINGS,
  TS_REPLAY_VERDICTS,
  TS_REPLAY_FILES,   /* its name, if a call is selected: ts_audit_outcome */
  TS_REPLAY_NOTHING, /* the counts are enough */
  TS_REPLAY_CALLS,   /* these three are no audit: neutral records, and the reader's own findings as remarks */
  TS_REPLAY_RESULTS,
  TS_REPLAY_EVENTS,
};

struct ts_replay {
  /* given: all borrowed */
  enum ts_replay_records view;
  struct ts_audit_rules audit;
  struct ts_read_options read;
  char list_end; /* behind a file's name */
  unsigned threads;
  bool quiet; /* no remark on files that are passed over */
  /* called on the caller's thread, in order */
  ts_record_fn *record;
  struct ts_notes remark, failure; /* a finding, a file that is passed over; a file that could not be read */
  void (*progress)(void *context, uint64_t more); /* bytes of files that are done; NULL: nobody looks */
  void *context;                                  /* of record and progress */
  bool stop;                                      /* set by these: nothing more is wanted */
  /* the outcome */
  struct ts_summary sum;
  bool counts;      /* a finding counts by the threshold */
  bool failed;      /* a file could not be read */
  uint64_t records; /* handed over */
};

void ts_replay_run(struct ts_replay *r, const struct ts_files *files);
void ts_replay_free(struct ts_replay *r);

#endif
