/* The append log: what it opens, that an append is all or nothing, torn tails, and logs that are taken away. */
#include "io/applog.h"
#include "unit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/ts-applog-XXXXXX";

static void put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  OK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0, "%s: written", path);
}

static void holds(const char *path, const char *text, const char *name) {
  struct ts_buf got = { 0 };
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, ts_buf_reserve(&got, 4096), 4096);
  if (n > 0) ts_buf_cut(&got, (size_t)n);
  if (fd >= 0) (void)close(fd);
  IS_Z(ts_buf_z(&got), text, "%s", name);
  ts_buf_free(&got);
}

static void test_open(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  put("file", "a\n");
  OK(mkfifo("fifo", 0600) == 0 && symlink("file", "link") == 0 && mkdir("dir", 0700) == 0, "other things than files");
  static const struct {
    const char *path, *error;
  } rows[] = {
    { "nothing", "nothing: cannot open for appending: No such file or directory" },
    { "fifo", "fifo: cannot append: it is a FIFO" },
    { "link", "link: cannot append: it is a symbolic link" },
    { "dir", "dir: cannot append: it is a directory" },
    { "/dev/null", "/dev/null: cannot append: it is a character device" },
    { "file/x", "file/x: cannot open for appending: Not a directory" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_buf_clear(&err);
    IS_INT(ts_applog_open(&l, rows[i].path, &err), -1, "%s: refused", rows[i].path);
    IS_Z(ts_buf_z(&err), rows[i].error, "%s: why", rows[i].path);
    ts_applog_close(&l);
  }
  OK(access("nothing", F_OK) < 0, "nothing is created");
  IS_INT(ts_applog_open(&l, "file", &err), 0, "a file");
  ts_applog_close(&l);
  ts_buf_free(&err);
}

static void test_append(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 }, text = { 0 };
  uint64_t size = 0, end = 0;
  put("log", "a\n");
  OK(ts_applog_open(&l, "log", &err) == 0 && ts_applog_lock(&l, &err) == 0, "opened and locked");
  OK(ts_applog_size(&l, &size, &err) == 0 && size == 2, "its size");
  OK(ts_applog_append(&l, TS_STR("b\n"), &end, &err) == 0 && end == 4, "appended");
  OK(ts_applog_sync(&l, false, &err) == 0 && ts_applog_sync(&l, true, &err) == 0, "synced");
  IS_INT(ts_applog_read(&l, 1, 2, &text, &err), 0, "read");
  IS(ts_buf_str(&text), TS_STR("\nb"), "no more than was wanted");
  ts_buf_clear(&text);
  IS_INT(ts_applog_read(&l, 2, 100, &text, &err), 0, "read to the end");
  IS(ts_buf_str(&text), TS_STR("b\n"), "what is there");
  ts_applog_unlock(&l);
  ts_applog_close(&l);
  holds("log", "a\nb\n", "the file");
  ts_buf_free(&err);
  ts_buf_free(&text);
}

/* Where an append ends, whoever wrote before it. */
static void test_end(void) {
  struct ts_applog l, other;
  struct ts_buf err = { 0 }, text = { 0 };
  uint64_t end = 0;
  put("log", "a\n");
  OK(ts_applog_open(&l, "log", &err) == 0 && ts_applog_open(&other, "log", &err) == 0, "opened twice");
  OK(ts_applog_append(&other, TS_STR("foreign\n"), &end, &err) == 0 && end == 10, "the other's");
  OK(ts_applog_read(&l, 0, 1, &text, &err) == 0 && ts_applog_append(&l, TS_STR("b\n"), &end, &err) == 0, "the own");
  OK(end == 12, "behind the other's");
  ts_applog_close(&l);
  ts_applog_close(&other);
  ts_buf_free(&err);
  ts_buf_free(&text);
}

/* Appends while no file may be longer than `most` bytes. Nothing is printed meanwhile: the report may be a file. */
static int append_within(struct ts_applog *l, rlim_t most, struct ts_buf *err) {
  struct rlimit before, small;
  uint64_t end;
  if (!OK(getrlimit(RLIMIT_FSIZE, &before) == 0, "the limit")) return 0;
  small = (struct rlimit){ most, before.rlim_max };
  int limited = setrlimit(RLIMIT_FSIZE, &small), written = ts_applog_append(l, TS_STR("12345\n"), &end, err);
  int lifted = setrlimit(RLIMIT_FSIZE, &before);
  OK(limited == 0 && lifted == 0, "%d bytes are all there may be, for a while", (int)most);
  return written;
}

/* The room ends inside the line, and before it. */
static void test_no_room(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  put("log", "a\nb\n");
  (void)signal(SIGXFSZ, SIG_IGN);
  OK(ts_applog_open(&l, "log", &err) == 0 && ts_applog_lock(&l, &err) == 0, "opened and locked");
  IS_INT(append_within(&l, 6, &err), -1, "only a part fits");
  IS_Z(ts_buf_z(&err), "log: cannot append: No space left for the whole line", "why");
  holds("log", "a\nb\n", "the part is gone again");
  IS_INT(append_within(&l, 4, &err), -1, "nothing fits");
  IS_Z(ts_buf_z(&err), "log: cannot append: File too large", "why");
  holds("log", "a\nb\n", "nothing was written");
  ts_applog_close(&l);
  ts_buf_free(&err);
}

