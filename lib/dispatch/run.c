#include "dispatch/run.h"

#include <inttypes.h>

#include "base/xalloc.h"
#include "dispatch/signals.h"
#include "dispatch/stream.h"
#include "report/record.h"

enum state { WAITING, RUNNING, STREAMED, DONE };

/* A call under way. Reused for a later one, with the room its buffers have. */
struct slot {
  enum state state;
  struct ts_call call;
  struct ts_decision decision;
  struct ts_oneshot shot;
  struct ts_buf record; /* what is written for it, once DONE */
};

struct ts_run_loop {
  struct ts_run *run;
  struct ts_signals signals;
  struct ts_json json;
  struct slot slot[TS_RUN_WINDOW]; /* a ring: call number n is in slot[n % TS_RUN_WINDOW] */
  size_t first, next, unstarted;   /* numbers: oldest under way, next to be read, first that may be WAITING */
  size_t *running;                 /* numbers of the RUNNING calls */
  size_t running_count;
  struct ts_stream *stream; /* one a handler, by its place in the table; handler NULL: not used yet */
  size_t held;              /* bytes of records that wait for an earlier one */
  struct pollfd *fds;
};

static struct slot *slot_of(struct ts_run_loop *l, size_t number) { return &l->slot[number % TS_RUN_WINDOW]; }

static size_t handler_count(const struct ts_run_loop *l) { return l->run->decider.handlers->count; }

struct ts_run_loop *ts_run_open(struct ts_run *r, struct ts_buf *err) {
  struct ts_run_loop *l = ts_xcalloc(1, sizeof *l);
  l->run = r;
  if (ts_signals_open(&l->signals, err) != 0) {
    free(l);
    return NULL;
  }
  ts_decider_init(&r->decider);
  l->running = ts_xcalloc(r->jobs, sizeof *l->running);
  l->stream = ts_xcalloc(handler_count(l), sizeof *l->stream);
  l->fds = ts_xcalloc(2 + 3 * ((size_t)r->jobs + handler_count(l)), sizeof *l->fds);
  return l;
}

/* --- what is written --------------------------------------------------------------------------------------- */

static void complete(struct ts_run_loop *l, struct slot *s) {
  s->state = DONE;
  l->held += s->record.len;
}

static void write_route(struct ts_run_loop *l, struct slot *s) {
  const struct ts_call *c = &s->call;
  struct ts_route route;
  ts_resolve(l->run->decider.catalog, l->run->decider.surface, c->name, &route);
  bool dispatches = route.dispatches && c->problem.len == 0;
  ts_route_write(&s->record, &(struct ts_route_record){ .key = { c->session, c->agent, c->id, c->name },
                                                        .canonical = route.canonical,
                                                        .state = ts_str_z(ts_state_row(route.state)->name),
                                                        .dispatches = dispatches });
  if (!dispatches) l->run->errors++;
  complete(l, s);
}

static void write_answer(struct ts_run_loop *l, struct slot *s, const struct ts_answer *a) {
  ts_answer_write(a, &s->call, &s->record);
  if (a->is_error) l->run->errors++;
  complete(l, s);
}

/* Records go out in the order of the calls: the oldest has to be there first. */
static void flush_records(struct ts_run_loop *l) {
  for (; l->first < l->next && slot_of(l, l->first)->state == DONE; l->first++) {
    struct slot *s = slot_of(l, l->first);
    ts_out_add(l->run->out, ts_buf_str(&s->record));
    l->held -= s->record.len;
    if (s->record.cap > 1u << 20) ts_buf_free(&s->record);
  }
}

/* --- handing calls to handlers ------------------------------------------------------------------------------ */

static void take_stream_answer(void *context, size_t number, const struct ts_answer *given) {
  struct ts_run_loop *l = context;
  struct slot *s = slot_of(l, number);
  struct ts_answer *a = &s->decision.answer;
  a->is_error = given->is_error;
  a->content_is_json = given->content_is_json;
  ts_buf_set(&a->content, ts_buf_str(&given->content));
  ts_buf_set(&a->metadata, ts_buf_str(&given->metadata));
  ts_buf_set(&a->extra, ts_buf_str(&given->extra));
  ts_decide_notice(&s->decision.route, a);
  write_answer(l, s, a);
}

