/* From text to a number: a hash table with open addressing. Keys are borrowed and must outlive the map.
 * The hash is seeded per process against hostile keys; there is no iteration, so nothing that is printed
 * can depend on it. {0} is an empty map. */
#ifndef TS_BASE_MAP_H
#define TS_BASE_MAP_H

#include "base/str.h"

struct ts_map_slot;
struct ts_map {
  struct ts_map_slot *slot;
  size_t count, cap;
};

#define TS_MAP_NONE SIZE_MAX

/* The value of key, or TS_MAP_NONE. */
size_t ts_map_get(const struct ts_map *m, struct ts_str key);
/* Where the value of key is, making it `fallback` when key is new; valid until the next call. */
size_t *ts_map_at(struct ts_map *m, struct ts_str key, size_t fallback);
void ts_map_free(struct ts_map *m);
/* The seeded hash itself, for tables of other shapes. */
uint64_t ts_hash(struct ts_str s);

#endif
