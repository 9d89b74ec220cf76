#include "dispatch/run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>

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
  size_t weight;        /* its share of loop->held */
};

struct ts_run_loop {
  struct ts_run *run;
  struct ts_signals signals;
  int times_stopped; /* signals that asked for the end */
  bool is_woken;     /* a signal has come since the handlers were last looked at: do not sleep before they are again */
  uint64_t give_up;  /* when output that nobody takes is given up; 0: never */
  struct ts_json json;
  struct slot slot[TS_RUN_WINDOW]; /* a ring: call number n is in slot[n % TS_RUN_WINDOW] */
  size_t first, next, unstarted;   /* numbers: oldest under way, next to be read, first that may be WAITING */
  size_t busy;                     /* calls that are RUNNING or STREAMED … */
  const struct ts_handler *at;     /* … and where the last of them is */
  size_t *running;                 /* numbers of the RUNNING calls */
  size_t running_count;
  struct ts_stream *stream; /* one a handler, by its place in the table; handler NULL: not used yet */
  size_t held;              /* bytes of calls under way and of records that wait for an earlier one */
  struct pollfd *fds;
};

enum { FD_SIGNALS, FD_OUTPUT, FD_INPUT, FD_HANDLERS };

static struct slot *slot_of(struct ts_run_loop *l, size_t number) { return &l->slot[number % TS_RUN_WINDOW]; }

static size_t handler_count(const struct ts_run_loop *l) { return l->run->decider.handlers->count; }

static bool stopped(const struct ts_run_loop *l) { return l->run->stopped_by != 0 || l->run->out->error != 0; }

static void look_for_signals(struct ts_run_loop *l) {
  l->times_stopped = ts_signals_take(&l->signals, &l->run->stopped_by, &l->is_woken);
  if (l->times_stopped > 0 && l->give_up == 0) l->give_up = ts_now_ms() + TS_KILL_AFTER_MS;
}

/* --- what is written --------------------------------------------------------------------------------------- */

static void weigh(struct ts_run_loop *l, struct slot *s, size_t weight) {
  l->held = l->held - s->weight + weight;
  s->weight = weight;
}

static void complete(struct ts_run_loop *l, struct slot *s) {
  s->state = DONE;
  weigh(l, s, s->record.len);
}

static void write_route(struct ts_run_loop *l, struct slot *s) {
  const struct ts_decider *d = &l->run->decider;
  const struct ts_call *c = &s->call;
  struct ts_route route;
  struct ts_buf why = { 0 };
  ts_resolve(d->catalog, d->surface, c->key.name, &route);
  bool dispatches = route.dispatches && c->problem.len == 0;
  if (c->problem.len > 0) {
    struct ts_jw w = ts_jw(&why);
    ts_jw_member(&w, "message", ts_buf_str(&c->problem));
  } else if (!dispatches) {
    ts_route_members(d->catalog, d->surface, &route, &why);
  }
  ts_route_write(&s->record, &(struct ts_route_record){ .key = c->key,
                                                        .canonical = route.canonical,
                                                        .state = ts_str_z(ts_state_row(route.state)->name),
                                                        .dispatches = dispatches,
                                                        .more_json = ts_buf_str(&why) });
  if (!dispatches) l->run->errors++;
  ts_buf_free(&why);
  complete(l, s);
}

static void write_answer(struct ts_run_loop *l, struct slot *s) {
  ts_answer_write(&s->decision.answer, &s->call, &s->record);
  if (s->decision.answer.is_error) l->run->errors++;
  complete(l, s);
}

/* The room of a large call is not kept for small ones. */
static void shrink(struct ts_buf *b) {
  if (b->cap > 1u << 16) ts_buf_free(b);
}

static void empty_slot(struct ts_run_loop *l, struct slot *s) {
  struct ts_decision *d = &s->decision;
  struct ts_buf *const all[] = { &s->call.text,      &s->call.settled,    &s->call.problem, &d->arguments,
                                 &d->answer.content, &d->answer.metadata, &d->answer.extra, &s->record };
  for (size_t i = 0; i < TS_COUNT(all); i++) shrink(all[i]);
  weigh(l, s, 0);
}

/* Records go out in the order of the calls: the oldest has to be there first. */
static void flush_records(struct ts_run_loop *l) {
  for (; l->first < l->next && slot_of(l, l->first)->state == DONE; l->first++) {
    struct slot *s = slot_of(l, l->first);
    ts_out_add(l->run->out, ts_buf_str(&s->record));
    empty_slot(l, s);
  }
}

/* --- handing calls to handlers ------------------------------------------------------------------------------ */

