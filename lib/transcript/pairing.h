/* Which result answers which call, in one file. A call is known by (session, agent, id) inside its window; a
 * result answers the nearest earlier open call of its id. Where none was made before it, it answers one that is made
 * later, in order, but only when no result behind that call (and not too far behind) does. What a result or a call
 * lacks is a fault; some are certain at once, others only when the window or the file ends, so faults are fetched in
 * the order of the events they concern.
 *
 * Memory: about 200 bytes and its texts for a call or a result that still waits, and for the last 4,096 results that
 * were there before their calls; at most 24 bytes for one that is done with (base/seen.h). Source of the rules:
 * toolsurface(7), "Audit". */
#ifndef TS_TRANSCRIPT_PAIRING_H
#define TS_TRANSCRIPT_PAIRING_H

#include "transcript/event.h"

struct ts_pairing;

struct ts_pair_fault {
  enum ts_rule_id rule;
  struct ts_str session, agent, id, name;
  uint64_t line, column; /* of the call or result it is held against */
  uint64_t call_line;    /* duplicates: of the call that has the id or the result already; 0: unknown */
  uint64_t order;        /* which event it was, from 1 */
  bool is_result, nested;
};
/* The fault's text is borrowed for the call. */
typedef void ts_pair_fn(void *context, const struct ts_pair_fault *f);

/* The caller frees it. */
struct ts_pairing *ts_pairing_new(void);
void ts_pairing_free(struct ts_pairing *p);
/* Forgets all of one file, to be used for the next one. */
void ts_pairing_reset(struct ts_pairing *p);

/* Takes the next event and returns its number, from 1. Faults of this very event that are certain already go to
 * `now`. Events of no concern only count. */
uint64_t ts_pairing_event(struct ts_pairing *p, const struct ts_event *e, ts_pair_fn *now, void *context);
/* The file is read, as by TS_EVENT_END: what still waits gets its verdict. */
void ts_pairing_end(struct ts_pairing *p);

/* The number of the oldest event that waits for its verdict, or whose fault has not been fetched: whatever is
 * known about earlier events is all there will be. UINT64_MAX: there is none. */
uint64_t ts_pairing_oldest(const struct ts_pairing *p);
/* Fetches the fault of that event, when it is decided. Its text is valid until the next call with p. */
bool ts_pairing_next(struct ts_pairing *p, struct ts_pair_fault *out);

/* Calls that have their result, nested ones apart. */
uint64_t ts_pairing_answered(const struct ts_pairing *p);
/* How many compactions of the session's own conversation, and of this agent's, there were so far. */
struct ts_window {
  uint32_t session, agent;
};
struct ts_window ts_pairing_window(const struct ts_pairing *p, struct ts_str session, struct ts_str agent);

#endif
