/* A handler that is started once and speaks JSONL: a call record a line in, a result record a line out, in order.
 * Calls are written ahead of the answers. When its process ends, the call it owed next is answered as an error, and
 * the later ones are given to its successor: to a process that takes a call when it has answered the one before, none
 * of them is new. After TS_STREAM_DEATHS ends without an answer between them there is no successor.
 *
 * A process that is out of step is ended, since nobody can tell any more which call its next line answers: it wrote
 * a line that is no result record, or the id of another call, or something nobody had asked for. */
#ifndef TS_DISPATCH_STREAM_H
#define TS_DISPATCH_STREAM_H

#include "dispatch/oneshot.h"

#define TS_STREAM_DEATHS 5

struct ts_stream_call {
  size_t slot;      /* the caller's number for it */
  size_t bytes;     /* of its record */
  struct ts_str id; /* borrowed until it is answered */
};

struct ts_stream {
  const struct ts_handler *handler; /* borrowed */
  struct ts_child child;
  struct ts_stream_call *queue; /* not answered yet, oldest first */
  size_t first, count, cap;     /* a ring of cap entries */
  struct ts_buf records;        /* their records; record_from: where the oldest one begins */
  size_t record_from, sent;     /* sent: offset of what has not been written yet */
  struct ts_json json;
  struct ts_buf line; /* of an answer, as far as it has come; one byte more than max_output at most */
  struct ts_tail tail;
  struct ts_buf fault; /* why its process is being ended, "timed out"; empty: it is not */
  struct ts_buf last;  /* what its process ended of */
  uint64_t timeout, max_output, deadline;
  unsigned deaths;
  bool unasked;  /* it wrote more answers than it got calls … */
  bool nameless; /* … and answers without an id, which may then be those of other calls */
  bool is_mute;  /* the deadline is for a process that cannot answer any more */
};

/* One answer, for the call that the caller knows as `slot`; the callback may take its text. */
typedef void ts_stream_fn(void *context, size_t slot, struct ts_answer *a);

/* timeout in ms a call, 0: none; max_output: the longest answer, bytes. */
void ts_stream_init(struct ts_stream *s, const struct ts_handler *h, uint64_t timeout, uint64_t max_output);
/* Queues a call; it is written by the next steps. c is borrowed until it is answered. */
void ts_stream_send(struct ts_stream *s, size_t slot, const struct ts_call *c, struct ts_str tool,
                    struct ts_str arguments);
void ts_stream_poll(const struct ts_stream *s, struct pollfd fds[3]);
/* Moves what can be moved without waiting and hands on the answers that are there. */
void ts_stream_step(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context);
/* No more calls and no more answers: closes its input. */
void ts_stream_close(struct ts_stream *s);
/* Behind ts_stream_close: takes what it still writes. True when its process has ended, or never was. */
bool ts_stream_drain(struct ts_stream *s);
/* Ends its process at once, if there is one. */
void ts_stream_free(struct ts_stream *s);

#endif
