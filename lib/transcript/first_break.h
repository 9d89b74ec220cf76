/* The first revision of a catalog at which calls that were saved no longer replay: tsreplay --first-break. A call
 * replays when it dispatches and its arguments fit, or cannot be checked. */
#ifndef TS_TRANSCRIPT_FIRST_BREAK_H
#define TS_TRANSCRIPT_FIRST_BREAK_H

#include "catalog/surface.h"
#include "git/history.h"
#include "transcript/saved.h"

/* Calls of one name that broke for one reason. Text lives as long as the ts_first_break. */
struct ts_broken {
  struct ts_str name, message;
  enum ts_rule_id rule; /* removed-call, unknown-call, arguments-misfit */
  uint64_t calls;
  struct ts_place first;
};

/* {0} with the given is ready. */
struct ts_first_break {
  /* given: borrowed */
  struct ts_repo *repo;
  struct ts_str range, path; /* of commits; from the root of the repository */
  const struct ts_surface *surface;
  const struct ts_saved *saved;
  struct ts_notes remark; /* versions that are no catalog, and are passed over */
  /* the outcome */
  const struct ts_revision *revision; /* where it broke; NULL: nowhere in the range */
  struct ts_broken *broken;           /* in the order of their first places */
  size_t broken_count, broken_cap;
  uint64_t broken_calls;
  uint64_t never_calls; /* did not even replay at the base */
  /* private */
  struct ts_history history;
  struct ts_break_version *version;
  size_t version_count, version_cap;
  struct ts_map by_blob, by_reason;
  struct ts_arena arena;
};

/* The base is the lower end of the range, or, where there is none, the first version in it. A revision breaks a call
 * that replays at the base and at a parent of it, but not there: a branch that is merely older breaks nothing. Each
 * distinct content is read once, and none behind the break. -1: *err says why. */
int ts_first_break_find(struct ts_first_break *b, struct ts_buf *err);
void ts_first_break_free(struct ts_first_break *b);

/* Records of tsrecord(5); lines for people; one line that sums up, without a newline. All appended. */
void ts_first_break_records(const struct ts_first_break *b, struct ts_buf *out);
void ts_first_break_text(const struct ts_first_break *b, struct ts_buf *out);
void ts_first_break_summary(const struct ts_first_break *b, struct ts_buf *out);

#endif