/* A ts_stream_fn. */
static void take_stream_answer(void *context, size_t number, struct ts_answer *given) {
  struct ts_run_loop *l = context;
  struct slot *s = slot_of(l, number);
  struct ts_answer empty = s->decision.answer;
  s->decision.answer = *given;
  *given = empty;
  l->busy--;
  ts_decide_notice(&s->decision.route, &s->decision.answer);
  write_answer(l, s);
}

static void send_to_stream(struct ts_run_loop *l, struct slot *s, size_t number) {
  const struct ts_handler *h = s->decision.handler;
  struct ts_stream *stream = &l->stream[h - l->run->decider.handlers->handler];
  if (!stream->handler) ts_stream_init(stream, h, l->run->timeout, l->run->max_output);
  ts_stream_send(stream, number, &s->call, s->decision.route.canonical, ts_buf_str(&s->decision.arguments));
  s->state = STREAMED;
  l->busy++;
}

/* False: there is no room for its process now, and there will be when one of those at work has ended. */
static bool start_oneshot(struct ts_run_loop *l, struct slot *s, size_t number) {
  struct ts_decision *d = &s->decision;
  struct ts_buf err = { 0 };
  struct ts_str input = s->call.is_input ? s->call.arguments : ts_buf_str(&d->arguments);
  int status = ts_oneshot_start(&s->shot, d->handler, &s->call, d->route.canonical, input, l->run->timeout,
                                l->run->max_output, &err);
  bool waits = status > 0 && l->running_count > 0;
  if (status == 0) {
    s->state = RUNNING;
    l->busy++;
    l->running[l->running_count++] = number;
  } else if (!waits) {
    ts_answer_fail(&d->answer, ts_buf_str(&err));
    write_answer(l, s);
  }
  ts_buf_free(&err);
  return !waits;
}

/* Is it this call's turn? */
static bool may_begin(const struct ts_run_loop *l, const struct ts_decision *d) {
  if (l->run->jobs == 1) return l->busy == 0 || (d->kind == TS_HANDLED && d->handler->stream && d->handler == l->at);
  return d->kind == TS_SERVED || d->handler->stream || l->running_count < l->run->jobs;
}

static bool begin(struct ts_run_loop *l, size_t number) {
  struct slot *s = slot_of(l, number);
  struct ts_decision *d = &s->decision;
  if (!may_begin(l, d)) return false;
  l->at = d->handler;
  if (d->kind == TS_SERVED) {
    ts_decide_serve(&l->run->decider, &s->call, d);
    write_answer(l, s);
  } else if (d->handler->stream) {
    send_to_stream(l, s, number);
  } else {
    return start_oneshot(l, s, number);
  }
  return true;
}

/* One job at a time keeps the order of the calls; several pass by those for which there is no room yet. True: some
 * have begun. */
static bool begin_waiting(struct ts_run_loop *l) {
  bool all_begun = true, any_begun = false;
  if (l->unstarted < l->first) l->unstarted = l->first;
  for (size_t n = l->unstarted; n < l->next && (all_begun || l->run->jobs > 1); n++) {
    if (slot_of(l, n)->state == WAITING) {
      bool has_begun = begin(l, n);
      all_begun &= has_begun;
      any_begun |= has_begun;
    }
    if (all_begun) l->unstarted = n + 1;
  }
  return any_begun;
}

static void accept_call(struct ts_run_loop *l, size_t bytes) {
  struct slot *s = slot_of(l, l->next++);
  ts_buf_clear(&s->record);
  weigh(l, s, bytes);
  l->run->calls++;
  if (l->run->routes) {
    write_route(l, s);
    return;
  }
  ts_decide(&l->run->decider, &s->call, &s->decision);
  s->state = WAITING;
  if (s->decision.kind == TS_ANSWERED) write_answer(l, s);
}

/* --- one round ---------------------------------------------------------------------------------------------- */

static void step_oneshots(struct ts_run_loop *l, uint64_t now) {
  for (size_t i = 0; i < l->running_count;) {
    struct slot *s = slot_of(l, l->running[i]);
    if (!ts_oneshot_step(&s->shot, now)) {
      i++;
      continue;
    }
    ts_oneshot_finish(&s->shot, s->decision.handler, &s->decision.answer);
    ts_decide_notice(&s->decision.route, &s->decision.answer);
    write_answer(l, s);
    l->busy--;
    l->running[i] = l->running[--l->running_count];
  }
}

static void step_streams(struct ts_run_loop *l, uint64_t now) {
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) ts_stream_step(&l->stream[i], now, take_stream_answer, l);
}

