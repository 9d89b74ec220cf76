#include "cli/source.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "io/lines.h"

#define CATALOG_VARIABLE "TSCATALOG"
#define CATALOG_FILE "tscatalog.jsonl"

void ts_sources_add(struct ts_sources *s, const char *name) {
  ts_xgrow(&s->name, &s->cap, s->count + 1, sizeof *s->name);
  s->name[s->count++] = name;
}

void ts_sources_free(struct ts_sources *s) {
  free(s->name);
  s->name = NULL;
  s->count = s->cap = 0;
}

/* A link that leads nowhere is there too: opening it says what is wrong. */
static bool is_there(const char *name) {
  struct stat st;
  return lstat(name, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* The colon between revision and path, as git finds it: not one inside braces (HEAD@{12:00}). */
static size_t find_colon(const char *name) {
  int depth = 0;
  for (size_t i = 0; name[i]; i++) {
    if (name[i] == ':' && depth <= 0) return i;
    depth += name[i] == '{' ? 1 : name[i] == '}' ? -1 : 0;
  }
  return SIZE_MAX;
}

bool ts_source_is_revision(const char *name, struct ts_str *revision, struct ts_str *path) {
  size_t colon = find_colon(name);
  if (colon == SIZE_MAX || colon == 0 || name[0] == '/' || name[0] == '.' || is_there(name)) return false;
  *revision = ts_str(name, colon);
  *path = ts_str_z(name + colon + 1);
  return true;
}

static int read_builtin(struct ts_str name, struct ts_buf *text, struct ts_buf *err) {
  struct ts_str bytes = ts_builtin(name);
  if (bytes.len == 0)
    return ts_fail(err, "builtin:%.*s: no such catalog is built in: there are codewhale and policy", TS_FMT(name));
  ts_buf_add(text, bytes);
  return 0;
}

static int read_file(const char *name, struct ts_buf *text, struct ts_buf *err) {
  struct ts_input *in = ts_input_open(name, err);
  if (!in) return -1;
  int status = ts_input_all(in, TS_SOURCE_MAX, text, err);
  ts_input_close(in);
  return status;
}

int ts_source_read(const struct ts_sources *s, const char *name, struct ts_buf *text, struct ts_buf *err) {
  struct ts_str revision, path, builtin = TS_STR("builtin:");
  if (ts_str_starts(ts_str_z(name), builtin)) return read_builtin(ts_str_z(name + builtin.len), text, err);
  if (!ts_source_is_revision(name, &revision, &path)) return read_file(name, text, err);
  if (s->revision) return s->revision(s->revision_context, revision, path, text, err);
  return ts_fail(err, "%s: no such file, and no revision is read here: give -c <(tscat '%s')", name, name);
}

static int add_source(const struct ts_sources *s, const char *name, struct ts_catalog *c, struct ts_buf *err) {
  struct ts_buf text = { 0 };
  int status = ts_source_read(s, name, &text, err);
  if (status == 0) status = ts_catalog_read(c, ts_str_z(name), ts_buf_str(&text), err);
  ts_buf_free(&text);
  return status;
}

/* 1: all are read. */
static int add_given(const struct ts_sources *s, struct ts_catalog *c, struct ts_buf *err) {
  bool stdin_read = false;
  for (size_t i = 0; i < s->count; i++) {
    bool is_stdin = strcmp(s->name[i], "-") == 0;
    if (is_stdin && stdin_read) return ts_fail(err, "standard input is given twice, and can be read once only");
    stdin_read |= is_stdin;
    if (add_source(s, s->name[i], c, err) < 0) return -1;
  }
  return 1;
}

/* Without -c. 1: read; 0: there is nothing to read. */
static int add_default(const struct ts_sources *s, enum ts_default_source fallback, struct ts_catalog *c,
                       struct ts_buf *err) {
  const char *variable = getenv(CATALOG_VARIABLE);
  if (variable && *variable) {
    if (add_source(s, variable, c, err) == 0) return 1;
    return ts_fail(err, "$" CATALOG_VARIABLE ": %s", ts_buf_z(err)); /* or nobody knows where the name is from */
  }
  if (is_there(CATALOG_FILE)) return add_source(s, CATALOG_FILE, c, err) < 0 ? -1 : 1;
  if (fallback == TS_SOURCE_NONE) return 0;
  return add_source(s, "builtin:codewhale", c, err) < 0 ? -1 : 1;
}

int ts_sources_load(const struct ts_sources *s, enum ts_default_source fallback, struct ts_catalog *c,
                    struct ts_buf *err) {
  int status = s->count > 0 ? add_given(s, c, err) : add_default(s, fallback, c, err);
  if (status <= 0) return status;
  return ts_catalog_finish(c, err) < 0 ? -1 : 1;
}
