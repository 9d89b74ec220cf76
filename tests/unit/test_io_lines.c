/* Input: lines of every kind of end, the cap, looking ahead, compressed data whole and cut. */
#include "io/lines.h"

#include <unistd.h>

#include "unit/tap.h"

/* What came out of an input, in one line: each line in <>, with ~ behind one without LF and ! behind one cut
 * to the cap, and the end. */
static void show(struct ts_str bytes, uint64_t max, struct ts_buf *out) {
  struct ts_input *in = ts_input_memory(bytes);
  struct ts_buf err = { 0 };
  struct ts_line line;
  int status;
  ts_buf_clear(out);
  while ((status = ts_input_line(in, max, &line, &err)) > 0) {
    ts_buf_addf(out, "%d@%d<", (int)line.number, (int)line.offset);
    ts_visible(out, line.text);
    ts_buf_addz(out, line.too_long ? ">!" : ">");
    if (!line.ended) ts_buf_addc(out, '~');
  }
  ts_buf_addf(out, status < 0 ? "error" : "=%d", (int)ts_input_bytes(in));
  ts_input_close(in);
  ts_buf_free(&err);
}

static void ends(void) {
  static const struct {
    const char *what;
    struct ts_str bytes;
    uint64_t max;
    const char *want;
  } rows[] = {
    { "nothing", { "", 0 }, 99, "=0" },
    { "one line", { "ab\n", 3 }, 99, "1@0<ab>=3" },
    { "no final LF", { "ab\ncd", 5 }, 99, "1@0<ab>2@3<cd>~=5" },
    { "blank lines count", { "\n\na\n", 4 }, 99, "1@0<>2@1<>3@2<a>=4" },
    { "CRLF", { "a\r\nb\r\n", 6 }, 99, "1@0<a>2@3<b>=6" },
    { "a CR elsewhere stays", { "a\rb\r\r\nc\r", 8 }, 99, "1@0<a\\x0db\\x0d>2@6<c\\x0d>~=8" },
    { "a lone CR and LF", { "\r\n", 2 }, 99, "1@0<>=2" },
    { "byte order mark", { "\xef\xbb\xbf{}\n", 6 }, 99, "1@3<{}>=6" },
    { "only a byte order mark", { "\xef\xbb\xbf", 3 }, 99, "=3" },
    { "a second mark stays", { "a\n\xef\xbb\xbf\n", 6 }, 99, "1@0<a>2@2<\\u{feff}>=6" },
    { "half a mark", { "\xef\xbb", 2 }, 99, "1@0<\\xef\\xbb>~=2" },
    { "NULs", { "a\0b\n\0\n", 6 }, 99, "1@0<a\\x00b>2@4<\\x00>=6" },
    { "as long as the cap", { "abcd\nxy\n", 8 }, 4, "1@0<abcd>2@5<xy>=8" },
    { "one longer", { "abcde\nxy\n", 9 }, 4, "1@0<abcd>!2@6<xy>=9" },
    { "much longer", { "abcdefghijkl\nxy\n", 16 }, 4, "1@0<abcd>!2@13<xy>=16" },
    { "CR behind the cap", { "abcd\r\nxy\n", 9 }, 4, "1@0<abcd>2@6<xy>=9" },
    { "too long and unended", { "abcdefghijkl", 12 }, 4, "1@0<abcd>!~=12" },
    { "one too long and unended", { "abcde", 5 }, 4, "1@0<abcd>!~=5" },
  };
  struct ts_buf out = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    show(rows[i].bytes, rows[i].max, &out);
    IS(ts_buf_str(&out), ts_str_z(rows[i].want), "%s", rows[i].what);
  }
  ts_buf_free(&out);
}

/* Lines longer than a block, and what follows them. */
static void long_lines(uint64_t max, bool cut) {
  enum { LONG = 3000000 };
  struct ts_buf text = { 0 }, err = { 0 };
  for (int i = 0; i < LONG; i++) ts_buf_addc(&text, (char)('a' + i % 23));
  ts_buf_addz(&text, "\nnext\n");
  struct ts_input *in = ts_input_memory(ts_buf_str(&text));
  struct ts_line line;
  OK(ts_input_line(in, max, &line, &err) == 1, "a line of 3 MB, cap %llu", (unsigned long long)max);
  OK(ts_str_eq(line.text, ts_str(text.ptr, cut ? (size_t)max : LONG)), "it has its bytes");
  OK(line.too_long == cut && line.ended, "it is marked");
  OK(ts_input_line(in, max, &line, &err) == 1 && ts_str_is(line.text, "next"), "the next line is whole");
  IS_U64(line.offset, LONG + 1, "and where it should be");
  IS_INT(ts_input_line(in, max, &line, &err), 0, "and the last");
  ts_input_close(in);
  ts_buf_free(&text);
}

