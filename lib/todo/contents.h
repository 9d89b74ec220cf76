/* Which contents a list has: a hash set that costs 8 to 16 bytes an item, for lists of millions. */
#ifndef TS_TODO_CONTENTS_H
#define TS_TODO_CONTENTS_H

#include "todo/accept.h"

/* The contents are quoted JSON strings that stand in one buffer; the set keeps their offsets. {0} but for the
 * buffer is empty. */
struct ts_contents_slot;
struct ts_contents {
  const struct ts_buf *text; /* borrowed; it may grow, but what is in the set stays where it is */
  struct ts_contents_slot *slot;
  size_t count, cap;
};

/* Adds the string that begins at text[at], len bytes with its quotes; false when it is there already. */
bool ts_contents_add(struct ts_contents *c, size_t at, size_t len);
bool ts_contents_has(const struct ts_contents *c, struct ts_str quoted);
void ts_contents_free(struct ts_contents *c);

/* Counts the unfinished items of `before` whose content no item of the accepted list has. */
void ts_todo_dropped(const struct ts_todo_list *before, const struct ts_todo_accepted *now,
                     size_t by_status[TS_TODO_STATUSES]);

#endif
