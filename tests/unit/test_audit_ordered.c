#include "transcript/ordered.h"

#include "unit/tap.h"

static void collect(void *context, struct ts_str record) { ts_buf_add(context, record); }

static void put(struct ts_ordered *o, uint64_t order, uint64_t line, uint64_t column, const char *record) {
  const struct ts_placed p = { line, column, ts_str_z(record) };
  if (order)
    ts_ordered_put(o, order, &p);
  else
    ts_ordered_now(o, &p);
}

static void one_line(void) {
  struct ts_buf out = { 0 };
  struct ts_ordered o = { .out = collect, .context = &out };
  put(&o, 0, 1, 7, "c\n");
  put(&o, 0, 1, 2, "b\n");
  put(&o, 0, 1, 2, "a\n");
  IS_Z(ts_buf_z(&out), "", "a line is held until it is known to be over");
  put(&o, 0, 2, 1, "d\n");
  IS_Z(ts_buf_z(&out), "a\nb\nc\n", "by column, then bytes");
  ts_ordered_end_line(&o);
  ts_ordered_end_line(&o);
  IS_Z(ts_buf_z(&out), "a\nb\nc\nd\n", "ended twice, written once");
  ts_ordered_free(&o);
  ts_buf_free(&out);
}

static void waiting(void) {
  struct ts_buf out = { 0 }, err = { 0 };
  struct ts_ordered o = { .out = collect, .context = &out };
  OK(!ts_ordered_waits(&o), "nothing waits");
  put(&o, 3, 3, 1, "3\n");
  put(&o, 5, 5, 9, "5b\n");
  put(&o, 5, 5, 1, "5a\n");
  put(&o, 8, 8, 1, "8\n");
  OK(ts_ordered_waits(&o), "some do");
  OK(ts_ordered_release(&o, 3, &err) == 0, "released up to 3");
  put(&o, 0, 2, 1, "late 2\n");
  OK(ts_ordered_release(&o, 6, &err) == 0, "released up to 6");
  put(&o, 0, 6, 1, "late 6\n");
  OK(ts_ordered_release(&o, UINT64_MAX, &err) == 0 && !ts_ordered_waits(&o), "released all");
  ts_ordered_end_line(&o);
  IS_Z(ts_buf_z(&out), "late 2\n3\n5a\n5b\nlate 6\n8\n", "everything in its order");
  ts_ordered_free(&o);
  ts_buf_free(&out);
  ts_buf_free(&err);
}

/* More than memory takes, and more on one line than is sorted at a time. */
static void many(void) {
  enum { MANY = 40000 };
  struct ts_buf out = { 0 }, err = { 0 }, want = { 0 };
  struct ts_ordered o = { .out = collect, .context = &out };
  char record[64];
  for (uint64_t i = 1; i <= MANY; i++) {
    (void)snprintf(record, sizeof record, "%055u\n", (unsigned)i);
    put(&o, i, 1, i, record);
    ts_buf_addz(&want, record);
  }
  OK(ts_ordered_release(&o, UINT64_MAX, &err) == 0, "read back");
  ts_ordered_end_line(&o);
  OK(ts_str_eq(ts_buf_str(&out), ts_buf_str(&want)), "in order, every byte");
  ts_ordered_free(&o);
  ts_buf_free(&out);
  ts_buf_free(&want);
  ts_buf_free(&err);
}

int main(void) {
  one_line();
  waiting();
  many();
  return tap_done();
}
