/* Recorded results against others, say those that tsdispatch made of the same calls: pair by pair, by key (session,
 * agent, id) and occurrence. What is compared is `is_error` and `content`; the rest of a record says whose result it
 * is, where it stands, and (metadata) what the program has to say about it.
 *
 * Both sides are read side by side, so what is held in memory is what is out of step: results whose counterpart has
 * not come yet. */
#ifndef TS_TRANSCRIPT_COMPARE_H
#define TS_TRANSCRIPT_COMPARE_H

#include "base/diag.h"
#include "io/lines.h"
#include "transcript/ordered.h"

#define TS_COMPARE_SHOWN 512 /* bytes of a value that a record shows */

struct ts_compare {
  /* given, borrowed */
  struct ts_input *results; /* the other side: result records; others in it are passed over */
  struct ts_str name;       /* of its file */
  uint64_t max_line;
  ts_record_fn *out;       /* takes a record for each pair that is not the same … */
  struct ts_notes failure; /* … and is told of lines that are no JSON, and of an input that cannot be read */
  void *context;           /* of out */
  /* the outcome */
  uint64_t same, differ, missing, extra;
  /* private */
  struct ts_str *ignore;
  size_t ignore_count, ignore_cap;
  struct ts_compare_state *state;
};

/* A pointer (RFC 6901, borrowed) into a result record: the value there does not count. -1: it is none. */
int ts_compare_ignore(struct ts_compare *c, const char *pointer, struct ts_buf *err);
/* A recorded result: a record as ts_neutral_write makes it. */
void ts_compare_take(struct ts_compare *c, struct ts_str record);
/* No more of them: reads the rest of the other side, tells what has no counterpart: first missing, then extra, each in
 * its order. */
void ts_compare_end(struct ts_compare *c);
void ts_compare_free(struct ts_compare *c);
/* For a person, appended. */
void ts_compare_tell(const struct ts_compare *c, struct ts_buf *out);

#endif
