#include "io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "base/diag.h"

enum { BLOCK = 64 * 1024 }; /* bytes a write(2) is worth */

void ts_out_open(struct ts_out *o, int fd) { *o = (struct ts_out){ .fd = fd }; }

/* A descriptor that someone else made non-blocking is waited for, like any other. */
static bool try_again(const struct ts_out *o) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  if (o->wait) return true; /* that waits */
  struct pollfd ready = { .fd = o->fd, .events = POLLOUT };
  return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

static void write_all(struct ts_out *o, struct ts_str s) {
  size_t most = o->wait ? PIPE_BUF : SIZE_MAX;
  while (s.len > 0 && o->error == 0) {
    if (o->wait && !o->wait(o->wait_context, o->fd)) {
      o->error = EINTR;
      return;
    }
    ssize_t n = write(o->fd, s.ptr, s.len < most ? s.len : most);
    if (n > 0)
      s = ts_str_sub(s, (size_t)n, s.len);
    else if (n == 0)
      o->error = EIO; /* would go on for ever */
    else if (!try_again(o))
      o->error = errno;
  }
}

void ts_out_add(struct ts_out *o, struct ts_str s) {
  if (o->error) return;
  if (s.len >= BLOCK - o->pending.len) (void)ts_out_flush(o);
  if (s.len >= BLOCK)
    write_all(o, s);
  else
    ts_buf_add(&o->pending, s);
}

int ts_out_flush(struct ts_out *o) {
  write_all(o, ts_buf_str(&o->pending));
  ts_buf_clear(&o->pending);
  return o->error ? -1 : 0;
}

int ts_out_close(struct ts_out *o, struct ts_buf *err) {
  if (o->fd < 0) return 0;
  (void)ts_out_flush(o);
  ts_buf_free(&o->pending);
  int closed = close(o->fd);
  if (closed != 0 && errno != EINTR && o->error == 0) o->error = errno; /* EINTR: it is closed all the same */
  o->fd = -1;
  return o->error ? ts_fail(err, "standard output: %s", strerror(o->error)) : 0;
}

void ts_standard_descriptors(void) {
  /* open takes the lowest free number, so this fills the gaps in order, each with what cannot be used as it is meant:
   * reading a closed 0 and writing to a closed 1 or 2 fail, instead of being empty or going nowhere. */
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
