/* cli/source: what -c SOURCE means, and what stands in without one. */
#include "cli/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define TOOL(name) \
  "{\"type\":\"tool\",\"name\":\"" name "\",\"state\":\"active\",\"input_schema\":{\"type\":\"object\"}}\n"

static void write_file(const char *name, const char *text) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd) < 0) {
    perror(name);
    exit(2);
  }
}

/* Standard input gives text from now on. */
static void feed(const char *text) {
  write_file("stdin", text);
  int fd = open("stdin", O_RDONLY);
  if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) exit(2);
  close(fd);
  unlink("stdin");
}

/* A repository of one revision. */
static int revision(void *context, struct ts_str rev, struct ts_str path, struct ts_buf *text, struct ts_buf *err) {
  struct ts_buf *log = context;
  ts_buf_addf(log, "[%.*s|%.*s]", TS_FMT(rev), TS_FMT(path));
  if (!ts_str_is(rev, "v1")) return ts_fail(err, "%.*s: no such revision", TS_FMT(rev));
  ts_buf_addz(text, TOOL("from_v1"));
  return 0;
}

/* The names in the catalog that the sources (ended by NULL) give, or the sentence. */
static int load(const char *const *names, ts_revision_fn *fn, enum ts_default_source fallback, struct ts_buf *said,
                struct ts_buf *log) {
  struct ts_sources s = { .revision = fn, .revision_context = log };
  struct ts_catalog c = { 0 };
  for (size_t i = 0; names[i]; i++) ts_sources_add(&s, names[i]);
  ts_buf_clear(said);
  int status = ts_sources_load(&s, fallback, &c, said);
  if (status >= 0)
    for (size_t i = 0; i < c.tool_count; i++) ts_buf_addf(said, "%s%.*s", i ? " " : "", TS_FMT(c.tool[i].name));
  ts_catalog_free(&c);
  ts_sources_free(&s);
  return status;
}

static void check(const char *what, const char *const *names, ts_revision_fn *fn, int status, const char *said,
                  const char *log) {
  struct ts_buf got = { 0 }, calls = { 0 };
  IS_INT(load(names, fn, TS_SOURCE_NONE, &got, &calls), status, "%s: status", what);
  IS_Z(ts_buf_z(&got), said, "%s", what);
  IS_Z(ts_buf_z(&calls), log, "%s: revisions read", what);
  ts_buf_free(&got);
  ts_buf_free(&calls);
}
#define GIVEN(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_files(void) {
  write_file("a.jsonl", TOOL("a"));
  write_file("b.jsonl", TOOL("b"));
  write_file("v1:odd", TOOL("odd"));
  write_file("bad.jsonl", "{\n");
  mkdir("folder", 0700);
  check("a file", GIVEN("a.jsonl"), NULL, 1, "a", "");
  check("two files", GIVEN("b.jsonl", "a.jsonl"), NULL, 1, "b a", "");
  check("a file that is not there", GIVEN("a.jsonl", "none.jsonl"), NULL, -1,
        "none.jsonl: cannot open: No such file or directory", "");
  check("a folder", GIVEN("folder"), NULL, -1, "folder: cannot open: Is a directory", "");
  feed(TOOL("in"));
  check("standard input", GIVEN("a.jsonl", "-"), NULL, 1, "a in", "");
  feed(TOOL("in"));
  check("standard input twice", GIVEN("-", "a.jsonl", "-"), NULL, -1,
        "standard input is given twice, and can be read once only", "");
  struct ts_buf said = { 0 }, log = { 0 };
  IS_INT(load(GIVEN("bad.jsonl"), NULL, TS_SOURCE_NONE, &said, &log), -1, "not a catalog");
  OK(ts_str_starts(ts_buf_str(&said), TS_STR("bad.jsonl:")), "names the file: %s", ts_buf_z(&said));
  ts_buf_free(&said);
  ts_buf_free(&log);
}

static void test_builtins(void) {
  struct ts_buf said = { 0 }, log = { 0 };
  static const char *const names[] = { "builtin:codewhale", "builtin:policy" };
  for (size_t i = 0; i < TS_COUNT(names); i++) {
    IS_INT(load(GIVEN(names[i]), NULL, TS_SOURCE_NONE, &said, &log), 1, "%s", names[i]);
    OK(ts_str_has(ts_buf_str(&said), TS_STR("todo_write")), "%s: has its tools", names[i]);
  }
  check("no such catalog", GIVEN("builtin:none"), NULL, -1,
        "builtin:none: no such catalog is built in: there are codewhale and policy", "");
  check("no name", GIVEN("builtin:"), NULL, -1, "builtin:: no such catalog is built in: there are codewhale and policy",
        "");
  ts_buf_free(&said);
  ts_buf_free(&log);
}

