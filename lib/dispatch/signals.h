/* Signals as bytes in a pipe, so that one poll waits for them too. Only one can be open at a time: handlers need
 * a place that they can reach. */
#ifndef TS_DISPATCH_SIGNALS_H
#define TS_DISPATCH_SIGNALS_H

#include "base/diag.h"

#include <signal.h>

#define TS_SIGNALS_CAUGHT 4

struct ts_signals {
  int fd; /* becomes readable when a signal has come */
  struct sigaction before[TS_SIGNALS_CAUGHT], pipe_before;
};

/* Catches SIGINT, SIGTERM, SIGHUP (where they are not ignored) and SIGCHLD, and ignores SIGPIPE. */
int ts_signals_open(struct ts_signals *s, struct ts_buf *err);
/* Empties the pipe: the signal that asks for the end (the first that came), else 0. */
int ts_signals_take(struct ts_signals *s);
/* Puts everything back as it was. */
void ts_signals_close(struct ts_signals *s);

#endif
