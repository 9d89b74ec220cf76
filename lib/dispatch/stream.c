#include "dispatch/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "base/xalloc.h"

void ts_stream_init(struct ts_stream *s, const struct ts_handler *h, uint64_t timeout, uint64_t max_output) {
  *s = (struct ts_stream){ .handler = h, .timeout = timeout, .max_output = max_output };
  s->child = (struct ts_child){ 0, -1, -1, -1 };
}

/* --- the queue --------------------------------------------------------------------------------------------- */

static struct ts_stream_call *oldest(const struct ts_stream *s) { return &s->queue[s->first]; }

static void enqueue(struct ts_stream *s, struct ts_stream_call call) {
  if (s->count == s->cap) {
    size_t cap = s->cap ? s->cap * 2 : 64;
    struct ts_stream_call *bigger = ts_xcalloc(cap, sizeof *bigger);
    for (size_t i = 0; i < s->count; i++) bigger[i] = s->queue[(s->first + i) % s->cap];
    free(s->queue);
    s->queue = bigger;
    s->cap = cap;
    s->first = 0;
  }
  s->queue[(s->first + s->count++) % s->cap] = call;
}

/* The oldest call is answered: its record need not be sent again. */
static size_t dequeue(struct ts_stream *s) {
  struct ts_stream_call call = *oldest(s);
  s->first = (s->first + 1) % s->cap;
  s->count--;
  s->record_from += call.bytes;
  if (s->sent < s->record_from) s->sent = s->record_from;
  if (s->record_from > 1u << 20 || s->record_from == s->records.len) { /* forget what will not be needed again */
    ts_buf_set(&s->records, ts_str_sub(ts_buf_str(&s->records), s->record_from, s->records.len));
    s->sent -= s->record_from;
    s->record_from = 0;
  }
  s->deadline = 0;
  return call.slot;
}

void ts_stream_send(struct ts_stream *s, size_t slot, const struct ts_call *c, struct ts_str tool,
                    struct ts_str arguments) {
  size_t before = s->records.len;
  struct ts_jw w = ts_jw(&s->records);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("call"));
  ts_jw_member_if(&w, "session", c->session);
  ts_jw_member_if(&w, "agent", c->agent);
  ts_jw_member_if(&w, "id", c->id);
  ts_jw_member(&w, "name", tool);
  if (c->is_input)
    ts_jw_member(&w, "input", c->input);
  else
    ts_jw_member_raw(&w, "arguments", arguments);
  ts_jw_close(&w, '}');
  ts_buf_addc(&s->records, '\n');
  enqueue(s, (struct ts_stream_call){ slot, s->records.len - before });
}

/* --- one answer -------------------------------------------------------------------------------------------- */

static const char *const own_members[] = {
  "type", "session", "agent", "id", "name", "is_error", "content", "metadata"
};

static bool is_own(const struct ts_json *j, uint32_t key) {
  for (size_t i = 0; i < TS_COUNT(own_members); i++)
    if (ts_json_says(j, key, ts_str_z(own_members[i]))) return true;
  return false;
}

/* The bytes between the braces. */
static void add_members(struct ts_buf *out, struct ts_str object) {
  struct ts_buf compact = { 0 };
  ts_json_minify(&compact, object);
  ts_buf_add(out, ts_str_sub(ts_buf_str(&compact), 1, compact.len - 2));
  ts_buf_free(&compact);
}

static void keep_unknown_members(const struct ts_json *j, struct ts_answer *a) {
  for (uint32_t k = ts_json_first(j, 0); k; k = ts_json_after(j, 0, k)) {
    if (is_own(j, k)) continue;
    if (a->extra.len > 0) ts_buf_addc(&a->extra, ',');
    ts_buf_add(&a->extra, ts_json_raw(j, k));
    ts_buf_addc(&a->extra, ':');
    ts_json_minify(&a->extra, ts_json_raw(j, k + 1));
  }
}

