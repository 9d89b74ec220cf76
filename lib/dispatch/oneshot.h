/* One call, one process: the arguments go to its standard input, its standard output becomes the content. All
 * three pipes are served at once and never block, so neither side can wait for the other. The call is complete when
 * its process has ended and nobody holds the two output pipes any more, as in a shell's $(...). Memory: the bound on
 * the output, and the last TS_STDERR_TAIL bytes of standard error. */
#ifndef TS_DISPATCH_ONESHOT_H
#define TS_DISPATCH_ONESHOT_H

#include "dispatch/answer.h"
#include "dispatch/handler.h"
#include "io/child.h"

#include <poll.h>

#define TS_STDERR_TAIL 4096   /* bytes */
#define TS_KILL_AFTER_MS 2000 /* between TERM and KILL */

/* The last bytes of a handler's standard error. {0} is empty. */
struct ts_tail {
  struct ts_buf text;
  bool cut; /* there were more */
};
void ts_tail_keep(struct ts_tail *t, struct ts_str bytes);
/* Appends them behind a newline, as text: from a whole character on, bytes that are not UTF-8 as U+FFFD. */
void ts_tail_tell(const struct ts_tail *t, struct ts_buf *out);

struct ts_oneshot {
  struct ts_child child;
  struct ts_str input; /* borrowed until the process has ended */
  size_t sent;
  uint64_t max_output; /* bytes */
  uint64_t output;     /* bytes that came, kept or not */
  uint64_t deadline;   /* ms on the monotonic clock; 0: none */
  bool timed_out, ended;
  int status; /* as waitpid gives it, once ended */
  struct ts_buf content;
  struct ts_tail tail;
};

/* Milliseconds on the monotonic clock. */
uint64_t ts_now_ms(void);

/* Starts the handler for a call. 1: there is no room for its process now; -1: it cannot be started: *err says why.
 * `timeout` in ms, 0: none. */
int ts_oneshot_start(struct ts_oneshot *o, const struct ts_handler *h, const struct ts_call *c, struct ts_str tool,
                     struct ts_str input, uint64_t timeout, uint64_t max_output, struct ts_buf *err);
/* The descriptors to wait for: fills fds[0..2] (fd -1: nothing to wait for there). */
void ts_oneshot_poll(const struct ts_oneshot *o, struct pollfd fds[3]);
/* Moves what can be moved without waiting, and looks at the clock. True when the call is complete. */
bool ts_oneshot_step(struct ts_oneshot *o, uint64_t now);
/* The answer of a complete call; gives back what the process held. */
void ts_oneshot_finish(struct ts_oneshot *o, const struct ts_handler *h, struct ts_answer *a);
/* Ends a process that is not wanted any more, at once. */
void ts_oneshot_kill(struct ts_oneshot *o);

#endif
