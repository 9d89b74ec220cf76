/* Serving calls when the system fails: the disk at the last moment, the lock, taking back what was written. The
 * system calls that fail are this program's own. */
#include "todo/serve.h"
#include "unit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail_sync, fail_lock, fail_truncate; /* errno to fail with, 0: do it */

static int fails(int error) {
  errno = error;
  return -1;
}

int fdatasync(int fildes) { return fail_sync ? fails(fail_sync) : (int)syscall(SYS_fdatasync, fildes); }
int flock(int fd, int operation) { return fail_lock ? fails(fail_lock) : (int)syscall(SYS_flock, fd, operation); }
int ftruncate(int fd, off_t length) {
  return fail_truncate ? fails(fail_truncate) : (int)syscall(SYS_ftruncate, fd, length);
}

static char folder[] = "/tmp/ts-serve-XXXXXX";

static const struct ts_todo_call one = { .arguments = { "{\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}",
                                                        46 } };

static off_t size_of_log(void) {
  int fd = open("log", O_RDONLY | O_CLOEXEC);
  off_t size = lseek(fd, 0, SEEK_END);
  (void)close(fd);
  return size;
}

static void is_good(const struct ts_todo_reply *reply, const char *name) {
  OK(!reply->is_error && reply->replaced && !reply->unusable, "%s: accepted", name);
  IS_Z(ts_buf_z(&reply->content), "Updated todo list: 1 pending, 0 in progress, 0 completed.", "%s: answer", name);
}

static void is_bad(const struct ts_todo_reply *reply, const char *name, bool replaced, bool unusable,
                   const char *content) {
  OK(reply->is_error, "%s: an error result", name);
  OK(reply->replaced == replaced, "%s: the list was%s replaced", name, replaced ? "" : " not");
  OK(reply->unusable == unusable, "%s: the log can%s be used", name, unusable ? "not" : "");
  IS_Z(ts_buf_z(&reply->content), content, "%s: answer", name);
}

static void test_sync(struct ts_todo_server *s, struct ts_todo_reply *reply) {
  fail_sync = EIO;
  ts_todo_serve(s, &one, reply);
  fail_sync = 0;
  is_bad(reply, "no sync", true, false,
         "Error: log: cannot sync: Input/output error; the list was replaced, but that may not survive a crash");
  ts_todo_serve(s, &one, reply);
  is_good(reply, "after no sync");
  IS_U64(s->reader.events, 2, "the event that was not synced counts");
}

static void test_lock(struct ts_todo_server *s, struct ts_todo_reply *reply) {
  off_t size = size_of_log();
  fail_lock = ENOLCK;
  ts_todo_serve(s, &one, reply);
  fail_lock = 0;
  is_bad(reply, "no lock", false, true, "Error: log: cannot lock: No locks available");
  OK(size_of_log() == size, "nothing was written without the lock");
  ts_todo_serve(s, &one, reply);
  is_good(reply, "after no lock");
}

/* The room ends inside the line, and what was written of it can't be taken back: the next writer sets it aside. */
static void test_left_behind(struct ts_todo_server *s, struct ts_todo_reply *reply) {
  struct rlimit before, small;
  off_t size = size_of_log();
  OK(getrlimit(RLIMIT_FSIZE, &before) == 0, "the limit");
  small = before;
  small.rlim_cur = (rlim_t)size + 10;
  fail_truncate = EPERM;
  int set = setrlimit(RLIMIT_FSIZE, &small); /* says nothing meanwhile: what is printed may go to a file too */
  ts_todo_serve(s, &one, reply);
  int reset = setrlimit(RLIMIT_FSIZE, &before);
  fail_truncate = 0;
  OK(set == 0 && reset == 0, "ten bytes were left");
  is_bad(reply, "no room", false, false,
         "Error: log: cannot append: No space left for the whole line, and a part of the line is left behind; the list "
         "is as it was");
  OK(size_of_log() == size + 10, "ten bytes are left behind");
  fail_truncate = EPERM;
  ts_todo_serve(s, &one, reply);
  fail_truncate = 0;
  is_bad(reply, "a torn line that can't be cut", false, true,
         "Error: log: cannot cut the torn line: Operation not permitted");
  ts_todo_serve(s, &one, reply);
  is_good(reply, "after it was cut");
}

static void test_create(void) {
  struct ts_buf err = { 0 };
  IS_INT(ts_todo_log_create("other", TS_STR("\xff"), &err), -1, "an id that is no UTF-8");
  IS_Z(ts_buf_z(&err), "the id is not valid UTF-8", "why");
  IS_INT(ts_todo_log_create("other", TS_STR(""), &err), -1, "no id");
  IS_Z(ts_buf_z(&err), "a session's id is not empty", "why");
  OK(access("other", F_OK) < 0, "nothing was created");
  ts_buf_free(&err);
}

int main(void) {
  struct ts_todo_server server = { .path = "log" };
  struct ts_todo_reply reply = { 0 };
  if (!mkdtemp(folder) || chdir(folder) != 0) return 2;
  (void)signal(SIGXFSZ, SIG_IGN);
  OK(ts_todo_log_create("log", TS_STR("s\n\"\xc3\xa9"), NULL) == 0, "a log whose id has to be escaped");
  test_sync(&server, &reply);
  test_lock(&server, &reply);
  test_left_behind(&server, &reply);
  test_create();
  IS(ts_buf_str(&server.reader.header.id), TS_STR("s\n\"\xc3\xa9"), "the id is read as it was given");
  ts_todo_server_close(&server);
  ts_todo_reply_free(&reply);
  int result = tap_done();
  (void)unlink("log");
  (void)unlink("log.torn");
  (void)rmdir(folder);
  return result;
}
