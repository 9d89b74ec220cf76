/* What a command costs.   measure RUNS OUT COMMAND [ARGUMENT]...
 * Runs it RUNS times, its standard output in the file OUT (of the last run), and prints one line: least wall and least
 * CPU time in milliseconds, largest resident memory in KiB, and the exit status of the last run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double ms(struct timeval t) { return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void become(const char *out, char **command) {
  int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0) execvp(command[0], command);
  perror(fd < 0 ? out : command[0]);
  _exit(127);
}

int main(int argc, char **argv) {
  double wall = 1e300, cpu = 1e300;
  long kib = 0;
  int status = 0;
  if (argc < 4) {
    fprintf(stderr, "usage: measure RUNS OUT COMMAND [ARGUMENT]...\n");
    return 2;
  }
  for (int run = atoi(argv[1]); run > 0; run--) {
    struct rusage used;
    double begun = now();
    pid_t pid = fork();
    if (pid == 0) become(argv[2], argv + 3);
    if (pid < 0 || wait4(pid, &status, 0, &used) < 0) return 2;
    double took = now() - begun, burnt = ms(used.ru_utime) + ms(used.ru_stime);
    wall = took < wall ? took : wall;
    cpu = burnt < cpu ? burnt : cpu;
    kib = used.ru_maxrss > kib ? used.ru_maxrss : kib;
  }
  printf("%.0f %.0f %ld %d\n", wall, cpu, kib, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
