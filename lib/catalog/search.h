/* Tool search: which deferred tools fit a query. Source of the ranking: "Calling" in toolsurface(7). */
#ifndef TS_CATALOG_SEARCH_H
#define TS_CATALOG_SEARCH_H

#include "catalog/print.h"

enum ts_match { TS_MATCH_TERMS, TS_MATCH_REGEX };

/* Appends to *found the searchable tools of the scope that match, best first, at most `limit` of them. What is
 * looked at is name, description and schema, case ignored (with terms, that of ASCII only).
 *   terms: the query's words, parted by white space; each counts 1 where it occurs, and 2 more in the name. Equal
 *          scores go by name.
 *   regex: tools in which the expression finds something, by name.
 * -1: the expression is none, or could not be decided within the matcher's bounds. */
int ts_search(const struct ts_catalog *c, const struct ts_scope *scope, enum ts_match match, struct ts_str query,
              size_t limit, struct ts_listing *found, struct ts_buf *err);

#endif
