/* Many small things that end together. Memory from an arena is valid until ts_arena_reset or _free;
 * single pieces are never given back. {0} is an empty arena. */
#ifndef TS_BASE_ARENA_H
#define TS_BASE_ARENA_H

#include "base/str.h"

struct ts_arena_block;
struct ts_arena {
  struct ts_arena_block *head;
  size_t used, size; /* of the head block, in bytes */
};

/* Zeroed, aligned for any type. */
void *ts_arena_alloc(struct ts_arena *a, size_t size);
/* A copy of s; a NUL that is not counted stands behind it. */
struct ts_str ts_arena_dup(struct ts_arena *a, struct ts_str s);
/* Forgets everything, keeping at most one block for reuse. */
void ts_arena_reset(struct ts_arena *a);
void ts_arena_free(struct ts_arena *a);

#endif
