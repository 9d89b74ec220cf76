#include "dispatch/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "base/xalloc.h"

void ts_stream_init(struct ts_stream *s, const struct ts_handler *h, uint64_t timeout, uint64_t max_output) {
  *s = (struct ts_stream){ .handler = h, .timeout = timeout };
  s->max_output = max_output < INT64_MAX ? max_output : INT64_MAX; /* one more is a number, too */
  s->child = (struct ts_child){ 0, -1, -1, -1 };
}

/* --- the queue --------------------------------------------------------------------------------------------- */

static struct ts_stream_call *oldest(const struct ts_stream *s) { return &s->queue[s->first]; }

/* Has the oldest call not been written as a whole yet? */
static bool has_not_got(const struct ts_stream *s) {
  return s->count > 0 && s->sent < s->record_from + oldest(s)->bytes;
}

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
  if (s->sent < s->record_from) s->sent = s->record_from;              /* nobody will be told of it */
  if (s->record_from > 1u << 20 || s->record_from == s->records.len) { /* forget what will not be needed again */
    ts_buf_set(&s->records, ts_str_sub(ts_buf_str(&s->records), s->record_from, s->records.len));
    s->sent -= s->record_from;
    s->record_from = 0;
  }
  s->deadline = 0;
  return call.slot;
}

/* They have no blanks between their tokens any more. */
static void add_arguments(struct ts_jw *w, struct ts_str arguments) {
  ts_jw_key(w, "arguments");
  ts_buf_add(w->out, arguments);
}

void ts_stream_send(struct ts_stream *s, size_t slot, const struct ts_call *c, struct ts_str tool,
                    struct ts_str arguments) {
  size_t before = s->records.len;
  struct ts_jw w = ts_jw(&s->records);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("call"));
  ts_jw_member_if(&w, "session", c->key.session);
  ts_jw_member_if(&w, "agent", c->key.agent);
  ts_jw_member_if(&w, "id", c->key.id);
  ts_jw_member(&w, "name", tool);
  if (c->is_input)
    ts_jw_member(&w, "input", c->arguments);
  else
    add_arguments(&w, arguments);
  ts_jw_close(&w, '}');
  ts_buf_addc(&s->records, '\n');
  enqueue(s, (struct ts_stream_call){ slot, s->records.len - before, c->key.id });
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

/* Does it say which call it answers? It need not. */
static bool has_id(const struct ts_json *j) {
  uint32_t node = TS_JSON_GET(j, 0, "id");
  return ts_json_is(j, node, TS_JSON_STRING) || ts_json_is(j, node, TS_JSON_NUMBER);
}

/* Does it say that it answers another call? */
static bool is_of_another(const struct ts_json *j, struct ts_str id) {
  struct ts_buf scratch = { 0 };
  uint32_t node = TS_JSON_GET(j, 0, "id");
  bool differs = false;
  if (ts_json_is(j, node, TS_JSON_STRING))
    differs = !ts_str_eq(ts_json_text(j, node, &scratch), id);
  else if (ts_json_is(j, node, TS_JSON_NUMBER))
    differs = !ts_str_eq(ts_json_raw(j, node), id);
  ts_buf_free(&scratch);
  return id.len > 0 && differs;
}

/* Why the line is no answer to the call with that id; NULL: it is, and *a is filled. */
static const char *read_answer(struct ts_json *j, struct ts_str line, struct ts_str id, struct ts_answer *a) {
  if (ts_json_scan(j, line, NULL) != 0) return j->reason;
  if (!ts_json_root_is(j, TS_JSON_OBJECT)) return "not an object";
  if (j->issues & (1u << TS_JSON_DUPLICATE_KEY | 1u << TS_JSON_BAD_UTF8)) return "a key given twice, or invalid UTF-8";
  uint32_t type = TS_JSON_GET(j, 0, "type"), error = TS_JSON_GET(j, 0, "is_error");
  uint32_t content = TS_JSON_GET(j, 0, "content"), metadata = TS_JSON_GET(j, 0, "metadata");
  if (type != 0 && !TS_JSON_SAYS(j, type, "result")) return "its type is not result";
  if (error != 0 && !ts_json_is(j, error, TS_JSON_TRUE) && !ts_json_is(j, error, TS_JSON_FALSE))
    return "is_error is no boolean";
  if (metadata != 0 && !ts_json_is(j, metadata, TS_JSON_OBJECT)) return "metadata is no object";
  if (is_of_another(j, id)) return "it has the id of another call";
  a->is_error = ts_json_is(j, error, TS_JSON_TRUE);
  a->content_is_json = content != 0;
  if (content != 0) ts_json_minify(&a->content, ts_json_raw(j, content));
  if (metadata != 0) add_members(&a->metadata, ts_json_raw(j, metadata));
  keep_unknown_members(j, a);
  return NULL;
}

/* --- the end of a process ---------------------------------------------------------------------------------- */

