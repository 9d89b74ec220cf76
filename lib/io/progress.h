/* A progress bar for long work: one line on standard error, only if that is a terminal, redrawn at most ten
 * times a second, gone at the end. Work that is done within half a second shows none. For one thread. */
#ifndef TS_IO_PROGRESS_H
#define TS_IO_PROGRESS_H

#include "base/buf.h"

struct ts_progress {
  bool on;
  uint64_t total, done; /* bytes; total 0: unknown, so neither share nor time left are shown */
  int64_t began, next;  /* milliseconds of the monotonic clock: the start, and when to draw again */
  size_t drawn;         /* columns that the line on the screen takes */
};

/* `enabled` false (-q): nothing is ever shown. */
void ts_progress_open(struct ts_progress *p, uint64_t total, bool enabled);
/* `bytes` more are done. */
void ts_progress_step(struct ts_progress *p, uint64_t bytes);
/* Wipes the line off, until the next step draws it again: before anything else is written to the terminal. */
void ts_progress_hide(struct ts_progress *p);
void ts_progress_close(struct ts_progress *p);

/* The line itself, `elapsed` milliseconds after the start, at most `width` columns of ASCII, appended. */
void ts_progress_line(const struct ts_progress *p, int64_t elapsed, size_t width, struct ts_buf *line);

#endif
