#include "dispatch/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { PATIENCE = 3 };

static const int caught[TS_SIGNALS_CAUGHT] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
static volatile sig_atomic_t write_end = -1, is_awake, first_asked, times_asked;

static void wake(int number) {
  int saved = errno;
  is_awake = 1;                             /* before the byte: whoever has read it sees this */
  ssize_t n = write((int)write_end, "", 1); /* a full pipe wakes the reader just as well */
  (void)n;
  (void)number;
  errno = saved;
}

static void ask(int number) {
  if (times_asked == 0) first_asked = number;
  times_asked++;
  if (times_asked == PATIENCE) {
    (void)signal(number, SIG_DFL);
    (void)raise(number);
  }
  wake(number);
}

/* Without SA_RESTART: opening a FIFO that nobody writes to must come back. */
int ts_signals_open(struct ts_signals *s, struct ts_buf *err) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return ts_fail(err, "cannot make a pipe: %s", strerror(errno));
  s->fd = ends[0];
  write_end = ends[1];
  first_asked = times_asked = 0;
  struct sigaction end = { .sa_handler = ask }, child = { .sa_handler = wake, .sa_flags = SA_RESTART };
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  for (size_t i = 0; i < TS_COUNT(caught); i++) {
    (void)sigaction(caught[i], NULL, &s->before[i]);
    if (caught[i] == SIGCHLD)
      (void)sigaction(SIGCHLD, &child, NULL);
    else if (s->before[i].sa_handler != SIG_IGN)
      (void)sigaction(caught[i], &end, NULL);
  }
  (void)sigaction(SIGPIPE, &ignore, &s->pipe_before);
  return 0;
}

int ts_signals_take(struct ts_signals *s, int *first, bool *came) {
  char bytes[64];
  if (is_awake) {
    is_awake = 0;
    *came = true;
    while (read(s->fd, bytes, sizeof bytes) > 0) continue;
  }
  *first = (int)first_asked;
  return (int)times_asked;
}

void ts_signals_close(struct ts_signals *s) {
  for (size_t i = 0; i < TS_COUNT(caught); i++) (void)sigaction(caught[i], &s->before[i], NULL);
  (void)sigaction(SIGPIPE, &s->pipe_before, NULL);
  int end = (int)write_end;
  write_end = -1;
  (void)close(end);
  (void)close(s->fd);
}
