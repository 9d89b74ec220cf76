#include "io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"

static int write_all(int fd, struct ts_str bytes) {
  while (bytes.len > 0) {
    ssize_t n = write(fd, bytes.ptr, bytes.len);
    if (n < 0 && errno != EINTR) return -1;
    if (n > 0) bytes = ts_str_sub(bytes, (size_t)n, SIZE_MAX);
  }
  return 0;
}

/* The rename itself is durable when its folder is; some file systems can't sync one, and that is no fault. */
static void sync_folder(const char *path) {
  char *copy = ts_xstrdup(path);
  int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    (void)close(fd);
  }
  free(copy);
}

static int write_in_place(const char *path, struct ts_str bytes, struct ts_buf *err) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  int failed = fd < 0 ? -1 : write_all(fd, bytes);
  int why = errno;
  if (fd >= 0 && close(fd) < 0 && failed == 0) {
    failed = -1;
    why = errno;
  }
  return failed < 0 ? ts_fail(err, "%s: cannot write: %s", path, strerror(why)) : 0;
}

/* A new file is made as any other is; umask can only be asked by setting it. */
static mode_t new_mode(void) {
  mode_t mask = umask(0);
  (void)umask(mask);
  return 0666 & ~mask;
}

static int replace(const char *path, mode_t mode, struct ts_str bytes, struct ts_buf *err) {
  struct ts_buf name = { 0 };
  ts_buf_addf(&name, "%s.XXXXXX", path);
  int fd = mkostemp(name.ptr, O_CLOEXEC), failed = fd < 0, why = errno;
  if (!failed && (write_all(fd, bytes) < 0 || fchmod(fd, mode) < 0 || fsync(fd) < 0)) {
    failed = 1;
    why = errno;
  }
  if (fd >= 0 && close(fd) < 0 && !failed) {
    failed = 1;
    why = errno;
  }
  if (!failed && rename(name.ptr, path) < 0) {
    failed = 1;
    why = errno;
  }
  if (failed && fd >= 0) (void)unlink(name.ptr);
  if (!failed) sync_folder(path);
  ts_buf_free(&name);
  return failed ? ts_fail(err, "%s: cannot replace: %s", path, strerror(why)) : 0;
}

int ts_file_replace(const char *path, struct ts_str bytes, struct ts_buf *err) {
  struct stat st;
  bool is_there = stat(path, &st) == 0;
  if (is_there && !S_ISREG(st.st_mode)) return write_in_place(path, bytes, err);
  char *target = is_there ? realpath(path, NULL) : ts_xstrdup(path);
  if (!target) return ts_fail(err, "%s: cannot replace: %s", path, strerror(errno));
  int result = replace(target, is_there ? st.st_mode & 07777 : new_mode(), bytes, err);
  free(target);
  return result;
}