static void test_set_aside(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  uint64_t end;
  put("torn", "a\nhalf");
  OK(ts_applog_open(&l, "torn", &err) == 0 && ts_applog_lock(&l, &err) == 0, "opened and locked");
  IS_INT(ts_applog_is_still(&l, 10, &err), 1, "nobody writes");
  IS_INT(ts_applog_set_aside(&l, 2, &err), 0, "set aside");
  holds("torn", "a\n", "cut");
  holds("torn.torn", "half\n", "kept");
  IS_INT(ts_applog_append(&l, TS_STR("b\nmore"), &end, &err), 0, "appended");
  IS_INT(ts_applog_set_aside(&l, 4, &err), 0, "again");
  holds("torn.torn", "half\nmore\n", "one behind the other");
  OK(unlink("torn.torn") == 0 && symlink("file", "torn.torn") == 0, "a link in its place");
  IS_INT(ts_applog_append(&l, TS_STR("x"), &end, &err), 0, "appended");
  IS_INT(ts_applog_set_aside(&l, 4, &err), -1, "not through a link");
  IS_Z(ts_buf_z(&err), "torn.torn: cannot append: it is a symbolic link", "why");
  holds("torn", "a\nb\nx", "and nothing is cut");
  ts_applog_close(&l);
  ts_buf_free(&err);
}

/* Someone who does not lock goes on writing. */
static void test_not_still(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  put("busy", "a\n");
  OK(ts_applog_open(&l, "busy", &err) == 0 && ts_applog_lock(&l, &err) == 0, "opened and locked");
  pid_t child = fork();
  if (child == 0) {
    int fd = open("busy", O_WRONLY | O_APPEND | O_CLOEXEC);
    (void)usleep(50 * 1000);
    _exit(write(fd, "b", 1) == 1 ? 0 : 1);
  }
  IS_INT(ts_applog_is_still(&l, 400, &err), 0, "somebody writes");
  OK(child > 0 && waitpid(child, NULL, 0) == child, "he is done");
  ts_applog_close(&l);
  ts_buf_free(&err);
}

static void test_taken_away(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  put("here", "a\n");
  OK(ts_applog_open(&l, "here", &err) == 0, "opened");
  OK(unlink("here") == 0, "deleted");
  IS_INT(ts_applog_lock(&l, &err), -1, "a deleted log is not locked");
  IS_Z(ts_buf_z(&err), "here: the log is gone: No such file or directory", "why");
  OK(!l.locked, "and not held");
  put("here", "another\n");
  IS_INT(ts_applog_lock(&l, &err), -1, "neither is one that was replaced");
  IS_Z(ts_buf_z(&err), "here: the log was replaced by another file", "why");
  ts_applog_close(&l);
  ts_buf_free(&err);
}

/* The lock is exclusive: whoever else wants it waits. */
static void test_lock(void) {
  struct ts_applog l;
  struct ts_buf err = { 0 };
  put("log", "a\n");
  OK(ts_applog_open(&l, "log", &err) == 0 && ts_applog_lock(&l, &err) == 0, "opened and locked");
  int other = open("log", O_RDONLY | O_CLOEXEC);
  OK(flock(other, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK, "nobody else gets it");
  ts_applog_unlock(&l);
  OK(flock(other, LOCK_EX | LOCK_NB) == 0, "until it is dropped");
  (void)close(other);
  ts_applog_close(&l);
  ts_buf_free(&err);
}

static void test_create(void) {
  struct ts_buf err = { 0 };
  struct stat st;
  IS_INT(ts_applog_create("new", TS_STR("a\n"), &err), 0, "created");
  holds("new", "a\n", "with its text");
  OK(stat("new", &st) == 0 && (st.st_mode & 07777) == 0600 && st.st_nlink == 1, "for its owner alone, under one name");
  IS_INT(ts_applog_create("new", TS_STR("b\n"), &err), -1, "not over another");
  IS_Z(ts_buf_z(&err), "new: cannot create: File exists", "why");
  holds("new", "a\n", "which stays");
  OK(symlink("nowhere", "dangling") == 0, "a link to nothing");
  IS_INT(ts_applog_create("dangling", TS_STR("b\n"), &err), -1, "not through a link");
  IS_INT(ts_applog_create("no/such/folder", TS_STR("b\n"), &err), -1, "no folder");
  IS_Z(ts_buf_z(&err), "no/such/folder: cannot create: No such file or directory", "why");
  ts_buf_free(&err);
}

int main(void) {
  if (!mkdtemp(folder) || chdir(folder) != 0) return 2;
  test_open();
  test_append();
  test_end();
  test_no_room();
  test_set_aside();
  test_not_still();
  test_taken_away();
  test_lock();
  test_create();
  int result = tap_done();
  static const char *const left[] = { "file",      "fifo", "link", "log", "torn",
                                      "torn.torn", "busy", "here", "new", "dangling" };
  for (size_t i = 0; i < TS_COUNT(left); i++) (void)unlink(left[i]);
  (void)rmdir("dir");
  (void)rmdir(folder);
  return result;
}
