/* Many jobs on several threads, their outcomes taken in order by the thread that asked for them. */
#ifndef TS_TRANSCRIPT_PARALLEL_H
#define TS_TRANSCRIPT_PARALLEL_H

#include "base/prelude.h"

/* All pointers are borrowed. A slot is `slot_size` zeroed bytes for what a job leaves behind. */
struct ts_parallel {
  size_t jobs;
  unsigned threads; /* 1: everything on the caller's thread, and slots are NULL */
  size_t slot_size;
  void **worker; /* one a thread: its own */
  void *context;
  void (*work)(void *worker, size_t job, void *slot);    /* on any thread */
  void (*finish)(void *context, size_t job, void *slot); /* on the caller's thread, job after job; empties the slot */
  void (*idle)(void *context);                           /* on the caller's thread, some ten times a second */
};

/* At most four jobs a thread are begun before the one whose turn it is has been finished, so what waits is bounded. A
 * machine that gives fewer threads gets the work done on those. */
void ts_parallel_run(const struct ts_parallel *p);

#endif
