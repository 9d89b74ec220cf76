#include "cli/baseline.h"

#include <sys/stat.h>

struct ts_repo *ts_revisions_repo(struct ts_revisions *r, struct ts_buf *err) {
  if (!r->repo) r->repo = ts_repo_open(".", r->trust, err);
  return r->repo;
}

struct ts_repo *ts_revisions_path(struct ts_revisions *r, const char *path, struct ts_buf *rooted, struct ts_buf *err) {
  struct ts_repo *repo = ts_revisions_repo(r, err);
  return repo && ts_repo_path(repo, path, rooted, err) == 0 ? repo : NULL;
}

int ts_revisions_read(void *revisions, struct ts_str revision, struct ts_str path, struct ts_buf *text,
                      struct ts_buf *err) {
  struct ts_repo *repo = ts_revisions_repo(revisions, err);
  return repo && ts_repo_read(repo, revision, path, text, err) == TS_GIT_FOUND ? 0 : -1;
}

void ts_revisions_close(struct ts_revisions *r) {
  ts_repo_close(r->repo);
  r->repo = NULL;
}

/* Is it a source that needs no revision: a file, standard input, or an embedded catalog? */
static bool is_plain(const char *name) {
  struct stat st;
  return strcmp(name, "-") == 0 || strncmp(name, "builtin:", strlen("builtin:")) == 0 || lstat(name, &st) == 0;
}

/* Which commit is meant: *revision is replaced where a word or --merge-base stands for one. */
static int find_commit(const struct ts_baseline *b, struct ts_repo *repo, struct ts_str path, struct ts_buf *revision,
                       struct ts_buf *err) {
  char id[TS_GIT_ID];
  if (ts_str_is(ts_buf_str(revision), "latest-tag")) {
    ts_buf_clear(revision);
    enum ts_git_absent found = ts_repo_latest_tag(repo, path, revision, err);
    if (found != TS_GIT_FOUND) return found == TS_GIT_NO_PATH && b->missing_empty ? 0 : -1;
  }
  if (b->merge_base) {
    if (ts_repo_merge_base(repo, ts_buf_str(revision), id, err) != TS_GIT_FOUND) return -1;
    ts_buf_set(revision, ts_str_z(id));
  }
  return 1;
}

/* One file at the revision, on top of *c. 1: read; 0: it is not there. */
static int read_at(struct ts_repo *repo, struct ts_str revision, struct ts_str path, struct ts_catalog *c,
                   struct ts_buf *err) {
  struct ts_buf text = { 0 }, name = { 0 };
  ts_buf_addf(&name, "%.*s:%.*s", TS_FMT(revision), TS_FMT(path));
  enum ts_git_absent found = ts_repo_read(repo, revision, path, &text, err);
  int status = found == TS_GIT_FOUND ? 1 : found == TS_GIT_NO_PATH ? 0 : -1;
  if (status == 1 && ts_catalog_read(c, ts_buf_str(&name), ts_buf_str(&text), err) < 0) status = -1;
  ts_buf_free(&text);
  ts_buf_free(&name);
  return status;
}

/* 0 where the file is not there and that is fine. */
static int absent(const struct ts_baseline *b, int status) { return status == 0 && !b->missing_empty ? -1 : status; }

static int read_revision_path(const struct ts_baseline *b, struct ts_repo *repo, struct ts_str revision,
                              struct ts_str path, struct ts_catalog *c, struct ts_buf *err) {
  struct ts_buf commit = { 0 };
  ts_buf_add(&commit, revision);
  int status = find_commit(b, repo, path, &commit, err);
  if (status == 1) status = absent(b, read_at(repo, ts_buf_str(&commit), path, c, err));
  ts_buf_free(&commit);
  return status;
}

/* A bare revision: the files of the catalog itself, as they were there. */
static int read_same_files(const struct ts_baseline *b, struct ts_repo *repo, const struct ts_sources *sources,
                           struct ts_catalog *c, struct ts_buf *err) {
  size_t files = 0, found = 0;
  for (size_t i = 0; i < sources->count; i++) {
    struct ts_buf path = { 0 };
    bool plain = strcmp(sources->name[i], "-") == 0 || strncmp(sources->name[i], "builtin:", 8) == 0;
    int status = plain ? 1 : ts_repo_path(repo, sources->name[i], &path, err);
    if (status == 0) status = read_revision_path(b, repo, ts_str_z(b->against), ts_buf_str(&path), c, err);
    files += !plain;
    found += !plain && status == 1;
    ts_buf_free(&path);
    if (status < 0) return -1;
  }
  if (files > 0) return found > 0;
  return ts_fail(err, "--against %s: a revision alone stands for the same file there, and no file is given",
                 b->against);
}

int ts_baseline_load(const struct ts_baseline *b, struct ts_revisions *r, const struct ts_sources *sources,
                     struct ts_catalog *c, struct ts_buf *err) {
  struct ts_str revision, path;
  struct ts_sources one = { .revision = ts_revisions_read, .revision_context = r };
  if (is_plain(b->against)) {
    if (b->merge_base) return ts_fail(err, "--merge-base needs a revision, and '%s' is none", b->against);
    ts_sources_add(&one, b->against);
    int loaded = ts_sources_load(&one, TS_SOURCE_NONE, c, err);
    ts_sources_free(&one);
    return loaded;
  }
  struct ts_buf why = { 0 };
  struct ts_repo *repo = ts_revisions_repo(r, &why);
  if (!repo) (void)ts_fail(err, "'%s' is no file, and no revision: %s", b->against, ts_buf_z(&why));
  ts_buf_free(&why);
  if (!repo) return -1;
  int status = ts_source_is_revision(b->against, &revision, &path) ? read_revision_path(b, repo, revision, path, c, err)
                                                                   : read_same_files(b, repo, sources, c, err);
  if (status >= 0 && ts_catalog_finish(c, err) < 0) return -1;
  return status;
}
