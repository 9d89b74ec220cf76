#include "todo/serve.h"

#include <time.h>

#include "base/utf8.h"
#include "todo/contents.h"

enum {
  BLOCK = 1 << 20,     /* bytes of the log read at a time */
  STILL_FOR_MS = 1000, /* how long a torn line must stay as it is before it is set aside */
};

static uint64_t now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Reading the log as far as it goes */

static void forget_log(struct ts_todo_server *s) {
  if (s->open) ts_applog_close(&s->log);
  ts_session_log_free(&s->reader);
  ts_buf_free(&s->pending);
  s->open = false;
}

static void start_over(struct ts_todo_server *s) {
  ts_session_log_free(&s->reader);
  s->reader = (struct ts_session_log){ .file = ts_str_z(s->path), .notes = s->notes };
  ts_buf_clear(&s->pending);
  s->offset = 0;
}

static int open_log(struct ts_todo_server *s, struct ts_buf *err) {
  if (ts_applog_open(&s->log, s->path, err) < 0) return -1;
  s->open = true;
  start_over(s);
  return 0;
}

/* A log that is compressed, or begins with a byte order mark. */
static int look_at_start(struct ts_todo_server *s, struct ts_buf *err) {
  struct ts_str start = ts_buf_str(&s->pending);
  if (ts_str_starts(start, TS_STR("\x28\xb5\x2f\xfd")) || ts_str_starts(start, TS_STR("\x1f\x8b")))
    return ts_fail(err, "%s: cannot append to a compressed log", s->path);
  s->reader.marked = ts_str_starts(start, TS_STR("\xef\xbb\xbf"));
  if (s->reader.marked) ts_buf_set(&s->pending, ts_str_sub(start, 3, start.len));
  return 0;
}

/* Gives the whole lines in `pending` to the reader, and keeps the rest. The first `searched` bytes have no newline. */
static int take_lines(struct ts_todo_server *s, size_t searched, struct ts_buf *err) {
  struct ts_str rest = ts_buf_str(&s->pending);
  for (;;) {
    size_t end = ts_str_find(ts_str_sub(rest, searched, rest.len), TS_STR("\n"));
    if (end == SIZE_MAX) break;
    end += searched;
    searched = 0;
    if (ts_session_log_line(&s->reader, ts_str_sub(rest, 0, end), true, err) < 0) return -1;
    rest = ts_str_sub(rest, end + 1, rest.len);
  }
  if (rest.len == 0 && s->pending.cap > 4 * BLOCK)
    ts_buf_free(&s->pending); /* what one long line needed */
  else if (rest.len < s->pending.len)
    ts_buf_set(&s->pending, rest);
  return 0;
}

/* Reads what the log has got since it was last looked at. What stood behind the last newline is read again: who holds
 * the lock may have set it aside. A log that has become shorter is another one. */
static int catch_up(struct ts_todo_server *s, struct ts_buf *err) {
  uint64_t size = 0;
  if (ts_applog_size(&s->log, &size, err) < 0) return -1;
  s->offset -= s->pending.len;
  ts_buf_clear(&s->pending);
  if (size < s->offset) start_over(s);
  while (s->offset < size) {
    size_t before = s->pending.len, want = size - s->offset < BLOCK ? (size_t)(size - s->offset) : BLOCK;
    if (ts_applog_read(&s->log, s->offset, want, &s->pending, err) < 0) return -1;
    size_t got = s->pending.len - before;
    if (got == 0) break;
    if (s->offset == 0 && look_at_start(s, err) < 0) return -1;
    s->offset += got;
    if (take_lines(s, before, err) < 0) return -1;
  }
  return 0;
}

/* Reads the log before anybody has to wait for that; what is added until the lock is held is little. */
static int read_log(struct ts_todo_server *s, struct ts_buf *err) {
  uint64_t known = s->offset;
  bool open = s->open;
  if (!open && open_log(s, err) < 0) return -1;
  if (catch_up(s, err) < 0) return -1;
  s->others = open && s->offset > known;
  return 0;
}

