#include "base/diag.h"

#include <unistd.h>

#include "unit/tap.h"

static void visible(void) {
  static const struct {
    struct ts_str text;
    const char *want;
  } rows[] = {
    { { NULL, 0 }, "" },
    { TS_STR("plain text, \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80"), "plain text, \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80" },
    { TS_STR("\0\t\n\r\x1b[31m\x7f"), "\\x00\\x09\\x0a\\x0d\\x1b[31m\\x7f" },
    { TS_STR("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"), "\\u{0080}\\u{009b}\\u{009f}\xc2\xa0" },
    { TS_STR("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"), "\\u{061c}\\u{200e}\\u{200f}" },
    { TS_STR("\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9"), "\\u{202a}\\u{202e}\\u{2066}\\u{2069}" },
    { TS_STR("\xe2\x80\xa8\xe2\x80\xa9"), "\\u{2028}\\u{2029}" },
    { TS_STR("a\xc2\xad\xe2\x80\x8b\xe2\x81\xa0\xef\xbb\xbf\xf3\xa0\x81\x81z"),
      "a\\u{00ad}\\u{200b}\\u{2060}\\u{feff}\\u{e0041}z" },
    { TS_STR("\xe2\x9a\xa0\xef\xb8\x8f \xd9\x85\xe2\x80\x8c\xd8\xa7"),
      "\xe2\x9a\xa0\xef\xb8\x8f \xd9\x85\xe2\x80\x8c\xd8\xa7" },
    { TS_STR("\xff\xc3z\xed\xa0\x80"), "\\xff\\xc3z\\xed\\xa0\\x80" },
    { TS_STR("C:\\x00"), "C:\\x00" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 };
    ts_buf_addz(&out, ">");
    ts_visible(&out, rows[i].text);
    IS(ts_str_sub(ts_buf_str(&out), 1, SIZE_MAX), ts_str_z(rows[i].want), "row %zu: made visible", i);
    struct ts_buf again = { 0 };
    ts_visible(&again, ts_buf_str(&out));
    IS(ts_buf_str(&again), ts_buf_str(&out), "row %zu: and visible it stays", i);
    ts_buf_free(&again);
    ts_buf_free(&out);
  }
}

static void sentences(void) {
  struct ts_buf err = { 0 };
  IS_INT(ts_fail(NULL, "dropped %d", 1), -1, "a failure without a buffer is -1");
  IS_INT(ts_fail(&err, "cannot open '%s': %s", "a\nb", "why"), -1, "so is one with a buffer");
  IS_Z(ts_buf_z(&err), "cannot open 'a\\x0ab': why", "the sentence is there, on one line");
  (void)ts_fail(&err, "line %d", 7);
  IS_Z(ts_buf_z(&err), "line 7", "a later one takes its place");
  (void)ts_fail(&err, "outer: %s", ts_buf_z(&err));
  IS_Z(ts_buf_z(&err), "outer: line 7", "the old sentence may be part of the new one");
  struct ts_buf twice = { 0 };
  (void)ts_fail(&twice, "%s", "a\x1b");
  (void)ts_fail(&twice, "x: %s", ts_buf_z(&twice));
  IS_Z(ts_buf_z(&twice), "x: a\\x1b", "what is visible already stays as it is");
  ts_buf_free(&twice);
  ts_buf_free(&err);
}

static void collect(void *context, struct ts_str sentence) {
  ts_buf_add(context, sentence);
  ts_buf_addc(context, '|');
}

static void notes(void) {
  struct ts_buf heard = { 0 };
  struct ts_notes to = { collect, &heard }, nowhere = { NULL, NULL };
  ts_note(&to, "one %d", 1);
  ts_note(&to, "two\n");
  ts_note(&nowhere, "three");
  ts_note(NULL, "four");
  IS_Z(ts_buf_z(&heard), "one 1|two\\x0a|", "notes come in order; nobody need listen");
  ts_buf_free(&heard);
}

/* The bytes that ts_diag sends to standard error. */
static void printed(void) {
  int fd[2], saved = dup(STDERR_FILENO);
  char seen[256] = { 0 };
  if (!OK(pipe(fd) == 0 && saved >= 0, "a pipe")) return;
  (void)dup2(fd[1], STDERR_FILENO);
  ts_diag_program("prog");
  ts_diag("%s:%d: what '%s'", "file", 12, "a\x1b[2Jb");
  (void)dup2(saved, STDERR_FILENO);
  ssize_t n = read(fd[0], seen, sizeof seen - 1);
  IS_INT(n, 32, "one write");
  IS_Z(seen, "prog: file:12: what 'a\\x1b[2Jb'\n", "with the program's name, made visible, one line");
  (void)close(fd[0]);
  (void)close(fd[1]);
  (void)dup2(saved, STDERR_FILENO);
  (void)close(STDERR_FILENO);
  ts_diag("nowhere to go");
  (void)dup2(saved, STDERR_FILENO);
  OK(true, "a closed standard error is no reason to fail");
  (void)close(saved);
}

int main(void) {
  visible();
  sentences();
  notes();
  printed();
  return tap_done();
}
