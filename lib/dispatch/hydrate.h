/* --hydrate: the first call of a deferred tool loads its schema instead of running. Which tools are loaded is
 * remembered in a small cache with bounds, least recently used first out. Source of the bounds and of the
 * members of the result's metadata: toolsurface(7), "Calling". */
#ifndef TS_DISPATCH_HYDRATE_H
#define TS_DISPATCH_HYDRATE_H

#include "catalog/catalog.h"
#include "json/write.h"

#define TS_HYDRATE_NAMES 8
#define TS_HYDRATE_BYTES 16384 /* of serialised tools */

struct ts_hydrated {
  struct ts_str name; /* of the tool; borrowed from the catalog */
  struct ts_buf turn; /* the turn that loaded it */
  size_t bytes;
  bool has_turn;
};

/* {0} is an empty cache. */
struct ts_hydrate {
  struct ts_hydrated entry[TS_HYDRATE_NAMES]; /* least recently used first */
  size_t count;
};

/* Must this call of a deferred tool be answered with the tool's schema? Then the tool is loaded, and the calls of
 * later turns (when the record names no turn: later calls) run. A call that runs refreshes the entry. A tool
 * that is larger than the cache is kept alone, or it could never be run. */
bool ts_hydrate_needed(struct ts_hydrate *h, const struct ts_tool *tool, struct ts_str turn);
void ts_hydrate_free(struct ts_hydrate *h);

/* The result's text and the members of its metadata, from the tool's schema and the arguments that came. */
void ts_hydrate_content(const struct ts_tool *tool, struct ts_str arguments, struct ts_buf *out);
void ts_hydrate_metadata(const struct ts_tool *tool, struct ts_str arguments, struct ts_jw *w);

#endif