/* Why the line is no result record; NULL with *a filled when it is one. */
static const char *read_answer(struct ts_json *j, struct ts_str line, struct ts_answer *a) {
  if (ts_json_scan(j, line, NULL) != 0) return j->reason;
  if (!ts_json_root_is(j, TS_JSON_OBJECT)) return "not an object";
  if (j->issues & (1u << TS_JSON_DUPLICATE_KEY | 1u << TS_JSON_BAD_UTF8)) return "a key given twice, or invalid UTF-8";
  uint32_t type = TS_JSON_GET(j, 0, "type"), error = TS_JSON_GET(j, 0, "is_error");
  uint32_t content = TS_JSON_GET(j, 0, "content"), metadata = TS_JSON_GET(j, 0, "metadata");
  if (type != 0 && !TS_JSON_SAYS(j, type, "result")) return "its type is not result";
  if (error != 0 && !ts_json_is(j, error, TS_JSON_TRUE) && !ts_json_is(j, error, TS_JSON_FALSE))
    return "is_error is no boolean";
  if (metadata != 0 && !ts_json_is(j, metadata, TS_JSON_OBJECT)) return "metadata is no object";
  a->is_error = ts_json_is(j, error, TS_JSON_TRUE);
  a->content_is_json = content != 0;
  if (content != 0) ts_json_minify(&a->content, ts_json_raw(j, content));
  if (metadata != 0) add_members(&a->metadata, ts_json_raw(j, metadata));
  keep_unknown_members(j, a);
  return NULL;
}

static void take_line(struct ts_stream *s, struct ts_json *j, struct ts_str line, ts_stream_fn *answer, void *context) {
  if (s->count == 0 || ts_str_trim(line, " \t\r").len == 0) return; /* nobody asked */
  struct ts_answer a = { 0 };
  const char *why = read_answer(j, line, &a);
  if (why) {
    struct ts_buf sentence = { 0 };
    ts_fail(&sentence, "handler '%s' wrote what is no result record: %s", s->handler->argv[0], why);
    ts_answer_fail(&a, ts_buf_str(&sentence));
    ts_buf_free(&sentence);
  }
  s->deaths = 0;
  answer(context, dequeue(s), &a);
  ts_answer_free(&a);
}

static void take_lines(struct ts_stream *s, ts_stream_fn *answer, void *context) {
  struct ts_json j = { 0 };
  size_t from = 0;
  const char *end;
  while (s->received.len > s->searched &&
         (end = memchr(s->received.ptr + s->searched, '\n', s->received.len - s->searched)) != NULL) {
    size_t at = (size_t)(end - s->received.ptr);
    take_line(s, &j, ts_str(s->received.ptr + from, at - from), answer, context);
    from = s->searched = at + 1;
  }
  ts_buf_set(&s->received, ts_str_sub(ts_buf_str(&s->received), from, s->received.len));
  s->searched = s->received.len;
  ts_json_free(&j);
}

/* --- the process ------------------------------------------------------------------------------------------- */

static void fail_oldest(struct ts_stream *s, const char *what, ts_stream_fn *answer, void *context) {
  struct ts_buf why = { 0 };
  struct ts_answer a = { 0 };
  ts_buf_addf(&why, "handler '%s' %s", s->handler->argv[0], what);
  if (s->tail.len > 0) ts_buf_addf(&why, "\n%.*s", TS_FMT(ts_buf_str(&s->tail)));
  ts_answer_fail(&a, ts_buf_str(&why));
  answer(context, dequeue(s), &a);
  ts_answer_free(&a);
  ts_buf_free(&why);
}

static void close_pipes(struct ts_stream *s) {
  ts_child_close(&s->child.in);
  ts_child_close(&s->child.out);
  ts_child_close(&s->child.err);
}

/* It is gone: the call it owed fails, the others wait for its successor. */
static void bury(struct ts_stream *s, int status, ts_stream_fn *answer, void *context) {
  struct ts_buf what = { 0 };
  close_pipes(s);
  s->deaths++;
  if (s->timed_out)
    ts_buf_addz(&what, "timed out");
  else
    ts_child_describe(status, &what);
  if (s->count > 0) fail_oldest(s, ts_buf_z(&what), answer, context);
  s->sent = s->record_from;
  s->timed_out = false;
  s->deadline = 0;
  ts_buf_clear(&s->received);
  ts_buf_clear(&s->tail);
  s->searched = 0;
  ts_buf_free(&what);
}

