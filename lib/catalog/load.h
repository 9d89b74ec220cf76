/* What the files that load catalogs share; no one else includes this. One value after the other is indexed and
 * told by its shape (shape.c); whatever it is, it becomes a record of tscatalog(5) (record.c), and only such
 * records are read into the catalog. */
#ifndef TS_CATALOG_LOAD_H
#define TS_CATALOG_LOAD_H

#include "catalog/catalog.h"
#include "json/scan.h"

/* A state record, until the tool it names is known. */
struct ts_pending_state {
  struct ts_str name;
  enum ts_state state;
  struct ts_place place;
};

/* What is known of a catalog only while it is loaded. */
struct ts_loading {
  struct ts_pending_state *state;
  size_t state_count, state_cap;
  struct ts_map profiles, modes; /* name -> index */
  struct ts_map pages;           /* digest of a page's tools -> index */
  struct ts_place *page;         /* where it begins */
  size_t page_count, page_cap;
  struct ts_str cursor; /* the last page's nextCursor, raw; empty: the list has ended */
};

struct ts_loader {
  struct ts_catalog *c;
  struct ts_str file, text; /* the source; file is in the catalog's arena */
  struct ts_json json;      /* the value that is being read */
  struct ts_json index;     /* the record made of it */
  struct ts_buf made, scratch;
  struct ts_buf *err;
  size_t counted; /* line feeds before this byte are counted */
  size_t line_at; /* offset of the line that `line` numbers */
  uint64_t line;
  unsigned depth; /* of lists in lists */
  bool listed;    /* the value stands in a list of tools, not for itself */
};

struct ts_loading *ts_loading(struct ts_catalog *c);
struct ts_place ts_load_place(struct ts_loader *l, size_t at);
/* Fails with `file:line:column: ` before the sentence. */
int ts_load_fail(struct ts_loader *l, size_t at, const char *format, ...) TS_PRINTF(3, 4);
/* Adds a finding; text is copied. */
void ts_load_find(struct ts_catalog *c, const struct ts_finding *f);
/* Fails when two members of this object have one key; looks only when the scanner has seen such a thing. */
int ts_load_check_keys(struct ts_loader *l, uint32_t object);

/* shape.c: the value at node, in whatever shape. */
int ts_shape_read(struct ts_loader *l, uint32_t node);

/* page.c: a page of an MCP list. 1: read its tools; 0: it repeats another one. */
int ts_page_open(struct ts_loader *l, uint32_t tools, uint32_t cursor);
/* After the last source: an open list is incomplete. */
void ts_page_end(struct ts_catalog *c);

#endif
