#include "transcript/neutral.h"

#include "base/utf8.h"
#include "json/write.h"
#include "transcript/dialect.h"

struct ts_str ts_neutral_word(enum ts_event_kind kind) {
  switch (kind) {
    case TS_EVENT_MESSAGE:
      return TS_STR("message");
    case TS_EVENT_WINDOW:
      return TS_STR("window");
    case TS_EVENT_END:
      return TS_STR("end");
    case TS_EVENT_CATALOG:
      return TS_STR("tools");
    case TS_EVENT_DISCOVERY:
      return TS_STR("discovery");
    case TS_EVENT_TODO:
      return TS_STR("todo");
    default:
      return TS_STR("");
  }
}

void ts_neutral_free(struct ts_neutral_writer *w) {
  ts_json_free(&w->json);
  ts_buf_free(&w->more);
  ts_buf_free(&w->text);
}

static bool are_json(struct ts_neutral_writer *w, const struct ts_event *e) {
  if (!e->scanned) (void)ts_json_scan(&w->json, e->arguments, &ts_json_span);
  const struct ts_json *json = e->scanned ? e->scanned : &w->json;
  return !json->reason && !(json->issues & 1u << TS_JSON_BAD_UTF8);
}

static void set_arguments(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_call_record *r) {
  if (e->form == TS_ARGUMENTS_NONE) return;
  r->arguments = e->arguments;
  r->arguments_kind = e->form == TS_ARGUMENTS_INPUT ? TS_ARGUMENTS_FREE
                      : are_json(w, e)              ? TS_ARGUMENTS_RAW
                                                    : TS_ARGUMENTS_TEXT;
}

/* The members that only this project knows, as one text. */
static struct ts_str more_members(struct ts_neutral_writer *w, const struct ts_event *e) {
  bool nested = e->kind == TS_EVENT_SUB_CALL || e->kind == TS_EVENT_SUB_RESULT;
  ts_buf_clear(&w->more);
  struct ts_jw jw = ts_jw(&w->more);
  ts_jw_member_if(&jw, "turn", e->turn);
  ts_jw_member_if(&jw, "key", e->key);
  if (nested) ts_jw_member_bool(&jw, "sub", true);
  if (e->no_ids) ts_jw_member_bool(&jw, "no_ids", true);
  if (e->self_answered) ts_jw_member_bool(&jw, "self_answered", true);
  if (e->misplaced) ts_jw_member_bool(&jw, "misplaced", true);
  return ts_buf_str(&w->more);
}

static void write_call(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out) {
  struct ts_call_record r = { .key = { e->session, e->agent, e->id, e->name },
                              .source = { w->file, e->line, w->format } };
  if (ts_utf8_valid(e->at) == e->at.len) r.at_json = e->at;
  set_arguments(w, e, &r);
  r.more_json = more_members(w, e);
  ts_call_write(out, &r);
}

/* --- a result's content --------------------------------------------------------------------------------- */

/* The text of a list of one block of text, raw, or empty. */
static struct ts_str only_text(const struct ts_json *j) {
  static const struct ts_str types[] = { TS_STR("text"), TS_STR("input_text"), TS_STR("output_text"), TS_STR("") };
  uint32_t block = ts_json_root_is(j, TS_JSON_ARRAY) ? ts_json_first(j, 0) : 0;
  if (!ts_json_is(j, block, TS_JSON_OBJECT) || ts_json_after(j, 0, block)) return ts_str(NULL, 0);
  uint32_t type = TS_JSON_GET(j, block, "type"), text = TS_JSON_GET(j, block, "text");
  size_t members = 0;
  for (uint32_t m = ts_json_first(j, block); m; m = ts_json_after(j, block, m)) members++;
  bool plain = members == 2 && ts_word(j, type, types) >= 0 && ts_json_is(j, text, TS_JSON_STRING);
  return plain ? ts_json_raw(j, text) : ts_str(NULL, 0);
}

