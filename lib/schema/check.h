/* The walk of a value along a schema, shared by validate.c and logic.c; private to lib/schema.
 *
 * A check answers 1, 0 or -1 (undecided), and combines answers as Kleene's logic does. It runs quietly and
 * stops at the first fault. Only when someone asks why is the value walked again, without stopping, and the
 * fault that comes first in the value is kept. */
#ifndef TS_SCHEMA_CHECK_H
#define TS_SCHEMA_CHECK_H

#include "schema/misfit.h"

/* Where the walk is: the members and elements on the way from the whole value. */
struct ts_step {
  struct ts_str key;
  size_t index; /* among its siblings */
  bool is_member;
};

struct ts_blame {
  bool found;
  enum ts_fault fault;
  size_t *at, depth; /* indices on the way to the fault; owned */
  struct ts_misfit misfit;
};

struct ts_why {
  struct ts_step *path;
  size_t depth, cap;
  bool naming; /* the value is the name of the member that the path leads to */
  struct ts_blame blame;
};

struct ts_check {
  size_t steps, steps_max;
  const char *stack; /* where it begins */
  struct ts_why *why;
};

/* Values and schemas nest deeply, and stack is what that costs: what is not always on the way down is kept
 * out of the frames of what is. */
#define TS_ASIDE __attribute__((noinline))

static inline int ts_both(int a, int b) { return a == 0 || b == 0 ? 0 : a < b ? a : b; }

int ts_check(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v);
/* Without asking why. */
int ts_check_quiet(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v);
/* Of a member (with its key) or an element, the index-th of its siblings. */
int ts_check_child(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *child, size_t index, bool is_member);
/* Returns 0; when asked why, keeps the fault if it is earlier than the one kept. */
int ts_check_blame(struct ts_check *c, enum ts_fault fault, const struct ts_sub *sub, const struct ts_tree *v,
                   const struct ts_fault_detail *detail);

/* allOf, anyOf, oneOf, not, if, $ref; and unevaluatedItems, unevaluatedProperties (logic.c). */
int ts_check_logic(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v);
int ts_check_unevaluated(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v);

/* Of two places: <0 when a comes first in the value; what contains the other comes first. */
int ts_blame_order(const size_t *a, size_t a_depth, const size_t *b, size_t b_depth);
void ts_blame_free(struct ts_blame *b);

#endif
