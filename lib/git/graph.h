/* The history of one path over a graph of commits: which commits changed it, against what, in which order,
 * and by which tag they were first released. It knows nothing of where commits come from: history.c loads
 * them. Commits are numbered in the order they are added; a blob is named by its number in the caller's
 * list. The order is children before parents, newest first among those that could come next. */
#ifndef TS_GIT_GRAPH_H
#define TS_GIT_GRAPH_H

#include "base/prelude.h"

#define TS_BLOB_ABSENT (-1) /* the path is not there */
#define TS_BLOB_UNREAD (-2) /* not looked up yet */
#define TS_TAG_NONE SIZE_MAX

struct ts_commit {
  size_t first_parent, parent_count; /* into ts_graph.parent */
  int64_t time;                      /* committer's, seconds since 1970 */
  int64_t blob;
  size_t tag;    /* number of the first tag that reached it, or TS_TAG_NONE */
  bool excluded; /* reachable from the lower end of the range */
  bool wanted;   /* history simplification follows it */
};

/* Owned by the graph, given back by ts_graph_free. {0} is an empty graph. */
struct ts_graph {
  struct ts_commit *commit;
  size_t count, cap;
  size_t *parent; /* numbers of commits */
  size_t parent_count, parent_cap;
};

size_t ts_graph_add(struct ts_graph *g, int64_t time);
/* The parents of `commit`, in order; called once for each commit that has any. */
void ts_graph_parents(struct ts_graph *g, size_t commit, const size_t *parents, size_t count);
void ts_graph_free(struct ts_graph *g);

/* Marks what `from` reaches, itself included. */
void ts_graph_exclude(struct ts_graph *g, size_t from);
/* Gives every commit that `from` reaches and that has no tag yet this one: call it from the oldest tag on. */
void ts_graph_tag(struct ts_graph *g, size_t from, size_t tag);

/* The newest of the commits that both reach and that no other such commit reaches; SIZE_MAX: there is none. */
size_t ts_graph_merge_base(const struct ts_graph *g, size_t a, size_t b);

/* Fills c->blob of `commit`: 0, or -1 to stop. */
typedef int ts_graph_blob_fn(void *context, size_t commit);
/* One commit that changed the path: it differs from each of its parents. -1 stops. */
typedef int ts_graph_change_fn(void *context, size_t commit);
/* Walks from `tip` as `git log -- PATH` simplifies: where a parent has the very same blob only that parent is
 * followed. 0, or -1 when a callback said so. */
int ts_graph_walk(struct ts_graph *g, size_t tip, ts_graph_blob_fn *blob, ts_graph_change_fn *change, void *context);

#endif
