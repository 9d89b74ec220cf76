#include "io/spool.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit/tap.h"

/* Adds `pieces` numbered pieces of `size` bytes and takes them back, `hold` of them waiting in between; true when
 * they come back in order. */
static bool in_order(struct ts_spool *s, uint32_t pieces, size_t size, uint32_t hold) {
  struct ts_buf piece = { 0 }, back = { 0 }, err = { 0 };
  bool good = true;
  for (uint32_t n = 0; n < pieces + hold; n++) {
    if (n < pieces) {
      ts_buf_clear(&piece);
      ts_buf_addf(&piece, "%08u", n);
      while (piece.len < size) ts_buf_addc(&piece, (char)('a' + n % 26));
      ts_spool_add(s, ts_buf_str(&piece));
    }
    if (n < hold) continue;
    char want[16];
    (void)snprintf(want, sizeof want, "%08u", n - hold);
    good = good && ts_spool_take(s, size, &back, &err) == 0 && back.len == size && memcmp(back.ptr, want, 8) == 0 &&
           back.ptr[size - 1] == (char)('a' + (n - hold) % 26);
  }
  ts_buf_free(&piece);
  ts_buf_free(&back);
  ts_buf_free(&err);
  return good && s->size == 0;
}

static void order(void) {
  static const struct {
    uint32_t pieces;
    size_t size;
    uint32_t hold;
    bool file;
  } rows[] = { { 10, 100, 1, false },
               { 100000, 100, 3, false },
               { 300, 100000, 100, true },
               { 20, 3 << 20, 20, true },
               { 5000, 1000, 4000, true } };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_spool s = { 0 };
    OK(in_order(&s, rows[i].pieces, rows[i].size, rows[i].hold), "row %zu: first in, first out", i);
    OK(s.opened == rows[i].file, "row %zu: a file only where it is needed", i);
    OK(in_order(&s, rows[i].pieces, rows[i].size, rows[i].hold), "row %zu: and again", i);
    ts_spool_free(&s);
  }
}

static void without_a_folder(void) {
  char *before = getenv("TMPDIR");
  struct ts_str kept = ts_str_z(before);
  struct ts_spool s = { 0 };
  (void)setenv("TMPDIR", "/nowhere/at/all", 1);
  OK(in_order(&s, 50, 100000, 40), "no folder for temporary files: memory takes it");
  OK(!s.opened && s.failed, "without a file");
  ts_spool_free(&s);
  if (before)
    (void)setenv("TMPDIR", kept.ptr, 1);
  else
    (void)unsetenv("TMPDIR");
}

static void file_that_fills_up(void) {
  struct rlimit old, small;
  (void)getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 2500000;
  (void)signal(SIGXFSZ, SIG_IGN);
  (void)setrlimit(RLIMIT_FSIZE, &small);
  struct ts_spool s = { 0 };
  OK(in_order(&s, 60, 100000, 55), "a file that fills up: what is in it comes first, memory takes the rest");
  OK(s.opened && s.failed, "both were used");
  ts_spool_free(&s);
  (void)setrlimit(RLIMIT_FSIZE, &old);
}

static void drained(void) {
  struct ts_spool s = { 0 };
  struct ts_buf piece = { 0 }, err = { 0 };
  struct ts_out out;
  FILE *file = tmpfile();
  ts_out_open(&out, dup(fileno(file)));
  for (size_t i = 0; i < 50000; i++) {
    ts_buf_clear(&piece);
    ts_buf_addf(&piece, "%099zu\n", i);
    ts_spool_add(&s, ts_buf_str(&piece));
  }
  OK(ts_spool_drain(&s, &out, &err) == 0 && s.size == 0, "drained");
  OK(ts_out_close(&out, &err) == 0, "written");
  rewind(file);
  char line[128];
  size_t lines = 0, wrong = 0;
  while (fgets(line, sizeof line, file)) wrong += strtoul(line, NULL, 10) != lines++;
  IS_U64(lines, 50000, "every line arrived");
  IS_U64(wrong, 0, "in order");
  (void)fclose(file);
  ts_spool_free(&s);
  ts_buf_free(&piece);
  ts_buf_free(&err);
}

int main(void) {
  order();
  without_a_folder();
  file_that_fills_up();
  drained();
  return tap_done();
}
