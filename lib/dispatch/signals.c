#include "dispatch/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const int caught[TS_SIGNALS_CAUGHT] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
static volatile sig_atomic_t write_end = -1;

static void tell(int number) {
  int saved = errno;
  char byte = (char)number;
  ssize_t n = write((int)write_end, &byte, 1); /* a full pipe wakes the reader just as well */
  (void)n;
  errno = saved;
}

int ts_signals_open(struct ts_signals *s, struct ts_buf *err) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return ts_fail(err, "cannot make a pipe: %s", strerror(errno));
  s->fd = ends[0];
  write_end = ends[1];
  struct sigaction catch = { .sa_handler = tell, .sa_flags = SA_RESTART }, ignore = { .sa_handler = SIG_IGN };
  for (size_t i = 0; i < TS_COUNT(caught); i++) {
    (void)sigaction(caught[i], NULL, &s->before[i]);
    bool ignored = s->before[i].sa_handler == SIG_IGN && caught[i] != SIGCHLD;
    if (!ignored) (void)sigaction(caught[i], &catch, NULL);
  }
  (void)sigaction(SIGPIPE, &ignore, &s->pipe_before);
  return 0;
}

int ts_signals_take(struct ts_signals *s) {
  char bytes[64];
  int end = 0;
  ssize_t n;
  while ((n = read(s->fd, bytes, sizeof bytes)) > 0)
    for (ssize_t i = 0; i < n && end == 0; i++)
      if (bytes[i] != SIGCHLD) end = bytes[i];
  return end;
}

void ts_signals_close(struct ts_signals *s) {
  for (size_t i = 0; i < TS_COUNT(caught); i++) (void)sigaction(caught[i], &s->before[i], NULL);
  (void)sigaction(SIGPIPE, &s->pipe_before, NULL);
  int end = (int)write_end;
  write_end = -1;
  (void)close(end);
  (void)close(s->fd);
}
