/* The yardstick for stream handlers: writes the lines of FILE to a process and counts the lines that come back, with
 * at most AHEAD of them under way. Nothing is parsed.   drive AHEAD FILE COMMAND [ARGUMENT]... */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static char *read_file(const char *path, size_t *len) {
  struct stat st;
  int fd = open(path, O_RDONLY);
  if (fd < 0 || fstat(fd, &st) < 0) fail(path);
  char *text = malloc((size_t)st.st_size + 1);
  if (!text || read(fd, text, (size_t)st.st_size) != st.st_size) fail(path);
  *len = (size_t)st.st_size;
  close(fd);
  return text;
}

static pid_t start(char **command, int *in, int *out) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0) fail("pipe");
  pid_t pid = fork();
  if (pid == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    execvp(command[0], command);
    fail(command[0]);
  }
  close(to[0]);
  close(from[1]);
  *in = to[1];
  *out = from[0];
  return pid;
}

/* Where the lines end that may be written now. */
static size_t allowed(const char *text, size_t at, size_t len, long lines) {
  for (; lines > 0 && at < len; lines--) {
    const char *end = memchr(text + at, '\n', len - at);
    at = end ? (size_t)(end - text) + 1 : len;
  }
  return at;
}

int main(int argc, char **argv) {
  size_t len, sent = 0, may = 0;
  long ahead = argc > 3 ? atol(argv[1]) : 0, under_way = 0, answers = 0;
  int in, out, status;
  if (ahead < 1) {
    fprintf(stderr, "usage: drive AHEAD FILE COMMAND [ARGUMENT]...\n");
    return 2;
  }
  char *text = read_file(argv[2], &len);
  pid_t pid = start(argv + 3, &in, &out);
  fcntl(in, F_SETFL, O_NONBLOCK);
  while (sent < len || under_way > 0) {
    if (sent == may && under_way < ahead) {
      size_t next = allowed(text, may, len, ahead - under_way);
      for (const char *p = text + may; (p = memchr(p, '\n', (size_t)(text + next - p))) != NULL; p++) under_way++;
      may = next;
    }
    struct pollfd fds[] = { { .fd = sent < may ? in : -1, .events = POLLOUT }, { .fd = out, .events = POLLIN } };
    if (poll(fds, 2, -1) < 0) fail("poll");
    if (fds[0].revents) {
      ssize_t n = write(in, text + sent, may - sent);
      if (n > 0) sent += (size_t)n;
    }
    if (fds[1].revents) {
      char block[65536];
      ssize_t n = read(out, block, sizeof block);
      if (n <= 0) break;
      for (const char *p = block; (p = memchr(p, '\n', (size_t)(block + n - p))) != NULL; p++) {
        under_way--;
        answers++;
      }
    }
  }
  close(in);
  waitpid(pid, &status, 0);
  printf("%ld\n", answers);
  free(text);
  return status != 0;
}
