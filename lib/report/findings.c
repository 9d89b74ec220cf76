#include "report/findings.h"

#include "base/xalloc.h"

void ts_findings_add(void *list, const struct ts_finding *f) {
  struct ts_findings *l = list;
  ts_xgrow(&l->item, &l->cap, l->count + 1, sizeof *l->item);
  struct ts_finding *copy = &l->item[l->count++];
  *copy = *f;
  struct ts_str *texts[] = { &copy->message, &copy->session,   &copy->agent,     &copy->id,      &copy->name,
                             &copy->pointer, &copy->old_value, &copy->new_value, &copy->witness, &copy->place.file };
  for (size_t i = 0; i < TS_COUNT(texts); i++)
    if (texts[i]->len > 0) *texts[i] = ts_arena_dup(&l->arena, *texts[i]);
}

void ts_findings_free(struct ts_findings *l) {
  free(l->item);
  ts_arena_free(&l->arena);
  *l = (struct ts_findings){ 0 };
}

static int number_order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int rule_order(const struct ts_finding *a, const struct ts_finding *b) {
  return strcmp(ts_rule(a->rule)->id, ts_rule(b->rule)->id);
}

/* The first that is not 0. */
static int first_of(const int *orders, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (orders[i] != 0) return orders[i];
  return 0;
}

static int place_order(const void *x, const void *y) {
  const struct ts_finding *a = x, *b = y;
  const int orders[] = { ts_str_cmp(a->place.file, b->place.file),
                         number_order(a->place.line, b->place.line),
                         rule_order(a, b),
                         ts_str_cmp(a->pointer, b->pointer),
                         number_order(a->place.column, b->place.column),
                         ts_str_cmp(a->name, b->name),
                         ts_str_cmp(a->message, b->message) };
  return first_of(orders, TS_COUNT(orders));
}

static int name_order(const void *x, const void *y) {
  const struct ts_finding *a = x, *b = y;
  const int orders[] = { ts_str_cmp(a->name, b->name),           rule_order(a, b),
                         ts_str_cmp(a->pointer, b->pointer),     ts_str_cmp(a->old_value, b->old_value),
                         ts_str_cmp(a->new_value, b->new_value), ts_str_cmp(a->message, b->message) };
  return first_of(orders, TS_COUNT(orders));
}

void ts_findings_sort_by_place(struct ts_findings *l) {
  if (l->count > 0) qsort(l->item, l->count, sizeof *l->item, place_order);
}

void ts_findings_sort_by_name(struct ts_findings *l) {
  if (l->count > 0) qsort(l->item, l->count, sizeof *l->item, name_order);
}

/* One stable pass for each level: qsort is not stable. */
void ts_findings_sort_by_severity(struct ts_findings *l) {
  struct ts_finding *sorted = ts_xcalloc(l->count, sizeof *sorted);
  size_t n = 0;
  for (int level = TS_LEVELS - 1; level >= 0; level--) {
    for (size_t i = 0; i < l->count; i++) {
      struct ts_vector v = ts_finding_vector(&l->item[i]);
      if ((int)ts_vector_worst(&v) == level) sorted[n++] = l->item[i];
    }
  }
  free(l->item);
  l->item = sorted;
  l->cap = l->count;
}
