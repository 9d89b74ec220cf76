#include "io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/tap.h"

/* Reads a pipe to its end on another thread, slowly enough that the writer fills it. */
struct drain {
  int fd;
  struct ts_buf text;
};

static void *drain(void *argument) {
  struct drain *d = argument;
  (void)usleep(20000);
  for (;;) {
    ssize_t n = read(d->fd, ts_buf_reserve(&d->text, 4096), 4096);
    if (n <= 0) return NULL;
    ts_buf_cut(&d->text, d->text.len + (size_t)n);
  }
}

/* Writes pieces of these sizes through a pipe; what comes out must be what went in. */
static void pieces(const char *name, const size_t *size, size_t count, int flags) {
  int pipe_fd[2];
  struct drain d = { 0 };
  struct ts_buf wanted = { 0 }, err = { 0 };
  struct ts_out out;
  pthread_t reader;
  OK(pipe2(pipe_fd, 0) == 0 && fcntl(pipe_fd[1], F_SETFL, flags) == 0, "%s: a pipe", name);
  d.fd = pipe_fd[0];
  OK(pthread_create(&reader, NULL, drain, &d) == 0, "%s: a reader", name);
  ts_out_open(&out, pipe_fd[1]);
  for (size_t i = 0; i < count; i++) {
    size_t from = wanted.len;
    for (size_t k = 0; k < size[i]; k++) ts_buf_addc(&wanted, (char)(k * 7 + i));
    ts_out_add(&out, ts_str_sub(ts_buf_str(&wanted), from, size[i]));
  }
  IS_INT(ts_out_close(&out, &err), 0, "%s: closes", name);
  (void)pthread_join(reader, NULL);
  OK(ts_str_eq(ts_buf_str(&d.text), ts_buf_str(&wanted)), "%s: %zu bytes arrive as they are", name, wanted.len);
  (void)close(d.fd);
  ts_buf_free(&d.text);
  ts_buf_free(&wanted);
  ts_buf_free(&err);
}

static void sizes(void) {
  static const size_t none[] = { 0 }, one[] = { 1 }, edge[] = { 65535, 1, 65536, 1, 65537, 0, 3, 65533 };
  static const size_t huge[] = { 5, 3000000, 7, 1000000 };
  pieces("nothing", none, 1, 0);
  pieces("one byte", one, 1, 0);
  pieces("around the block", edge, TS_COUNT(edge), 0);
  pieces("more than a pipe holds", huge, TS_COUNT(huge), 0);
  pieces("non-blocking", huge, TS_COUNT(huge), O_NONBLOCK);
}

static void refused(const char *name, int fd, const char *why, size_t bytes) {
  struct ts_buf err = { 0 }, sentence = { 0 }, text = { 0 };
  struct ts_out out;
  (void)memset(ts_buf_reserve(&text, bytes), 'x', bytes);
  ts_buf_cut(&text, bytes);
  ts_out_open(&out, fd);
  ts_out_add(&out, ts_buf_str(&text));
  IS_INT(ts_out_flush(&out), -1, "%s: a flush fails", name);
  OK(out.error != 0, "%s: the error is kept", name);
  ts_out_add(&out, TS_STR("more"));
  IS_U64(out.pending.len, 0, "%s: nothing is kept that cannot go out", name);
  IS_INT(ts_out_flush(&out), -1, "%s: a second flush fails too", name);
  IS_INT(ts_out_close(&out, &err), -1, "%s: so does closing", name);
  ts_buf_addf(&sentence, "standard output: %s", why);
  IS(ts_buf_str(&err), ts_buf_str(&sentence), "%s: and says why", name);
  ts_buf_free(&err);
  ts_buf_free(&sentence);
  ts_buf_free(&text);
}

static int broken_pipe(void) {
  int fd[2];
  if (pipe(fd) != 0) return -1;
  (void)close(fd[0]);
  return fd[1];
}

static void failures(void) {
  static const size_t sizes[] = { 1, 200000 }; /* buffered first, written at once */
  (void)signal(SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < TS_COUNT(sizes); i++) {
    refused("full device", open("/dev/full", O_WRONLY), "No space left on device", sizes[i]);
    refused("read-only descriptor", open("/dev/null", O_RDONLY), "Bad file descriptor", sizes[i]);
    refused("closed descriptor", 4095, "Bad file descriptor", sizes[i]);
    refused("pipe without a reader", broken_pipe(), "Broken pipe", sizes[i]);
  }
  (void)signal(SIGPIPE, SIG_DFL);
}