static void test_revisions(void) {
  check("a revision", GIVEN("v1:tools.jsonl", "a.jsonl"), revision, 1, "from_v1 a", "[v1|tools.jsonl]");
  check("a revision and a path with colons", GIVEN("v1:a:b"), revision, 1, "from_v1", "[v1|a:b]");
  check("a colon in braces", GIVEN("v1@{12:00}:x"), revision, -1, "v1@{12:00}: no such revision", "[v1@{12:00}|x]");
  check("a file of that very name", GIVEN("v1:odd"), revision, 1, "odd", "");
  check("no such revision", GIVEN("v2:x"), revision, -1, "v2: no such revision", "[v2|x]");
  check("a path, not a revision", GIVEN("./v1:x"), revision, -1, "./v1:x: cannot open: No such file or directory", "");
  check("an absolute path", GIVEN("/v1:x"), revision, -1, "/v1:x: cannot open: No such file or directory", "");
  check("no revision in front", GIVEN(":x"), revision, -1, ":x: cannot open: No such file or directory", "");
  check("a program that reads none", GIVEN("v1:tools.jsonl"), NULL, -1,
        "v1:tools.jsonl: no such file, and no revision is read here: give -c <(tscat 'v1:tools.jsonl')", "");
}

static void test_defaults(void) {
  struct ts_buf said = { 0 }, log = { 0 };
  unsetenv("TSCATALOG");
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_NONE, &said, &log), 0, "nothing at all");
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_CODEWHALE, &said, &log), 1, "the built-in one stands in");
  OK(ts_str_has(ts_buf_str(&said), TS_STR("Bash")), "and it is codewhale");
  setenv("TSCATALOG", "", 1);
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_NONE, &said, &log), 0, "an empty variable is none");
  if (symlink("nowhere", "tscatalog.jsonl") < 0) exit(2);
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_CODEWHALE, &said, &log), -1, "./tscatalog.jsonl that leads nowhere");
  IS_Z(ts_buf_z(&said), "tscatalog.jsonl: cannot open: No such file or directory", "is an error");
  unlink("tscatalog.jsonl");
  write_file("tscatalog.jsonl", TOOL("here"));
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_CODEWHALE, &said, &log), 1, "./tscatalog.jsonl");
  IS_Z(ts_buf_z(&said), "here", "is read");
  setenv("TSCATALOG", "a.jsonl", 1);
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_CODEWHALE, &said, &log), 1, "$TSCATALOG");
  IS_Z(ts_buf_z(&said), "a", "goes before it");
  IS_INT(load(GIVEN("b.jsonl"), NULL, TS_SOURCE_CODEWHALE, &said, &log), 1, "-c");
  IS_Z(ts_buf_z(&said), "b", "goes before both");
  setenv("TSCATALOG", "none.jsonl", 1);
  IS_INT(load(GIVEN(NULL), NULL, TS_SOURCE_CODEWHALE, &said, &log), -1, "a variable that names no file");
  IS_Z(ts_buf_z(&said), "$TSCATALOG: none.jsonl: cannot open: No such file or directory", "is named");
  setenv("TSCATALOG", "v1:x", 1);
  IS_INT(load(GIVEN(NULL), revision, TS_SOURCE_NONE, &said, &log), 1, "a variable that names a revision");
  IS_Z(ts_buf_z(&said), "from_v1", "is read");
  unsetenv("TSCATALOG");
  ts_buf_free(&said);
  ts_buf_free(&log);
}

/* /dev/zero has no end: reading stops at the bound. */
static void test_bound(void) {
  struct ts_sources s = { 0 };
  struct ts_buf text = { 0 }, err = { 0 };
  IS_INT(ts_source_read(&s, "/dev/zero", &text, &err), -1, "a source without end");
  OK(text.len <= TS_SOURCE_MAX && ts_str_starts(ts_buf_str(&err), TS_STR("/dev/zero: ")), "%s", ts_buf_z(&err));
  ts_buf_free(&text);
  ts_buf_free(&err);
}

int main(void) {
  char folder[256];
  const char *parent = getenv("TMPDIR");
  (void)snprintf(folder, sizeof folder, "%s/source-XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder) || chdir(folder) < 0) return 2;
  test_files();
  test_builtins();
  test_revisions();
  test_defaults();
  test_bound();
  static const char *const left[] = { "a.jsonl", "b.jsonl", "v1:odd", "bad.jsonl", "tscatalog.jsonl" };
  for (size_t i = 0; i < TS_COUNT(left); i++) unlink(left[i]);
  rmdir("folder");
  rmdir(folder);
  return tap_done();
}