/* Is there a log that may be appended to? */
static int check_log(const struct ts_todo_server *s, struct ts_buf *err) {
  const struct ts_session_log *r = &s->reader;
  if (!r->has_header && s->pending.len > 0)
    return ts_fail(err, "%s:1: not a session log: no newline behind the header", s->path);
  if (!r->has_header) return ts_fail(err, "%s: not a session log: it is empty", s->path);
  if (r->kind == TS_LOG_EMPTY && r->header.problem) return ts_fail(err, "%s:1: %s", s->path, r->header.problem);
  if (r->stopped && r->kind != TS_LOG_RECORDING)
    return ts_fail(err, "%s:%llu: %s; nothing is appended behind a line that no reader gets past", s->path,
                   (unsigned long long)r->bad_line, ts_buf_z(&r->reason));
  return 0;
}

/* Whose log it is */

static bool is_owner(const struct ts_todo_server *s, const struct ts_todo_call *call) {
  struct ts_str id = ts_buf_str(&s->reader.header.id);
  const struct ts_str given[] = { s->session_id, call->session, call->agent };
  for (size_t i = 0; i < TS_COUNT(given); i++)
    if (given[i].len > 0 && !ts_str_eq(given[i], id)) return false;
  return true;
}

/* Answers */

void ts_todo_refuse(const struct ts_todo_server *s, struct ts_todo_reply *reply, struct ts_str why) {
  reply->is_error = true;
  reply->unusable = reply->replaced = false;
  ts_buf_clear(&reply->content);
  ts_buf_addz(&reply->content, ts_todo_error_prefix(s->dialect));
  ts_buf_add(&reply->content, why);
}

static void answer_unusable(struct ts_todo_server *s, struct ts_todo_reply *reply, const struct ts_buf *why) {
  ts_todo_refuse(s, reply, ts_buf_str(why));
  reply->unusable = true;
  forget_log(s); /* the next call looks at it afresh */
}

static void answer_not_owner(const struct ts_todo_server *s, struct ts_todo_reply *reply) {
  ts_todo_refuse(s, reply, TS_STR("todo_write requires an owning agent session"));
}

/* Writing */

/* An unterminated last line. A whole event is completed by the newline that is put before the next one (*glue);
 * what is no event is set aside, once nobody is writing it any more. */
static int mend_tail(struct ts_todo_server *s, bool *glue, struct ts_buf *err) {
  struct ts_str tail = ts_buf_str(&s->pending);
  *glue = false;
  if (tail.len == 0) return 0;
  if (ts_session_log_fits(&s->reader, tail)) {
    *glue = true;
    int result = ts_session_log_line(&s->reader, tail, true, err);
    ts_buf_clear(&s->pending);
    return result;
  }
  int still = ts_applog_is_still(&s->log, STILL_FOR_MS, err);
  if (still < 0) return -1;
  if (!still) return ts_fail(err, "%s: another program is writing to it without the lock", s->path);
  s->offset -= tail.len;
  if (ts_applog_set_aside(&s->log, s->offset, err) < 0) return -1;
  ts_note(s->notes, "%s: a torn last line of %zu bytes was moved to %s.torn", s->path, tail.len, s->path);
  ts_buf_clear(&s->pending);
  return 0;
}

static void write_event(const struct ts_todo_server *s, const struct ts_todo_accepted *list, struct ts_buf *line) {
  struct ts_jw w = ts_jw(line);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("todo/write"));
  if (s->reader.kind != TS_LOG_RECORDING) { /* a recording's events are not numbered */
    ts_jw_member_u64(&w, "seq", s->reader.events);
    ts_jw_member_u64(&w, "time", now_ms());
  }
  ts_buf_addz(line, ",\"data\":{\"todos\":");
  ts_buf_add(line, ts_buf_str(&list->todos));
  ts_buf_addz(line, "}}\n");
}

static void count_dropped(struct ts_todo_server *s, struct ts_todo_reply *reply) {
  struct ts_todo_list before = { 0 };
  if (!s->reader.has_list) return;
  if (ts_todo_walk_list(&s->reader.walk, &before, ts_buf_str(&s->reader.list), TS_TODO_WRITTEN, NULL) == 0)
    ts_todo_dropped(&before, &reply->list, reply->dropped);
}

