/* A handler that is started once and speaks JSONL: a call record a line in, a result record a line out, in
 * order. Calls are written ahead of the answers. When it dies, the call it owed next is answered as an error and
 * the later ones are given to its successor: they come to it in order, so it had not begun them. After
 * TS_STREAM_DEATHS deaths without an answer between them it is not started again. */
#ifndef TS_DISPATCH_STREAM_H
#define TS_DISPATCH_STREAM_H

#include "dispatch/oneshot.h"

#define TS_STREAM_DEATHS 5

struct ts_stream_call {
  size_t slot;  /* the caller's number for it */
  size_t bytes; /* of its record */
};

struct ts_stream {
  const struct ts_handler *handler; /* borrowed */
  struct ts_child child;
  struct ts_stream_call *queue; /* not answered yet, oldest first */
  size_t first, count, cap;     /* a ring of cap entries */
  struct ts_buf records;        /* their records; record_from: where the oldest one begins */
  size_t record_from, sent;     /* sent: offset of what has not been written yet */
  struct ts_buf received, tail;
  size_t searched; /* of received: no newline before it */
  uint64_t timeout, max_output, deadline;
  unsigned deaths;
  bool timed_out;
};

/* One answer, for the call that the caller knows as `slot`. */
typedef void ts_stream_fn(void *context, size_t slot, const struct ts_answer *a);

void ts_stream_init(struct ts_stream *s, const struct ts_handler *h, uint64_t timeout, uint64_t max_output);
/* Queues a call; it is written by the next steps. */
void ts_stream_send(struct ts_stream *s, size_t slot, const struct ts_call *c, struct ts_str tool,
                    struct ts_str arguments);
void ts_stream_poll(const struct ts_stream *s, struct pollfd fds[3]);
/* Moves what can be moved without waiting and hands on the answers that are there. */
void ts_stream_step(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context);
/* No more calls: closes its input. */
void ts_stream_close(struct ts_stream *s);
/* Has its process ended (or was it never started)? */
bool ts_stream_ended(struct ts_stream *s);
void ts_stream_free(struct ts_stream *s);

#endif
