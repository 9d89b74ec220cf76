#include "todo/input.h"

#include "json/write.h"
#include "todo/project.h"
#include "todo/session_log.h"
#include "transcript/detect.h"

enum { PEEK = 64 * 1024 }; /* bytes in which a document has to show its list */

/* Which kind it is */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_blanks(struct ts_str s, size_t at) {
  while (at < s.len && is_blank(s.ptr[at])) at++;
  return at;
}

/* Does the object that the bytes begin have a member `todos` or `items` that is an array? The bytes may end inside. */
static bool begins_document(struct ts_json *j, struct ts_str bytes) {
  size_t at = skip_blanks(bytes, 0);
  if (at >= bytes.len || bytes.ptr[at] != '{') return false;
  do {
    if (ts_json_scan_at(j, bytes, at + 1, NULL) < 0 || !ts_json_root_is(j, TS_JSON_STRING)) return false;
    bool is_list = TS_JSON_SAYS(j, 0, "todos") || TS_JSON_SAYS(j, 0, "items");
    size_t colon = skip_blanks(bytes, j->end), value = skip_blanks(bytes, colon + 1);
    if (colon >= bytes.len || bytes.ptr[colon] != ':' || value >= bytes.len) return false;
    if (is_list && bytes.ptr[value] == '[') return true;
    if (ts_json_scan_at(j, bytes, value, &ts_json_span) < 0) return false;
    at = skip_blanks(bytes, j->end);
  } while (at < bytes.len && bytes.ptr[at] == ',');
  return false;
}

int ts_todo_input_kind(struct ts_input *in, const struct ts_todo_query *q, enum ts_todo_input_kind *kind,
                       struct ts_buf *err) {
  struct ts_detected detected;
  struct ts_json j = { 0 };
  struct ts_str bytes;
  *kind = TS_TODO_DOCUMENT;
  if (ts_input_peek(in, PEEK, &bytes, err) < 0) return -1;
  bool document = !q->format && begins_document(&j, bytes);
  ts_json_free(&j);
  if (document) return 0;
  if (ts_detect(in, q->file, q->format, q->max_line, &detected, err) <= 0) return -1;
  bool is_log = ts_str_is(ts_str_z(ts_format_name(detected.format)), "dsh");
  *kind = is_log ? TS_TODO_SESSION_LOG : TS_TODO_TRANSCRIPT;
  return 0;
}

/* One document */

static const struct ts_json_want document_wants[] = {
  { TS_STR("todos"), &ts_json_span },          { TS_STR("items"), &ts_json_span },
  { TS_STR("owner"), &ts_json_span },          { TS_STR("completion_pct"), &ts_json_span },
  { TS_STR("in_progress_id"), &ts_json_span },
};
static const struct ts_json_shape document_shape = { document_wants, TS_COUNT(document_wants), NULL };

/* A whole number, null or nothing. */
static int read_number(const struct ts_json *j, const char *key, bool *has, uint64_t *value, struct ts_buf *err) {
  uint32_t node = ts_json_get(j, 0, ts_str_z(key));
  *has = node && ts_json_u64(j, node, value);
  if (*has || node == 0 || ts_json_is(j, node, TS_JSON_NULL)) return 0;
  return ts_fail(err, "'%s' is not a whole number", key);
}

/* The document in j as a list. */
static int read_list(const struct ts_json *j, struct ts_todo_list *l, struct ts_buf *err) {
  uint32_t todos = TS_JSON_GET(j, 0, "todos"), items = TS_JSON_GET(j, 0, "items");
  uint32_t list = ts_json_is(j, todos, TS_JSON_ARRAY) ? todos : items;
  if (!ts_json_is(j, list, TS_JSON_ARRAY)) return ts_fail(err, "there is no list 'todos' or 'items'");
  if (read_number(j, "completion_pct", &l->has_percent, &l->percent, err) < 0) return -1;
  if (read_number(j, "in_progress_id", &l->has_current, &l->current, err) < 0) return -1;
  return ts_todo_list_read(l, ts_json_raw(j, list), list == todos ? TS_TODO_WRITTEN : TS_TODO_NUMBERED, err);
}

