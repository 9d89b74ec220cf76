/* What tscat shows of a catalog. */
#ifndef TS_CATALOG_VIEW_H
#define TS_CATALOG_VIEW_H

#include "catalog/firstturn.h"
#include "catalog/print.h"
#include "catalog/search.h"

enum ts_view_kind {
  TS_VIEW_LIST,       /* tools and aliases, in one of the forms; or the whole catalog */
  TS_VIEW_ROUTES,     /* where calls go */
  TS_VIEW_FIRST_TURN, /* the block */
  TS_VIEW_GOLDEN,     /* the block of every mode and profile, compared */
  TS_VIEW_UPDATE,     /* the same, kept */
  TS_VIEW_MEASURE,    /* the same, measured */
  TS_VIEWS,
};

enum ts_form { TS_FORM_RECORDS, TS_FORM_NAMES, TS_FORM_TABLE };

/* All borrowed. */
struct ts_view {
  enum ts_view_kind kind;
  struct ts_surface surface;
  enum ts_form form; /* LIST, MEASURE */
  enum ts_api api;   /* FIRST_TURN, GOLDEN, UPDATE, MEASURE */
  /* LIST */
  bool whole; /* nothing is selected: records are the whole catalog, header, profiles and modes too */
  struct ts_filter filter;
  const char *query; /* NULL: no search */
  enum ts_match match;
  size_t limit;
  /* ROUTES */
  struct ts_str *name;
  size_t name_count;
  /* GOLDEN, UPDATE */
  const char *golden;
  /* MEASURE */
  const struct ts_catalog *before; /* NULL: none */
};

/* Appends to *out what goes to standard output, and to *summary a sentence about it, or nothing. 0: in order; 1: a
 * name does not dispatch, or a block differs; -1: it could not be done, and *err says why. */
int ts_view_show(const struct ts_view *v, const struct ts_catalog *c, struct ts_buf *out, struct ts_buf *summary,
                 struct ts_buf *err);

#endif