/* Under the lock: 0 with the event in the file, and *next_to_read: it stands right behind what has been read. */
static int append_event(struct ts_todo_server *s, struct ts_todo_reply *reply, bool glue, bool *next_to_read,
                        struct ts_buf *err) {
  struct ts_buf line = { 0 };
  uint64_t end;
  if (glue) ts_buf_addc(&line, '\n');
  write_event(s, &reply->list, &line);
  int result = ts_applog_append(&s->log, ts_buf_str(&line), &end, err);
  *next_to_read = result == 0 && end == s->offset + line.len;
  if (*next_to_read)
    s->offset = end;
  else if (glue)
    s->offset++; /* that newline has been read already, so to speak */
  ts_buf_free(&line);
  return result;
}

static void answer_failed(struct ts_todo_server *s, struct ts_todo_reply *reply, const struct ts_buf *why) {
  struct ts_buf text = { 0 };
  ts_buf_addf(&text, "%s; the list is as it was", ts_buf_z(why));
  ts_todo_refuse(s, reply, ts_buf_str(&text));
  ts_buf_free(&text);
  forget_log(s);
}

static void make_durable(struct ts_todo_server *s, struct ts_todo_reply *reply, struct ts_buf *why) {
  bool durable = ts_applog_sync(&s->log, s->others, why) == 0;
  if (!durable) {
    ts_buf_addz(why, "; the list was replaced, but that may not survive a crash");
    ts_todo_refuse(s, reply, ts_buf_str(why));
  }
  reply->replaced = true;
}

/* The log is open and read. */
static void write_list(struct ts_todo_server *s, struct ts_todo_reply *reply) {
  struct ts_buf why = { 0 };
  bool glue, next_to_read;
  if (ts_applog_lock(&s->log, &why) < 0 || catch_up(s, &why) < 0 || check_log(s, &why) < 0 ||
      mend_tail(s, &glue, &why) < 0) {
    answer_unusable(s, reply, &why);
  } else {
    int result = append_event(s, reply, glue, &next_to_read, &why);
    ts_applog_unlock(&s->log);
    if (result < 0) {
      answer_failed(s, reply, &why);
    } else {
      count_dropped(s, reply); /* while the list before is at hand */
      if (next_to_read) ts_session_log_wrote(&s->reader, ts_buf_str(&reply->list.todos));
      make_durable(s, reply, &why);
    }
  }
  ts_buf_free(&why);
}

static void serve_session(struct ts_todo_server *s, const struct ts_todo_call *call, struct ts_todo_reply *reply) {
  struct ts_buf why = { 0 };
  if (read_log(s, &why) < 0 || check_log(s, &why) < 0)
    answer_unusable(s, reply, &why);
  else if (!is_owner(s, call))
    answer_not_owner(s, reply);
  else if (s->dry_run)
    count_dropped(s, reply);
  else
    write_list(s, reply);
  ts_buf_free(&why);
}

void ts_todo_serve(struct ts_todo_server *s, const struct ts_todo_call *call, struct ts_todo_reply *reply) {
  reply->is_error = reply->unusable = reply->replaced = false;
  memset(reply->dropped, 0, sizeof reply->dropped);
  ts_buf_clear(&reply->content);
  if (ts_todo_accept(s->dialect, call->arguments, s->single, &reply->list, &reply->content) < 0) {
    reply->is_error = true;
    return;
  }
  if (s->path)
    serve_session(s, call, reply);
  else if (s->dialect == TS_WRITE_DSH)
    answer_not_owner(s, reply);
  if (!reply->is_error) ts_todo_acknowledge(s->dialect, &reply->list, &reply->content);
}

void ts_todo_server_close(struct ts_todo_server *s) { forget_log(s); }

/* Results */

static const struct ts_str count_names[] = {
  [TS_TODO_PENDING] = TS_STR("pending"),
  [TS_TODO_IN_PROGRESS] = TS_STR("inProgress"),
  [TS_TODO_COMPLETED] = TS_STR("completed"),
  [TS_TODO_CANCELLED] = TS_STR("cancelled"),
};

void ts_todo_reply_content(const struct ts_todo_reply *reply, struct ts_buf *out) {
  ts_json_quote(out, ts_buf_str(&reply->content));
}

