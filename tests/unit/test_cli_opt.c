/* cli/opt: what a table of options makes of a command line. What ends the program is run in a child. */
#include "cli/opt.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { KEY_FORMAT = 256, KEY_COLOUR, KEY_WIDE, KEY_FORMER, KEY_NEVER };

static const struct ts_opt options[] = {
  { .help = "What to print" },
  { 'c', 'c', "catalog", "SOURCE", "catalog to read, may be repeated", NULL },
  { 'q', 'q', "quiet", NULL, "no summary", NULL },
  { '0', '0', NULL, NULL, "names end with NUL", NULL },
  { .help = "How" },
  { KEY_FORMAT, 0, "format", "FORMAT", "form of the report", "text|jsonl" },
  { KEY_COLOUR, 0, "colour", "[WHEN]", "colours", NULL },
  { 's', 's', "state", "STATE,...", "only those", "active|deferred" },
  { KEY_FORMER, 0, "former", NULL, "what was", NULL },
  { KEY_WIDE, 0, "a-name-that-is-wider-than-most", "PATH",
    "a help that is so long that it has to be wrapped onto the next line, which is indented", "FILE" },
  { KEY_NEVER, 0, "never", NULL, "refused by the program", NULL },
  { 0 },
};

static const struct ts_program program = {
  "prog",
  "does nothing at all",
  "[-q] [-c SOURCE]... [--format FORMAT] [--state STATE,...] [--former] [FILE|DIR]...\n"
  "--former",
  options,
  "Exit status: 0.\n",
};

/* Writes down what it is given. */
static int note(void *context, int key, const char *argument, struct ts_buf *err) {
  struct ts_buf *log = context;
  if (key == KEY_NEVER) return ts_fail(err, "not today");
  if (key < 256)
    ts_buf_addf(log, "%c", key);
  else
    ts_buf_addf(log, "<%d>", key - 256);
  if (argument) ts_buf_addf(log, "=%s", argument);
  ts_buf_addc(log, ' ');
  return 0;
}

/* Splits line at blanks; the words live in copy. */
static int split(const char *line, struct ts_buf *copy, char **argv, int max) {
  int argc = 0;
  ts_buf_set(copy, ts_str_z(line));
  for (char *at = copy->ptr; at && *at && argc < max - 1;) {
    argv[argc++] = at;
    at = strchr(at, ' ');
    if (at) *at++ = '\0';
  }
  argv[argc] = NULL;
  return argc;
}