static void send_to_stream(struct ts_run_loop *l, size_t number) {
  struct slot *s = slot_of(l, number);
  const struct ts_handler *h = s->decision.handler;
  struct ts_stream *stream = &l->stream[h - l->run->decider.handlers->handler];
  if (!stream->handler) ts_stream_init(stream, h, l->run->timeout, l->run->max_output);
  ts_stream_send(stream, number, &s->call, s->decision.route.canonical, ts_buf_str(&s->decision.arguments));
  s->state = STREAMED;
}

static void start_oneshot(struct ts_run_loop *l, size_t number) {
  struct slot *s = slot_of(l, number);
  struct ts_decision *d = &s->decision;
  struct ts_buf err = { 0 };
  struct ts_str input = s->call.is_input ? s->call.input : ts_buf_str(&d->arguments);
  if (ts_oneshot_start(&s->shot, d->handler, &s->call, d->route.canonical, input, l->run->timeout, l->run->max_output,
                       &err) == 0) {
    s->state = RUNNING;
    l->running[l->running_count++] = number;
  } else {
    ts_answer_fail(&d->answer, ts_buf_str(&err));
    write_answer(l, s, &d->answer);
  }
  ts_buf_free(&err);
}

static void accept_call(struct ts_run_loop *l) {
  size_t number = l->next++;
  struct slot *s = slot_of(l, number);
  ts_buf_clear(&s->record);
  l->run->calls++;
  if (l->run->routes) {
    write_route(l, s);
    return;
  }
  ts_decide(&l->run->decider, &s->call, &s->decision);
  if (!s->decision.handler)
    write_answer(l, s, &s->decision.answer);
  else if (s->decision.handler->stream)
    send_to_stream(l, number);
  else
    s->state = WAITING;
}

/* --- one round ---------------------------------------------------------------------------------------------- */

static void start_waiting(struct ts_run_loop *l) {
  if (l->unstarted < l->first) l->unstarted = l->first;
  for (; l->unstarted < l->next && l->running_count < l->run->jobs; l->unstarted++)
    if (slot_of(l, l->unstarted)->state == WAITING) start_oneshot(l, l->unstarted);
}

static void step_oneshots(struct ts_run_loop *l, uint64_t now) {
  for (size_t i = 0; i < l->running_count;) {
    struct slot *s = slot_of(l, l->running[i]);
    if (!ts_oneshot_step(&s->shot, now)) {
      i++;
      continue;
    }
    ts_oneshot_finish(&s->shot, s->decision.handler, &s->decision.answer);
    ts_decide_notice(&s->decision.route, &s->decision.answer);
    write_answer(l, s, &s->decision.answer);
    l->running[i] = l->running[--l->running_count];
  }
}

static void step(struct ts_run_loop *l) {
  uint64_t now = ts_now_ms();
  start_waiting(l);
  step_oneshots(l, now);
  start_waiting(l);
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) ts_stream_step(&l->stream[i], now, take_stream_answer, l);
  flush_records(l);
}

/* Milliseconds until the first deadline, or -1. */
static int next_deadline(struct ts_run_loop *l) {
  uint64_t first = UINT64_MAX, now = ts_now_ms();
  for (size_t i = 0; i < l->running_count; i++) {
    uint64_t d = slot_of(l, l->running[i])->shot.deadline;
    if (d > 0 && d < first) first = d;
  }
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler && l->stream[i].deadline > 0 && l->stream[i].deadline < first)
      first = l->stream[i].deadline;
  if (first == UINT64_MAX) return -1;
  return first <= now ? 0 : first - now > 60000 ? 60000 : (int)(first - now);
}

/* Waits for a pipe, a signal, a deadline, or the input (-1: not for it). What is complete goes out before. */
static void wait_for_more(struct ts_run_loop *l, int input, int most) {
  size_t n = 0;
  if (ts_out_flush(l->run->out) != 0) return;
  l->fds[n++] = (struct pollfd){ .fd = l->signals.fd, .events = POLLIN };
  l->fds[n++] = (struct pollfd){ .fd = input, .events = POLLIN };
  for (size_t i = 0; i < l->running_count; i++, n += 3) ts_oneshot_poll(&slot_of(l, l->running[i])->shot, &l->fds[n]);
  for (size_t i = 0; i < handler_count(l); i++) {
    if (!l->stream[i].handler) continue;
    ts_stream_poll(&l->stream[i], &l->fds[n]);
    n += 3;
  }
  int deadline = next_deadline(l);
  if (most >= 0 && (deadline < 0 || most < deadline)) deadline = most;
  (void)poll(l->fds, (nfds_t)n, deadline);
  int signal = ts_signals_take(&l->signals);
  if (signal != 0 && l->run->stopped_by == 0) l->run->stopped_by = signal;
}

