#include "io/progress.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 500, INTERVAL = 100 }; /* milliseconds */
enum { BAR_MIN = 12 };                /* columns; a shorter bar says nothing */

static int64_t now(void) {
  struct timespec t = { 0 };
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_size(struct ts_buf *out, double bytes) {
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  size_t unit = 0;
  for (; bytes >= 1023.95 && unit + 1 < TS_COUNT(units); unit++) bytes /= 1024;
  ts_buf_addf(out, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

static void add_time(struct ts_buf *out, double seconds) {
  uint64_t s = seconds < 360000 ? (uint64_t)seconds : 359999; /* 99:59:59 */
  if (s >= 3600) ts_buf_addf(out, "%u:", (unsigned)(s / 3600));
  ts_buf_addf(out, s >= 3600 ? "%02u:%02u" : "%u:%02u", (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

static void add_bar(struct ts_buf *out, size_t columns, double share) {
  size_t inside = columns - 2, full = (size_t)(share * (double)inside);
  ts_buf_addc(out, '[');
  for (size_t i = 0; i < inside; i++) ts_buf_addc(out, i < full ? '=' : i == full ? '>' : ' ');
  ts_buf_addc(out, ']');
}

void ts_progress_line(const struct ts_progress *p, int64_t elapsed, size_t width, struct ts_buf *line) {
  size_t from = line->len;
  double seconds = (double)elapsed / 1000, done = (double)p->done, total = (double)p->total;
  double share = p->done < p->total ? done / total : 1; /* a file may have grown meanwhile */
  if (p->total > 0) ts_buf_addf(line, "%3d%% ", (int)(share * 100));
  add_size(line, done);
  if (p->total > 0) {
    ts_buf_addz(line, " of ");
    add_size(line, total);
  }
  if (seconds > 0) {
    ts_buf_addz(line, "  ");
    add_size(line, done / seconds);
    ts_buf_addz(line, "/s");
  }
  ts_buf_addz(line, "  ");
  if (p->total > 0 && p->done > 0) {
    add_time(line, seconds * (1 - share) / share);
    ts_buf_addz(line, " left");
  } else {
    add_time(line, seconds);
  }
  size_t used = line->len - from;
  if (p->total > 0 && used + 2 + BAR_MIN <= width) {
    ts_buf_addz(line, "  ");
    add_bar(line, width - used - 2, share);
  }
  if (line->len - from > width) ts_buf_cut(line, from + width);
}

/* One column is left free: some terminals wrap when the last one is written. */
static size_t terminal_width(void) {
  struct winsize size = { 0 };
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 79;
  return (size_t)size.ws_col - 1;
}

/* A job in the background must not scribble over the shell. */
static bool in_foreground(void) {
  pid_t front = tcgetpgrp(STDERR_FILENO);
  return front < 0 || front == getpgrp();
}

/* Puts text in place of the line that is there, with blanks over what it leaves of it: every terminal can. */
static void show(struct ts_progress *p, struct ts_str text) {
  struct ts_buf bytes = { 0 };
  ts_buf_addc(&bytes, '\r');
  ts_buf_add(&bytes, text);
  for (size_t i = text.len; i < p->drawn; i++) ts_buf_addc(&bytes, ' ');
  if (text.len == 0) ts_buf_addc(&bytes, '\r');
  ssize_t written = write(STDERR_FILENO, bytes.ptr, bytes.len); /* a bar that is not seen is no error */
  (void)written;
  ts_buf_free(&bytes);
  p->drawn = text.len;
}

void ts_progress_open(struct ts_progress *p, uint64_t total, bool enabled) {
  *p = (struct ts_progress){ .on = enabled && isatty(STDERR_FILENO), .total = total };
  if (!p->on) return;
  p->began = now();
  p->next = p->began + FIRST;
}

void ts_progress_step(struct ts_progress *p, uint64_t bytes) {
  p->done += bytes;
  if (!p->on) return;
  int64_t at = now();
  if (at < p->next) return;
  p->next = at + INTERVAL;
  if (!in_foreground()) return;
  struct ts_buf line = { 0 };
  ts_progress_line(p, at - p->began, terminal_width(), &line);
  show(p, ts_buf_str(&line));
  ts_buf_free(&line);
}

void ts_progress_hide(struct ts_progress *p) {
  if (p->drawn > 0) show(p, TS_STR(""));
}

void ts_progress_close(struct ts_progress *p) {
  ts_progress_hide(p);
  p->on = false;
}
