#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"

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

static int read_back(struct ts_spool *s, size_t n, struct ts_buf *out, struct ts_buf *err) {
  ts_buf_reserve(out, n);
  while (n > 0) {
    ssize_t got = pread(s->fd, out->ptr + out->len, n, (off_t)s->file_at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ts_fail(err, "temporary file: cannot read back: %s", got < 0 ? strerror(errno) : "cut short");
    out->len += (size_t)got;
    s->file_at += (uint64_t)got;
    n -= (size_t)got;
  }
  if (s->file_at == s->file_end) {
    s->file_at = s->file_end = 0;
    if (ftruncate(s->fd, 0) < 0) s->failed = true; /* what comes is not written over what stayed */
  }
  return 0;
}

int ts_spool_take(struct ts_spool *s, size_t n, struct ts_buf *out, struct ts_buf *err) {
  ts_buf_clear(out);
  uint64_t in_file = s->file_end - s->file_at;
  size_t from_file = n < in_file ? n : (size_t)in_file;
  if (from_file > 0 && read_back(s, from_file, out, err) < 0) return -1;
  ts_buf_add(out, ts_str_sub(ts_buf_str(&s->memory), s->memory_at, n - from_file));
  s->memory_at += n - from_file;
  s->size -= n;
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
  *s = (struct ts_spool){ 0 };
}