/* All that can be done without waiting: one call's end may be another's turn. */
static void step(struct ts_run_loop *l) {
  uint64_t now = ts_now_ms();
  l->is_woken = false; /* first: what comes from now on may come too late for this round */
  step_oneshots(l, now);
  do step_streams(l, now);
  while (begin_waiting(l));
  flush_records(l);
  look_for_signals(l);
}

/* Milliseconds until the first deadline, or -1. */
static int next_deadline(struct ts_run_loop *l, uint64_t first) {
  uint64_t now = ts_now_ms();
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

/* Waits for a pipe, a signal, a deadline (the handlers' own and `until`), the input (-1: not for it), and for the
 * reader of the output to go away. True: there is input. */
static bool wait_for_more(struct ts_run_loop *l, int input, uint64_t until) {
  size_t n = FD_HANDLERS;
  int output = l->run->out->error == 0 ? l->run->out->fd : -1;
  l->fds[FD_SIGNALS] = (struct pollfd){ .fd = l->signals.fd, .events = POLLIN };
  l->fds[FD_OUTPUT] = (struct pollfd){ .fd = output };
  l->fds[FD_INPUT] = (struct pollfd){ .fd = input, .events = POLLIN };
  for (size_t i = 0; i < l->running_count; i++, n += 3) ts_oneshot_poll(&slot_of(l, l->running[i])->shot, &l->fds[n]);
  for (size_t i = 0; i < handler_count(l); i++) {
    if (!l->stream[i].handler) continue;
    ts_stream_poll(&l->stream[i], &l->fds[n]);
    n += 3;
  }
  int ready = poll(l->fds, (nfds_t)n, l->is_woken ? 0 : next_deadline(l, until));
  look_for_signals(l);
  if (ready > 0 && l->fds[FD_OUTPUT].revents & POLLERR) l->run->out->error = EPIPE;
  return ready > 0 && l->fds[FD_INPUT].revents != 0;
}

/* --- input and output --------------------------------------------------------------------------------------- */

/* For ts_input_waits: the handlers are served while input is awaited. */
static bool await_input(void *context, int fd) {
  struct ts_run_loop *l = context;
  bool is_ready = false;
  while (!is_ready && !stopped(l)) {
    step(l);
    is_ready = ts_out_flush(l->run->out) == 0 && wait_for_more(l, fd, UINT64_MAX);
  }
  return is_ready;
}

/* For a ts_out's wait: a reader that takes nothing does not keep the program from ending. */
static bool await_output(void *context, int fd) {
  struct ts_run_loop *l = context;
  for (;;) {
    struct pollfd fds[] = { { .fd = l->signals.fd, .events = POLLIN }, { .fd = fd, .events = POLLOUT } };
    uint64_t now = ts_now_ms();
    int most = l->give_up == 0 ? -1 : l->give_up > now ? (int)(l->give_up - now) : 0;
    int ready = poll(fds, TS_COUNT(fds), most);
    look_for_signals(l);
    if (ready > 0 && fds[1].revents != 0) return true;
    if (l->times_stopped > 1 || (l->give_up != 0 && ts_now_ms() >= l->give_up)) return false;
  }
}

static bool has_room(const struct ts_run_loop *l) {
  return l->next - l->first < TS_RUN_WINDOW && (l->held < TS_RUN_HELD || l->first == l->next);
}

static void make_room(struct ts_run_loop *l) {
  while (!has_room(l) && !stopped(l)) {
    step(l);
    if (!has_room(l) && ts_out_flush(l->run->out) == 0) (void)wait_for_more(l, -1, UINT64_MAX);
  }
}

static void take_line(struct ts_run_loop *l, const struct ts_line *line, struct ts_str name) {
  struct ts_buf why = { 0 };
  int kind = 0;
  if (line->too_long)
    kind =
        ts_fail(&why, "%.*s:%" PRIu64 ": longer than %" PRIu64 " bytes", TS_FMT(name), line->number, l->run->max_line);
  else if (ts_str_trim(line->text, " \t\r").len > 0)
    kind = ts_call_read(&slot_of(l, l->next)->call, &l->json, name, line->number, line->text, &why);
  if (kind > 0) ts_call_settle(&slot_of(l, l->next)->call, &l->json);
  if (kind > 0) accept_call(l, line->text.len);
  if (kind < 0) ts_note(l->run->notes, "%s", ts_buf_z(&why));
  ts_buf_free(&why);
}

int ts_run_file(struct ts_run_loop *l, const char *path, struct ts_buf *err) {
  struct ts_str name = strcmp(path, "-") == 0 ? TS_STR("standard input") : ts_str_z(path);
  struct ts_line line;
  int status = 1;
  look_for_signals(l);
  struct ts_input *in = stopped(l) ? NULL : ts_input_open(path, err);
  look_for_signals(l);
  if (in) ts_input_waits(in, await_input, l);
  while (in && status > 0 && !stopped(l)) {
    status = ts_input_line(in, l->run->max_line, &line, err);
    if (status > 0 && !stopped(l)) take_line(l, &line, name);
    make_room(l);
  }
  ts_input_close(in);
  return stopped(l) || (in && status == 0) ? 0 : -1;
}

/* --- the end ------------------------------------------------------------------------------------------------ */

struct ts_run_loop *ts_run_open(struct ts_run *r, struct ts_buf *err) {
  struct ts_run_loop *l = ts_xcalloc(1, sizeof *l);
  l->run = r;
  if (ts_signals_open(&l->signals, err) != 0) {
    free(l);
    return NULL;
  }
  r->out->wait = await_output;
  r->out->wait_context = l;
  ts_decider_init(&r->decider);
  l->running = ts_xcalloc(r->jobs, sizeof *l->running);
  l->stream = ts_xcalloc(handler_count(l), sizeof *l->stream);
  l->fds = ts_xcalloc(FD_HANDLERS + 3 * ((size_t)r->jobs + handler_count(l)), sizeof *l->fds);
  return l;
}

/* What was complete goes out, a call that was not gets no record. */
static void abandon_calls(struct ts_run_loop *l) {
  for (; l->first < l->next; l->first++) {
    struct slot *s = slot_of(l, l->first);
    if (s->state == DONE) ts_out_add(l->run->out, ts_buf_str(&s->record));
  }
}

/* Takes what the handlers still write; true when none of them is left. */
static bool have_ended(struct ts_run_loop *l) {
  bool all = true;
  l->is_woken = false;
  for (size_t i = 0; i < l->running_count; i++) all &= ts_oneshot_step(&slot_of(l, l->running[i])->shot, 0);
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) all &= ts_stream_drain(&l->stream[i]);
  return all;
}

