#include "io/applog.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"

enum {
  BLOCK = 1 << 20, /* bytes copied at a time */
  PATIENCE = 16,   /* how often a writer steps back, at most, before it asks the disk */
};

static int fail(const char *path, struct ts_buf *err, const char *what) {
  return ts_fail(err, "%s: %s: %s", path, what, strerror(errno));
}

/* Opening */

/* What a file that is not a regular one is called. */
static const char *kind_of(mode_t mode) {
  static const struct {
    mode_t mode;
    const char *name;
  } kinds[] = { { S_IFDIR, "a directory" },        { S_IFIFO, "a FIFO" },         { S_IFLNK, "a symbolic link" },
                { S_IFCHR, "a character device" }, { S_IFBLK, "a block device" }, { S_IFSOCK, "a socket" } };
  for (size_t i = 0; i < TS_COUNT(kinds); i++)
    if ((mode & S_IFMT) == kinds[i].mode) return kinds[i].name;
  return "no regular file";
}

/* Opens a regular file, with O_NONBLOCK so that a FIFO does not make it wait. */
static int open_regular(const char *path, int flags, struct stat *st, struct ts_buf *err) {
  if (lstat(path, st) == 0 && !S_ISREG(st->st_mode))
    return ts_fail(err, "%s: cannot append: it is %s", path, kind_of(st->st_mode));
  int fd = open(path, flags | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (fd < 0) return fail(path, err, "cannot open for appending");
  if (fstat(fd, st) == 0 && S_ISREG(st->st_mode)) return fd;
  (void)close(fd);
  return ts_fail(err, "%s: cannot append: it is %s", path, kind_of(st->st_mode));
}

int ts_applog_open(struct ts_applog *l, const char *path, struct ts_buf *err) {
  struct stat st;
  *l = (struct ts_applog){ .path = path, .fd = open_regular(path, O_RDWR, &st, err) };
  if (l->fd < 0) return -1;
  l->device = st.st_dev;
  l->inode = st.st_ino;
  return 0;
}

void ts_applog_close(struct ts_applog *l) {
  if (l->fd >= 0) (void)close(l->fd); /* drops the lock; what was written has been synced or reported */
  l->fd = -1;
  l->locked = false;
}

/* Locking */

void ts_applog_unlock(struct ts_applog *l) {
  if (l->locked) (void)flock(l->fd, LOCK_UN);
  l->locked = false;
}

int ts_applog_lock(struct ts_applog *l, struct ts_buf *err) {
  struct stat st;
  while (flock(l->fd, LOCK_EX) < 0)
    if (errno != EINTR) return fail(l->path, err, "cannot lock");
  l->locked = true;
  int found = lstat(l->path, &st);
  if (found == 0 && st.st_dev == l->device && st.st_ino == l->inode) return 0;
  int reason = errno;
  ts_applog_unlock(l);
  errno = reason;
  if (found < 0) return fail(l->path, err, "the log is gone");
  return ts_fail(err, "%s: the log was replaced by another file", l->path);
}

/* Reading */

int ts_applog_size(const struct ts_applog *l, uint64_t *size, struct ts_buf *err) {
  struct stat st;
  if (fstat(l->fd, &st) < 0) return fail(l->path, err, "cannot read");
  *size = (uint64_t)st.st_size;
  return 0;
}

int ts_applog_read(const struct ts_applog *l, uint64_t from, size_t max, struct ts_buf *out, struct ts_buf *err) {
  while (max > 0) {
    ssize_t n = pread(l->fd, ts_buf_reserve(out, max), max, (off_t)from);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(l->path, err, "cannot read");
    if (n == 0) break;
    ts_buf_cut(out, out->len + (size_t)n);
    from += (uint64_t)n;
    max -= (size_t)n;
  }
  return 0;
}

int ts_applog_is_still(const struct ts_applog *l, unsigned milliseconds, struct ts_buf *err) {
  uint64_t before = 0, after = 0;
  struct timespec left = { milliseconds / 1000, (long)(milliseconds % 1000) * 1000000 };
  if (ts_applog_size(l, &before, err) < 0) return -1;
  while (nanosleep(&left, &left) < 0 && errno == EINTR) {
  }
  if (ts_applog_size(l, &after, err) < 0) return -1;
  return before == after;
}

/* Writing */

static ssize_t write_once(int fd, struct ts_str bytes) {
  ssize_t n;
  do n = write(fd, bytes.ptr, bytes.len);
  while (n < 0 && errno == EINTR);
  return n;
}

/* Takes back the last bytes of the file, which a write that was cut short left, unless another writer, which does not
 * lock, has written behind them. */
static const char *take_back(const struct ts_applog *l, uint64_t end, uint64_t written) {
  struct stat st;
  if (written == 0) return "";
  bool last = fstat(l->fd, &st) == 0 && (uint64_t)st.st_size == end;
  return last && ftruncate(l->fd, (off_t)(end - written)) == 0 ? "" : ", and a part of the line is left behind";
}

int ts_applog_append(const struct ts_applog *l, struct ts_str bytes, uint64_t *end, struct ts_buf *err) {
  ssize_t n = write_once(l->fd, bytes);
  int error = errno;
  *end = (uint64_t)lseek(l->fd, 0, SEEK_CUR); /* where an appending write ended; pread does not move it */
  if (n >= 0 && (size_t)n == bytes.len) return 0;
  /* a short write means that the room ended there */
  const char *why = n < 0 ? strerror(error) : "No space left for the whole line";
  return ts_fail(err, "%s: cannot append: %s%s", l->path, why, take_back(l, *end, n < 0 ? 0 : (uint64_t)n));
}

/* Appends all from offset `from` on of the log, and a newline, to fd. */
static int copy_tail(const struct ts_applog *l, uint64_t from, int fd, const char *path, struct ts_buf *err) {
  struct ts_buf block = { 0 };
  int result = 0;
  for (bool more = true; more && result == 0; from += block.len) {
    ts_buf_clear(&block);
    result = ts_applog_read(l, from, BLOCK, &block, err);
    more = block.len == BLOCK;
    if (result == 0 && !more) ts_buf_addc(&block, '\n');
    if (result == 0 && write_once(fd, ts_buf_str(&block)) != (ssize_t)block.len)
      result = fail(path, err, "cannot write");
  }
  ts_buf_free(&block);
  if (result == 0 && fsync(fd) < 0) result = fail(path, err, "cannot sync");
  return result;
}

int ts_applog_set_aside(const struct ts_applog *l, uint64_t from, struct ts_buf *err) {
  struct ts_buf path = { 0 };
  struct stat st;
  ts_buf_addf(&path, "%s.torn", l->path);
  int fd = open_regular(path.ptr, O_WRONLY | O_CREAT, &st, err);
  int result = fd < 0 ? -1 : copy_tail(l, from, fd, path.ptr, err);
  if (fd >= 0 && close(fd) < 0 && result == 0) result = fail(path.ptr, err, "cannot write");
  ts_buf_free(&path);
  if (result == 0 && ftruncate(l->fd, (off_t)from) < 0) result = fail(l->path, err, "cannot cut the torn line");
  return result;
}

/* Stepping back, for as long as that lets others append, has the disk asked once for many: on two processors and a disk
 * that answers within 0.3 ms this gives 32 writers 1.5 times the rate. */
int ts_applog_sync(const struct ts_applog *l, bool others, struct ts_buf *err) {
  uint64_t before = 0, now = 1;
  for (int i = 0; others && i < PATIENCE && now > before; i++) {
    before = now;
    (void)sched_yield();
    if (ts_applog_size(l, &now, err) < 0) return -1;
  }
  while (fdatasync(l->fd) < 0)
    if (errno != EINTR) return fail(l->path, err, "cannot sync");
  return 0;
}

/* Creating */

/* A new name is on the disk only when its folder is. */
static int sync_folder(const char *path, struct ts_buf *err) {
  char *copy = ts_xstrdup(path);
  int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int result = fd < 0 || fsync(fd) < 0 ? fail(path, err, "cannot sync its folder") : 0;
  if (fd >= 0) (void)close(fd);
  free(copy);
  return result;
}

static int fill(int fd, struct ts_str bytes) {
  while (bytes.len > 0) {
    ssize_t n = write_once(fd, bytes);
    if (n <= 0) return -1;
    bytes = ts_str_sub(bytes, (size_t)n, bytes.len);
  }
  return fsync(fd);
}

int ts_applog_create(const char *path, struct ts_str bytes, struct ts_buf *err) {
  struct ts_buf beside = { 0 };
  ts_buf_addf(&beside, "%s.XXXXXX", path);
  int fd = mkostemp(beside.ptr, O_CLOEXEC); /* mode 0600 */
  int result = fd < 0 ? fail(path, err, "cannot create") : 0;
  if (result == 0 && fill(fd, bytes) < 0) result = fail(path, err, "cannot write");
  if (result == 0 && link(beside.ptr, path) < 0) result = fail(path, err, "cannot create");
  if (fd >= 0) {
    (void)close(fd); /* synced, or failed already */
    (void)unlink(beside.ptr);
  }
  ts_buf_free(&beside);
  return result == 0 ? sync_folder(path, err) : -1;
}
