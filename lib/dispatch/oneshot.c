#include "dispatch/oneshot.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/xalloc.h"

uint64_t ts_now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* --- standard error ---------------------------------------------------------------------------------------- */

void ts_tail_keep(struct ts_tail *t, struct ts_str bytes) {
  ts_buf_add(&t->text, bytes);
  if (t->text.len <= TS_STDERR_TAIL) return;
  ts_buf_set(&t->text, ts_str_sub(ts_buf_str(&t->text), t->text.len - TS_STDERR_TAIL, TS_STDERR_TAIL));
  t->cut = true;
}

void ts_tail_tell(const struct ts_tail *t, struct ts_buf *out) {
  struct ts_str text = ts_buf_str(&t->text);
  size_t at = 0;
  while (t->cut && at < text.len && at < 3 && ((unsigned char)text.ptr[at] & 0xc0) == 0x80) at++;
  if (at < text.len) ts_buf_addc(out, '\n');
  while (at < text.len) {
    uint32_t c = ts_utf8_next(text, &at);
    ts_utf8_put(out, c == TS_UTF8_BAD ? 0xfffd : c);
  }
}

/* --- starting ---------------------------------------------------------------------------------------------- */

/* "NAME=text"; an environment holds no NUL, so there the text is shown as \x00. */
static void add_variable(struct ts_buf *out, const char *name, struct ts_str text) {
  ts_buf_clear(out);
  ts_buf_addf(out, "%s=", name);
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] == '\0')
      ts_buf_addz(out, "\\x00");
    else
      ts_buf_addc(out, text.ptr[i]);
  }
}

int ts_oneshot_start(struct ts_oneshot *o, const struct ts_handler *h, const struct ts_call *c, struct ts_str tool,
                     struct ts_str input, uint64_t timeout, uint64_t max_output, struct ts_buf *err) {
  struct ts_buf variable[3] = { { 0 } };
  size_t given = 0;
  add_variable(&variable[0], "TS_TOOL", tool);
  add_variable(&variable[1], "TS_CALLED_AS", c->key.name);
  add_variable(&variable[2], "TS_CALL_ID", c->key.id);
  while (h->env[given]) given++;
  char **env = ts_xcalloc(given + TS_COUNT(variable) + 1, sizeof *env);
  memcpy(env, h->env, given * sizeof *env);
  for (size_t i = 0; i < TS_COUNT(variable); i++) env[given + i] = variable[i].ptr;
  struct ts_child_spec spec = { .argv = h->argv, .environ_with = env, .clean_env = h->clean_env };
  *o = (struct ts_oneshot){ .input = input, .max_output = max_output };
  int status = ts_child_start(&spec, &o->child, err);
  if (timeout > 0) o->deadline = ts_now_ms() + timeout;
  free(env);
  for (size_t i = 0; i < TS_COUNT(variable); i++) ts_buf_free(&variable[i]);
  return status;
}

/* --- serving the pipes ------------------------------------------------------------------------------------- */

void ts_oneshot_poll(const struct ts_oneshot *o, struct pollfd fds[3]) {
  fds[0] = (struct pollfd){ .fd = o->child.in, .events = POLLOUT };
  fds[1] = (struct pollfd){ .fd = o->child.out, .events = POLLIN };
  fds[2] = (struct pollfd){ .fd = o->child.err, .events = POLLIN };
}

/* A handler need not read its input: a closed pipe ends the writing and is no error. */
static void send_input(struct ts_oneshot *o) {
  while (o->child.in >= 0 && o->sent < o->input.len) {
    ssize_t n = write(o->child.in, o->input.ptr + o->sent, o->input.len - o->sent);
    if (n > 0)
      o->sent += (size_t)n;
    else if (n < 0 && errno == EINTR)
      continue;
    else if (n < 0 && errno == EAGAIN)
      return;
    else
      ts_child_close(&o->child.in);
  }
  ts_child_close(&o->child.in);
}