static void peeking(void) {
  struct ts_input *in = ts_input_memory(TS_STR("\xef\xbb\xbf{\"a\"\n:1}\nrest"));
  struct ts_buf err = { 0 }, rest = { 0 };
  struct ts_str bytes;
  struct ts_line line;
  OK(ts_input_peek(in, 3, &bytes, &err) == 0 && ts_str_starts(bytes, TS_STR("{\"a")), "peek, behind the mark");
  OK(ts_input_peek(in, 999, &bytes, &err) == 0, "peek for more than there is");
  IS(bytes, TS_STR("{\"a\"\n:1}\nrest"), "all of it");
  OK(ts_input_line(in, 99, &line, &err) == 1 && ts_str_is(line.text, "{\"a\""), "nothing was consumed");
  OK(ts_input_all(in, 99, &rest, &err) == 0, "all that is left");
  IS(ts_buf_str(&rest), TS_STR(":1}\nrest"), "is left");
  OK(ts_input_peek(in, 1, &bytes, &err) == 0 && bytes.len == 0, "peek at the end");
  ts_input_close(in);
  in = ts_input_memory(TS_STR("12345"));
  IS_INT(ts_input_all(in, 4, &rest, &err), -1, "more than allowed");
  IS_Z(ts_buf_z(&err), "memory: longer than 4 bytes", "says so");
  ts_input_close(in);
  ts_buf_free(&rest);
  ts_buf_free(&err);
}

/* What the files in tests/data/io hold: "line N of some length", 20,000 of them, in two frames or members. */
static void read_packed(struct ts_str packed, struct ts_buf *text, struct ts_buf *err, int *status) {
  struct ts_input *in = ts_input_memory(packed);
  struct ts_line line;
  ts_buf_clear(text);
  ts_buf_clear(err);
  while ((*status = ts_input_line(in, TS_LINE_MAX, &line, err)) > 0) {
    ts_buf_add(text, line.text);
    if (line.ended) ts_buf_addc(text, '\n');
  }
  ts_input_close(in);
}

static void unpacking(const char *path, const char *cut_sentence, const char *damage_sentence) {
  struct ts_buf whole = { 0 }, packed = { 0 }, text = { 0 }, err = { 0 };
  for (int i = 0; i < 20000; i++) ts_buf_addf(&whole, "line %d of some length\n", i);
  FILE *f = fopen(path, "rb");
  OK(f != NULL, "%s is there", path);
  if (!f) return;
  packed.len = fread(ts_buf_reserve(&packed, 1 << 20), 1, 1 << 20, f);
  (void)fclose(f);
  int status;
  read_packed(ts_buf_str(&packed), &text, &err, &status);
  OK(status == 0 && ts_str_eq(ts_buf_str(&text), ts_buf_str(&whole)), "%s: all of it", path);
  for (size_t i = 1; i < 8; i++) {
    size_t at = packed.len * i / 8;
    read_packed(ts_str(packed.ptr, at), &text, &err, &status);
    OK(status == -1 && ts_str_starts(ts_buf_str(&whole), ts_buf_str(&text)), "cut at %zu: a beginning of it", at);
    OK(i < 6 || text.len > whole.len / 2, "cut at %zu: the whole first part and more", at);
    IS_Z(ts_buf_z(&err), cut_sentence, "cut at %zu: says so", at);
  }
  memset(packed.ptr + packed.len / 2 + 400, 0xff, 40);
  read_packed(ts_buf_str(&packed), &text, &err, &status);
  OK(status == -1 && text.len > whole.len / 3, "damaged: what comes before it is read");
  OK(ts_str_starts(ts_buf_str(&err), ts_str_z(damage_sentence)), "damaged: says so (%s)", ts_buf_z(&err));
  ts_buf_free(&whole);
  ts_buf_free(&packed);
  ts_buf_free(&text);
  ts_buf_free(&err);
}