static void set_content(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_result_record *r) {
  if (e->content.len == 0 || ts_json_scan(&w->json, e->content, NULL) < 0) return;
  struct ts_str text = only_text(&w->json);
  r->content_json = text.len > 0 ? text : e->content;
  if (ts_utf8_valid(r->content_json) == r->content_json.len) return;
  struct ts_str raw = r->content_json;
  ts_buf_clear(&w->text);
  if (raw.ptr[0] == '"')
    ts_json_decode(ts_str_sub(raw, 1, raw.len - 2), &w->text);
  else
    ts_buf_add(&w->text, raw);
  r->content_json = ts_str(NULL, 0);
  r->content = ts_buf_str(&w->text);
}

/* A member that passes as it is; but a record is UTF-8, whatever it was made from: bytes that are not become U+FFFD. */
static void write_raw(struct ts_neutral_writer *w, struct ts_jw *jw, const char *key, struct ts_str raw) {
  if (ts_utf8_valid(raw) < raw.len) {
    ts_buf_clear(&w->text);
    for (size_t at = 0; at < raw.len;) {
      uint32_t c = ts_utf8_next(raw, &at);
      ts_utf8_put(&w->text, c == TS_UTF8_BAD ? 0xfffd : c);
    }
    raw = ts_buf_str(&w->text);
  }
  ts_jw_member_raw_if(jw, key, raw);
}

static void write_source(const struct ts_neutral_writer *w, const struct ts_event *e, struct ts_jw *jw) {
  ts_jw_key(jw, "source");
  ts_jw_open(jw, '{');
  ts_jw_member_if(jw, "file", w->file);
  ts_jw_member_u64(jw, "line", e->line);
  ts_jw_member_if(jw, "format", w->format);
  ts_jw_close(jw, '}');
}

static void write_result(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out) {
  struct ts_result_record r = { .key = { e->session, e->agent, e->id, e->name }, .is_error = e->is_error };
  struct ts_jw jw = ts_jw(&w->more);
  (void)more_members(w, e);
  jw.comma = w->more.len > 0;
  write_raw(w, &jw, "at", e->at);
  write_source(w, e, &jw);
  set_content(w, e, &r);
  r.more_json = ts_buf_str(&w->more);
  ts_result_write(out, &r);
}

/* --- other events --------------------------------------------------------------------------------------- */

static void write_finding(const struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out) {
  const struct ts_finding f = { .rule = e->rule,
                                .vector = e->vector,
                                .message = e->message,
                                .session = e->session,
                                .agent = e->agent,
                                .id = e->id,
                                .name = e->name,
                                .place = { w->file, e->line, e->column } };
  ts_finding_write(out, &f);
}

static void write_other(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out) {
  struct ts_jw jw = ts_jw(out);
  ts_jw_open(&jw, '{');
  ts_jw_member(&jw, "type", ts_neutral_word(e->kind));
  ts_jw_member_if(&jw, "session", e->session);
  ts_jw_member_if(&jw, "agent", e->agent);
  ts_jw_member_if(&jw, "name", e->name);
  write_raw(w, &jw, "tools", e->tools);
  write_raw(w, &jw, "data", e->kind == TS_EVENT_TODO ? e->content : ts_str(NULL, 0));
  write_raw(w, &jw, "at", e->at);
  write_source(w, e, &jw);
  ts_jw_member_if(&jw, "turn", e->turn);
  ts_jw_close(&jw, '}');
  ts_buf_addc(out, '\n');
}

void ts_neutral_write(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out) {
  switch (e->kind) {
    case TS_EVENT_CALL:
    case TS_EVENT_SUB_CALL:
      write_call(w, e, out);
      break;
    case TS_EVENT_RESULT:
    case TS_EVENT_SUB_RESULT:
      write_result(w, e, out);
      break;
    case TS_EVENT_FINDING:
      write_finding(w, e, out);
      break;
    default:
      write_other(w, e, out);
  }
}
