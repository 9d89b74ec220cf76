/* What an audit counts. Two summaries merge by adding: in any split of the files, any order, any tree of merges the
 * sum is the same, and so are its bytes. No clock, host name or process id is in it. */
#ifndef TS_TRANSCRIPT_SUMMARY_H
#define TS_TRANSCRIPT_SUMMARY_H

#include "base/map.h"
#include "catalog/resolve.h"
#include "json/scan.h"
#include "report/finding.h"
#include "transcript/selection.h"
#include "transcript/when.h"

/* How one called name was used. Where catalogs differ from file to file, the state is the worst of all (in the order
 * of enum ts_state), the replacement the first in bytewise order of those that go with it. */
struct ts_name_use {
  struct ts_str name;
  uint64_t calls, files;
  int64_t first, last; /* TS_WHEN_UNKNOWN: no call of it had a time */
  bool judged;         /* false: no catalog said anything of it */
  enum ts_state state;
  struct ts_str replacement;
  uint64_t last_file; /* private: number of the file that counted it last */
};

struct ts_summary {
  uint64_t files;              /* audited */
  uint64_t skipped;            /* found in a directory, and of no known format */
  uint64_t lines, bad_lines;   /* of the files; those that are not exactly one JSON value */
  uint64_t bytes;              /* after decompression */
  uint64_t calls, answered;    /* nested ones apart */
  uint64_t sub_calls, results; /* results of calls, nested ones apart */
  uint64_t by_state[TS_STATES + 1];
  uint64_t by_rule[TS_RULES][TS_LEVELS]; /* findings, by rule and severity */
  bool has_crc;
  uint64_t crc_sum; /* mod 2^64 */
  /* private */
  struct ts_name_use *name;
  size_t name_count, name_cap;
  struct ts_map by_name;
  struct ts_arena arena;
};

/* {0} is an empty summary. */
void ts_summary_free(struct ts_summary *s);
/* The entry of a name, made when it is new; valid until the next call. */
struct ts_name_use *ts_summary_name(struct ts_summary *s, struct ts_str name);
/* Takes a state and replacement into account. */
void ts_summary_judge(struct ts_summary *s, struct ts_name_use *u, enum ts_state state, struct ts_str replacement);
/* Widens first and last. */
void ts_summary_see(struct ts_name_use *u, int64_t when);
void ts_summary_add(struct ts_summary *s, const struct ts_summary *more);

uint64_t ts_summary_rule(const struct ts_summary *s, enum ts_rule_id rule);    /* findings of a rule */
uint64_t ts_summary_level(const struct ts_summary *s, enum ts_level severity); /* and of a severity */
uint64_t ts_summary_judged(const struct ts_summary *s);                        /* calls that a catalog judged */
/* Would any of these findings count? */
bool ts_summary_counts(const struct ts_summary *s, const struct ts_threshold *t);

/* Appends the summary record of tsrecord(5), or one record a name, by name; each with a newline. */
void ts_summary_write(struct ts_summary *s, struct ts_buf *out);
void ts_summary_write_names(struct ts_summary *s, struct ts_buf *out);
/* Keeps only the names that a selection is about. */
void ts_summary_select(struct ts_summary *s, const struct ts_selection *only);
/* Sorts the names bytewise, for those who walk through `name` themselves. */
void ts_summary_sort(struct ts_summary *s);
/* Adds a summary record, indexed in j. -1: it is none, or none that this version can add; s may be half changed. */
int ts_summary_read(struct ts_summary *s, const struct ts_json *j, struct ts_buf *err);

#endif