static void start(struct ts_stream *s, ts_stream_fn *answer, void *context) {
  struct ts_child_spec spec = { .argv = s->handler->argv,
                                .environ_with = s->handler->env,
                                .clean_env = s->handler->clean_env };
  struct ts_buf err = { 0 };
  bool given_up = s->deaths >= TS_STREAM_DEATHS;
  if (given_up) {
    while (s->count > 0) fail_oldest(s, "ended too often without an answer; it is not started again", answer, context);
  } else if (ts_child_start(&spec, &s->child, &err) != 0) {
    s->deaths++;
    struct ts_answer a = { 0 };
    ts_answer_fail(&a, ts_buf_str(&err));
    answer(context, dequeue(s), &a);
    ts_answer_free(&a);
  }
  ts_buf_free(&err);
}

void ts_stream_poll(const struct ts_stream *s, struct pollfd fds[3]) {
  bool unsent = s->sent < s->records.len;
  fds[0] = (struct pollfd){ .fd = unsent ? s->child.in : -1, .events = POLLOUT };
  fds[1] = (struct pollfd){ .fd = s->child.out, .events = POLLIN };
  fds[2] = (struct pollfd){ .fd = s->child.err, .events = POLLIN };
}

static void send_records(struct ts_stream *s) {
  while (s->child.in >= 0 && s->sent < s->records.len) {
    ssize_t n = write(s->child.in, s->records.ptr + s->sent, s->records.len - s->sent);
    if (n > 0)
      s->sent += (size_t)n;
    else if (n < 0 && errno == EINTR)
      continue;
    else if (n < 0 && errno == EAGAIN)
      return;
    else
      ts_child_close(&s->child.in);
  }
}

/* False at the end of what the process will ever write there. */
static bool receive(int *fd, struct ts_buf *out) {
  for (int share = 0; *fd >= 0 && share < 16; share++) {
    ssize_t n = read(*fd, ts_buf_reserve(out, 65536), 65536);
    if (n > 0)
      ts_buf_cut(out, out->len + (size_t)n);
    else if (n < 0 && errno == EINTR)
      continue;
    else if (n < 0 && errno == EAGAIN)
      return true;
    else
      ts_child_close(fd);
  }
  return *fd >= 0;
}

/* The clock runs for the oldest call only: the others wait for it. A process that has closed its output will not
 * answer any more; it has a moment to end by itself. */
static void check_clock(struct ts_stream *s, uint64_t now) {
  uint64_t patience = s->child.out < 0 ? TS_KILL_AFTER_MS : s->count > 0 ? s->timeout : 0;
  if (patience == 0) return;
  if (s->deadline == 0) s->deadline = now + patience;
  if (now < s->deadline) return;
  ts_child_signal(&s->child, s->timed_out ? SIGKILL : SIGTERM);
  if (s->timed_out) close_pipes(s);
  s->timed_out = true;
  s->deadline = now + TS_KILL_AFTER_MS;
}

static void check_length(struct ts_stream *s) {
  if (s->received.len <= s->max_output || s->child.pid == 0) return;
  ts_child_signal(&s->child, SIGKILL);
  close_pipes(s);
  ts_buf_clear(&s->tail);
  ts_buf_addf(&s->tail, "its answer is longer than %" PRIu64 " bytes", s->max_output);
}

static void serve(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  send_records(s);
  bool alive = receive(&s->child.out, &s->received);
  (void)receive(&s->child.err, &s->tail);
  if (s->tail.len > TS_STDERR_TAIL)
    ts_buf_set(&s->tail, ts_str_sub(ts_buf_str(&s->tail), s->tail.len - TS_STDERR_TAIL, TS_STDERR_TAIL));
  take_lines(s, answer, context);
  check_clock(s, now);
  check_length(s);
  int status;
  if ((!alive || s->child.out < 0) && ts_child_ended(&s->child, false, &status) == 1) bury(s, status, answer, context);
}

void ts_stream_step(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  if (s->child.pid > 0) serve(s, now, answer, context);
  while (s->child.pid == 0 && s->count > 0) start(s, answer, context);
}

void ts_stream_close(struct ts_stream *s) { ts_child_close(&s->child.in); }

bool ts_stream_ended(struct ts_stream *s) {
  int status;
  return s->child.pid == 0 || ts_child_ended(&s->child, false, &status) == 1;
}

void ts_stream_free(struct ts_stream *s) {
  int status;
  ts_child_signal(&s->child, SIGKILL);
  close_pipes(s);
  if (s->child.pid > 0) (void)ts_child_ended(&s->child, true, &status);
  free(s->queue);
  ts_buf_free(&s->records);
  ts_buf_free(&s->received);
  ts_buf_free(&s->tail);
}