static int fail_in(struct ts_str file, struct ts_buf *err, const struct ts_buf *why) {
  return ts_fail(err, "%.*s: %s", TS_FMT(file), ts_buf_z(why));
}

/* Line and column, from 1, of a byte of the text. */
static int fail_json(struct ts_str file, struct ts_str text, const struct ts_json *j, struct ts_buf *err) {
  unsigned long long line = 1;
  size_t start = 0;
  for (size_t i = 0; i < j->at && i < text.len; i++)
    if (text.ptr[i] == '\n') line++, start = i + 1;
  return ts_fail(err, "%.*s:%llu:%zu: not JSON: %s", TS_FMT(file), line, j->at - start + 1, j->reason);
}

static int read_document(struct ts_input *in, const struct ts_todo_query *q, struct ts_todo_found *f,
                         struct ts_buf *err) {
  struct ts_json j = { 0 };
  struct ts_buf why = { 0 };
  if (ts_input_all(in, UINT32_MAX, &f->text, err) < 0) return -1;
  ts_buf_set(&f->owner, q->agent); /* a bare list is whose one says it is */
  int result = 0;
  if (ts_json_scan(&j, ts_buf_str(&f->text), &document_shape) < 0)
    result = fail_json(q->file, ts_buf_str(&f->text), &j, err);
  else if (read_list(&j, &f->list, &why) < 0)
    result = fail_in(q->file, err, &why);
  ts_json_free(&j);
  ts_buf_free(&why);
  return result;
}

/* Session logs */

static void tell_agent(struct ts_todo_found *f, struct ts_str id, struct ts_str session, struct ts_str agent,
                       size_t items, uint64_t line) {
  struct ts_jw w = ts_jw(&f->agents);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "id", id);
  ts_jw_member_if(&w, "session", session);
  ts_jw_member_if(&w, "agent", agent);
  ts_jw_member_u64(&w, "line", line);
  ts_jw_member_u64(&w, "items", items);
  ts_jw_close(&w, '}');
  ts_buf_addc(&f->agents, '\n');
}

static int take_log(const struct ts_session_log *s, const struct ts_todo_query *q, struct ts_todo_found *f,
                    struct ts_buf *err) {
  struct ts_str id = ts_buf_str(&s->header.id);
  if (q->agent.len > 0 && !ts_str_eq(q->agent, id))
    return ts_fail(err, "%.*s: it is the log of session '%.*s'", TS_FMT(q->file), TS_FMT(id));
  ts_buf_set(&f->owner, id);
  if (!s->has_list) return 0;
  ts_buf_set(&f->text, ts_buf_str(&s->list));
  (void)ts_todo_list_read(&f->list, ts_buf_str(&f->text), TS_TODO_WRITTEN, NULL); /* it was one when it was read */
  if (q->agents) tell_agent(f, id, id, TS_STR(""), f->list.count, s->list_line);
  return 0;
}

static int read_log(struct ts_input *in, const struct ts_todo_query *q, struct ts_todo_found *f, struct ts_buf *err) {
  struct ts_session_log s = { .file = q->file, .notes = q->notes, .standing = q->standing };
  struct ts_line line;
  int got = 1, result = 0;
  while (result == 0 && (q->at == 0 || s.line < q->at) && (got = ts_input_line(in, q->max_line, &line, err)) == 1) {
    if (line.number == 1) s.marked = line.offset > 0;
    if (line.too_long)
      result = ts_fail(err, "%.*s:%llu: longer than --max-line", TS_FMT(q->file), (unsigned long long)line.number);
    else
      result = ts_session_log_line(&s, line.text, line.ended, err);
  }
  if (got < 0) result = -1;
  if (result == 0) result = ts_session_log_end(&s, err);
  if (result == 0) result = take_log(&s, q, f, err);
  ts_session_log_free(&s);
  return result;
}

/* Transcripts */

static struct ts_str id_of(const struct ts_todo_agent *a) { return a->agent.len > 0 ? a->agent : a->session; }

