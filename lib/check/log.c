#include "check/log.h"

#include "base/map.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "catalog/catalog.h"
#include "json/write.h"

/* A name as one content of the path has it. */
struct entry {
  struct ts_str name, replacement;
  enum ts_state state;
};

/* One distinct content: its names, sorted; of doubled names the first. */
struct snapshot {
  struct entry *entry;
  size_t count, cap;
  bool readable;
};

struct event {
  const struct ts_revision *revision;
  struct ts_str name;
  const char *what;
  const struct entry *from, *to; /* NULL: not there */
};

struct ts_log {
  struct ts_history history;
  struct snapshot *snapshot; /* by number of the blob */
  size_t snapshot_count, snapshot_cap;
  struct ts_map by_blob, seen; /* blob id -> number; name -> 1 when it was there before */
  struct event *event;
  size_t event_count, event_cap;
  struct ts_arena arena;
};

/* --- contents ---------------------------------------------------------------------------------------------------- */

static int entry_order(const void *a, const void *b) {
  return ts_str_cmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void take_names(struct ts_log *l, const struct ts_catalog *c, struct snapshot *s) {
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i];
    if (ts_catalog_find(c, t->name) != t) continue;
    ts_xgrow(&s->entry, &s->cap, s->count + 1, sizeof *s->entry);
    s->entry[s->count++] =
        (struct entry){ ts_arena_dup(&l->arena, t->name), ts_arena_dup(&l->arena, t->replacement), t->state };
  }
  if (s->count > 0) qsort(s->entry, s->count, sizeof *s->entry, entry_order);
  s->readable = true;
}

/* The snapshot of a blob, read when it is met for the first time; "" is the path that is not there. */
static int find_snapshot(struct ts_log *l, struct ts_repo *r, const char *blob, const struct ts_notes *notes,
                         size_t *number, struct ts_buf *err) {
  size_t known = ts_map_get(&l->by_blob, ts_str_z(blob));
  if (known != TS_MAP_NONE) {
    *number = known;
    return 0;
  }
  struct ts_buf text = { 0 }, why = { 0 };
  struct ts_catalog c = { 0 };
  struct snapshot s = { 0 };
  int status = blob[0] ? ts_repo_blob(r, blob, &text, err) : 0;
  if (status == 0 && !blob[0]) {
    s.readable = true;
  } else if (status == 0) {
    if (ts_catalog_read(&c, ts_str_z(blob), ts_buf_str(&text), &why) == 0 && ts_catalog_finish(&c, &why) == 0)
      take_names(l, &c, &s);
    else
      ts_note(notes, "a version is no catalog, and is passed over: %s", ts_buf_z(&why));
  }
  *number = l->snapshot_count;
  ts_xgrow(&l->snapshot, &l->snapshot_cap, l->snapshot_count + 1, sizeof *l->snapshot);
  l->snapshot[l->snapshot_count++] = s;
  (void)ts_map_at(&l->by_blob, ts_arena_dup(&l->arena, ts_str_z(blob)), *number);
  ts_catalog_free(&c);
  ts_buf_free(&text);
  ts_buf_free(&why);
  return status;
}

