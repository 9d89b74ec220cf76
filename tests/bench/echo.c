/* A handler that only answers. Alone it is a stream handler for tsdispatch. With a number of calls it is the yardstick:
 * it starts itself behind two pipes and drives it bare, 64 calls in flight, and prints calls a second. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int answer_all(void) {
  static char line[1 << 20];
  while (fgets(line, sizeof line, stdin)) {
    (void)fputs("{\"type\":\"result\",\"content\":\"ok\"}\n", stdout);
    (void)fflush(stdout);
  }
  return 0;
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  enum { FLIGHT = 64 };
  if (argc < 2) return answer_all();
  long calls = strtol(argv[1], NULL, 10), sent = 0, answered = 0;
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) return 2;
  pid_t pid = fork();
  if (pid == 0) {
    (void)dup2(to[0], 0), (void)dup2(from[1], 1);
    (void)close(to[0]), (void)close(to[1]), (void)close(from[0]), (void)close(from[1]);
    (void)execl(argv[0], argv[0], (char *)NULL);
    _exit(127);
  }
  (void)close(to[0]), (void)close(from[1]);
  FILE *out = fdopen(to[1], "w"), *in = fdopen(from[0], "r");
  char line[256];
  double begin = now();
  while (out && in && answered < calls) {
    for (; sent < calls && sent - answered < FLIGHT; sent++)
      (void)fprintf(out, "{\"type\":\"call\",\"id\":\"c%ld\",\"name\":\"echo\",\"arguments\":{\"n\":%ld}}\n", sent,
                    sent);
    (void)fflush(out);
    if (!fgets(line, sizeof line, in)) return 2;
    answered++;
  }
  printf("%.0f\n", (double)calls / (now() - begin));
  if (out) (void)fclose(out);
  return waitpid(pid, NULL, 0) != pid;
}
