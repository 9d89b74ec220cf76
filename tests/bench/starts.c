/* How long a program takes from its start to its end, beside another one.
 *   starts RUNS INPUT OTHER -- COMMAND [ARGUMENT]...
 * Runs OTHER and COMMAND in turn, RUNS times each, standard input from INPUT, output to /dev/null, and prints the two
 * medians in microseconds and COMMAND's exit status. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double run(const char *input, char **command, int *status) {
  posix_spawn_file_actions_t files;
  pid_t pid;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  double begun = now();
  if (posix_spawnp(&pid, command[0], &files, NULL, command, environ) != 0 || waitpid(pid, status, 0) < 0) exit(2);
  double took = now() - begun;
  posix_spawn_file_actions_destroy(&files);
  return took;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int runs = argc > 5 ? atoi(argv[1]) : 0, status = 0;
  if (runs < 1 || strcmp(argv[4], "--") != 0) {
    fprintf(stderr, "usage: starts RUNS INPUT OTHER -- COMMAND [ARGUMENT]...\n");
    return 2;
  }
  char *other[] = { argv[3], NULL };
  double *took[2] = { calloc((size_t)runs, sizeof(double)), calloc((size_t)runs, sizeof(double)) };
  if (!took[0] || !took[1]) return 2;
  for (int i = 0; i < runs; i++) {
    took[0][i] = run(argv[2], other, &status);
    took[1][i] = run(argv[2], argv + 5, &status);
  }
  for (int i = 0; i < 2; i++) qsort(took[i], (size_t)runs, sizeof(double), order);
  printf("%.0f %.0f %d\n", took[0][runs / 2], took[1][runs / 2], WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  free(took[0]);
  free(took[1]);
  return 0;
}