static bool stopped(const struct ts_run_loop *l) { return l->run->stopped_by != 0 || l->run->out->error != 0; }

/* --- reading ------------------------------------------------------------------------------------------------ */

/* 1: a line was read; 0: the end; -1: the input failed. */
static int read_line(struct ts_run_loop *l, struct ts_input *in, struct ts_str name, struct ts_buf *err) {
  struct ts_line line;
  int status = ts_input_line(in, l->run->max_line, &line, err);
  if (status <= 0 || ts_str_trim(line.text, " \t\r").len == 0) return status;
  struct ts_buf why = { 0 };
  int kind = line.too_long ? ts_fail(&why, "%.*s:%" PRIu64 ": longer than %" PRIu64 " bytes", TS_FMT(name), line.number,
                                     l->run->max_line)
                           : ts_call_read(&slot_of(l, l->next)->call, &l->json, name, line.number, line.text, &why);
  if (kind > 0) accept_call(l);
  if (kind < 0) {
    l->run->bad_lines++;
    ts_note(l->run->notes, "%s", ts_buf_z(&why));
  }
  ts_buf_free(&why);
  return 1;
}

static bool has_room(const struct ts_run_loop *l) {
  return l->next - l->first < TS_RUN_WINDOW && (l->held < TS_RUN_HELD || l->first == l->next);
}

int ts_run_input(struct ts_run_loop *l, struct ts_input *in, struct ts_str name, struct ts_buf *err) {
  int status = 1;
  while (status > 0 && !stopped(l)) {
    int fd = has_room(l) ? ts_input_wait_fd(in) : -1;
    if (has_room(l) && fd < 0) {
      status = read_line(l, in, name, err);
      continue;
    }
    step(l);
    if (fd < 0 && has_room(l)) continue;
    wait_for_more(l, fd, -1);
    if (fd >= 0 && (l->fds[1].revents & (POLLIN | POLLHUP | POLLERR))) status = read_line(l, in, name, err);
  }
  return status < 0 || l->run->out->error != 0 ? -1 : 0;
}

/* --- the end ------------------------------------------------------------------------------------------------ */

/* TERM to all, KILL after a while; what was complete goes out, the calls that were not get no record. */
static void abandon(struct ts_run_loop *l) {
  for (size_t i = 0; i < l->running_count; i++) ts_child_signal(&slot_of(l, l->running[i])->shot.child, SIGTERM);
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) ts_child_signal(&l->stream[i].child, SIGTERM);
  uint64_t end = ts_now_ms() + TS_KILL_AFTER_MS;
  for (size_t i = 0; i < l->running_count; i++) {
    struct ts_oneshot *shot = &slot_of(l, l->running[i])->shot;
    while (!ts_oneshot_step(shot, 0) && ts_now_ms() < end) (void)poll(NULL, 0, 10);
    ts_oneshot_kill(shot);
  }
  l->running_count = 0;
  for (; l->first < l->next; l->first++) {
    struct slot *s = slot_of(l, l->first);
    if (s->state == DONE) ts_out_add(l->run->out, ts_buf_str(&s->record));
  }
}

static void finish_streams(struct ts_run_loop *l) {
  uint64_t end = ts_now_ms() + TS_KILL_AFTER_MS;
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) ts_stream_close(&l->stream[i]);
  for (size_t i = 0; i < handler_count(l); i++) {
    struct ts_stream *s = &l->stream[i];
    if (!s->handler) continue;
    while (!ts_stream_ended(s) && ts_now_ms() < end && l->run->stopped_by == 0) wait_for_more(l, -1, 10);
    ts_stream_free(s);
    s->handler = NULL;
  }
}

static void free_slot(struct slot *s) {
  ts_call_free(&s->call);
  ts_answer_free(&s->decision.answer);
  ts_buf_free(&s->decision.arguments);
  ts_buf_free(&s->record);
}

void ts_run_close(struct ts_run_loop *l) {
  if (!l) return;
  while (l->first < l->next && !stopped(l)) {
    step(l);
    if (l->first < l->next) wait_for_more(l, -1, -1);
  }
  if (l->first < l->next) abandon(l);
  finish_streams(l);
  ts_signals_close(&l->signals);
  for (size_t i = 0; i < TS_RUN_WINDOW; i++) free_slot(&l->slot[i]);
  ts_decider_free(&l->run->decider);
  ts_json_free(&l->json);
  free(l->running);
  free(l->stream);
  free(l->fds);
  free(l);
}
