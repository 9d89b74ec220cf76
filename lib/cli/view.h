/* The options of tscat that show a catalog: which view, and what of it. Their table, what they set, and which of them
 * go together. */
#ifndef TS_CLI_VIEW_H
#define TS_CLI_VIEW_H

#include "catalog/view.h"
#include "cli/opt.h"

enum {
  TS_OPT_NAMES = 5200,
  TS_OPT_TABLE,
  TS_OPT_STATE,
  TS_OPT_ORIGIN,
  TS_OPT_SEARCH,
  TS_OPT_MATCH,
  TS_OPT_LIMIT,
  TS_OPT_RESOLVE,
  TS_OPT_FIRST_TURN,
  TS_OPT_API,
  TS_OPT_GOLDEN,
  TS_OPT_UPDATE,
  TS_OPT_MEASURE,
};

/* clang-format off */
#define TS_VIEW_OPTIONS \
  { 0, 0, NULL, NULL, "Tools and aliases (without a view: the whole catalog, normalised)", NULL }, \
  { TS_OPT_NAMES, 0, "names", NULL, "print names only", NULL }, \
  { TS_OPT_TABLE, 0, "table", NULL, "print a table for people", NULL }, \
  { TS_OPT_STATE, 0, "state", "STATE,...", "only those in these states", \
    "active|deferred|hidden-compatibility|deprecated|removed" }, \
  { TS_OPT_ORIGIN, 0, "origin", "ORIGIN,...", "only those of these origins", "native|mcp|synthetic" }, \
  { TS_OPT_SEARCH, 0, "search", "QUERY", "only what tool search finds, the best first", NULL }, \
  { TS_OPT_MATCH, 0, "match", "HOW", "how QUERY is meant", "terms|regex" }, \
  { TS_OPT_LIMIT, 0, "limit", "N", "find at most N (8)", NULL }, \
  { 0, 0, NULL, NULL, "Calls", NULL }, \
  { TS_OPT_RESOLVE, 0, "resolve", "NAME", "print where a call of NAME goes; repeatable", NULL }, \
  { 0, 0, NULL, NULL, "The first-turn block", NULL }, \
  { TS_OPT_FIRST_TURN, 0, "first-turn", NULL, "print the exact tools array", NULL }, \
  { TS_OPT_API, 0, "api", "API", "whose array: anthropic without this", TS_API_VALUES }, \
  { TS_OPT_GOLDEN, 0, "golden", "FILE", "compare the block of every mode and profile with FILE", "FILE" }, \
  { TS_OPT_UPDATE, 0, "update", NULL, "write the golden FILE instead; refused when $CI is set", NULL }, \
  { TS_OPT_MEASURE, 0, "measure", NULL, "print size and digest of the block per mode and profile", NULL }
/* clang-format on */

/* {0}, with view.limit set, is ready. Arguments are borrowed. */
struct ts_view_options {
  unsigned given; /* bit 1 << key - TS_OPT_NAMES of each option */
  struct ts_view view;
  size_t name_cap;
};

void ts_view_options_free(struct ts_view_options *o);
static inline bool ts_view_given(const struct ts_view_options *o, int key) {
  return o->given & 1u << (key - TS_OPT_NAMES);
}
/* 1: the option is one of these, or of cli/surface.h, and was taken; 0: it is not; -1: its argument is wrong. */
int ts_view_option(struct ts_view_options *o, int key, const char *argument, struct ts_buf *err);
/* Settles which view is meant. -1: *err says what does not go together. */
int ts_view_options_settle(struct ts_view_options *o, struct ts_buf *err);
/* Is the whole catalog meant, and nothing said of how it is shown but --api? */
bool ts_view_options_plain(const struct ts_view_options *o);

#endif