static void test_accepted(void) {
  static const struct {
    const char *line, *log, *operands;
  } rows[] = {
    { "prog", "", "" },
    { "prog -q", "q ", "" },
    { "prog a -q b --catalog=x c", "q c=x ", "a b c" },
    { "prog -qc x -cy -- -q", "q c=x c=y ", "-q" },
    { "prog --cat x --forma jsonl", "c=x <0>=jsonl ", "" },
    { "prog --format=text -", "<0>=text ", "-" },
    { "prog --colour --colour=always always", "<1> <1>=always ", "always" },
    { "prog -s active,deferred -s deferred", "s=active,deferred s=deferred ", "" },
    { "prog -0q0", "0 q 0 ", "" },
    { "prog -c -q", "c=-q ", "" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf copy = { 0 }, log = { 0 }, operands = { 0 };
    char *argv[16];
    int argc = split(rows[i].line, &copy, argv, 16);
    for (int at = ts_opt_parse(&program, argc, argv, note, &log); at < argc; at++)
      ts_buf_addf(&operands, "%s%s", operands.len ? " " : "", argv[at]);
    IS_Z(ts_buf_z(&log), rows[i].log, "'%s': options", rows[i].line);
    IS_Z(ts_buf_z(&operands), rows[i].operands, "'%s': operands", rows[i].line);
    ts_buf_free(&copy);
    ts_buf_free(&log);
    ts_buf_free(&operands);
  }
}

static void read_all(int fd, struct ts_buf *out) {
  char block[4096];
  for (ssize_t n; (n = read(fd, block, sizeof block)) > 0;) ts_buf_add(out, ts_str(block, (size_t)n));
  close(fd);
}

/* Parses line in a child whose descriptor `fd` is caught; standard output is `stdout_path` when that is given.
 * Returns the exit status. */
static int run(const char *line, int fd, const char *stdout_path, struct ts_buf *caught) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  (void)fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    struct ts_buf copy = { 0 }, log = { 0 };
    char *argv[16];
    int argc = split(line, &copy, argv, 16);
    if (stdout_path) dup2(open(stdout_path, O_WRONLY), STDOUT_FILENO);
    dup2(ends[1], fd);
    close(ends[0]);
    close(ends[1]);
    (void)ts_opt_parse(&program, argc, argv, note, &log);
    _exit(99);
  }
  close(ends[1]);
  read_all(ends[0], caught);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_refused(void) {
  static const struct {
    const char *line, *sentence;
  } rows[] = {
    { "prog --foo", "unknown option '--foo'" },
    { "prog --foo=bar", "unknown option '--foo'" },
    { "prog --for", "option '--for' may be any of --format, --former" },
    { "prog -x", "unknown option '-x'" },
    { "prog --quiet -qx", "unknown option '-x'" },
    { "prog -\x1b", "unknown option '-\\x1b'" },
    { "prog -\xc3\xa4", "unknown option '-\\xc3'" },
    { "prog --\x1b[31m", "unknown option '--\\x1b[31m'" },
    { "prog --quiet=yes", "option '--quiet' takes no argument" },
    { "prog --help=yes", "option '--help' takes no argument" },
    { "prog --version=yes", "option '--version' takes no argument" },
    { "prog -c", "option '-c' needs SOURCE" },
    { "prog x -qc", "option '-c' needs SOURCE" },
    { "prog x --catalog", "option '--catalog' needs SOURCE" },
    { "prog --format xml", "--format: no value 'xml': use text, jsonl" },
    { "prog --format=", "--format: no value '': use text, jsonl" },
    { "prog --format text|jsonl", "--format: no value 'text|jsonl': use text, jsonl" },
    { "prog --format text,jsonl", "--format: no value 'text,jsonl': use text, jsonl" },
    { "prog -s active,gone", "--state: no value 'gone': use active, deferred" },
    { "prog -s active,", "--state: no value '': use active, deferred" },
    { "prog --never", "--never: not today" },
    { "prog --never --help", "--never: not today" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf said = { 0 }, want = { 0 };
    ts_buf_addf(&want, "prog: %s (try 'prog --help')\n", rows[i].sentence);
    IS_INT(run(rows[i].line, STDERR_FILENO, NULL, &said), 2, "'%s': exit status", rows[i].line);
    IS_Z(ts_buf_z(&said), ts_buf_z(&want), "'%s': sentence", rows[i].line);
    ts_buf_free(&said);
    ts_buf_free(&want);
  }
}

static const char help_text[] =
    "usage: prog [-q] [-c SOURCE]... [--format FORMAT] [--state STATE,...] [--former]\n"
    "            [FILE|DIR]...\n"
    "       prog --former\n"
    "does nothing at all\n"
    "\n"
    "What to print:\n"
    "  -c, --catalog=SOURCE   catalog to read, may be repeated\n"
    "  -q, --quiet            no summary\n"
    "  -0                     names end with NUL\n"
    "\n"
    "How:\n"
    "      --format=FORMAT    form of the report (text, jsonl)\n"
    "      --colour[=WHEN]    colours\n"
    "  -s, --state=STATE,...  only those (active, deferred)\n"
    "      --former           what was\n"
    "      --a-name-that-is-wider-than-most=PATH\n"
    "                         a help that is so long that it has to be wrapped onto\n"
    "                         the next line, which is indented\n"
    "      --never            refused by the program\n"
    "  -h, --help             print this help\n"
    "      --version          print name and version\n"
    "\n"
    "Exit status: 0.\n";

static void test_printed(void) {
  struct ts_buf out = { 0 };
  static const struct {
    const char *line, *text;
  } rows[] = {
    { "prog --help", help_text },
    { "prog -q a -h --foo", help_text },
    { "prog --version", "prog 0.1.0\n" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_buf_clear(&out);
    IS_INT(run(rows[i].line, STDOUT_FILENO, NULL, &out), 0, "'%s': exit status", rows[i].line);
    IS_Z(ts_buf_z(&out), rows[i].text, "'%s': text", rows[i].line);
  }
  static const char *const full[] = { "prog --help", "prog --version" };
  for (size_t i = 0; i < TS_COUNT(full); i++) {
    ts_buf_clear(&out);
    IS_INT(run(full[i], STDERR_FILENO, "/dev/full", &out), 2, "'%s' on a full device: exit status", full[i]);
    IS_Z(ts_buf_z(&out), "prog: standard output: No space left on device\n", "'%s' on a full device", full[i]);
  }
  ts_buf_free(&out);
}

static void test_numbers(void) {
  static const struct {
    const char *text;
    uint64_t min, max, value;
    const char *err;
  } rows[] = {
    { "0", 0, 9, 0, NULL },
    { "9", 0, 9, 9, NULL },
    { "007", 0, 9, 7, NULL },
    { "18446744073709551615", 0, UINT64_MAX, UINT64_MAX, NULL },
    { "18446744073709551616", 0, UINT64_MAX, 0, "'18446744073709551616' is out of range: at least 0" },
    { "10", 0, 9, 0, "'10' is out of range: 0 to 9" },
    { "0", 1, 9, 0, "'0' is out of range: 1 to 9" },
    { "", 0, 9, 0, "'' is not a whole number" },
    { "-1", 0, 9, 0, "'-1' is not a whole number" },
    { "+1", 0, 9, 0, "'+1' is not a whole number" },
    { " 1", 0, 9, 0, "' 1' is not a whole number" },
    { "1k", 0, 9, 0, "'1k' is not a whole number" },
    { "0x1", 0, 9, 0, "'0x1' is not a whole number" },
    { "1.0", 0, 9, 0, "'1.0' is not a whole number" },
  };
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    uint64_t value = 0;
    ts_buf_clear(&err);
    int status = ts_opt_number(rows[i].text, rows[i].min, rows[i].max, &value, &err);
    IS_INT(status, rows[i].err ? -1 : 0, "number '%s'", rows[i].text);
    IS_U64(value, rows[i].value, "number '%s': value", rows[i].text);
    IS_Z(ts_buf_z(&err), rows[i].err ? rows[i].err : "", "number '%s': sentence", rows[i].text);
  }
  ts_buf_free(&err);
}

static void test_sizes(void) {
  static const struct {
    const char *text;
    uint64_t value;
    const char *err;
  } rows[] = {
    { "0", 0, NULL },
    { "17", 17, NULL },
    { "1k", 1024, NULL },
    { "1K", 1024, NULL },
    { "256M", 256u << 20, NULL },
    { "16G", 16ull << 30, NULL },
    { "17179869183G", 17179869183ull << 30, NULL },
    { "17179869184G", 0, "'17179869184G' is too large" },
    { "99999999999999999999", 0, "'99999999999999999999' is too large" },
    { "", 0, "'' is not a size: write digits, and k, M or G behind them" },
    { "k", 0, "'k' is not a size: write digits, and k, M or G behind them" },
    { "1kB", 0, "'1kB' is not a size: write digits, and k, M or G behind them" },
    { "1T", 0, "'1T' is not a size: write digits, and k, M or G behind them" },
    { "-1k", 0, "'-1k' is not a size: write digits, and k, M or G behind them" },
  };
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    uint64_t value = 0;
    ts_buf_clear(&err);
    IS_INT(ts_opt_size(rows[i].text, &value, &err), rows[i].err ? -1 : 0, "size '%s'", rows[i].text);
    IS_U64(value, rows[i].value, "size '%s': value", rows[i].text);
    IS_Z(ts_buf_z(&err), rows[i].err ? rows[i].err : "", "size '%s': sentence", rows[i].text);
  }
  ts_buf_free(&err);
}

