/* Do all arguments that one record's callers send fit another record, as they arrive there? Both lint (an alias and the
 * tool it reaches) and drift (a tool and what replaces it) ask this. */
#ifndef TS_CHECK_ALIAS_SCHEMA_H
#define TS_CHECK_ALIAS_SCHEMA_H

#include "catalog/catalog.h"

/* Are all arguments that `schema` (raw JSON) accepts taken by `tool`, after the map of `alias` (NULL: none)? 1: yes, or
 * there is nothing to hold them against; 0: no, and *witness (may be NULL) gets arguments as the caller sends them;
 * -1: that can't be decided. */
int ts_alias_schema_fits(const struct ts_tool *alias, struct ts_str schema, const struct ts_tool *tool,
                         struct ts_buf *witness);

#endif
