#include "io/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit/tap.h"

static void lines(void) {
  static const struct {
    uint64_t total, done;
    int64_t elapsed;
    size_t width;
    const char *want;
  } rows[] = {
    { 1000, 500, 1000, 60, " 50% 500 B of 1000 B  500 B/s  0:01 left  [========>       ]" },
    { 1000, 500, 1000, 54, " 50% 500 B of 1000 B  500 B/s  0:01 left  [=====>    ]" },
    { 1000, 500, 1000, 53, " 50% 500 B of 1000 B  500 B/s  0:01 left" },
    { 1000, 500, 1000, 20, " 50% 500 B of 1000 B" },
    { 1000, 500, 1000, 0, "" },
    { 1000, 0, 1000, 40, "  0% 0 B of 1000 B  0 B/s  0:01" },
    { 1000, 1000, 2000, 44, "100% 1000 B of 1000 B  500 B/s  0:00 left" },
    { 1000, 5000, 1000, 44, "100% 4.9 KiB of 1000 B  4.9 KiB/s  0:00 left" },
    { 1000, 500, 0, 40, " 50% 500 B of 1000 B  0:00 left" },
    { 0, 1536, 61000, 60, "1.5 KiB  25 B/s  1:01" },
    { 0, 0, 0, 60, "0 B  0:00" },
    { 1ull << 40, 1ull << 30, 3600000, 64, "  0% 1.0 GiB of 1.0 TiB  291.3 KiB/s  99:59:59 left" },
    { 1ull << 30, 1ull << 28, 3600000, 64, " 25% 256.0 MiB of 1.0 GiB  72.8 KiB/s  3:00:00 left" },
    { 0, 1048575, 1000, 40, "1.0 MiB  1.0 MiB/s  0:01" },
    { 0, UINT64_MAX, 1000, 40, "16.0 EiB  16.0 EiB/s  0:01" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_progress p = { .total = rows[i].total, .done = rows[i].done };
    struct ts_buf line = { 0 };
    ts_progress_line(&p, rows[i].elapsed, rows[i].width, &line);
    IS(ts_buf_str(&line), ts_str_z(rows[i].want), "row %zu: the line", i);
    ts_buf_free(&line);
  }
}

/* A child that works for 1.2 seconds with a terminal of that width as its standard error (-1: a pipe). */
static void work(bool enabled) {
  struct ts_progress p;
  ts_progress_open(&p, 240, enabled);
  for (int i = 0; i < 240; i++) {
    (void)usleep(5000);
    ts_progress_step(&p, 1);
    if (i == 200) {
      ts_progress_hide(&p);
      (void)!write(STDERR_FILENO, "note\r\n", 6);
    }
  }
  ts_progress_close(&p);
}

static int open_terminal(int columns, int *other) {
  char name[64];
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ptsname_r(master, name, sizeof name) != 0)
    return -1;
  *other = open(name, O_RDWR | O_NOCTTY);
  struct winsize size = { .ws_col = (unsigned short)columns, .ws_row = 24 };
  return *other >= 0 && ioctl(*other, TIOCSWINSZ, &size) == 0 ? master : -1;
}

/* All that the child writes to its standard error. */
static void watch(int columns, bool enabled, struct ts_buf *seen) {
  int end[2] = { -1, -1 };
  if (columns < 0)
    OK(pipe(end) == 0, "a pipe");
  else
    end[0] = open_terminal(columns, &end[1]);
  if (!OK(end[0] >= 0 && end[1] >= 0, "somewhere to write")) return;
  pid_t child = fork();
  if (child == 0) {
    (void)setsid();
    (void)dup2(end[1], STDERR_FILENO);
    (void)ioctl(STDERR_FILENO, TIOCSCTTY, 0);
    work(enabled);
    _exit(0);
  }
  (void)close(end[1]);
  for (;;) {
    ssize_t n = read(end[0], ts_buf_reserve(seen, 4096), 4096); /* a terminal without its other side: EIO */
    if (n <= 0) break;
    ts_buf_cut(seen, seen->len + (size_t)n);
  }
  (void)waitpid(child, NULL, 0);
  (void)close(end[0]);
}

/* What a terminal that knows CR and LF shows at the end, without blanks at the ends of lines; also the widest line and
 * the number of redraws. */
static void play(struct ts_str bytes, struct ts_buf *screen, size_t *widest, size_t *drawn) {
  size_t line = 0, at = 0;
  *widest = *drawn = 0;
  for (size_t i = 0; i < bytes.len; i++) {
    char c = bytes.ptr[i];
    if (c == '%') (*drawn)++;
    if (c == '\r') {
      at = 0;
      continue;
    }
    if (c == '\n') {
      while (screen->len > line && screen->ptr[screen->len - 1] == ' ') ts_buf_cut(screen, screen->len - 1);
      ts_buf_addc(screen, '\n');
      line = screen->len;
      at = 0;
      continue;
    }
    if (line + at < screen->len)
      screen->ptr[line + at] = c;
    else
      ts_buf_addc(screen, c);
    if (++at > *widest) *widest = at;
  }
}

static void on_a_terminal(int columns, size_t at_most, size_t at_least) {
  struct ts_buf seen = { 0 }, screen = { 0 };
  size_t widest, drawn;
  watch(columns, true, &seen);
  play(ts_buf_str(&seen), &screen, &widest, &drawn);
  OK(widest <= at_most && widest >= at_least, "%d columns: the widest line has %zu", columns, widest);
  OK(drawn >= 2, "%d columns: drawn %zu times", columns, drawn);
  OK(drawn <= 15, "%d columns: ten times a second at most", columns);
  IS(ts_str_trim(ts_buf_str(&screen), " "), TS_STR("note\n"), "%d columns: nothing but the note stays", columns);
  ts_buf_free(&seen);
  ts_buf_free(&screen);
}

static void elsewhere(void) {
  struct ts_buf seen = { 0 };
  watch(-1, true, &seen);
  IS(ts_buf_str(&seen), TS_STR("note\r\n"), "nothing is drawn where there is no terminal");
  ts_buf_clear(&seen);
  watch(100, false, &seen);
  OK(!ts_str_has(ts_buf_str(&seen), TS_STR("%")), "nothing is drawn when it is not wanted");
  ts_buf_free(&seen);
}

int main(void) {
  lines();
  on_a_terminal(100, 99, 99);
  on_a_terminal(30, 29, 20);
  on_a_terminal(0, 79, 79); /* a terminal that does not know its width */
  elsewhere();
  return tap_done();
}
