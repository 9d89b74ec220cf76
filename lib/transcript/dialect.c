#include "transcript/dialect.h"

#include "transcript/look.h"

static const struct ts_format *const formats[] = {
  &ts_format_claude_code,
  &ts_format_codex,
  &ts_format_dsh,
  &ts_format_codewhale_session,
  &ts_format_codewhale_events,
  &ts_format_codewhale_exec,
  &ts_format_openai,
  &ts_format_anthropic,
  &ts_format_gemini,
  &ts_format_pi,
  &ts_format_mcp,
  &ts_format_neutral,
};

const struct ts_format *ts_format_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(formats); i++)
    if (ts_str_is(name, formats[i]->name)) return formats[i];
  return NULL;
}

const struct ts_format *ts_format_at(size_t i) { return i < TS_COUNT(formats) ? formats[i] : NULL; }
const char *ts_format_name(const struct ts_format *f) { return f->name; }

/* --- reading the index ---------------------------------------------------------------------------------- */

struct ts_str ts_slot_text(struct ts_reader *r, uint32_t node, enum ts_slot slot) {
  return node ? ts_json_text(&r->json, node, &r->slot[slot]) : ts_str(NULL, 0);
}

bool ts_has_text(const struct ts_json *j, uint32_t node) {
  return ts_json_is(j, node, TS_JSON_STRING) && ts_json_raw(j, node).len > 2; /* more than its quotes */
}

void ts_arguments(struct ts_reader *r, uint32_t node, struct ts_event *e) {
  e->form = TS_ARGUMENTS_NONE;
  if (!node || ts_json_is(&r->json, node, TS_JSON_NULL)) return;
  e->arguments_string = ts_json_is(&r->json, node, TS_JSON_STRING);
  r->arguments_at = r->json.node[node].start;
  e->arguments = e->arguments_string ? ts_slot_text(r, node, TS_SLOT_ARGUMENTS) : ts_json_raw(&r->json, node);
  if (ts_str_trim(e->arguments, " \t\r\n").len > 0) e->form = TS_ARGUMENTS_JSON;
}

int ts_word(const struct ts_json *j, uint32_t node, const struct ts_str *table) {
  if (node == 0) return -1;
  for (int i = 0; table[i].len > 0; i++)
    if (ts_json_says(j, node, table[i])) return i;
  return -1;
}

/* --- places --------------------------------------------------------------------------------------------- */

void ts_reader_text(struct ts_reader *r, struct ts_str text, uint64_t line, bool one_line) {
  r->places = (struct ts_place_finder){ text, one_line, line, 0, 0 };
}

/* Places are asked for from the front to the back, nearly always. */
static void find_place(struct ts_place_finder *p, size_t at, uint64_t *line, uint64_t *column) {
  if (!p->one_line && at < p->at) {
    for (size_t i = at; i < p->at; i++)
      if (p->text.ptr[i] == '\n') p->line--;
    p->at = at;
    const char *before = at > 0 ? memrchr(p->text.ptr, '\n', at) : NULL;
    p->line_start = before ? (size_t)(before - p->text.ptr) + 1 : 0;
  }
  while (!p->one_line && p->at < at) {
    const char *lf = memchr(p->text.ptr + p->at, '\n', at - p->at);
    if (lf) p->line++;
    p->at = lf ? (size_t)(lf - p->text.ptr) + 1 : at;
    if (lf) p->line_start = p->at;
  }
  *line = p->line;
  *column = at - p->line_start + 1;
}

/* --- issues ----------------------------------------------------------------------------------------------- */

/* What is JSON and still no good. Arguments in a string have no bad bytes that their record does not have. */
static const struct {
  enum ts_json_issue issue;
  enum ts_rule_id rule;
  const char *what, *then;
} issues[] = {
  { TS_JSON_BAD_UTF8, TS_RULE_BAD_UTF8, "there are bytes that are not UTF-8", "the record was read" },
  { TS_JSON_DUPLICATE_KEY, TS_RULE_DUPLICATE_KEY, "the key is there twice", "its last value counts" },
  { TS_JSON_LONE_SURROGATE, TS_RULE_LONE_SURROGATE, "there is half of a surrogate pair", "the record was read" },
  { TS_JSON_NUL_ESCAPE, TS_RULE_NUL_ESCAPE, "there is a \\u0000", "the record was read" },
};

enum { ISSUES_IN_ARGUMENTS = 1u << TS_JSON_DUPLICATE_KEY | 1u << TS_JSON_LONE_SURROGATE | 1u << TS_JSON_NUL_ESCAPE };

/* --- telling -------------------------------------------------------------------------------------------- */

/* An event that no other format's record makes shows the format; one of those that tell little makes it likely. */
static void note_event(struct ts_claim *c, enum ts_event_kind kind) {
  bool says_little = kind == TS_EVENT_MESSAGE || kind == TS_EVENT_WINDOW || kind == TS_EVENT_END;
  if (says_little)
    c->maybe = true;
  else if (kind != TS_EVENT_FINDING)
    c->open = false;
}

void ts_reader_finding(struct ts_reader *r, const struct ts_event *e) {
  if (r->claim.open) note_event(&r->claim, e->kind);
  if (!r->stopped && r->events(r->context, e) < 0) r->stopped = true;
}

/* A record's own text is scanned with the record; arguments in a string are a text of their own. Its faults are told
 * once for each kind and call. */