/* Asked before each write; after `left` times the output is given up. */
struct patience {
  int left, asked, fd;
};

static bool ask(void *context, int fd) {
  struct patience *p = context;
  p->asked++;
  p->fd = fd;
  return p->left-- > 0;
}

static void waiting(void) {
  struct patience p = { .left = 3 };
  struct ts_buf text = { 0 }, err = { 0 };
  struct ts_out out;
  int pipe_fd[2];
  char block[65536];
  OK(pipe(pipe_fd) == 0, "a pipe");
  ts_out_open(&out, pipe_fd[1]);
  out.wait = ask;
  out.wait_context = &p;
  (void)memset(ts_buf_reserve(&text, 20000), 'x', 20000);
  ts_buf_cut(&text, 20000);
  ts_out_add(&out, ts_buf_str(&text));
  IS_INT(ts_out_flush(&out), -1, "wait: output is given up");
  IS_INT(out.error, EINTR, "wait: which is an error");
  IS_INT(p.asked, 4, "wait: it is asked before each write");
  IS_INT(p.fd, pipe_fd[1], "wait: for that descriptor");
  ssize_t n = read(pipe_fd[0], block, sizeof block);
  OK(n > 0 && n <= 3 * PIPE_BUF, "wait: a write is no longer than a pipe takes at once (%zd)", n);
  IS_INT(ts_out_close(&out, &err), -1, "wait: closing tells it");
  (void)close(pipe_fd[0]);
  ts_buf_free(&text);
  ts_buf_free(&err);
}

static void closing(void) {
  struct ts_buf err = { 0 };
  struct ts_out out;
  ts_out_open(&out, 4095);
  IS_INT(ts_out_close(&out, &err), -1, "a descriptor that cannot be closed is an error although nothing was written");
  IS(ts_buf_str(&err), TS_STR("standard output: Bad file descriptor"), "and says why");
  ts_buf_clear(&err);
  IS_INT(ts_out_close(&out, &err), 0, "closing what is closed does nothing");
  IS_U64(err.len, 0, "and says nothing");
  int full = open("/dev/full", O_WRONLY);
  ts_out_open(&out, full);
  ts_out_add(&out, TS_STR("x"));
  IS_INT(ts_out_close(&out, NULL), -1, "an error needs no buffer");
  IS_INT(fcntl(full, F_GETFD), -1, "the descriptor is closed after an error too");
  ts_buf_free(&err);
}

/* What a child with some of its standard descriptors closed makes of them: for each a letter, r: cannot be read, w:
 * cannot be written. */
static void child_descriptors(unsigned closed, char seen[4]) {
  for (int fd = 0; fd < 3; fd++)
    if (closed & 1u << fd) (void)close(fd);
  ts_standard_descriptors();
  char byte = 0;
  int next = open("/dev/null", O_RDONLY);
  seen[0] = closed & 1 ? (read(0, &byte, 1) < 0 && errno == EBADF ? 'r' : '?') : '-';
  for (int fd = 1; fd < 3; fd++)
    seen[fd] = !(closed & 1u << fd) ? '-' : write(fd, &byte, 1) < 0 && errno == EBADF ? 'w' : '?';
  seen[3] = next > 2 ? '+' : '!';
}

static void standard_descriptors(void) {
  static const char *const want[] = { "---+", "r--+", "-w-+", "rw-+", "--w+", "r-w+", "-ww+", "rww+" };
  for (unsigned closed = 0; closed < TS_COUNT(want); closed++) {
    int fd[2];
    char seen[5] = { 0 };
    if (!OK(pipe(fd) == 0 && fd[0] > 2 && fd[1] > 2, "a pipe")) return;
    pid_t child = fork();
    if (child == 0) {
      child_descriptors(closed, seen);
      _exit(write(fd[1], seen, 4) == 4 ? 0 : 1);
    }
    (void)close(fd[1]);
    (void)waitpid(child, NULL, 0);
    OK(read(fd[0], seen, 4) == 4, "closed %u: the child reports", closed);
    IS_Z(seen, want[closed], "closed %u: gaps are filled, later files get other numbers", closed);
    (void)close(fd[0]);
  }
}

int main(void) {
  sizes();
  failures();
  waiting();
  closing();
  standard_descriptors();
  return tap_done();
}
