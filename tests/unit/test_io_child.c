/* Processes: what they are given, how they end, and that nothing of them is left here. */
#include "io/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/tap.h"

/* Descriptors that are open here. */
static int open_descriptors(void) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static void read_all(int fd, struct ts_buf *out) {
  for (;;) {
    struct pollfd p = { .fd = fd, .events = POLLIN };
    (void)poll(&p, 1, 10000);
    ssize_t n = read(fd, ts_buf_reserve(out, 4096), 4096);
    if (n <= 0) return;
    ts_buf_cut(out, out->len + (size_t)n);
  }
}

/* Runs a script for sh to its end: what it wrote, and how it ended. */
static int run(const char *script, char *const *with, bool clean, struct ts_buf *out) {
  char sh[] = "/bin/sh", c[] = "-c", text[512];
  char *const argv[] = { sh, c, text, NULL };
  struct ts_child_spec spec = { .argv = argv, .environ_with = with, .clean_env = clean };
  struct ts_child child;
  struct ts_buf err = { 0 };
  int status = -1;
  (void)snprintf(text, sizeof text, "%s", script);
  OK(ts_child_start(&spec, &child, &err) == 0, "%s: starts%s", script, ts_buf_z(&err));
  ts_child_close(&child.in);
  read_all(child.out, out);
  IS_INT(ts_child_ended(&child, true, &status), 1, "%s: ends", script);
  IS_INT(child.pid, 0, "%s: and has no process any more", script);
  ts_child_close_all(&child);
  OK(child.in < 0 && child.out < 0 && child.err < 0, "%s: its pipes are closed", script);
  ts_buf_free(&err);
  return status;
}

static void endings(void) {
  static const struct {
    const char *script, *out, *end;
  } rows[] = {
    { "exit 0", "", "exited with status 0" },
    { "echo a; exit 3", "a\n", "exited with status 3" },
    { "kill -9 $$", "", "was killed by signal 9 (Killed)" },
    { "kill -TERM $$", "", "was killed by signal 15 (Terminated)" },
    { "cat; echo b", "b\n", "exited with status 0" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 }, end = { 0 };
    ts_child_describe(run(rows[i].script, NULL, false, &out), &end);
    IS(ts_buf_str(&out), ts_str_z(rows[i].out), "%s: what it wrote", rows[i].script);
    IS(ts_buf_str(&end), ts_str_z(rows[i].end), "%s: how it ended", rows[i].script);
    ts_buf_free(&out);
    ts_buf_free(&end);
  }
}

static void environment(void) {
  char path[] = "PATH=/bin:/usr/bin", one[] = "TS_X=1=2", empty[] = "TS_Y=", inherited[] = "TS_INHERITED=yes";
  char *const with[] = { one, empty, NULL };
  struct ts_buf out = { 0 };
  (void)putenv(path);
  (void)putenv(inherited);
  (void)run("echo $TS_X-${TS_Y-unset}-$TS_INHERITED", with, false, &out);
  IS(ts_buf_str(&out), TS_STR("1=2--yes\n"), "variables are set on top of those that are there");
  ts_buf_clear(&out);
  char *const other[] = { (char[]){ "TS_INHERITED=no" }, NULL };
  (void)run("echo $TS_INHERITED", other, false, &out);
  IS(ts_buf_str(&out), TS_STR("no\n"), "and in their place");
  ts_buf_clear(&out);
  (void)run("echo $TS_INHERITED-$TS_X-$PATH", with, true, &out);
  IS(ts_buf_str(&out), TS_STR("-1=2-/bin:/usr/bin\n"), "a clean environment has PATH and what is given");
  ts_buf_free(&out);
}