/* What comes is not looked at any more; the call it owes is answered when it is gone and has said all. */
static void condemn(struct ts_stream *s, uint64_t now, const char *fault) {
  if (s->fault.len > 0) return;
  ts_buf_addz(&s->fault, fault);
  ts_child_signal(&s->child, SIGTERM);
  s->deadline = now + TS_KILL_AFTER_MS;
}

static void fail_oldest(struct ts_stream *s, struct ts_str why, ts_stream_fn *answer, void *context) {
  struct ts_answer a = { 0 };
  ts_answer_fail(&a, why);
  answer(context, dequeue(s), &a);
  ts_answer_free(&a);
}

/* It is gone: the call it owed fails, the others wait for its successor. */
static void bury(struct ts_stream *s, int status, ts_stream_fn *answer, void *context) {
  ts_child_close_all(&s->child);
  s->deaths++;
  ts_buf_clear(&s->last);
  ts_buf_addf(&s->last, "handler '%s' ", s->handler->argv[0]);
  if (s->fault.len > 0)
    ts_buf_add(&s->last, ts_buf_str(&s->fault));
  else
    ts_child_describe(status, &s->last);
  ts_tail_tell(&s->tail, &s->last);
  if (s->count > 0) fail_oldest(s, ts_buf_str(&s->last), answer, context);
  s->sent = s->record_from;
  s->deadline = 0;
  s->is_mute = false;
  ts_buf_clear(&s->fault);
  ts_buf_clear(&s->line);
  ts_buf_clear(&s->tail.text);
  s->tail.cut = false;
}

/* The clock runs for the oldest call only: the others wait for it. A process that has closed its output, or its
 * input before it has the oldest call, will not answer it: it has a moment to end by itself. */
static void check_clock(struct ts_stream *s, uint64_t now) {
  bool is_mute = s->child.out < 0 || (s->child.in < 0 && has_not_got(s));
  uint64_t patience = is_mute ? TS_KILL_AFTER_MS : s->count > 0 ? s->timeout : 0;
  if (s->fault.len > 0) {
    if (s->deadline == 0 || now < s->deadline) return;
    ts_child_signal(&s->child, SIGKILL);
    ts_child_close_all(&s->child);
    s->deadline = 0; /* its end is told by a signal */
    return;
  }
  if (is_mute != s->is_mute || patience == 0) s->deadline = 0;
  s->is_mute = is_mute;
  if (patience == 0) return;
  if (s->deadline == 0) s->deadline = now + patience;
  if (now >= s->deadline) condemn(s, now, is_mute ? "closed its input or output and does not end" : "timed out");
}

/* --- reading and writing ----------------------------------------------------------------------------------- */

/* What is wrong with the line as an answer to the oldest call; nothing: *a is the answer. */
static void judge_line(struct ts_stream *s, struct ts_str line, struct ts_answer *a, struct ts_buf *fault) {
  const char *why = NULL;
  if (s->line.len > s->max_output)
    ts_buf_addf(fault, "wrote an answer that is longer than %" PRIu64 " bytes", s->max_output);
  else if (s->count == 0)
    ts_buf_addz(fault, "wrote a line that nobody had asked for");
  else if (has_not_got(s))
    ts_buf_addz(fault, "wrote a line before it had read the call");
  else if ((why = read_answer(&s->json, line, oldest(s)->id, a)) != NULL)
    ts_buf_addf(fault, "wrote what is no result record: %s", why);
}

/* A line while no call is open. What is no answer, a farewell say, has not been taken for one. */
static void look_at_surplus(struct ts_stream *s, struct ts_str line) {
  struct ts_answer a = { 0 };
  if (s->line.len <= s->max_output && !read_answer(&s->json, line, TS_STR(""), &a)) s->unasked = true;
  ts_answer_free(&a);
}

/* Without `answer` nothing more is asked for. */
static void take_line(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  struct ts_str line = ts_str_trim(ts_buf_str(&s->line), " \t\r");
  struct ts_answer a = { 0 };
  struct ts_buf fault = { 0 };
  if (line.len == 0 || s->fault.len > 0) return;
  if (s->count == 0) look_at_surplus(s, line);
  if (!answer) return;
  judge_line(s, line, &a, &fault);
  if (fault.len > 0) {
    condemn(s, now, ts_buf_z(&fault));
  } else {
    s->deaths = 0;
    s->nameless |= !has_id(&s->json);
    answer(context, dequeue(s), &a);
  }
  ts_answer_free(&a);
  ts_buf_free(&fault);
}

static void take_output(struct ts_stream *s, struct ts_str bytes, uint64_t now, ts_stream_fn *answer, void *context) {
  while (bytes.len > 0) {
    const char *end = memchr(bytes.ptr, '\n', bytes.len);
    size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;
    uint64_t room = s->max_output + 1 - s->line.len;
    ts_buf_add(&s->line, ts_str(bytes.ptr, len < room ? len : (size_t)room));
    if (end || s->line.len > s->max_output) take_line(s, now, answer, context);
    if (end || s->fault.len > 0) ts_buf_clear(&s->line);
    bytes = ts_str_sub(bytes, end ? len + 1 : len, bytes.len);
  }
}

