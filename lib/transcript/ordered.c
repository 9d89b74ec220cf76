#include "transcript/ordered.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* A line may be a whole document: no more than so many of its records are sorted at a time. */
#define LINE_BYTES (1u << 20)

struct ts_line_record {
  uint64_t column;
  size_t at, len; /* in text */
  const char *text;
};

static int number_order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int ts_placed_cmp(const struct ts_placed *a, const struct ts_placed *b) {
  int order = number_order(a->line, b->line);
  if (order == 0) order = number_order(a->column, b->column);
  return order ? order : ts_str_cmp(a->record, b->record);
}

/* --- one line ------------------------------------------------------------------------------------------- */

static int record_order(const void *x, const void *y) {
  const struct ts_line_record *a = x, *b = y;
  const struct ts_placed pa = { 0, a->column, ts_str(a->text + a->at, a->len) };
  const struct ts_placed pb = { 0, b->column, ts_str(b->text + b->at, b->len) };
  return ts_placed_cmp(&pa, &pb);
}

void ts_ordered_end_line(struct ts_ordered *o) {
  for (size_t i = 0; i < o->count; i++) o->record[i].text = o->text.ptr;
  if (o->count > 1) qsort(o->record, o->count, sizeof *o->record, record_order);
  for (size_t i = 0; i < o->count; i++) o->out(o->context, ts_str(o->text.ptr + o->record[i].at, o->record[i].len));
  o->count = 0;
  ts_buf_clear(&o->text);
}

void ts_ordered_now(struct ts_ordered *o, const struct ts_placed *p) {
  if (o->count > 0 && (o->line != p->line || o->text.len > LINE_BYTES)) ts_ordered_end_line(o);
  o->line = p->line;
  ts_xgrow(&o->record, &o->cap, o->count + 1, sizeof *o->record);
  o->record[o->count++] = (struct ts_line_record){ p->column, o->text.len, p->record.len, NULL };
  ts_buf_add(&o->text, p->record);
}

/* --- what waits ----------------------------------------------------------------------------------------- */

/* What stands before each record in the spool. */
struct frame {
  uint64_t order, line, column, size;
};

void ts_ordered_put(struct ts_ordered *o, uint64_t order, const struct ts_placed *p) {
  const struct frame f = { order, p->line, p->column, p->record.len };
  ts_spool_add(&o->spool, ts_str((const char *)&f, sizeof f));
  ts_spool_add(&o->spool, p->record);
}

static int look(struct ts_ordered *o, struct ts_buf *err) {
  struct frame f;
  if (o->has_front || o->spool.size == 0) return 0;
  if (ts_spool_take(&o->spool, sizeof f, &o->block, err) < 0) return -1;
  memcpy(&f, o->block.ptr, sizeof f);
  o->front = (struct ts_placed){ f.line, f.column, { NULL, 0 } };
  o->front_order = f.order;
  o->front_size = (size_t)f.size;
  o->has_front = true;
  return 0;
}

int ts_ordered_release(struct ts_ordered *o, uint64_t before, struct ts_buf *err) {
  for (;;) {
    if (look(o, err) < 0) return -1;
    if (!o->has_front || o->front_order >= before) return 0;
    if (ts_spool_take(&o->spool, o->front_size, &o->block, err) < 0) return -1;
    o->has_front = false;
    o->front.record = ts_buf_str(&o->block);
    ts_ordered_now(o, &o->front);
  }
}

void ts_ordered_free(struct ts_ordered *o) {
  ts_spool_free(&o->spool);
  ts_buf_free(&o->block);
  ts_buf_free(&o->text);
  free(o->record);
  *o = (struct ts_ordered){ .out = o->out, .context = o->context };
}
