/* What a called name means. Names match exactly, byte for byte; a call goes through one alias at most. */
#ifndef TS_CATALOG_RESOLVE_H
#define TS_CATALOG_RESOLVE_H

#include "catalog/catalog.h"

struct ts_route {
  struct ts_str name;           /* as called */
  const struct ts_tool *called; /* the record of that name; NULL: unknown */
  const struct ts_tool *tool;   /* what runs: the tool itself, an alias's replacement, or an alias with its own
                                 * handler (no replacement); NULL when nothing dispatches */
  struct ts_str canonical;      /* tool's name; for a removed name its replacement, if any; else empty */
  enum ts_state state;          /* of the name, in the surface; TS_UNKNOWN_NAME when called is NULL */
  bool dispatches;
};

/* Borrowed from c and name. A record whose feature is off is as if absent. */
void ts_resolve(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name, struct ts_route *out);

#define TS_SUGGESTIONS 3
/* Up to three visible names that the caller may have meant, best first; returns how many. Never a hidden,
 * deprecated or removed name, nor one that the profile excludes. Source of the order: "Calling" in toolsurface(7). */
size_t ts_suggest(const struct ts_catalog *c, const struct ts_surface *s, struct ts_str name,
                  struct ts_str out[TS_SUGGESTIONS]);
/* Does the name look like an entry of the to-do list (`item`, `todos`, `checklist_item`), which is no tool? */
bool ts_is_list_entry(struct ts_str name);
/* Why a name does not dispatch, in one sentence with replacement or suggestions; the message of error results
 * and findings alike. */
void ts_route_explain(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_route *r,
                      struct ts_buf *out);
/* The same for a route record: members without braces, `"suggestions":[…]` for an unknown name, and `"message":"…"`. */
void ts_route_members(const struct ts_catalog *c, const struct ts_surface *s, const struct ts_route *r,
                      struct ts_buf *out);

#endif
