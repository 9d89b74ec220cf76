#include "transcript/ordered.h"

/* What stands before each record in the spool. */
struct frame {
  uint64_t order, size;
};

void ts_ordered_put(struct ts_ordered *o, uint64_t order, struct ts_str record) {
  const struct frame f = { order, record.len };
  ts_spool_add(&o->spool, ts_str((const char *)&f, sizeof f));
  ts_spool_add(&o->spool, record);
}

static int look(struct ts_ordered *o, struct ts_buf *err) {
  struct frame f;
  if (o->has_front || o->spool.size == 0) return 0;
  if (ts_spool_take(&o->spool, sizeof f, &o->block, err) < 0) return -1;
  memcpy(&f, o->block.ptr, sizeof f);
  o->front_order = f.order;
  o->front_size = (size_t)f.size;
  o->has_front = true;
  return 0;
}

int ts_ordered_release(struct ts_ordered *o, uint64_t before, ts_record_fn *out, void *context, struct ts_buf *err) {
  for (;;) {
    if (look(o, err) < 0) return -1;
    if (!o->has_front || o->front_order >= before) return 0;
    if (ts_spool_take(&o->spool, o->front_size, &o->block, err) < 0) return -1;
    o->has_front = false;
    out(context, ts_buf_str(&o->block));
  }
}

void ts_ordered_free(struct ts_ordered *o) {
  ts_spool_free(&o->spool);
  ts_buf_free(&o->block);
  *o = (struct ts_ordered){ 0 };
}
