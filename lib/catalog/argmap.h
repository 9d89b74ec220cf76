/* The argument map of an alias: drop, rename, set on top-level members, every other byte untouched. */
#ifndef TS_CATALOG_ARGMAP_H
#define TS_CATALOG_ARGMAP_H

#include "catalog/catalog.h"

/* Appends to *out the arguments as the alias's tool takes them. `arguments` is an accepted JSON object. An
 * alias without action and map: the bytes as they are, blanks between tokens dropped. -1: a rename would
 * double a key that is there already, and *err says which. */
int ts_argmap_apply(const struct ts_tool *alias, struct ts_str arguments, struct ts_buf *out, struct ts_buf *err);

#endif
