#include "dispatch/call.h"

#include <inttypes.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "json/write.h"

void ts_call_free(struct ts_call *c) {
  ts_buf_free(&c->problem);
  ts_buf_free(&c->text);
  *c = (struct ts_call){ 0 };
}

/* Members are copied one behind the other; c->text may move while it grows, so spans are kept as offsets. */
struct span {
  size_t from, len;
};

static struct span copy(struct ts_call *c, struct ts_str text) {
  struct span s = { c->text.len, text.len };
  ts_buf_add(&c->text, text);
  return s;
}

static struct ts_str text_of(const struct ts_call *c, struct span s) {
  return ts_str(ts_buf_z(&c->text) + s.from, s.len);
}

/* A string's text; a number's spelling, since some formats count their ids. */
static struct span copy_member(struct ts_call *c, const struct ts_json *j, struct ts_str key, struct ts_buf *scratch) {
  uint32_t node = ts_json_get(j, 0, key);
  if (ts_json_is(j, node, TS_JSON_STRING)) return copy(c, ts_json_text(j, node, scratch));
  if (ts_json_is(j, node, TS_JSON_NUMBER)) return copy(c, ts_json_raw(j, node));
  return copy(c, TS_STR(""));
}

static void refuse(struct ts_call *c, const char *why) {
  if (c->problem.len == 0) ts_buf_addz(&c->problem, why);
}

/* What makes the meaning of a record uncertain: checkers and executors may read it differently. */
static void refuse_uncertain(struct ts_call *c, const struct ts_json *j, const char *where) {
  struct ts_buf pointer = { 0 };
  if (j->issues & 1u << TS_JSON_DUPLICATE_KEY) {
    ts_json_pointer(j->text, j->issue_at[TS_JSON_DUPLICATE_KEY], &pointer);
    if (c->problem.len == 0)
      ts_fail(&c->problem, "duplicate key in %s: '%s' is given twice", where, ts_buf_z(&pointer));
  } else if (j->issues & 1u << TS_JSON_BAD_UTF8) {
    if (c->problem.len == 0)
      ts_fail(&c->problem, "invalid UTF-8 in %s at byte %zu", where, j->issue_at[TS_JSON_BAD_UTF8] + 1);
  }
  ts_buf_free(&pointer);
}

static bool is_blank(struct ts_str s) { return ts_str_trim(s, " \t\r\n").len == 0; }

/* Arguments that came as a string of JSON: blank means none, everything else must be one object. */
static struct span parse_arguments(struct ts_call *c, struct ts_str text) {
  struct ts_json inner = { 0 };
  struct ts_buf compact = { 0 };
  if (is_blank(text)) {
    ts_buf_addz(&compact, "{}");
  } else if (ts_json_scan(&inner, text, NULL) != 0) {
    if (c->problem.len == 0)
      ts_fail(&c->problem, "invalid arguments: not JSON: %s at byte %zu", inner.reason, inner.at + 1);
  } else if (!ts_json_root_is(&inner, TS_JSON_OBJECT)) {
    refuse(c, "invalid arguments: not an object");
  } else {
    refuse_uncertain(c, &inner, "the arguments");
    ts_json_minify(&compact, text);
  }
  struct span s = copy(c, ts_buf_str(&compact));
  ts_buf_free(&compact);
  ts_json_free(&inner);
  return s;
}

static struct span read_arguments(struct ts_call *c, const struct ts_json *j, struct ts_buf *scratch) {
  uint32_t node = TS_JSON_GET(j, 0, "arguments");
  if (node == 0 || ts_json_is(j, node, TS_JSON_NULL)) return copy(c, TS_STR("{}"));
  if (ts_json_is(j, node, TS_JSON_STRING)) return parse_arguments(c, ts_json_text(j, node, scratch));
  if (!ts_json_is(j, node, TS_JSON_OBJECT)) refuse(c, "invalid arguments: not an object");
  ts_buf_clear(scratch);
  ts_json_minify(scratch, ts_json_raw(j, node));
  return copy(c, ts_buf_str(scratch));
}

static void read_members(struct ts_call *c, const struct ts_json *j) {
  struct ts_buf scratch = { 0 };
  refuse_uncertain(c, j, "the call record");
  struct span session = copy_member(c, j, TS_STR("session"), &scratch);
  struct span agent = copy_member(c, j, TS_STR("agent"), &scratch);
  struct span id = copy_member(c, j, TS_STR("id"), &scratch);
  struct span name = copy_member(c, j, TS_STR("name"), &scratch);
  struct span turn = copy_member(c, j, TS_STR("turn"), &scratch);
  uint32_t input = TS_JSON_GET(j, 0, "input");
  c->is_input = ts_json_is(j, input, TS_JSON_STRING) && TS_JSON_GET(j, 0, "arguments") == 0;
  struct span raw = copy(c, c->is_input ? ts_json_text(j, input, &scratch) : TS_STR(""));
  struct span arguments = c->is_input ? copy(c, TS_STR("")) : read_arguments(c, j, &scratch);
  if (!ts_json_is(j, TS_JSON_GET(j, 0, "name"), TS_JSON_STRING)) refuse(c, "the call record has no name");
  c->session = text_of(c, session);
  c->agent = text_of(c, agent);
  c->id = text_of(c, id);
  c->name = text_of(c, name);
  c->turn = text_of(c, turn);
  c->input = text_of(c, raw);
  c->arguments = text_of(c, arguments);
  ts_buf_free(&scratch);
}

int ts_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number, struct ts_str line,
                 struct ts_buf *err) {
  ts_buf_clear(&c->problem);
  ts_buf_clear(&c->text);
  if (ts_json_scan(j, line, NULL) != 0)
    return ts_fail(err, "%.*s:%" PRIu64 ":%zu: not JSON: %s", TS_FMT(file), line_number, j->at + 1, j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT))
    return ts_fail(err, "%.*s:%" PRIu64 ":1: not a call record: not an object", TS_FMT(file), line_number);
  uint32_t type = TS_JSON_GET(j, 0, "type");
  if (type != 0 && !TS_JSON_SAYS(j, type, "call")) return 0;
  read_members(c, j);
  return 1;
}
