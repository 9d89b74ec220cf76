#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

void ts_child_close(int *fd) {
  if (*fd >= 0) (void)close(*fd);
  *fd = -1;
}

void ts_child_close_all(struct ts_child *child) {
  ts_child_close(&child->in);
  ts_child_close(&child->out);
  ts_child_close(&child->err);
}

/* Which entry of list sets the same variable as `entry`? */
static size_t same_variable(char **list, size_t count, const char *entry) {
  size_t name = strcspn(entry, "=") + 1;
  for (size_t i = 0; i < count; i++)
    if (strncmp(list[i], entry, name) == 0) return i;
  return count;
}

/* The environment of the child; the strings are borrowed, the caller frees the array. */
static char **make_environ(const struct ts_child_spec *spec) {
  size_t count = 0, cap = 0;
  char **list = NULL;
  for (char **e = environ; e && *e; e++) {
    if (spec->clean_env && strncmp(*e, "PATH=", 5) != 0) continue;
    ts_xgrow(&list, &cap, count + 1, sizeof *list);
    list[count++] = *e;
  }
  for (char *const *e = spec->environ_with; e && *e; e++) {
    size_t at = same_variable(list, count, *e);
    ts_xgrow(&list, &cap, count + 1, sizeof *list);
    list[at] = *e;
    if (at == count) count++;
  }
  ts_xgrow(&list, &cap, count + 1, sizeof *list);
  list[count] = NULL;
  return list;
}

struct pipes {
  int in[2], out[2], err[2], report[2]; /* report carries errno when exec fails */
};

static void close_pipes(struct pipes *p) {
  int *all[] = { p->in, p->out, p->err, p->report };
  for (size_t i = 0; i < TS_COUNT(all); i++) {
    ts_child_close(&all[i][0]);
    ts_child_close(&all[i][1]);
  }
}

static int open_pipes(struct pipes *p) {
  *p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
  if (pipe2(p->in, O_CLOEXEC) == 0 && pipe2(p->out, O_CLOEXEC) == 0 && pipe2(p->err, O_CLOEXEC) == 0 &&
      pipe2(p->report, O_CLOEXEC) == 0)
    return 0;
  int saved = errno;
  close_pipes(p);
  errno = saved;
  return -1;
}

/* Descriptors that this program inherited and never opened itself are not close-on-exec: they are closed here. */
static void close_inherited(int keep) {
  long max = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < keep; fd++) (void)close(fd);
#ifdef CLOSE_RANGE_CLOEXEC
  if (close_range((unsigned)keep + 1, ~0u, 0) == 0) return;
#endif
  for (int fd = keep + 1; fd < (max > 0 && max < 65536 ? (int)max : 65536); fd++) (void)close(fd);
}

/* In the child, after fork: only async-signal-safe calls. */
static void become(const struct ts_child_spec *spec, char **env, struct pipes *p) {
  sigset_t none;
  (void)setsid();
  (void)sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < NSIG; number++) (void)signal(number, SIG_DFL); /* those that cannot be stay */
  if (dup2(p->in[0], 0) >= 0 && dup2(p->out[1], 1) >= 0 && dup2(p->err[1], 2) >= 0) {
    close_inherited(p->report[1]);
    environ = env;
    (void)execvp(spec->argv[0], spec->argv);
  }
  int why = errno;
  ssize_t told = write(p->report[1], &why, sizeof why);
  (void)told;
  _exit(127);
}

/* 0 when the program is running, else the errno of its exec. */
static int read_report(int fd) {
  int why = 0;
  ssize_t n;
  do n = read(fd, &why, sizeof why);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof why ? why : 0;
}

/* Another time there may be room. */
static int refuse(const struct ts_child_spec *spec, int why, struct ts_buf *err) {
  bool is_short = why == EAGAIN || why == ENOMEM || why == EMFILE || why == ENFILE;
  ts_fail(err, "cannot start '%s': %s", spec->argv[0], strerror(why));
  return is_short ? 1 : -1;
}

static void reap(pid_t pid, int *status) {
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) continue;
}

static void set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0) (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int ts_child_start(const struct ts_child_spec *spec, struct ts_child *child, struct ts_buf *err) {
  struct pipes p;
  *child = (struct ts_child){ 0, -1, -1, -1 };
  if (open_pipes(&p) != 0) return refuse(spec, errno, err);
  char **env = make_environ(spec);
  pid_t pid = fork();
  if (pid == 0) become(spec, env, &p);
  int why = pid < 0 ? errno : 0;
  free(env);
  if (pid > 0) {
    ts_child_close(&p.report[1]);
    why = read_report(p.report[0]);
    if (why != 0) reap(pid, NULL);
  }
  if (why != 0) {
    close_pipes(&p);
    return refuse(spec, why, err);
  }
  *child = (struct ts_child){ pid, p.in[1], p.out[0], p.err[0] };
  p.in[1] = p.out[0] = p.err[0] = -1;
  close_pipes(&p);
  set_nonblocking(child->in);
  set_nonblocking(child->out);
  set_nonblocking(child->err);
  return 0;
}

void ts_child_signal(const struct ts_child *child, int signal) {
  if (child->pid > 0) (void)kill(-child->pid, signal);
}

bool ts_child_is_dead(const struct ts_child *child) {
  siginfo_t info = { 0 };
  int got;
  do got = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
  while (got < 0 && errno == EINTR);
  return got < 0 || info.si_pid != 0;
}

int ts_child_ended(struct ts_child *child, bool block, int *status) {
  pid_t got;
  do got = waitpid(child->pid, status, block ? 0 : WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0) return 0;
  if (got < 0) *status = 0; /* reaped elsewhere: cannot happen unless SIGCHLD is ignored */
  child->pid = 0;
  return 1;
}

void ts_child_describe(int status, struct ts_buf *out) {
  if (WIFSIGNALED(status))
    ts_buf_addf(out, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    ts_buf_addf(out, "exited with status %d", WEXITSTATUS(status));
}
