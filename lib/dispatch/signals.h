/* The signals that end the run, so that one poll waits for them too. Only one can be open at a time: handlers need a
 * place that they can reach. */
#ifndef TS_DISPATCH_SIGNALS_H
#define TS_DISPATCH_SIGNALS_H

#include "base/diag.h"

#include <signal.h>

#define TS_SIGNALS_CAUGHT 4

struct ts_signals {
  int fd; /* becomes readable when a signal has come */
  struct sigaction before[TS_SIGNALS_CAUGHT], pipe_before;
};

/* Catches SIGINT, SIGTERM, SIGHUP (where they are not ignored) and SIGCHLD, and ignores SIGPIPE. Of those that end
 * the run the third one does so at once, whatever the program is waiting for. */
int ts_signals_open(struct ts_signals *s, struct ts_buf *err);
/* Makes fd quiet again. How many signals have asked for the end so far, and which was the first (0: none yet). Sets
 * *came when any signal has come since the last time, a child's end among them, and never clears it. */
int ts_signals_take(struct ts_signals *s, int *first, bool *came);
/* Puts everything back as it was. */
void ts_signals_close(struct ts_signals *s);

#endif
