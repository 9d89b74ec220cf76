/* The yardstick for appends: a bare loop of flock, write and fdatasync, holding the lock until the line is on the
 * disk.   appends FILE COUNT LINE  appends LINE and a newline COUNT times. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int fail(const char *what) {
  perror(what);
  return 2;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: appends FILE COUNT LINE\n");
    return 2;
  }
  int fd = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(argv[1]);
  size_t len = strlen(argv[3]);
  char *line = malloc(len + 1);
  if (!line) return fail("malloc");
  memcpy(line, argv[3], len);
  line[len] = '\n';
  for (long n = strtol(argv[2], NULL, 10); n > 0; n--) {
    if (flock(fd, LOCK_EX) < 0) return fail("flock");
    if (write(fd, line, len + 1) != (ssize_t)len + 1) return fail("write");
    if (fdatasync(fd) < 0) return fail("fdatasync");
    if (flock(fd, LOCK_UN) < 0) return fail("flock");
  }
  free(line);
  return close(fd) < 0 ? fail("close") : 0;
}