static void test_seconds(void) {
  static const struct {
    const char *text;
    uint64_t ms;
    const char *err; /* NULL: accepted */
  } rows[] = {
    { "0", 0, NULL },
    { "2", 2000, NULL },
    { "0.25", 250, NULL },
    { ".5", 500, NULL },
    { "1.", 1000, NULL },
    { "0.001", 1, NULL },
    { "100", 100000, NULL },
    { "100.999", 100999, NULL },
    { "", 0, "'' is no number of seconds: write 2 or 0.25" },
    { ".", 0, "'.' is no number of seconds: write 2 or 0.25" },
    { "-1", 0, "'-1' is no number of seconds: write 2 or 0.25" },
    { "1s", 0, "'1s' is no number of seconds: write 2 or 0.25" },
    { "1e3", 0, "'1e3' is no number of seconds: write 2 or 0.25" },
    { "0.0001", 0, "'0.0001' is no number of seconds: write 2 or 0.25" },
    { "101", 0, "'101' is out of range: 0 to 100" },
    { "18446744073709551616", 0, "'18446744073709551616' is out of range: 0 to 100" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    uint64_t ms = 0;
    struct ts_buf err = { 0 };
    IS_INT(ts_opt_seconds(rows[i].text, 100, &ms, &err), rows[i].err ? -1 : 0, "seconds '%s'", rows[i].text);
    IS_U64(ms, rows[i].ms, "seconds '%s': as milliseconds", rows[i].text);
    IS(ts_buf_str(&err), ts_str_z(rows[i].err ? rows[i].err : ""), "seconds '%s': why not", rows[i].text);
    ts_buf_free(&err);
  }
}

int main(void) {
  test_accepted();
  test_refused();
  test_printed();
  test_numbers();
  test_sizes();
  test_seconds();
  return tap_done();
}
