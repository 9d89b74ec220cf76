/* Revisions on a command line: REV:PATH as a source, and what --against names. Only programs that use this are linked
 * with libgit2, and it is started only when a revision is really read. */
#ifndef TS_CLI_BASELINE_H
#define TS_CLI_BASELINE_H

#include "cli/source.h"
#include "git/history.h"

/* The repository of the current directory, opened when it is first needed. {0} with `trust` set is ready. */
struct ts_revisions {
  bool trust; /* --trust-repo */
  struct ts_repo *repo;
};

/* NULL with a sentence. */
struct ts_repo *ts_revisions_repo(struct ts_revisions *r, struct ts_buf *err);
/* The same, with a path of the command line as git names it, from the root, appended to *rooted. */
struct ts_repo *ts_revisions_path(struct ts_revisions *r, const char *path, struct ts_buf *rooted, struct ts_buf *err);
/* A ts_revision_fn; the context is a struct ts_revisions. */
int ts_revisions_read(void *revisions, struct ts_str revision, struct ts_str path, struct ts_buf *text,
                      struct ts_buf *err);
void ts_revisions_close(struct ts_revisions *r);

/* What --against and its companions say. */
struct ts_baseline {
  const char *against; /* a source; or a revision, which stands for the same files there; "latest-tag": the newest tag
                        * that HEAD reaches and that has the file */
  bool merge_base;     /* rather the commit where HEAD left that revision */
  bool missing_empty;  /* a revision without the file counts as an empty catalog */
};

/* Loads and finishes the catalog to compare with. `sources` are those of the catalog itself. 1: loaded; 0: the file is
 * not there at that revision, and missing_empty says that this is fine (*c is empty); -1: *err says why. */
int ts_baseline_load(const struct ts_baseline *b, struct ts_revisions *r, const struct ts_sources *sources,
                     struct ts_catalog *c, struct ts_buf *err);

#endif