static const struct entry *find_entry(const struct snapshot *s, struct ts_str name) {
  struct entry key = { .name = name };
  return s->count ? bsearch(&key, s->entry, s->count, sizeof *s->entry, entry_order) : NULL;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

static bool same(const struct entry *a, const struct entry *b) {
  if (!a || !b) return a == b;
  return a->state == b->state && ts_str_eq(a->replacement, b->replacement);
}

/* What happened to a name, in one word. */
static const char *describe(struct ts_log *l, const struct entry *from, const struct entry *to, struct ts_str name) {
  static const char *const became[TS_STATES] = { "active", "deferred", "hidden", "deprecated", "removed" };
  if (!to) return "dropped";
  if (!from) return *ts_map_at(&l->seen, name, 0) ? "back-again" : "introduced";
  return from->state != to->state ? became[to->state] : "replacement-changed";
}

static void add_event(struct ts_log *l, const struct ts_revision *v, struct ts_str name, const struct entry *from,
                      const struct entry *to) {
  ts_xgrow(&l->event, &l->event_cap, l->event_count + 1, sizeof *l->event);
  l->event[l->event_count++] = (struct event){ v, name, describe(l, from, to, name), from, to };
  *ts_map_at(&l->seen, name, 0) = 1;
}

/* A revision's content, and those of its parents. */
struct step {
  const struct ts_revision *revision;
  const struct snapshot *now, **before;
  size_t before_count;
};

/* A merge has made only what is in none of its parents. */
static void check_name(struct ts_log *l, const struct step *s, struct ts_str name) {
  const struct entry *to = find_entry(s->now, name);
  for (size_t i = 0; i < s->before_count; i++)
    if (same(find_entry(s->before[i], name), to)) return;
  add_event(l, s->revision, name, find_entry(s->before[0], name), to);
}

/* The names of both sides, merged, each once. */
static void check_step(struct ts_log *l, const struct step *s) {
  const struct snapshot *a = s->before[0], *b = s->now;
  size_t i = 0, k = 0;
  while (i < a->count || k < b->count) {
    int order = i == a->count ? 1 : k == b->count ? -1 : ts_str_cmp(a->entry[i].name, b->entry[k].name);
    check_name(l, s, order <= 0 ? a->entry[i].name : b->entry[k].name);
    i += order <= 0;
    k += order >= 0;
  }
}

/* What was there before the range began is no news in it. */
static void see_names(struct ts_log *l, const struct snapshot *s) {
  for (size_t i = 0; i < s->count; i++) (void)ts_map_at(&l->seen, s->entry[i].name, 1);
}

static int read_steps(struct ts_log *l, struct ts_repo *r, const struct ts_notes *notes, struct ts_buf *err) {
  size_t number, base;
  /* All contents first: the array of snapshots moves while it grows. */
  if (find_snapshot(l, r, l->history.base, notes, &base, err) != 0) return -1;
  for (size_t i = 0; i < l->history.count; i++) {
    const struct ts_revision *v = &l->history.revision[i];
    if (find_snapshot(l, r, v->blob, notes, &number, err) != 0) return -1;
    for (size_t k = 0; k < v->before_count; k++)
      if (find_snapshot(l, r, v->before[k], notes, &number, err) != 0) return -1;
  }
  see_names(l, &l->snapshot[base]);
  for (size_t i = 0; i < l->history.count; i++) {
    const struct ts_revision *v = &l->history.revision[i];
    struct step s = { .revision = v, .now = &l->snapshot[ts_map_get(&l->by_blob, ts_str_z(v->blob))] };
    s.before = ts_xcalloc(v->before_count, sizeof(const struct snapshot *));
    for (size_t k = 0; k < v->before_count; k++) {
      const struct snapshot *b = &l->snapshot[ts_map_get(&l->by_blob, ts_str_z(v->before[k]))];
      if (b->readable) s.before[s.before_count++] = b;
    }
    if (s.now->readable && s.before_count > 0) check_step(l, &s);
    free(s.before);
  }
  return 0;
}

struct ts_log *ts_log_read(struct ts_repo *r, struct ts_str range, struct ts_str path, const struct ts_notes *notes,
                           struct ts_buf *err) {
  struct ts_log *l = ts_xcalloc(1, sizeof *l);
  int status = ts_history_read(r, range, path, notes, &l->history, err);
  if (status == 0 && l->history.count == 0 && l->history.base[0] == '\0')
    status = ts_fail(err, "no commit in '%.*s' has '%.*s'", TS_FMT(range), TS_FMT(path));
  if (status == 0) status = read_steps(l, r, notes, err);
  if (status == 0) return l;
  ts_log_free(l);
  return NULL;
}

void ts_log_free(struct ts_log *l) {
  if (!l) return;
  for (size_t i = 0; i < l->snapshot_count; i++) free(l->snapshot[i].entry);
  free(l->snapshot);
  free(l->event);
  ts_map_free(&l->by_blob);
  ts_map_free(&l->seen);
  ts_arena_free(&l->arena);
  ts_history_free(&l->history);
  free(l);
}

/* --- printing ---------------------------------------------------------------------------------------------------- */

static struct ts_str state_name(const struct entry *e) {
  return e ? ts_str_z(ts_state_row(e->state)->name) : TS_STR("");
}

void ts_log_records(const struct ts_log *l, struct ts_buf *out) {
  for (size_t i = 0; i < l->event_count; i++) {
    const struct event *e = &l->event[i];
    struct ts_jw w = ts_jw(out);
    ts_jw_open(&w, '{');
    ts_jw_member(&w, "type", TS_STR("event"));
    ts_jw_member(&w, "event", ts_str_z(e->what));
    ts_jw_member(&w, "name", e->name);
    ts_jw_member_if(&w, "from", state_name(e->from));
    ts_jw_member_if(&w, "state", state_name(e->to));
    ts_jw_member_if(&w, "replacement", e->to ? e->to->replacement : TS_STR(""));
    ts_jw_member(&w, "commit", ts_str_z(e->revision->commit));
    ts_jw_member(&w, "date", ts_str_z(e->revision->date));
    ts_jw_member_if(&w, "tag", e->revision->tag);
    ts_jw_close(&w, '}');
    ts_buf_addc(out, '\n');
  }
}

/* A column of the timeline: the last revision that a release reached first; the newest one without a release is the
 * last column. */
struct column {
  struct ts_str label;
  const struct snapshot *snapshot;
};

struct columns {
  struct column *item;
  size_t count, cap;
};

static void make_columns(const struct ts_log *l, struct columns *c) {
  for (size_t i = 0; i < l->history.count; i++) {
    const struct ts_revision *v = &l->history.revision[i];
    struct ts_str label = v->tag.len > 0 ? v->tag : TS_STR("unreleased");
    const struct snapshot *s = &l->snapshot[ts_map_get(&l->by_blob, ts_str_z(v->blob))];
    if (!s->readable) continue;
    size_t at = 0;
    while (at < c->count && !ts_str_eq(c->item[at].label, label)) at++;
    ts_xgrow(&c->item, &c->cap, at + 1, sizeof *c->item);
    if (at == c->count) c->count++;
    c->item[at] = (struct column){ label, s };
  }
}

/* How a state looks in the timeline. Colours are those of SGR. */
static const struct {
  const char *word, *colour;
} looks[TS_STATES] = {
  { "active", "32" }, { "deferred", "36" }, { "hidden", "33" }, { "deprecated", "35" }, { "removed", "31" }
};

static void add_cell(struct ts_buf *out, const char *text, size_t width, const char *colour) {
  if (colour) ts_buf_addf(out, "\033[%sm", colour);
  ts_buf_addz(out, text);
  if (colour) ts_buf_addz(out, "\033[0m");
  for (size_t n = ts_utf8_width(ts_str_z(text)); n < width; n++) ts_buf_addc(out, ' ');
}

static void end_row(struct ts_buf *out) {
  while (out->len > 0 && out->ptr[out->len - 1] == ' ') ts_buf_cut(out, out->len - 1);
  ts_buf_addc(out, '\n');
}

static void add_row(const struct columns *c, struct ts_str name, size_t name_width, const size_t *width, bool colour,
                    struct ts_buf *out) {
  struct ts_buf label = { 0 };
  ts_visible(&label, name);
  add_cell(out, ts_buf_z(&label), name_width, NULL);
  for (size_t i = 0; i < c->count; i++) {
    const struct entry *e = find_entry(c->item[i].snapshot, name);
    ts_buf_addz(out, "  ");
    add_cell(out, e ? looks[e->state].word : ".", width[i], e && colour ? looks[e->state].colour : NULL);
  }
  end_row(out);
  ts_buf_free(&label);
}

/* Every name that any column has, sorted. */
static struct entry *all_names(const struct columns *c, size_t *count) {
  struct entry *all = NULL;
  size_t cap = 0, n = 0;
  for (size_t i = 0; i < c->count; i++) {
    for (size_t k = 0; k < c->item[i].snapshot->count; k++) {
      ts_xgrow(&all, &cap, n + 1, sizeof *all);
      all[n++] = c->item[i].snapshot->entry[k];
    }
  }
  if (n > 0) qsort(all, n, sizeof *all, entry_order);
  *count = 0;
  for (size_t i = 0; i < n; i++)
    if (*count == 0 || !ts_str_eq(all[*count - 1].name, all[i].name)) all[(*count)++] = all[i];
  return all;
}

static size_t widest(const struct entry *names, size_t count) {
  size_t width = 0;
  struct ts_buf label = { 0 };
  for (size_t i = 0; i < count; i++) {
    ts_buf_clear(&label);
    ts_visible(&label, names[i].name);
    size_t w = ts_utf8_width(ts_buf_str(&label));
    if (w > width) width = w;
  }
  ts_buf_free(&label);
  return width;
}

void ts_log_timeline(const struct ts_log *l, bool colour, struct ts_buf *out) {
  struct columns c = { 0 };
  size_t count;
  make_columns(l, &c);
  struct entry *names = all_names(&c, &count);
  size_t *width = ts_xcalloc(c.count, sizeof *width), name_width = widest(names, count);
  struct ts_buf label = { 0 };
  add_cell(out, "", name_width, NULL);
  for (size_t i = 0; i < c.count; i++) {
    ts_buf_clear(&label);
    ts_visible(&label, c.item[i].label);
    width[i] = ts_utf8_width(ts_buf_str(&label));
    if (width[i] < sizeof "deprecated" - 1) width[i] = sizeof "deprecated" - 1;
    ts_buf_addz(out, "  ");
    add_cell(out, ts_buf_z(&label), width[i], NULL);
  }
  end_row(out);
  for (size_t i = 0; i < count; i++) add_row(&c, names[i].name, name_width, width, colour, out);
  ts_buf_free(&label);
  free(width);
  free(names);
  free(c.item);
}

void ts_log_summary(const struct ts_log *l, struct ts_buf *out) {
  ts_buf_addf(out, "%zu commit%s, %zu name%s, %zu event%s", l->history.count, l->history.count == 1 ? "" : "s",
              l->seen.count, l->seen.count == 1 ? "" : "s", l->event_count, l->event_count == 1 ? "" : "s");
}
