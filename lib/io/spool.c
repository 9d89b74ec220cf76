#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"

enum { AHEAD = 64 * 1024 }; /* bytes read at a time */

/* A descriptor of a file that has no name, or -1. */
static int temporary_file(void) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0) return fd;
  struct ts_buf name = { 0 };
  ts_buf_addf(&name, "%s/toolsurface.XXXXXX", folder); /* a file system without unnamed files */
  fd = mkostemp(name.ptr, O_CLOEXEC);
  if (fd >= 0) (void)unlink(name.ptr);
  ts_buf_free(&name);
  return fd;
}

/* Writes all of it behind file_end, or nothing that counts. */
static bool append(struct ts_spool *s, struct ts_str bytes) {
  for (size_t done = 0; done < bytes.len;) {
    ssize_t n = pwrite(s->fd, bytes.ptr + done, bytes.len - done, (off_t)(s->file_end + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  s->file_end += bytes.len;
  return true;
}

/* Memory to file. A file that fails gets no more, but what it holds is still read from it. */
static void spill(struct ts_spool *s) {
  if (!s->opened) {
    s->fd = temporary_file();
    s->opened = s->fd >= 0;
  }
  struct ts_str waiting = ts_str_sub(ts_buf_str(&s->memory), s->memory_at, SIZE_MAX);
  s->failed = !s->opened || !append(s, waiting);
  if (s->failed) return;
  ts_buf_clear(&s->memory);
  s->memory_at = 0;
}

/* Takes out of memory what has been taken; seldom enough that each byte moves once or so. */
static void compact(struct ts_spool *s) {
  if (s->memory_at < s->memory.len - s->memory_at) return;
  ts_buf_set(&s->memory, ts_str_sub(ts_buf_str(&s->memory), s->memory_at, SIZE_MAX));
  s->memory_at = 0;
}

void ts_spool_add(struct ts_spool *s, struct ts_str bytes) {
  if (bytes.len == 0) return;
  compact(s);
  ts_buf_add(&s->memory, bytes);
  s->size += bytes.len;
  if (s->memory.len > TS_SPOOL_MEMORY && !s->failed) spill(s);
}

/* Reads a block of the file ahead. */
static int read_ahead(struct ts_spool *s, struct ts_buf *err) {
  uint64_t left = s->file_end - s->file_at;
  size_t want = left < AHEAD ? (size_t)left : AHEAD;
  ts_buf_clear(&s->ahead);
  s->ahead_at = 0;
  ts_buf_reserve(&s->ahead, want);
  while (s->ahead.len < want) {
    ssize_t got = pread(s->fd, s->ahead.ptr + s->ahead.len, want - s->ahead.len, (off_t)s->file_at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ts_fail(err, "temporary file: cannot read back: %s", got < 0 ? strerror(errno) : "cut short");
    ts_buf_cut(&s->ahead, s->ahead.len + (size_t)got);
    s->file_at += (uint64_t)got;
  }
  if (s->file_at < s->file_end) return 0;
  s->file_at = s->file_end = 0;
  if (ftruncate(s->fd, 0) < 0) s->failed = true; /* what comes is not written over what stayed */
  return 0;
}

/* Moves up to *n bytes from `from`, which has been used up to *at. */
static void move(const struct ts_buf *from, size_t *at, size_t *n, struct ts_buf *out) {
  struct ts_str piece = ts_str_sub(ts_buf_str(from), *at, *n);
  ts_buf_add(out, piece);
  *at += piece.len;
  *n -= piece.len;
}

int ts_spool_take(struct ts_spool *s, size_t n, struct ts_buf *out, struct ts_buf *err) {
  ts_buf_clear(out);
  s->size -= n;
  while (n > 0) {
    move(&s->ahead, &s->ahead_at, &n, out);
    if (n == 0) break;
    if (s->file_at == s->file_end)
      move(&s->memory, &s->memory_at, &n, out);
    else if (read_ahead(s, err) < 0)
      return -1;
  }
  return 0;
}

int ts_spool_drain(struct ts_spool *s, struct ts_out *o, struct ts_buf *err) {
  struct ts_buf block = { 0 };
  int status = 0;
  while (status == 0 && s->size > 0) {
    status = ts_spool_take(s, s->size < TS_SPOOL_MEMORY ? (size_t)s->size : TS_SPOOL_MEMORY, &block, err);
    if (status == 0) ts_out_add(o, ts_buf_str(&block));
  }
  ts_buf_free(&block);
  return status;
}

void ts_spool_free(struct ts_spool *s) {
  if (s->opened) (void)close(s->fd);
  ts_buf_free(&s->memory);
  ts_buf_free(&s->ahead);
  *s = (struct ts_spool){ 0 };
}
