/* What a catalog looks like: as normalised records, as names, as a table for people. */
#ifndef TS_CATALOG_PRINT_H
#define TS_CATALOG_PRINT_H

#include "catalog/surface.h"

/* Some of a catalog's tools and aliases, in the order to show them. The array is owned, the records are not. */
struct ts_listing {
  const struct ts_tool **tool;
  size_t count, cap;
};
void ts_listing_add(struct ts_listing *l, const struct ts_tool *t);
void ts_listing_free(struct ts_listing *l);

/* Which ones. {0}: all. */
struct ts_filter {
  unsigned states;  /* bit 1 << enum ts_state, of the state they have in the scope; 0: any */
  unsigned origins; /* bit 1 << enum ts_origin; 0: any */
};
/* By name, bytewise; doubled names in the order read. What the profile takes out of the first turn is left out. */
void ts_listing_make(struct ts_listing *l, const struct ts_catalog *c, const struct ts_scope *scope,
                     const struct ts_filter *f);

/* The whole catalog in normal form: header, tools and aliases by name, profiles and modes by name; state records
 * have gone into the tools they name. Read again it gives the same bytes. Appends. */
void ts_catalog_print(const struct ts_catalog *c, struct ts_buf *out);
void ts_listing_print(const struct ts_listing *l, struct ts_buf *out);       /* records, one a line */
void ts_listing_print_names(const struct ts_listing *l, struct ts_buf *out); /* made visible, one a line */
void ts_listing_print_table(const struct ts_listing *l, const struct ts_scope *scope, struct ts_buf *out);

/* A table for people: cells row by row, the first row is the heading. Columns are as wide as their widest cell on
 * a terminal; cells are made visible. Those of a column whose bit is set in `right` stand at its right edge. */
void ts_table_print(const struct ts_str *cell, size_t columns, size_t rows, unsigned right, struct ts_buf *out);

#endif
