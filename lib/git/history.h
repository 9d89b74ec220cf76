/* Revisions: the only user of libgit2. It speaks bytes, paths and hex ids and knows nothing of JSON. Nothing
 * is written to a repository and nothing is ever fetched; where something is not there, the error names the
 * exact git command that brings it. libgit2 is started by ts_repo_open and not before. */
#ifndef TS_GIT_HISTORY_H
#define TS_GIT_HISTORY_H

#include "base/arena.h"
#include "base/diag.h"

#define TS_GIT_ID 65 /* hex digits of the longest object id, and a NUL */

struct ts_repo;

/* The repository that holds the directory `start` ("." for here), found as git finds it: $GIT_DIR first, then
 * upwards; worktrees and bare ones too. `trust` skips the check of who owns it. NULL with a sentence. */
struct ts_repo *ts_repo_open(const char *start, bool trust, struct ts_buf *err);
void ts_repo_close(struct ts_repo *r);

/* What of a reading failed, so that a caller may treat an absent file differently. */
enum ts_git_absent { TS_GIT_FAILED = -1, TS_GIT_FOUND = 0, TS_GIT_NO_REVISION = 1, TS_GIT_NO_PATH = 2 };

/* A path as given on a command line in directory `start` (or from the repository's root when it is not below
 * the work tree, or the repository is bare), as git names it: from the root. Appends to *out. */
int ts_repo_path(const struct ts_repo *r, const char *path, struct ts_buf *out, struct ts_buf *err);
/* The bytes of `path` (from the root; "./x" is relative to where the repository was opened) at `revision`,
 * appended to *text. Other than TS_GIT_FOUND: *err says it, telling a missing revision from a missing path. */
enum ts_git_absent ts_repo_read(struct ts_repo *r, struct ts_str revision, struct ts_str path, struct ts_buf *text,
                                struct ts_buf *err);
/* The commit where HEAD left `revision`, as hex. */
enum ts_git_absent ts_repo_merge_base(struct ts_repo *r, struct ts_str revision, char id[TS_GIT_ID],
                                      struct ts_buf *err);
/* Name of the newest tag that HEAD reaches and that has the path, appended to *name. TS_GIT_NO_PATH: there is none. */
enum ts_git_absent ts_repo_latest_tag(struct ts_repo *r, struct ts_str path, struct ts_buf *name, struct ts_buf *err);

/* One commit that changed the path. */
struct ts_revision {
  char commit[TS_GIT_ID];
  char blob[TS_GIT_ID];      /* empty: the path is gone here */
  char date[32];             /* the author's, ISO 8601 with its offset */
  struct ts_str tag;         /* the oldest tag that reaches it; empty: none does */
  char (*before)[TS_GIT_ID]; /* the different blobs of its parents; "" where a parent has none. At least one */
  size_t before_count;
};

struct ts_history {
  struct ts_revision *revision; /* oldest first; a version never stands before one it came from */
  size_t count, cap;
  char base[TS_GIT_ID]; /* blob at the lower end of the range; empty: no lower end, or not there */
  struct ts_arena arena;
};

/* All commits in `range` ("A..B", "B", "A..") that changed path (from the root), simplified as `git log -- PATH`
 * does. A shallow clone's boundary commits count as roots, and notes say so. */
int ts_history_read(struct ts_repo *r, struct ts_str range, struct ts_str path, const struct ts_notes *notes,
                    struct ts_history *out, struct ts_buf *err);
void ts_history_free(struct ts_history *h);
/* The bytes of a blob that a history named. */
int ts_repo_blob(struct ts_repo *r, const char *hex, struct ts_buf *text, struct ts_buf *err);

#endif