static void trailing(void) {
  static const struct ts_str empty_gzip = { "\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0", 20 };
  struct ts_buf packed = { 0 }, text = { 0 }, err = { 0 };
  int status;
  read_packed(empty_gzip, &text, &err, &status);
  OK(status == 0 && text.len == 0, "an empty member is empty text");
  ts_buf_add(&packed, empty_gzip);
  ts_buf_addz(&packed, "junk");
  read_packed(ts_buf_str(&packed), &text, &err, &status);
  IS_INT(status, -1, "junk behind a member");
  IS_Z(ts_buf_z(&err),
       "memory: the gzip data is damaged (incorrect header check): what comes before the damage was read", "says so");
  ts_buf_free(&packed);
  ts_buf_free(&text);
  ts_buf_free(&err);
}

static void opening(void) {
  static const struct {
    const char *path, *want;
  } rows[] = {
    { "tests/data/io/none", "tests/data/io/none: cannot open: No such file or directory" },
    { "tests/data/io", "tests/data/io: cannot open: Is a directory" },
    { "tests/data/io/lines.gz/x", "tests/data/io/lines.gz/x: cannot open: Not a directory" },
  };
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    OK(ts_input_open(rows[i].path, &err) == NULL, "%s does not open", rows[i].path);
    IS_Z(ts_buf_z(&err), rows[i].want, "and says why");
  }
  struct ts_input *in = ts_input_open("tests/data/io/lines.gz", &err);
  struct ts_line line;
  OK(in && ts_input_line(in, TS_LINE_MAX, &line, &err) == 1 && ts_input_consumed(in) > 0, "a file is read");
  ts_input_close(in);
  in = ts_input_open("/proc/self/mem", &err); /* reading its first page fails */
  if (in) {
    IS_INT(ts_input_line(in, TS_LINE_MAX, &line, &err), -1, "a read error");
    IS_Z(ts_buf_z(&err), "/proc/self/mem: cannot read: Input/output error", "is told");
    ts_input_close(in);
  }
  ts_buf_free(&err);
}

/* Asked before each read; false from the `last`th time on. */
struct patience {
  int asked, last;
};

static bool ask(void *context, int fd) {
  struct patience *p = context;
  return fd > 2 && ++p->asked < p->last;
}

static void waiting(void) {
  struct patience p = { .last = 3 };
  struct ts_buf err = { 0 };
  struct ts_line line = { 0 };
  int pipe_fd[2];
  char path[64];
  OK(pipe(pipe_fd) == 0, "wait: a pipe");
  (void)snprintf(path, sizeof path, "/dev/fd/%d", pipe_fd[0]);
  struct ts_input *in = ts_input_open(path, &err);
  OK(in != NULL, "wait: it is opened%s", ts_buf_z(&err));
  ts_input_waits(in, ask, &p);
  OK(write(pipe_fd[1], "whole\nha", 8) == 8, "wait: a line and a half");
  IS_INT(ts_input_line(in, TS_LINE_MAX, &line, &err), 1, "wait: the line comes");
  IS(line.text, TS_STR("whole"), "wait: as it is");
  IS_INT(p.asked, 1, "wait: it was asked before the read");
  OK(write(pipe_fd[1], "lf", 2) == 2, "wait: some more");
  IS_INT(ts_input_line(in, TS_LINE_MAX, &line, &err), 1, "wait: the rest comes when nothing more is wanted");
  IS(line.text, TS_STR("half"), "wait: as far as it was read");
  OK(!line.ended, "wait: not ended");
  IS_INT(p.asked, 3, "wait: it was asked before each read");
  IS_INT(ts_input_line(in, TS_LINE_MAX, &line, &err), 0, "wait: then it is the end");
  ts_input_close(in);
  (void)close(pipe_fd[0]);
  (void)close(pipe_fd[1]);
  ts_buf_free(&err);
}

int main(void) {
  waiting();
  ends();
  long_lines(TS_LINE_MAX, false);
  long_lines(3000000, false);
  long_lines(2999999, true);
  long_lines(1000, true);
  peeking();
  unpacking("tests/data/io/lines.zst", "memory: the zstd data is cut off: what comes before the cut was read",
            "memory: the zstd data is damaged (");
  unpacking("tests/data/io/lines.gz", "memory: the gzip data is cut off: what comes before the cut was read",
            "memory: the gzip data is damaged (");
  trailing();
  opening();
  return tap_done();
}