void ts_todo_reply_value(const struct ts_todo_server *s, const struct ts_todo_reply *reply, struct ts_buf *out) {
  size_t statuses = s->dialect == TS_WRITE_DSH ? TS_TODO_CANCELLED : TS_TODO_STATUSES; /* dsh knows three */
  struct ts_jw w = ts_jw(out);
  if (reply->is_error) return;
  ts_jw_key(&w, "value");
  ts_jw_open(&w, '{');
  ts_jw_member_raw(&w, "todos", ts_buf_str(&reply->list.todos));
  ts_jw_key(&w, "counts");
  ts_jw_open(&w, '{');
  for (size_t i = 0; i < statuses; i++) {
    ts_jw_key_str(&w, count_names[i]);
    ts_jw_u64(&w, reply->list.by_status[i]);
  }
  ts_jw_close(&w, '}');
  ts_jw_close(&w, '}');
}

static void write_items(const struct ts_todo_accepted *list, struct ts_jw *w) {
  struct ts_todo_list items = { 0 };
  struct ts_todo_item item;
  (void)ts_todo_list_read(&items, ts_buf_str(&list->todos), TS_TODO_WRITTEN, NULL);
  struct ts_todo_walk walk = { .list = &items };
  ts_jw_key(w, "items");
  ts_jw_open(w, '[');
  while (ts_todo_next(&walk, &item)) {
    ts_jw_open(w, '{');
    ts_jw_member_u64(w, "id", item.id);
    ts_jw_member(w, "content", ts_todo_content(&walk));
    ts_jw_member(w, "status", ts_str_z(ts_todo_status_row(item.status)->name));
    ts_jw_close(w, '}');
  }
  ts_jw_close(w, ']');
  ts_todo_walk_free(&walk);
}

static void write_checklist(const struct ts_todo_accepted *list, struct ts_jw *w) {
  ts_jw_key(w, "task_updates");
  ts_jw_open(w, '{');
  ts_jw_key(w, "checklist");
  ts_jw_open(w, '{');
  write_items(list, w);
  ts_jw_member_u64(w, "completion_pct", ts_todo_accepted_percent(list));
  ts_jw_key(w, "in_progress_id");
  if (list->current)
    ts_jw_u64(w, list->current);
  else
    ts_jw_null(w);
  ts_jw_close(w, '}');
  ts_jw_close(w, '}');
}

static void write_dropped(const struct ts_todo_reply *reply, struct ts_jw *w) {
  ts_jw_key(w, "dropped");
  ts_jw_open(w, '{');
  for (enum ts_todo_status i = 0; i < TS_TODO_STATUSES; i++)
    if (!ts_todo_status_row(i)->settled) ts_jw_member_u64(w, ts_todo_status_row(i)->name, reply->dropped[i]);
  ts_jw_close(w, '}');
}

static void write_demoted(const struct ts_todo_accepted *list, struct ts_jw *w) {
  ts_jw_key(w, "demoted");
  ts_jw_open(w, '[');
  for (size_t i = 0; i < list->demoted_count; i++) ts_jw_u64(w, list->demoted[i]);
  ts_jw_close(w, ']');
}

static bool has_dropped(const struct ts_todo_reply *reply) {
  for (size_t i = 0; i < TS_TODO_STATUSES; i++)
    if (reply->dropped[i] > 0) return true;
  return false;
}

void ts_todo_reply_metadata(const struct ts_todo_server *s, const struct ts_todo_reply *reply, struct ts_jw *w) {
  if (reply->is_error) return;
  if (has_dropped(reply)) write_dropped(reply, w);
  if (reply->list.demoted_count > 0) write_demoted(&reply->list, w);
  if (s->dialect == TS_WRITE_CODEWHALE) write_checklist(&reply->list, w);
}

void ts_todo_reply_free(struct ts_todo_reply *reply) {
  ts_buf_free(&reply->content);
  ts_todo_accepted_free(&reply->list);
}

/* New logs */

int ts_todo_log_create(const char *path, struct ts_str id, struct ts_buf *err) {
  struct ts_buf line = { 0 };
  if (id.len == 0) return ts_fail(err, "a session's id is not empty");
  if (ts_utf8_valid(id) < id.len) return ts_fail(err, "the id is not valid UTF-8");
  struct ts_jw w = ts_jw(&line);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("session"));
  ts_jw_member_u64(&w, "version", 0);
  ts_jw_member(&w, "id", id);
  ts_jw_member_u64(&w, "createdAt", now_ms());
  ts_jw_member_u64(&w, "delegationDepth", 0);
  ts_jw_close(&w, '}');
  ts_buf_addc(&line, '\n');
  int result = ts_applog_create(path, ts_buf_str(&line), err);
  ts_buf_free(&line);
  return result;
}
