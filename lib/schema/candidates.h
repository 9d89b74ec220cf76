/* Values of a view, made from what its parts say: the stuff that witnesses are made of. Private to lib/schema. Nothing
 * is proved here: what is kept was checked, and nothing may be found although there is something. All text is raw JSON
 * in the comparison's arena. */
#ifndef TS_SCHEMA_CANDIDATES_H
#define TS_SCHEMA_CANDIDATES_H

#include "schema/compare.h"

enum {
  TS_POOL_MOST = 48,    /* candidates kept for one place */
  TS_COUNT_MOST = 2000, /* elements or members */
  TS_CHOICES_MOST = 8,  /* alternatives tried */
};

struct ts_pool {
  const struct ts_view *view; /* what is kept fits it … */
  struct ts_sub *condition;   /* … and, unless this is NULL, is refused by this … */
  const struct ts_spot *spot; /* … and by the branches that it stands among */
  struct ts_str item[TS_POOL_MOST];
  size_t count;
};

struct ts_maker {
  struct ts_compare *c;
  struct ts_sub blank;
  struct ts_sub *hint; /* whose bounds are tried, at the place itself; &blank elsewhere, where less is tried */
  size_t work, climbs;
  struct ts_str best;
};

struct ts_member {
  struct ts_str key; /* tree spelling */
  struct ts_pool values;
  size_t chosen;
};

struct ts_members {
  struct ts_member *item; /* in the arena */
  size_t count, cap;
};

/* Keeps a value when it belongs to the pool. */
void ts_offer(struct ts_maker *m, struct ts_pool *pool, struct ts_str json);
void ts_pool_sort(struct ts_pool *pool, size_t from); /* from there on, the shortest first */
/* Fills the pool with values of the view, to a depth of values within values. */
void ts_make(struct ts_maker *m, const struct ts_view *v, struct ts_pool *pool, unsigned depth);
/* A few values of a view: one of each type first, of its texts the shortest. */
struct ts_pool ts_values_of(struct ts_maker *m, const struct ts_view *v, unsigned depth);
/* The required members, each with values; false when one of them has none. */
bool ts_add_required(struct ts_maker *m, struct ts_members *all, const struct ts_view *v, unsigned depth);
/* Members that are declared, then ones that are not, until there are n; none of the name `but` (may be absent). */
void ts_fill_up(struct ts_maker *m, struct ts_members *all, const struct ts_view *v, uint64_t n, struct ts_str but,
                unsigned depth);
/* The members as an object, with this value for the key (or, absent, as they are). */
void ts_write_members(struct ts_buf *json, const struct ts_members *all, struct ts_str key, struct ts_str value);

#endif
