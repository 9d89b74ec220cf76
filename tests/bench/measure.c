/* measure OUTPUT COMMAND [ARGUMENT]...: runs the command with its standard output in the file OUTPUT, and prints wall
 * seconds, CPU seconds and the peak of its memory in KiB. Exits with its status. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  struct timespec a, b;
  (void)clock_gettime(CLOCK_MONOTONIC, &a);
  pid_t pid = fork();
  if (pid == 0) {
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) _exit(127);
    (void)execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status = 0;
  struct rusage used;
  if (pid < 0 || wait4(pid, &status, 0, &used) < 0) return 2;
  (void)clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%.6f %.6f %ld\n", (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9,
         seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