static void wait_for_ends(struct ts_run_loop *l) {
  uint64_t end = ts_now_ms() + TS_KILL_AFTER_MS;
  int signals = l->times_stopped;
  while (!have_ended(l) && ts_now_ms() < end && l->times_stopped == signals) (void)wait_for_more(l, -1, end);
}

static void signal_all(struct ts_run_loop *l, int signal) {
  for (size_t i = 0; i < l->running_count; i++) ts_child_signal(&slot_of(l, l->running[i])->shot.child, signal);
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) ts_child_signal(&l->stream[i].child, signal);
}

static void end_stream(struct ts_run_loop *l, struct ts_stream *s) {
  if (s->unasked && s->nameless)
    ts_note(l->run->notes, "handler '%s' wrote more answers than it got calls: answers may be those of other calls",
            s->handler->argv[0]);
  ts_stream_free(s);
}

/* Streams end with their input, all else by TERM, what is left by KILL; a signal skips the waiting. */
static void end_handlers(struct ts_run_loop *l) {
  bool in_order = !stopped(l);
  for (size_t i = 0; i < l->running_count; i++)
    slot_of(l, l->running[i])->shot.deadline = 0; /* all have the same now */
  for (size_t i = 0; i < handler_count(l); i++) {
    l->stream[i].deadline = 0;
    if (l->stream[i].handler) ts_stream_close(&l->stream[i]);
  }
  if (in_order) wait_for_ends(l);
  if (!have_ended(l)) {
    signal_all(l, SIGTERM);
    wait_for_ends(l);
  }
  for (size_t i = 0; i < l->running_count; i++) ts_oneshot_kill(&slot_of(l, l->running[i])->shot);
  for (size_t i = 0; i < handler_count(l); i++)
    if (l->stream[i].handler) end_stream(l, &l->stream[i]);
  l->running_count = 0;
}

static void free_slot(struct slot *s) {
  ts_call_free(&s->call);
  ts_decision_free(&s->decision);
  ts_buf_free(&s->record);
}

void ts_run_close(struct ts_run_loop *l) {
  if (!l) return;
  while (l->first < l->next && !stopped(l)) {
    step(l);
    if (l->first < l->next && ts_out_flush(l->run->out) == 0) (void)wait_for_more(l, -1, UINT64_MAX);
  }
  abandon_calls(l);
  (void)ts_out_flush(l->run->out);
  end_handlers(l);
  l->run->out->wait = NULL;
  ts_signals_close(&l->signals);
  for (size_t i = 0; i < TS_RUN_WINDOW; i++) free_slot(&l->slot[i]);
  ts_decider_free(&l->run->decider);
  ts_json_free(&l->json);
  free(l->running);
  free(l->stream);
  free(l->fds);
  free(l);
}
