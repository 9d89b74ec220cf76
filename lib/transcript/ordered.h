/* The order of findings: by line, then column, then bytes, which an audit and a merge of audits have in common.
 * Records that wait for the verdict over an earlier event go through a spool; those of one line are sorted before
 * they are let go. */
#ifndef TS_TRANSCRIPT_ORDERED_H
#define TS_TRANSCRIPT_ORDERED_H

#include "io/spool.h"

/* Takes one record, a line with its newline; borrowed for the call. */
typedef void ts_record_fn(void *context, struct ts_str record);

struct ts_placed {
  uint64_t line, column;
  struct ts_str record;
};
int ts_placed_cmp(const struct ts_placed *a, const struct ts_placed *b);

/* {0}, with out and context, is empty. */
struct ts_ordered {
  ts_record_fn *out;
  void *context;
  /* private: what waits */
  struct ts_spool spool;
  bool has_front; /* the frame of what stands first has been taken out of the spool */
  uint64_t front_order;
  size_t front_size;
  struct ts_placed front;
  struct ts_buf block;
  /* private: what has come of the line in hand */
  uint64_t line;
  struct ts_buf text;
  struct ts_line_record *record;
  size_t count, cap;
};

/* A record of event number `order`, behind all before it; numbers never fall. */
void ts_ordered_put(struct ts_ordered *o, uint64_t order, const struct ts_placed *p);
/* Lets go of all records of events below `before`. -1: the spool's file could not be read back. */
int ts_ordered_release(struct ts_ordered *o, uint64_t before, struct ts_buf *err);
/* A record whose turn it is: all before it have been let go. */
void ts_ordered_now(struct ts_ordered *o, const struct ts_placed *p);
/* Nothing more comes of the line in hand. */
void ts_ordered_end_line(struct ts_ordered *o);
static inline bool ts_ordered_waits(const struct ts_ordered *o) { return o->has_front || o->spool.size > 0; }
/* Forgets everything but out and context. */
void ts_ordered_free(struct ts_ordered *o);

#endif
