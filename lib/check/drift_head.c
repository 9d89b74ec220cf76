/* The first-turn block: where the cached prefix is lost, and how much the block has grown. */
#include "check/drift_run.h"

static void build(const struct ts_drift_run *d, const struct ts_catalog *c, struct ts_head *h) {
  struct ts_surface surface = { 0 };
  struct ts_scope scope;
  if (ts_scope_open(&scope, c, &surface, NULL) == 0) ts_head_build(h, c, &scope, d->options->api);
  ts_scope_close(&scope);
}

static struct ts_str bytes_of(const struct ts_head *h, size_t i) {
  return ts_str_sub(ts_buf_str(&h->bytes), h->tool[i].start, h->tool[i].end - h->tool[i].start);
}

/* The tool that a byte of the block belongs to: its number, or the last one's. */
static size_t tool_at(const struct ts_head *h, size_t byte) {
  size_t i = 0;
  while (i + 1 < h->count && h->tool[i].end <= byte) i++;
  return i;
}

static struct ts_pair *pair_of(struct ts_drift_run *d, const struct ts_tool *t) {
  for (size_t i = 0; i < d->pair_count; i++)
    if (d->pair[i].after == t || d->pair[i].before == t) return &d->pair[i];
  return NULL;
}

static void check_bytes(struct ts_drift_run *d, const struct ts_head *before, const struct ts_head *after) {
  struct ts_str a = ts_buf_str(&before->bytes), b = ts_buf_str(&after->bytes);
  size_t same = 0;
  while (same < a.len && same < b.len && a.ptr[same] == b.ptr[same]) same++;
  if (same == a.len && same == b.len) return;
  const struct ts_head *at = after->count > 0 ? after : before;
  const struct ts_tool *t = at->tool[tool_at(at, same)].tool;
  size_t lost = a.len - same;
  ts_drift_report(
      d, TS_RULE_HEAD_BYTES_CHANGED, (struct ts_drift_spot){ .pair = pair_of(d, t), .name = t->name },
      "the first-turn block differs from '%.*s' on, at byte %zu: the cache of %zu bytes behind it (%zu%%) is lost",
      TS_FMT(t->name), same, lost, a.len ? lost * 100 / a.len : 0);
}

/* All of the old tools in their order, byte for byte, with others between or before them? `*first` gets the first of
 * those that an old one follows. */
static bool only_inserted(const struct ts_head *before, const struct ts_head *after, size_t *first) {
  size_t k = 0;
  *first = after->count;
  for (size_t i = 0; i < before->count; i++, k++) {
    for (; k < after->count && !ts_str_eq(bytes_of(before, i), bytes_of(after, k)); k++)
      if (*first == after->count) *first = k;
    if (k == after->count) return false;
  }
  return *first < after->count;
}

/* The same bytes of the same tools, in another order? */
static bool only_reordered(const struct ts_head *before, const struct ts_head *after) {
  struct ts_map count = { 0 };
  bool same = before->count == after->count && before->count > 0;
  for (size_t i = 0; i < before->count && same; i++) ++*ts_map_at(&count, bytes_of(before, i), 0);
  for (size_t i = 0; i < after->count && same; i++) {
    size_t *left = ts_map_at(&count, bytes_of(after, i), 0);
    same = *left > 0;
    if (same) --*left;
  }
  ts_map_free(&count);
  return same && !ts_str_eq(ts_buf_str(&before->bytes), ts_buf_str(&after->bytes));
}

static void check_order(struct ts_drift_run *d, const struct ts_head *before, const struct ts_head *after) {
  size_t first;
  if (only_inserted(before, after, &first)) {
    const struct ts_tool *t = after->tool[first].tool;
    ts_drift_report(d, TS_RULE_HEAD_INSERTED, (struct ts_drift_spot){ .pair = pair_of(d, t) },
                    "'%.*s' is inserted before %zu tools of the first-turn block", TS_FMT(t->name),
                    after->count - first - 1);
  } else if (only_reordered(before, after)) {
    size_t at = 0;
    while (ts_str_eq(bytes_of(before, at), bytes_of(after, at))) at++;
    const struct ts_tool *t = after->tool[at].tool;
    ts_drift_report(d, TS_RULE_HEAD_REORDERED, (struct ts_drift_spot){ .pair = pair_of(d, t) },
                    "the first-turn block has the same tools in another order, from '%.*s' on", TS_FMT(t->name));
  }
}

static bool raised(uint64_t before, uint64_t after) { return after > before; }

static bool budget_raised(const struct ts_drift_run *d) {
  const struct ts_catalog *a = d->before, *b = d->after;
  return a->has_budget && b->has_budget &&
         (raised(a->budget_active, b->budget_active) || raised(a->budget_bytes, b->budget_bytes));
}

static size_t count_retired(const struct ts_drift_run *d) {
  size_t count = 0;
  for (size_t i = 0; i < d->pair_count; i++) count += ts_pair_retired(&d->pair[i]);
  return count;
}

static void check_growth(struct ts_drift_run *d, const struct ts_head *before, const struct ts_head *after) {
  bool grew = after->count > before->count || after->bytes.len > before->bytes.len;
  if (!grew || count_retired(d) > 0 || budget_raised(d)) return;
  struct ts_drift_spot spot = { .name = d->after->name };
  if (!d->after->has_budget) spot.vector.level[TS_POLICY] = TS_WARNING;
  ts_drift_report(d, TS_RULE_HEAD_GREW, spot,
                  "the first-turn block grew from %zu tool%s and %zu bytes to %zu and %zu, and no tool was retired",
                  before->count, before->count == 1 ? "" : "s", before->bytes.len, after->count, after->bytes.len);
}

static bool rewritten(const struct ts_pair *p) {
  return ts_tool_visible(p->before) && ts_tool_visible(p->after) &&
         (!ts_str_eq(p->before->description_json, p->after->description_json) ||
          !ts_str_eq(p->before->input_schema, p->after->input_schema));
}

static void check_focus(struct ts_drift_run *d) {
  size_t retired = count_retired(d);
  for (size_t i = 0; i < d->pair_count && retired > 0; i++) {
    struct ts_pair *p = &d->pair[i];
    if (!rewritten(p)) continue;
    ts_drift_report(d, TS_RULE_DIET_NOT_FOCUSED, (struct ts_drift_spot){ .pair = p },
                    "'%.*s' is rewritten in the change that retires %zu name%s", TS_FMT(p->after->name), retired,
                    retired == 1 ? "" : "s");
  }
}

void ts_drift_head(struct ts_drift_run *d) {
  struct ts_head before = { 0 }, after = { 0 };
  if (d->before->tool_count == 0) return; /* a first catalog: nothing of it is cached, and it has not grown */
  build(d, d->before, &before);
  build(d, d->after, &after);
  if (before.count > 0 || after.count > 0) check_bytes(d, &before, &after);
  check_order(d, &before, &after);
  check_growth(d, &before, &after);
  check_focus(d);
  ts_head_free(&before);
  ts_head_free(&after);
}