static void scan_arguments(struct ts_reader *r, struct ts_event *e) {
  e->scanned = &r->arguments;
  struct ts_str text = ts_str_trim(e->arguments, " \t\r\n");
  if (ts_json_scan(&r->arguments, text, &ts_json_span) < 0 || !(r->arguments.issues & ISSUES_IN_ARGUMENTS)) return;
  if (r->format->is_copy && r->format->is_copy(r)) return;
  struct ts_event at = *e;
  bool is_here = r->places.one_line && r->json.text.ptr == r->places.text.ptr; /* gemini's is not */
  if (is_here) at.column = r->arguments_at + 1;
  struct ts_buf pointer = { 0 };
  for (size_t i = 0; i < TS_COUNT(issues); i++) {
    if (!(r->arguments.issues & ISSUES_IN_ARGUMENTS & 1u << issues[i].issue)) continue;
    ts_buf_clear(&pointer);
    ts_json_pointer(text, r->arguments.issue_at[issues[i].issue], &pointer);
    struct ts_str shown = ts_buf_str(&pointer);
    ts_remark_call(r, &at, issues[i].rule, "in the arguments of '%.*s', at '%.*s', %s; %s", TS_FMT(e->name),
                   TS_FMT(shown), issues[i].what, issues[i].then);
  }
  ts_buf_free(&pointer);
}

static void hand_on(struct ts_reader *r, struct ts_event *e) {
  bool is_call = e->kind == TS_EVENT_CALL || e->kind == TS_EVENT_SUB_CALL;
  if (is_call && e->arguments_string && e->form == TS_ARGUMENTS_JSON) scan_arguments(r, e);
  ts_reader_finding(r, e);
}

void ts_emit(struct ts_reader *r, struct ts_event *e) {
  e->line = r->line;
  e->column = r->column;
  hand_on(r, e);
}

void ts_emit_part(struct ts_reader *r, struct ts_event *e, uint32_t node) {
  e->line = r->line;
  e->column = r->places.one_line ? (uint64_t)r->json.node[node].start + 1 : r->column;
  hand_on(r, e);
}

void ts_emit_message(struct ts_reader *r, const struct ts_event *like) {
  struct ts_event e = {
    .kind = TS_EVENT_MESSAGE, .session = like->session, .agent = like->agent, .turn = like->turn, .at = like->at
  };
  ts_emit(r, &e);
}

void ts_remark_call(struct ts_reader *r, const struct ts_event *call, enum ts_rule_id rule, const char *format, ...) {
  struct ts_event e = { .kind = TS_EVENT_FINDING,
                        .session = call->session,
                        .agent = call->agent,
                        .id = call->id,
                        .name = call->name,
                        .rule = rule,
                        .line = call->line,
                        .column = call->column };
  va_list args;
  va_start(args, format);
  ts_buf_clear(&r->message);
  ts_buf_addv(&r->message, format, args);
  va_end(args);
  e.message = ts_buf_str(&r->message);
  ts_reader_finding(r, &e);
}

void ts_remark(struct ts_reader *r, enum ts_rule_id rule, size_t at, const char *format, ...) {
  struct ts_event e = { .kind = TS_EVENT_FINDING, .rule = rule };
  va_list args;
  va_start(args, format);
  ts_buf_clear(&r->message);
  ts_buf_addv(&r->message, format, args);
  va_end(args);
  e.message = ts_buf_str(&r->message);
  find_place(&r->places, at, &e.line, &e.column);
  ts_reader_finding(r, &e);
}

/* --- a record ------------------------------------------------------------------------------------------- */

/* Once for each kind and record, at the first place. */
static void tell_issues(struct ts_reader *r) {
  const struct ts_json *j = &r->json;
  struct ts_str value = ts_str_sub(j->text, j->node[0].start, j->end - j->node[0].start);
  struct ts_buf pointer = { 0 };
  for (size_t i = 0; i < TS_COUNT(issues); i++) {
    if (!(j->issues & 1u << issues[i].issue)) continue;
    size_t at = j->issue_at[issues[i].issue];
    ts_buf_clear(&pointer);
    ts_json_pointer(value, at - j->node[0].start, &pointer);
    struct ts_str shown = ts_buf_str(&pointer);
    ts_remark(r, issues[i].rule, at, "at '%.*s' %s; %s", TS_FMT(shown), issues[i].what, issues[i].then);
  }
  ts_buf_free(&pointer);
}

void ts_reader_at(struct ts_reader *r, size_t at) { find_place(&r->places, at, &r->line, &r->column); }

/* The record in r->json, of a file that is not yet known to be of the format that it was said to be of. */
static void note_record(struct ts_reader *r) {
  struct ts_claim *c = &r->claim;
  struct ts_str value = ts_str_sub(r->json.text, r->json.node[0].start, r->json.node[0].end - r->json.node[0].start);
  if (ts_json_root_is(&r->json, TS_JSON_ARRAY) && ts_skip_blank(value, 1) == value.len - 1) return; /* [] */
  const struct ts_format *shown = ts_look_value(value);
  c->records = true;
  if (ts_look_alike(shown, r->format))
    c->open = false;
  else if (shown && (!c->other || (shown == &ts_format_anthropic && c->other == &ts_format_openai)))
    c->other = shown; /* the one dialect's plain messages are the other's, too */
  else if (!shown && r->format->is_record && r->format->is_record(r))
    c->maybe = true;
}

void ts_reader_record(struct ts_reader *r) {
  ts_reader_at(r, r->json.node[0].start);
  if (r->claim.open) note_record(r);
  if ((r->json.issues & (ISSUES_IN_ARGUMENTS | 1u << TS_JSON_BAD_UTF8)) &&
      !(r->format->is_copy && r->format->is_copy(r)))
    tell_issues(r);
  if (!r->stopped) r->format->record(r);
}

void ts_reader_element(struct ts_reader *r) {
  ts_reader_at(r, r->json.node[0].start);
  r->format->document->take(r);
}
