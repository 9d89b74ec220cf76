/* The loop of tsdispatch: reads calls, keeps the handlers busy, writes one record a call in the order read. One
 * thread; nothing in it waits but poll. Memory: at most TS_RUN_WINDOW calls under way and, beyond one answer,
 * TS_RUN_HELD bytes of answers that wait for an earlier one. */
#ifndef TS_DISPATCH_RUN_H
#define TS_DISPATCH_RUN_H

#include "dispatch/decide.h"
#include "io/lines.h"
#include "io/out.h"

#define TS_RUN_WINDOW 256
#define TS_RUN_HELD (64u << 20)

struct ts_run {
  struct ts_decider decider;
  bool routes;      /* write routes, run nothing */
  unsigned jobs;    /* processes of one-shot handlers at once */
  uint64_t timeout; /* ms a call; 0: none */
  uint64_t max_output;
  uint64_t max_line;
  struct ts_out *out;
  /* What came of it. */
  uint64_t calls, errors; /* errors: error results, or routes that do not dispatch */
  uint64_t bad_lines;     /* no JSON objects: named by `notes`, no record is written for them */
  const struct ts_notes *notes;
  int stopped_by; /* the signal that ended reading, or 0 */
};

struct ts_run_loop;

/* Sets up signal handling (SIGINT, SIGTERM, SIGHUP end the run in order; SIGPIPE is ignored while it lasts). */
struct ts_run_loop *ts_run_open(struct ts_run *r, struct ts_buf *err);
/* Serves all calls of one input. 0; -1 when the input could not be read to its end (*err), or output failed. */
int ts_run_input(struct ts_run_loop *l, struct ts_input *in, struct ts_str name, struct ts_buf *err);
/* Waits for what is under way, ends the handlers, restores the signals. */
void ts_run_close(struct ts_run_loop *l);

#endif
