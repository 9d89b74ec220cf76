/* Who sees what: the tools of a catalog in one mode and profile, with the features that are on. */
#ifndef TS_CATALOG_SURFACE_H
#define TS_CATALOG_SURFACE_H

#include "catalog/catalog.h"

/* Is that feature on? Empty text is no feature: always. */
bool ts_surface_has(const struct ts_surface *s, struct ts_str feature);

/* The state a record is in here: an MCP tool is active where the mode says so, a synthetic one everywhere. A mode that
 * the catalog does not have says nothing. */
enum ts_state ts_surface_state(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_tool *t);

/* Every mode, without a profile and then with each: sets both in *s and moves *at, which begins at 0. false: that
 * was the last one. */
bool ts_surface_next(const struct ts_catalog *c, struct ts_surface *s, size_t *at);

/* A surface that has been looked up in a catalog; both are borrowed and must outlive it. */
struct ts_scope {
  const struct ts_surface *surface;
  const struct ts_mode *mode;
  const struct ts_profile *profile; /* NULL: none */
  struct ts_map kept, excluded;     /* private: the profile's names */
};

/* -1: the catalog has no such mode or profile; *err names those it has. */
int ts_scope_open(struct ts_scope *o, const struct ts_catalog *c, const struct ts_surface *s, struct ts_buf *err);
void ts_scope_close(struct ts_scope *o);

/* Is the record there at all: its feature on, and its name not excluded by the profile? */
bool ts_scope_has(const struct ts_scope *o, const struct ts_tool *t);
/* ts_surface_state of this scope. */
enum ts_state ts_scope_state(const struct ts_scope *o, const struct ts_tool *t);
/* Is it in the first-turn block; is it in the pool that tool search looks through? No alias ever is. */
bool ts_scope_first_turn(const struct ts_scope *o, const struct ts_tool *t);
bool ts_scope_searchable(const struct ts_scope *o, const struct ts_tool *t);

#endif
