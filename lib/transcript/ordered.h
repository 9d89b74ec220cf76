/* Records that wait for earlier ones: each belongs to an event, and may be let go once everything about the events
 * before it is known. */
#ifndef TS_TRANSCRIPT_ORDERED_H
#define TS_TRANSCRIPT_ORDERED_H

#include "io/spool.h"

/* Takes one record, a line with its newline; borrowed for the call. */
typedef void ts_record_fn(void *context, struct ts_str record);

/* {0} is empty. */
struct ts_ordered {
  struct ts_spool spool;
  bool has_front; /* what stands first has been taken out of the spool to look at its number */
  uint64_t front_order;
  size_t front_size;
  struct ts_buf block;
};

/* Numbers never fall. */
void ts_ordered_put(struct ts_ordered *o, uint64_t order, struct ts_str record);
/* Lets go, in order, of all records of events below `before`. -1: the spool's file could not be read back. */
int ts_ordered_release(struct ts_ordered *o, uint64_t before, ts_record_fn *out, void *context, struct ts_buf *err);
static inline bool ts_ordered_is_empty(const struct ts_ordered *o) { return !o->has_front && o->spool.size == 0; }
void ts_ordered_free(struct ts_ordered *o);

#endif
