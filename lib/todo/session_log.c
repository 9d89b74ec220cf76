#include "todo/session_log.h"

static int fail_at(const struct ts_session_log *s, uint64_t line, struct ts_buf *err, struct ts_str why) {
  return ts_fail(err, "%.*s:%llu: %.*s", TS_FMT(s->file), (unsigned long long)line, TS_FMT(why));
}

static void note_unused(const struct ts_session_log *s, uint64_t line, const char *why) {
  ts_note(s->notes, "%.*s:%llu: line not used: %s", TS_FMT(s->file), (unsigned long long)line, why);
}

static bool is_blank(struct ts_str line) { return ts_str_trim(line, " \t\r\n").len == 0; }

/* Events */

static void take_list(struct ts_session_log *s, struct ts_str todos) {
  struct ts_todo_list list = { 0 };
  struct ts_buf why = { 0 };
  if (!todos.ptr) (void)ts_fail(&why, "data has no list 'todos'");
  if (todos.ptr && ts_todo_walk_list(&s->walk, &list, todos, TS_TODO_WRITTEN, &why) == 0) {
    ts_buf_set(&s->list, todos);
    s->has_list = true;
    s->list_line = s->line;
  } else {
    ts_note(s->notes, "%.*s:%llu: not a to-do list, the one before stands: %s", TS_FMT(s->file),
            (unsigned long long)s->line, ts_buf_z(&why));
  }
  ts_buf_free(&why);
}

static void take_event(struct ts_session_log *s, const struct ts_log_record *r) {
  bool own = s->events >= s->header.seed_length; /* a fork begins with its parent's events */
  s->events += r->events;
  if (own && ts_str_is(r->type, "todo/write")) take_list(s, r->todos);
  if (s->standing && ts_str_is(r->type, "turn/start")) s->has_list = false;
}

/* A log */

static int stop(struct ts_session_log *s, struct ts_str why) {
  s->stopped = true;
  s->bad_line = s->line;
  ts_buf_set(&s->reason, why);
  return 0;
}

/* Behind a bad line only one thing matters: an end of a turn shows that the line stood in what was finished. */
static int look_behind(struct ts_session_log *s, const struct ts_log_record *r, struct ts_buf *err) {
  if (!ts_str_is(r->type, "turn/end")) return 0;
  return fail_at(s, s->bad_line, err, ts_buf_str(&s->reason));
}

static int refuse_event(const struct ts_session_log *s, const struct ts_log_record *r, struct ts_buf *err) {
  const char *why = r->invalid ? r->invalid : "is of no known type and can't be ignored: the log is of a newer version";
  return ts_fail(err, "%.*s:%llu: event %llu (%.*s) %s", TS_FMT(s->file), (unsigned long long)s->line,
                 (unsigned long long)r->seq, TS_FMT(r->type), why);
}

static void seq_reason(const struct ts_session_log *s, const struct ts_log_record *r, struct ts_buf *why) {
  if (r->seq == UINT64_MAX)
    (void)ts_fail(why, "no seq where event %llu should be", (unsigned long long)s->events);
  else
    (void)ts_fail(why, "seq %llu where %llu should be", (unsigned long long)r->seq, (unsigned long long)s->events);
}

static int log_line(struct ts_session_log *s, struct ts_str line, struct ts_buf *err) {
  struct ts_log_record r;
  struct ts_buf why = { 0 };
  int result = 0;
  if (ts_log_record_read(&r, &s->json, line, &s->scratch, &why) < 0) {
    if (!s->stopped) result = stop(s, ts_buf_str(&why));
  } else if (s->stopped) {
    result = look_behind(s, &r, err);
  } else if (r.malformed) {
    (void)ts_fail(&why, "the packed line %s", r.malformed);
    result = stop(s, ts_buf_str(&why));
  } else if (r.seq != s->events) {
    seq_reason(s, &r, &why);
    (void)stop(s, ts_buf_str(&why));
    result = look_behind(s, &r, err);
  } else if (r.foreign || r.invalid) {
    result = refuse_event(s, &r, err);
  } else {
    take_event(s, &r);
  }
  ts_buf_free(&why);
  return result;
}

/* A recording */

/* Lines may hold several records: an append to a file without a last newline glues one to it. */
static void recording_line(struct ts_session_log *s, struct ts_str line) {
  struct ts_buf why = { 0 };
  for (struct ts_str rest = line; !is_blank(rest);) {
    struct ts_log_record r;
    struct ts_str record = rest;
    if (ts_json_scan_at(&s->json, rest, 0, &ts_json_span) == 0) record = ts_str_sub(rest, 0, s->json.end);
    if (ts_log_record_read(&r, &s->json, record, &s->scratch, &why) < 0) {
      note_unused(s, s->line, ts_buf_z(&why));
      break;
    }
    take_event(s, &r);
    rest = ts_str_sub(rest, record.len, rest.len);
  }
  ts_buf_free(&why);
}

/* Which kind it is: the first event tells */

