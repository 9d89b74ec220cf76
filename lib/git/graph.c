#include "git/graph.h"

#include "base/xalloc.h"

size_t ts_graph_add(struct ts_graph *g, int64_t time) {
  ts_xgrow(&g->commit, &g->cap, g->count + 1, sizeof *g->commit);
  g->commit[g->count] = (struct ts_commit){ .time = time, .blob = TS_BLOB_UNREAD, .tag = TS_TAG_NONE };
  return g->count++;
}

void ts_graph_parents(struct ts_graph *g, size_t commit, const size_t *parents, size_t count) {
  if (count == 0) return;
  ts_xgrow(&g->parent, &g->parent_cap, g->parent_count + count, sizeof *g->parent);
  memcpy(g->parent + g->parent_count, parents, count * sizeof *parents);
  g->commit[commit].first_parent = g->parent_count;
  g->commit[commit].parent_count = count;
  g->parent_count += count;
}

void ts_graph_free(struct ts_graph *g) {
  free(g->commit);
  free(g->parent);
  *g = (struct ts_graph){ 0 };
}

/* A list of commits still to be looked at. */
struct todo {
  size_t *item, count, cap;
};

static void push(struct todo *t, size_t commit) {
  ts_xgrow(&t->item, &t->cap, t->count + 1, sizeof *t->item);
  t->item[t->count++] = commit;
}

static const size_t *parents_of(const struct ts_graph *g, const struct ts_commit *c) {
  return c->parent_count ? g->parent + c->first_parent : NULL;
}

static void push_parents(const struct ts_graph *g, size_t commit, struct todo *t) {
  const struct ts_commit *c = &g->commit[commit];
  for (size_t i = 0; i < c->parent_count; i++) push(t, parents_of(g, c)[i]);
}

void ts_graph_exclude(struct ts_graph *g, size_t from) {
  struct todo t = { 0 };
  push(&t, from);
  while (t.count > 0) {
    size_t commit = t.item[--t.count];
    if (g->commit[commit].excluded) continue;
    g->commit[commit].excluded = true;
    push_parents(g, commit, &t);
  }
  free(t.item);
}

void ts_graph_tag(struct ts_graph *g, size_t from, size_t tag) {
  struct todo t = { 0 };
  push(&t, from);
  while (t.count > 0) {
    size_t commit = t.item[--t.count];
    if (g->commit[commit].tag != TS_TAG_NONE) continue; /* then its ancestors have one, too */
    g->commit[commit].tag = tag;
    push_parents(g, commit, &t);
  }
  free(t.item);
}

/* Sets `bit` in the marks of all that `from` reaches and that has not got it yet. */
static void mark(const struct ts_graph *g, size_t from, unsigned char bit, unsigned char *marks) {
  struct todo t = { 0 };
  push(&t, from);
  while (t.count > 0) {
    size_t commit = t.item[--t.count];
    if (marks[commit] & bit) continue;
    marks[commit] |= bit;
    push_parents(g, commit, &t);
  }
  free(t.item);
}

size_t ts_graph_merge_base(const struct ts_graph *g, size_t a, size_t b) {
  enum { FROM_A = 1, FROM_B = 2, BOTH = 3, INNER = 4 }; /* INNER: below another commit that both reach */
  unsigned char *marks = ts_xcalloc(g->count, 1);
  mark(g, a, FROM_A, marks);
  mark(g, b, FROM_B, marks);
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < g->count; i++) {
    const struct ts_commit *c = &g->commit[i];
    for (size_t k = 0; k < c->parent_count && (marks[i] & BOTH) == BOTH; k++)
      mark(g, parents_of(g, c)[k], INNER, marks);
  }
  for (size_t i = 0; i < g->count; i++)
    if (marks[i] == BOTH && (best == SIZE_MAX || g->commit[i].time > g->commit[best].time)) best = i;
  free(marks);
  return best;
}

/* A heap, newest commit first; of one time the one added first, so that the order is always the same. */
static bool comes_first(const struct ts_graph *g, size_t a, size_t b) {
  if (g->commit[a].time != g->commit[b].time) return g->commit[a].time > g->commit[b].time;
  return a < b;
}

static void swap(struct todo *heap, size_t i, size_t j) {
  size_t item = heap->item[i];
  heap->item[i] = heap->item[j];
  heap->item[j] = item;
}

static void heap_push(const struct ts_graph *g, struct todo *heap, size_t commit) {
  push(heap, commit);
  for (size_t i = heap->count - 1; i > 0 && comes_first(g, heap->item[i], heap->item[(i - 1) / 2]); i = (i - 1) / 2)
    swap(heap, i, (i - 1) / 2);
}

static size_t heap_pop(const struct ts_graph *g, struct todo *heap) {
  size_t top = heap->item[0];
  heap->item[0] = heap->item[--heap->count];
  for (size_t i = 0, child; (child = 2 * i + 1) < heap->count; i = child) {
    if (child + 1 < heap->count && comes_first(g, heap->item[child + 1], heap->item[child])) child++;
    if (!comes_first(g, heap->item[child], heap->item[i])) break;
    swap(heap, i, child);
  }
  return top;
}

/* How many children inside the range each commit waits for. */
static size_t *count_children(const struct ts_graph *g, size_t tip) {
  size_t *waits = ts_xcalloc(g->count, sizeof *waits);
  bool *seen = ts_xcalloc(g->count, sizeof *seen);
  struct todo t = { 0 };
  push(&t, tip);
  seen[tip] = true;
  while (t.count > 0) {
    const struct ts_commit *c = &g->commit[t.item[--t.count]];
    for (size_t i = 0; i < c->parent_count; i++) {
      size_t parent = parents_of(g, c)[i];
      waits[parent]++;
      if (!seen[parent]) push(&t, parent);
      seen[parent] = true;
    }
  }
  free(t.item);
  free(seen);
  return waits;
}

/* Looks at one wanted commit: reports it when it changed the path, and says which parents are wanted. */
static int visit(struct ts_graph *g, size_t commit, ts_graph_blob_fn *blob, ts_graph_change_fn *change, void *context) {
  if (blob(context, commit) != 0) return -1;
  struct ts_commit *c = &g->commit[commit];
  for (size_t i = 0; i < c->parent_count; i++) {
    size_t parent = parents_of(g, c)[i];
    if (blob(context, parent) != 0) return -1;
    if (g->commit[parent].blob != c->blob) continue;
    g->commit[parent].wanted = true;
    return 0;
  }
  for (size_t i = 0; i < c->parent_count; i++) g->commit[parents_of(g, c)[i]].wanted = true;
  if (c->parent_count == 0 && c->blob == TS_BLOB_ABSENT) return 0;
  return change(context, commit);
}

int ts_graph_walk(struct ts_graph *g, size_t tip, ts_graph_blob_fn *blob, ts_graph_change_fn *change, void *context) {
  size_t *waits = count_children(g, tip);
  struct todo heap = { 0 };
  int status = 0;
  g->commit[tip].wanted = true;
  heap_push(g, &heap, tip);
  while (heap.count > 0 && status == 0) {
    size_t commit = heap_pop(g, &heap);
    const struct ts_commit *c = &g->commit[commit];
    if (c->wanted && !c->excluded) status = visit(g, commit, blob, change, context);
    for (size_t i = 0; i < c->parent_count; i++) {
      size_t parent = parents_of(g, c)[i];
      if (--waits[parent] == 0) heap_push(g, &heap, parent);
    }
  }
  free(heap.item);
  free(waits);
  return status;
}
