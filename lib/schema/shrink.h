/* Making a witness smaller; private to lib/schema. Its size is that of its text; what is tried is bounded, so that the
 * result is small, not always the smallest. */
#ifndef TS_SCHEMA_SHRINK_H
#define TS_SCHEMA_SHRINK_H

#include "schema/compare.h"

/* What a witness shows; borrowed. */
struct ts_target {
  struct ts_sub *accepting, *refusing; /* the whole value */
  const struct ts_spot *spot;          /* and some part of it there … */
  const struct ts_view *view;          /* … is of this view … */
  struct ts_sub *condition;            /* … and refused by this */
};

bool ts_is_witness(const struct ts_target *target, const struct ts_tree *value);
/* Shortens a witness in place; the number of values that were looked at. */
size_t ts_shrink(const struct ts_target *target, struct ts_buf *witness);

#endif
