/* The lifecycle of a tool name: one table of states. Source: the table "The five lifecycle states" of
 * toolsurface(7). */
#ifndef TS_CATALOG_LIFECYCLE_H
#define TS_CATALOG_LIFECYCLE_H

#include "base/str.h"

enum ts_state {
  TS_ACTIVE,
  TS_DEFERRED,
  TS_HIDDEN,
  TS_DEPRECATED,
  TS_REMOVED,
  TS_STATES,
  TS_UNKNOWN_NAME = TS_STATES, /* of a call: no record has this name; printed "unknown" */
};

struct ts_state_row {
  const char *name; /* "hidden-compatibility" */
  bool first_turn;  /* emitted in the first turn */
  bool searchable;  /* found by tool search */
  bool dispatches;  /* runs when called */
  bool notice;      /* its results carry the deprecation notice in their metadata */
  bool alias;       /* state of an alias record, not of a tool record */
};

const struct ts_state_row *ts_state_row(enum ts_state s); /* also of TS_UNKNOWN_NAME */
/* TS_STATES when the word names none. */
enum ts_state ts_state_find(struct ts_str word);

#endif
