/* Names as the checks look them up: the tool a model sees, and the old name that it no longer does. A name may be
 * carried by several records. */
#ifndef TS_CHECK_VISIBLE_H
#define TS_CHECK_VISIBLE_H

#include "catalog/catalog.h"

/* Active or deferred; NULL is not. */
static inline bool ts_tool_visible(const struct ts_tool *t) {
  return t && !t->is_alias && (t->state == TS_ACTIVE || t->state == TS_DEFERRED);
}
/* The first visible tool, or alias, of that name; NULL: there is none. */
const struct ts_tool *ts_find_visible(const struct ts_catalog *c, struct ts_str name);
const struct ts_tool *ts_find_alias(const struct ts_catalog *c, struct ts_str name);

#endif
