/* The views of tsreplay: what is read, what is shown of it, and how it ends. */
#ifndef TS_TRANSCRIPT_SHOW_H
#define TS_TRANSCRIPT_SHOW_H

#include "io/progress.h"
#include "transcript/compare.h"
#include "transcript/first_break.h"
#include "transcript/merge.h"
#include "transcript/output.h"
#include "transcript/replay.h"

enum ts_show_kind { TS_SHOW_AUDIT, TS_SHOW_NEUTRAL, TS_SHOW_MERGE, TS_SHOW_FIRST_BREAK, TS_SHOW_COMPARE };

/* A row of the one table of views. */
struct ts_view_row {
  const char *option; /* "verdicts", as the option of tsreplay; NULL: the default view */
  enum ts_show_kind kind;
  enum ts_replay_records records;
  bool reports; /* in every --format; else in jsonl alone, or, with text, in text too */
  bool text;
  bool summary; /* stands behind the records */
  bool names;   /* names stand behind the records */
  bool selects; /* takes --only-state and --only-name */
};
/* NULL: there is no such view. */
const struct ts_view_row *ts_view_find(const char *option);

/* What there is to do; all borrowed. */
struct ts_show {
  const struct ts_view_row *view;
  const struct ts_files *files;
  struct ts_replay replay;            /* its audit rules, read options, list_end and threads are given */
  struct ts_first_break first_break;  /* of that view: repository, range and path are given */
  struct ts_compare compare;          /* of that view: what is ignored is given … */
  const char *results;                /* … and the file that is compared with */
  const struct ts_reporter *reporter; /* of --format; NULL: not given, and behind ts_show_check records as they are */
  struct ts_report_spec spec;
  struct ts_out *out;
  bool quiet;                          /* no progress bar, and no sentence at the end */
  void (*say)(struct ts_str sentence); /* to the user */
  /* the outcome */
  bool counts; /* a finding counts by the threshold */
  bool failed; /* something could not be read; it has been said what */
  /* private */
  struct ts_output *output;
  struct ts_progress progress;
};

/* Do view, selection and format go together? -1: *err says why not. Without a format, text is chosen on a terminal
 * where the view has it, else records as they are. */
int ts_show_check(struct ts_show *s, struct ts_buf *err);
void ts_show(struct ts_show *s);

#endif
