/* The Test Anything Protocol for unit tests: each check prints one line, tap_done the plan. A test is a
 * program of its own; it runs with the repository's root as its working directory:
 *
 *   int main(void) {
 *     OK(1 + 1 == 2, "one and one");
 *     IS(ts_buf_str(&out), TS_STR("{}"), "row %zu: written", i);
 *     return tap_done();
 *   }
 *
 * Each line goes out at once, so that a crash shows what came before it. */
#ifndef TS_TESTS_UNIT_TAP_H
#define TS_TESTS_UNIT_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"

static struct { unsigned run, failed; } tap;

#define OK(good, ...) tap_ok(__FILE__, __LINE__, (good), __VA_ARGS__)
/* Bytes, numbers, C strings: got, wanted. They show both when they differ, and tell whether they were alike. */
#define IS(got, want, ...) tap_is(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define IS_Z(got, want, ...) tap_is(__FILE__, __LINE__, ts_str_z(got), ts_str_z(want), __VA_ARGS__)
#define IS_U64(got, want, ...) tap_is_u64(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define IS_INT(got, want, ...) tap_is_int(__FILE__, __LINE__, (got), (want), __VA_ARGS__)

static inline bool tap_line(const char *file, int line, bool good, const char *format, va_list args) {
  struct ts_buf plain = { 0 }, name = { 0 };
  ts_buf_addv(&plain, format, args);
  ts_visible(&name, ts_buf_str(&plain));
  tap.run++;
  printf("%s %u - %s\n", good ? "ok" : "not ok", tap.run, ts_buf_z(&name));
  if (!good) {
    tap.failed++;
    printf("#   at %s:%d\n", file, line);
  }
  (void)fflush(stdout);
  ts_buf_free(&plain);
  ts_buf_free(&name);
  return good;
}

static inline bool TS_PRINTF(4, 5) tap_ok(const char *file, int line, bool good, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tap_line(file, line, good, format, args);
  va_end(args);
  return good;
}

static inline void tap_show(const char *what, struct ts_str s) {
  struct ts_buf text = { 0 };
  ts_visible(&text, s);
  printf("#   %s: %s'%s' (%zu bytes)\n", what, s.ptr ? "" : "NULL ", ts_buf_z(&text), s.len);
  (void)fflush(stdout);
  ts_buf_free(&text);
}

static inline bool TS_PRINTF(5, 6)
    tap_is(const char *file, int line, struct ts_str got, struct ts_str want, const char *format, ...) {
  bool good = ts_str_eq(got, want);
  va_list args;
  va_start(args, format);
  tap_line(file, line, good, format, args);
  va_end(args);
  if (!good) {
    tap_show("   got", got);
    tap_show("wanted", want);
  }
  return good;
}

static inline bool TS_PRINTF(5, 6)
    tap_is_u64(const char *file, int line, uint64_t got, uint64_t want, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tap_line(file, line, got == want, format, args);
  va_end(args);
  if (got != want) printf("#      got: %" PRIu64 "\n#   wanted: %" PRIu64 "\n", got, want);
  return got == want;
}

static inline bool TS_PRINTF(5, 6)
    tap_is_int(const char *file, int line, int64_t got, int64_t want, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tap_line(file, line, got == want, format, args);
  va_end(args);
  if (got != want) printf("#      got: %" PRId64 "\n#   wanted: %" PRId64 "\n", got, want);
  return got == want;
}

/* Prints the plan; main returns its value: 0 when checks ran and none failed. */
static inline int tap_done(void) {
  printf("1..%u\n", tap.run);
  return tap.failed > 0 || tap.run == 0 || fflush(stdout) != 0;
}

#endif