static void send_records(struct ts_stream *s) {
  while (s->child.in >= 0 && s->sent < s->records.len && s->fault.len == 0) {
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

/* What is there now; 0: nothing, or the other side is gone. */
static size_t read_some(int *fd, char *to, size_t room) {
  ssize_t n;
  do n = *fd < 0 ? 0 : read(*fd, to, room);
  while (n < 0 && errno == EINTR);
  if (n == 0 || (n < 0 && errno != EAGAIN)) ts_child_close(fd);
  return n > 0 ? (size_t)n : 0;
}

enum { BLOCK = 65536, SHARE = 16 };

/* A share of each pipe, so that one chatty handler does not starve the others; a pipe holds less than that, so of a
 * process that has ended it is all. True: there was output. */
static bool receive_output(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  char bytes[BLOCK];
  size_t n = BLOCK, all = 0;
  for (int i = 0; i < SHARE && n == BLOCK; i++, all += n) {
    n = read_some(&s->child.out, bytes, BLOCK);
    take_output(s, ts_str(bytes, n), now, answer, context);
  }
  return all > 0;
}

static void receive_errors(struct ts_stream *s) {
  char bytes[BLOCK];
  size_t n = BLOCK;
  for (int i = 0; i < SHARE && n == BLOCK; i++) {
    n = read_some(&s->child.err, bytes, BLOCK);
    ts_tail_keep(&s->tail, ts_str(bytes, n));
  }
}

/* --- the process ------------------------------------------------------------------------------------------- */

static void start(struct ts_stream *s, ts_stream_fn *answer, void *context) {
  struct ts_child_spec spec = { .argv = s->handler->argv,
                                .environ_with = s->handler->env,
                                .clean_env = s->handler->clean_env };
  if (s->deaths >= TS_STREAM_DEATHS) {
    struct ts_buf why = { 0 };
    ts_buf_addf(&why, "handler '%s' ended too often without an answer; it is not started again\n", s->handler->argv[0]);
    ts_buf_add(&why, ts_buf_str(&s->last));
    fail_oldest(s, ts_buf_str(&why), answer, context);
    ts_buf_free(&why);
  } else if (ts_child_start(&spec, &s->child, &s->last) != 0) {
    fail_oldest(s, ts_buf_str(&s->last), answer, context);
  }
}

void ts_stream_poll(const struct ts_stream *s, struct pollfd fds[3]) {
  bool unsent = s->sent < s->records.len && s->fault.len == 0;
  fds[0] = (struct pollfd){ .fd = unsent ? s->child.in : -1, .events = POLLOUT };
  fds[1] = (struct pollfd){ .fd = s->child.out, .events = POLLIN };
  fds[2] = (struct pollfd){ .fd = s->child.err, .events = POLLIN };
}

/* Standard error and the process are looked at when there is no output: a process that waits for the one, or has
 * ended, gives none. */
static void serve(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  int status = 0;
  send_records(s);
  bool is_busy = receive_output(s, now, answer, context) && s->fault.len == 0, has_ended = false;
  if (!is_busy) {
    receive_errors(s);
    if (s->fault.len > 0 && ts_child_is_dead(&s->child)) ts_child_signal(&s->child, SIGKILL); /* all of its group */
    has_ended = ts_child_ended(&s->child, false, &status) == 1;
  }
  if (has_ended) { /* what it wrote before is in the pipes now */
    (void)receive_output(s, now, answer, context);
    receive_errors(s);
    bury(s, status, answer, context);
  } else {
    check_clock(s, now);
  }
}

void ts_stream_step(struct ts_stream *s, uint64_t now, ts_stream_fn *answer, void *context) {
  if (s->child.pid > 0) serve(s, now, answer, context);
  while (s->child.pid == 0 && s->count > 0) start(s, answer, context);
}

void ts_stream_close(struct ts_stream *s) { ts_child_close(&s->child.in); }

bool ts_stream_drain(struct ts_stream *s) {
  int status;
  if (s->child.pid == 0) return true;
  (void)receive_output(s, 0, NULL, NULL);
  receive_errors(s);
  return ts_child_ended(&s->child, false, &status) == 1;
}

void ts_stream_free(struct ts_stream *s) {
  int status;
  ts_child_signal(&s->child, SIGKILL);
  ts_child_close_all(&s->child);
  if (s->child.pid > 0) (void)ts_child_ended(&s->child, true, &status);
  free(s->queue);
  ts_json_free(&s->json);
  ts_buf_free(&s->records);
  ts_buf_free(&s->line);
  ts_buf_free(&s->tail.text);
  ts_buf_free(&s->fault);
  ts_buf_free(&s->last);
}