/* Lines that could not be read while it was open whether a log stops there or a recording only loses them. */
static void hold(struct ts_session_log *s, const char *why) {
  ts_buf_addf(&s->held, "%.*s:%llu: line not used: %s\n", TS_FMT(s->file), (unsigned long long)s->line, why);
}

static void tell_held(struct ts_session_log *s) {
  for (struct ts_str rest = ts_buf_str(&s->held); rest.len > 0;) {
    size_t end = ts_str_find(rest, TS_STR("\n"));
    ts_note(s->notes, "%.*s", TS_FMT(ts_str_sub(rest, 0, end)));
    rest = ts_str_sub(rest, end + 1, rest.len);
  }
  ts_buf_clear(&s->held);
}

static int first_event(struct ts_session_log *s, struct ts_str line, bool has_seq, struct ts_buf *err) {
  if (!has_seq) {
    s->kind = TS_LOG_RECORDING;
    s->stopped = false;
    tell_held(s);
    recording_line(s, line);
    return 0;
  }
  s->kind = TS_LOG_EVENTS;
  if (s->header.problem) return fail_at(s, 1, err, ts_str_z(s->header.problem));
  return log_line(s, line, err);
}

static int undecided_line(struct ts_session_log *s, struct ts_str line, bool ended, struct ts_buf *err) {
  struct ts_log_record r;
  struct ts_buf why = { 0 };
  struct ts_str first = line;
  if (!is_blank(line) && ts_json_scan_at(&s->json, line, 0, &ts_json_span) == 0)
    first = ts_str_sub(line, 0, s->json.end); /* more may be glued to it, in a recording */
  bool readable = ts_log_record_read(&r, &s->json, first, &s->scratch, &why) == 0;
  int result = 0;
  if (readable && (ended || !r.has_seq)) {
    result = first_event(s, line, r.has_seq, err);
  } else {
    if (!ended)
      note_unused(s, s->line, "no newline behind it");
    else if (!is_blank(line))
      hold(s, ts_buf_z(&why));
    if (ended && !s->stopped) (void)stop(s, is_blank(line) ? TS_STR("a blank line") : ts_buf_str(&why));
  }
  ts_buf_free(&why);
  return result;
}

static int header_line(struct ts_session_log *s, struct ts_str line, bool ended, struct ts_buf *err) {
  struct ts_buf why = { 0 };
  int result = ts_log_header_read(&s->header, &s->json, line, &why);
  if (result == 0 && !ended) result = ts_fail(&why, "not a session log: no newline behind the header");
  if (result < 0) (void)fail_at(s, 1, err, ts_buf_str(&why));
  if (s->marked) s->header.problem = "a byte order mark stands before the header";
  ts_buf_free(&why);
  s->has_header = result == 0;
  return result;
}

int ts_session_log_line(struct ts_session_log *s, struct ts_str line, bool ended, struct ts_buf *err) {
  s->line++;
  if (!s->has_header) return header_line(s, line, ended, err);
  if (s->kind == TS_LOG_EMPTY) return undecided_line(s, line, ended, err);
  if (s->kind == TS_LOG_RECORDING) {
    recording_line(s, line);
    return 0;
  }
  if (ended) return log_line(s, line, err);
  note_unused(s, s->line, "no newline behind it");
  return 0;
}

void ts_session_log_wrote(struct ts_session_log *s, struct ts_str todos) {
  s->line++;
  if (s->kind == TS_LOG_EMPTY) s->kind = TS_LOG_EVENTS;
  take_event(s, &(struct ts_log_record){ .type = TS_STR("todo/write"), .events = 1, .todos = todos });
}

int ts_session_log_end(struct ts_session_log *s, struct ts_buf *err) {
  if (!s->has_header) return ts_fail(err, "%.*s: not a session log: it is empty", TS_FMT(s->file));
  if (s->kind == TS_LOG_EMPTY && s->header.problem) return fail_at(s, 1, err, ts_str_z(s->header.problem));
  if (s->stopped)
    ts_note(s->notes, "%.*s:%llu: nothing is read from here on: %s", TS_FMT(s->file), (unsigned long long)s->bad_line,
            ts_buf_z(&s->reason));
  return 0;
}

bool ts_session_log_fits(struct ts_session_log *s, struct ts_str text) {
  struct ts_log_record r;
  if (ts_log_record_read(&r, &s->json, text, &s->scratch, NULL) < 0) return false;
  if (s->kind == TS_LOG_RECORDING || (s->kind == TS_LOG_EMPTY && !r.has_seq)) return true;
  return !s->stopped && !r.malformed && !r.invalid && !r.foreign && r.seq == s->events;
}

void ts_session_log_free(struct ts_session_log *s) {
  ts_buf_free(&s->header.id);
  ts_buf_free(&s->list);
  ts_buf_free(&s->reason);
  ts_buf_free(&s->scratch);
  ts_buf_free(&s->held);
  ts_json_free(&s->json);
  ts_todo_walk_free(&s->walk);
}
