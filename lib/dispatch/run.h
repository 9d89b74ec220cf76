/* The loop of tsdispatch: reads calls, keeps the handlers busy, writes one record a call in the order read. One
 * thread; all that it waits for, input and output too, it waits for in poll, together with the signals. Memory:
 * TS_RUN_WINDOW calls under way, of them and of answers that wait for an earlier one TS_RUN_HELD bytes beyond the
 * longest call and answer, and what the handlers at work have put out (max_output each). */
#ifndef TS_DISPATCH_RUN_H
#define TS_DISPATCH_RUN_H

#include "dispatch/decide.h"
#include "io/lines.h"
#include "io/out.h"

#define TS_RUN_WINDOW 256
#define TS_RUN_HELD (64u << 20)

struct ts_run {
  struct ts_decider decider;
  bool routes; /* write routes, run nothing */
  /* Processes of one-shot handlers at once. With 1, a call is begun when those before it have ended: only the calls of
   * one stream handler, which serves them in order, are handed to it ahead. */
  unsigned jobs;
  uint64_t timeout; /* ms a call; 0: none */
  uint64_t max_output;
  uint64_t max_line;
  struct ts_out *out;
  /* What came of it. */
  uint64_t calls, errors;       /* errors: error results, or routes that do not dispatch */
  const struct ts_notes *notes; /* told of lines that are no call records, and of handlers that can't be trusted */
  int stopped_by;               /* the signal that ended the run, or 0 */
};

struct ts_run_loop;

/* Sets up signal handling: SIGINT, SIGTERM and SIGHUP end the run in order, a second one ends it without patience;
 * SIGPIPE is ignored while it lasts. */
struct ts_run_loop *ts_run_open(struct ts_run *r, struct ts_buf *err);
/* Serves all calls of one file ("-": standard input). -1: it could not be read to its end, *err says why. Nothing is
 * read any more once the run has been stopped by a signal, or its output has failed. */
int ts_run_file(struct ts_run_loop *l, const char *path, struct ts_buf *err);
/* Waits for what is under way (stopped: ends it; what is complete is written, a call that is not gets no record), ends
 * the handlers, restores the signals. */
void ts_run_close(struct ts_run_loop *l);

#endif