static void isolation(void) {
  struct ts_buf out = { 0 };
  int extra = open("/dev/null", O_RDONLY), high = fcntl(extra, F_DUPFD, 200); /* not close-on-exec, as if inherited */
  (void)signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGUSR2);
  (void)sigprocmask(SIG_BLOCK, &blocked, NULL);
  (void)run(
      "for fd in 3 4 5 6 7 8 9; do (: <&$fd) 2>/dev/null && echo $fd; done; (: >/proc/self/fd/200) 2>/dev/null && "
      "echo 200; :",
      NULL, false, &out);
  IS(ts_buf_str(&out), TS_STR(""), "no descriptor of ours is open there");
  ts_buf_clear(&out);
  int status = run("kill -USR1 $$; echo survived", NULL, false, &out);
  OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1 && out.len == 0, "a signal ignored here is not ignored there");
  status = run("kill -USR2 $$; echo survived", NULL, false, &out);
  OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR2 && out.len == 0, "a signal blocked here is not blocked there");
  (void)close(extra);
  (void)close(high);
  ts_buf_free(&out);
}

static void groups(void) {
  char sh[] = "/bin/sh", c[] = "-c", text[] = "sleep 300 & echo up; wait";
  char *const argv[] = { sh, c, text, NULL };
  struct ts_child_spec spec = { .argv = argv };
  struct ts_child child;
  struct ts_buf out = { 0 };
  int status = 0;
  OK(ts_child_start(&spec, &child, NULL) == 0, "a group of two starts");
  struct pollfd p = { .fd = child.out, .events = POLLIN };
  OK(poll(&p, 1, 10000) == 1, "it is up");
  OK(getpgid(child.pid) == child.pid && getsid(child.pid) == child.pid, "it leads a group and a session");
  OK(!ts_child_is_dead(&child) && ts_child_ended(&child, false, &status) == 0, "it has not ended");
  ts_child_signal(&child, SIGTERM);
  read_all(child.out, &out); /* ends when both have */
  IS(ts_buf_str(&out), TS_STR("up\n"), "a signal reaches all of the group");
  for (int i = 0; i < 1000 && !ts_child_is_dead(&child); i++) (void)usleep(10000);
  OK(ts_child_is_dead(&child), "it has ended, and waits");
  OK(child.pid > 0 && ts_child_ended(&child, false, &status) == 1 && WTERMSIG(status) == SIGTERM, "and is taken away");
  ts_child_signal(&child, SIGKILL); /* reaches nobody */
  ts_child_close_all(&child);
  ts_buf_free(&out);
}

static void refusals(void) {
  char none[] = "/no/such/program", folder[] = "/";
  char *const argvs[][2] = { { none, NULL }, { folder, NULL } };
  static const char *const why[] = { "cannot start '/no/such/program': No such file or directory",
                                     "cannot start '/': Permission denied" };
  struct ts_child child;
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(argvs); i++) {
    struct ts_child_spec spec = { .argv = argvs[i] };
    IS_INT(ts_child_start(&spec, &child, &err), -1, "%s: is not started", argvs[i][0]);
    IS(ts_buf_str(&err), ts_str_z(why[i]), "%s: why", argvs[i][0]);
    OK(child.pid == 0 && child.in < 0 && child.out < 0 && child.err < 0, "%s: nothing is open", argvs[i][0]);
  }
  char cat[] = "cat";
  char *const argv[] = { cat, NULL };
  struct ts_child_spec spec = { .argv = argv };
  struct rlimit few = { 6, 6 }, before;
  (void)getrlimit(RLIMIT_NOFILE, &before);
  few.rlim_max = before.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &few);
  IS_INT(ts_child_start(&spec, &child, &err), 1, "too few descriptors: not now");
  (void)setrlimit(RLIMIT_NOFILE, &before);
  IS(ts_buf_str(&err), TS_STR("cannot start 'cat': Too many open files"), "too few descriptors: why");
  ts_buf_free(&err);
}

int main(void) {
  int before = open_descriptors();
  endings();
  environment();
  isolation();
  groups();
  refusals();
  IS_INT(open_descriptors(), before, "no descriptor is left");
  OK(waitpid(-1, NULL, WNOHANG) < 0, "no process is left");
  return tap_done();
}
