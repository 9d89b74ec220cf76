/* What a caller of an unknown name may have meant. */
#include "base/utf8.h"
#include "base/xalloc.h"
#include "catalog/resolve.h"
#include "catalog/surface.h"

enum { DISTANCE_MAX = 3 };

/* Ascending: the better reason comes first. */
enum reason { PREFIX, SUBSTRING, DISTANCE, NO_REASON };

/* Text as code points; an invalid byte is one of its own. */
struct points {
  uint32_t *at;
  size_t count, cap;
};

static void points_of(struct ts_str s, struct points *p) {
  p->count = 0;
  for (size_t i = 0; i < s.len;) {
    ts_xgrow(&p->at, &p->cap, p->count + 1, sizeof *p->at);
    p->at[p->count++] = ts_wtf8_next(s, &i);
  }
}

static size_t smallest(size_t a, size_t b, size_t c) {
  size_t m = a < b ? a : b;
  return m < c ? m : c;
}

/* Levenshtein's, or anything above DISTANCE_MAX: only cells that near the diagonal can matter. */
static size_t edit_distance(const struct points *a, const struct points *b) {
  enum { BAND = 2 * DISTANCE_MAX + 1, FAR = DISTANCE_MAX + 1 };
  size_t row[BAND + 2], gap = a->count > b->count ? a->count - b->count : b->count - a->count;
  if (gap > DISTANCE_MAX) return FAR;
  /* row[k + 1] is the cell of column i + k - DISTANCE_MAX; the cells at both ends are far. */
  for (size_t k = 0; k < BAND + 2; k++) row[k] = FAR;
  for (size_t k = DISTANCE_MAX; k < BAND; k++) row[k + 1] = k - DISTANCE_MAX;
  for (size_t i = 1; i <= a->count; i++)
    for (size_t k = 0; k < BAND; k++) {
      size_t column = i + k;
      if (column < DISTANCE_MAX || column - DISTANCE_MAX > b->count) {
        row[k + 1] = FAR;
        continue;
      }
      column -= DISTANCE_MAX;
      bool same = column > 0 && a->at[i - 1] == b->at[column - 1];
      size_t diagonal = column > 0 ? row[k + 1] + !same : FAR;
      row[k + 1] = smallest(diagonal, row[k + 2] + 1, row[k] + 1);
    }
  return row[DISTANCE_MAX + b->count - a->count + 1];
}

struct candidate {
  struct ts_str name;
  enum reason reason;
  size_t distance;
};

static int candidate_order(const struct candidate *a, const struct candidate *b) {
  if (a->reason != b->reason) return a->reason < b->reason ? -1 : 1;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  return ts_str_cmp(a->name, b->name);
}

/* Of two texts one of which holds the other, the distance is what is left over. */
static struct candidate compare(struct ts_str called, const struct points *points, struct ts_str name,
                                struct points *scratch) {
  struct candidate c = { .name = name, .reason = NO_REASON };
  if (name.len == 0 || called.len == 0) return c;
  points_of(name, scratch);
  size_t a = points->count, b = scratch->count;
  c.distance = a > b ? a - b : b - a;
  if (ts_str_starts(name, called) || ts_str_starts(called, name)) {
    c.reason = PREFIX;
  } else if (ts_str_has(name, called) || ts_str_has(called, name)) {
    c.reason = SUBSTRING;
  } else {
    c.distance = edit_distance(points, scratch);
    if (c.distance <= DISTANCE_MAX && 2 * c.distance < a) c.reason = DISTANCE;
  }
  return c;
}

/* Keeps the best, in order, each name once. */
static size_t insert(struct candidate best[TS_SUGGESTIONS], size_t count, const struct candidate *c) {
  size_t at = 0;
  for (size_t i = 0; i < count; i++)
    if (ts_str_eq(best[i].name, c->name)) return count;
  while (at < count && candidate_order(&best[at], c) < 0) at++;
  if (at == TS_SUGGESTIONS) return count;
  if (count < TS_SUGGESTIONS) count++;
  for (size_t i = count - 1; i > at; i--) best[i] = best[i - 1];
  best[at] = *c;
  return count;
}

size_t ts_suggest(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name,
                  struct ts_str out[TS_SUGGESTIONS]) {
  struct candidate best[TS_SUGGESTIONS];
  struct points called = { 0 }, other = { 0 };
  struct ts_scope scope;
  size_t count = 0;
  bool scoped = ts_scope_open(&scope, c, s, NULL) == 0;
  points_of(name, &called);
  for (size_t i = 0; i < c->tool_count; i++) {
    const struct ts_tool *t = &c->tool[i];
    if (t->is_alias || !(scoped ? ts_scope_has(&scope, t) : ts_surface_has(s, t->feature))) continue;
    struct candidate candidate = compare(name, &called, t->name, &other);
    if (candidate.reason != NO_REASON) count = insert(best, count, &candidate);
  }
  for (size_t i = 0; i < count; i++) out[i] = best[i].name;
  ts_scope_close(&scope);
  free(called.at);
  free(other.at);
  return count;
}

/* --- entries of the to-do list -------------------------------------------------------------------------- */

static const char *const entry_words[] = { "item", "items", "entry", "entries" };
static const char *const list_words[] = { "todo", "todos", "checklist", "list", "task", "tasks", "plan" };
static const char *const whole_names[] = { "todos", "checklist" };

static bool is_any(struct ts_str word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (ts_str_eq_nocase(word, ts_str_z(words[i]))) return true;
  return false;
}

bool ts_is_list_entry(struct ts_str name) {
  if (is_any(name, whole_names, TS_COUNT(whole_names))) return true;
  for (size_t i = 0; i < name.len; i++) {
    if (name.ptr[i] != '_' && name.ptr[i] != '-') continue;
    if (!is_any(ts_str_sub(name, 0, i), list_words, TS_COUNT(list_words))) return false;
    name = ts_str_sub(name, i + 1, SIZE_MAX);
    i = SIZE_MAX;
  }
  return is_any(name, entry_words, TS_COUNT(entry_words));
}