static void tell_agents(const struct ts_todo_project *p, struct ts_todo_found *f) {
  struct ts_todo_agent a;
  struct ts_todo_list list = { 0 };
  for (size_t i = 0; ts_todo_project_agent(p, i, &a); i++) {
    if (!a.has_list || ts_todo_list_read(&list, a.list, a.shape, NULL) < 0) continue;
    tell_agent(f, id_of(&a), a.session, a.agent, list.count, a.line);
  }
}

static int take_agent(struct ts_todo_project *p, const struct ts_todo_query *q, struct ts_todo_found *f,
                      struct ts_buf *err) {
  struct ts_todo_agent a;
  if (q->agents) {
    tell_agents(p, f);
    return 0;
  }
  if (ts_todo_project_find(p, q->agent, &a, err) < 0) return -1;
  ts_buf_set(&f->owner, id_of(&a));
  if (!a.has_list) return 0;
  ts_buf_set(&f->text, a.list);
  return ts_todo_list_read(&f->list, ts_buf_str(&f->text), a.shape, err);
}

static int read_transcript(struct ts_input *in, const struct ts_todo_query *q, struct ts_todo_found *f,
                           struct ts_buf *err) {
  struct ts_todo_project_options options = {
    .catalog = q->catalog, .plan = q->plan, .last_line = q->at, .file = q->file, .notes = q->notes
  };
  struct ts_read_options reading = { .format = q->format, .max_line = q->max_line };
  struct ts_read_stats stats = { 0 };
  if (q->standing)
    return ts_fail(err, "%.*s: --standing is for session logs: a transcript does not mark the turns", TS_FMT(q->file));
  struct ts_todo_project *p = ts_todo_project_new(&options);
  int result = ts_transcript_read(in, q->file, &reading, ts_todo_project_event, p, &stats, err);
  result = result == 1 ? take_agent(p, q, f, err) : -1;
  ts_todo_project_free(p);
  return result;
}

int ts_todo_input_read(struct ts_input *in, enum ts_todo_input_kind kind, const struct ts_todo_query *q,
                       struct ts_todo_found *found, struct ts_buf *err) {
  bool lines_only = q->at > 0 || q->standing || q->agents;
  if (kind == TS_TODO_DOCUMENT && lines_only)
    return ts_fail(err, "%.*s: a bare list has no history: --at, --standing and --agents need a log or transcript",
                   TS_FMT(q->file));
  if (kind == TS_TODO_DOCUMENT) return read_document(in, q, found, err);
  return kind == TS_TODO_SESSION_LOG ? read_log(in, q, found, err) : read_transcript(in, q, found, err);
}

void ts_todo_found_free(struct ts_todo_found *f) {
  ts_buf_free(&f->text);
  ts_buf_free(&f->owner);
  ts_buf_free(&f->agents);
}

/* Work graphs */

/* The graph that j has read: 1 with its list, when it is the list's owner. */
static int read_graph(const struct ts_json *j, const struct ts_todo_found *found, struct ts_todo_list *l,
                      struct ts_buf *err) {
  uint32_t owner = ts_json_root_is(j, TS_JSON_OBJECT) ? TS_JSON_GET(j, 0, "owner") : 0;
  if (!ts_json_is(j, owner, TS_JSON_STRING)) return ts_fail(err, "a work graph has a string 'owner'");
  if (found->owner.len == 0 || !ts_json_says(j, owner, ts_buf_str(&found->owner))) return 0;
  return read_list(j, l, err) < 0 ? -1 : 1;
}

int ts_todo_graph_apply(struct ts_str file, struct ts_str text, struct ts_todo_found *found, struct ts_buf *err) {
  struct ts_json j = { 0 };
  struct ts_buf why = { 0 };
  struct ts_todo_list list = { 0 };
  int result = 0;
  if (ts_json_scan(&j, text, &document_shape) < 0)
    result = fail_json(file, text, &j, err);
  else if ((result = read_graph(&j, found, &list, &why)) < 0)
    (void)fail_in(file, err, &why);
  if (result == 1) {
    size_t from = (size_t)(list.json.ptr - text.ptr);
    ts_buf_set(&found->text, text);
    found->list = list;
    found->list.json = ts_str_sub(ts_buf_str(&found->text), from, list.json.len);
  }
  ts_json_free(&j);
  ts_buf_free(&why);
  return result;
}