/* Reads until the pipe is empty or a share has come, so that one chatty handler does not starve the others. */
static void receive(int *fd, struct ts_oneshot *o, void (*keep)(struct ts_oneshot *o, struct ts_str bytes)) {
  char bytes[65536];
  for (int share = 0; *fd >= 0 && share < 16; share++) {
    ssize_t n = read(*fd, bytes, sizeof bytes);
    if (n > 0)
      keep(o, ts_str(bytes, (size_t)n));
    else if (n < 0 && errno == EINTR)
      continue;
    else if (n < 0 && errno == EAGAIN)
      return;
    else
      ts_child_close(fd);
  }
}

static void keep_output(struct ts_oneshot *o, struct ts_str bytes) {
  uint64_t room = o->max_output > o->content.len ? o->max_output - o->content.len : 0;
  o->output += bytes.len;
  ts_buf_add(&o->content, ts_str_sub(bytes, 0, room < bytes.len ? (size_t)room : bytes.len));
}

static void keep_tail(struct ts_oneshot *o, struct ts_str bytes) { ts_tail_keep(&o->tail, bytes); }

/* TERM first, so that a handler can put things in order, then KILL. */
static void check_clock(struct ts_oneshot *o, uint64_t now) {
  if (o->ended || o->deadline == 0 || now < o->deadline) return;
  ts_child_signal(&o->child, o->timed_out ? SIGKILL : SIGTERM);
  o->deadline = now + TS_KILL_AFTER_MS;
  if (o->timed_out) { /* whoever still holds the pipes has left the group: do not wait for it */
    ts_child_close(&o->child.out);
    ts_child_close(&o->child.err);
  }
  o->timed_out = true;
}

/* Of a group that had to be told to end nothing stays behind. */
static void look_for_end(struct ts_oneshot *o) {
  if (o->timed_out && ts_child_is_dead(&o->child)) ts_child_signal(&o->child, SIGKILL);
  o->ended = ts_child_ended(&o->child, false, &o->status) == 1;
}

bool ts_oneshot_step(struct ts_oneshot *o, uint64_t now) {
  send_input(o);
  receive(&o->child.out, o, keep_output);
  receive(&o->child.err, o, keep_tail);
  if (!o->ended && o->child.out < 0 && o->child.err < 0) look_for_end(o);
  check_clock(o, now);
  return o->ended;
}

/* --- the end ----------------------------------------------------------------------------------------------- */

/* Cuts half a character off the end of output that was cut. */
static void cut_whole(struct ts_buf *content) {
  size_t valid = ts_utf8_valid(ts_buf_str(content));
  if (valid < content->len && content->len - valid < 4) ts_buf_cut(content, valid);
}

static void add_reason(struct ts_buf *content, const struct ts_oneshot *o, const struct ts_handler *h) {
  if (content->len > 0 && content->ptr[content->len - 1] != '\n') ts_buf_addc(content, '\n');
  ts_buf_addf(content, "handler '%s' ", h->argv[0]);
  if (o->timed_out)
    ts_buf_addz(content, "timed out");
  else
    ts_child_describe(o->status, content);
  ts_tail_tell(&o->tail, content);
}

void ts_oneshot_finish(struct ts_oneshot *o, const struct ts_handler *h, struct ts_answer *a) {
  ts_answer_clear(a);
  ts_child_close_all(&o->child); /* it may have ended before it read all of its input */
  a->is_error = o->timed_out || o->status != 0;
  if (o->output > o->content.len) {
    cut_whole(&o->content);
    struct ts_jw w = ts_answer_metadata(a);
    ts_jw_member_bool(&w, "truncated", true);
    ts_jw_member_u64(&w, "output_bytes", o->output);
  }
  if (a->is_error) add_reason(&o->content, o, h);
  ts_buf_free(&a->content);
  a->content = o->content; /* handed over: it may be large */
  o->content = (struct ts_buf){ 0 };
  ts_buf_free(&o->tail.text);
}

void ts_oneshot_kill(struct ts_oneshot *o) {
  ts_child_signal(&o->child, SIGKILL);
  ts_child_close_all(&o->child);
  if (!o->ended && o->child.pid > 0) (void)ts_child_ended(&o->child, true, &o->status);
  ts_buf_free(&o->content);
  ts_buf_free(&o->tail.text);
}
