#include "report/call.h"

#include <inttypes.h>

#include "base/diag.h"
#include "json/write.h"

void ts_call_free(struct ts_call *c) {
  ts_buf_free(&c->problem);
  ts_buf_free(&c->text);
  ts_buf_free(&c->settled);
  *c = (struct ts_call){ 0 };
}

static bool is_blank(struct ts_str s) { return ts_str_trim(s, " \t\r\n").len == 0; }

static const struct ts_json_want wants[] = {
  { TS_STR("session"), &ts_json_span }, { TS_STR("agent"), &ts_json_span }, { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },    { TS_STR("turn"), &ts_json_span },  { TS_STR("arguments"), &ts_json_span },
  { TS_STR("input"), &ts_json_span },   { TS_STR("type"), &ts_json_span },
};
static const struct ts_json_shape shape = { wants, TS_COUNT(wants), NULL };
enum { TEXTS = 5 }; /* the first of them */

/* A string's text; a number's spelling, since some formats count their ids. */
static struct ts_str text_of(const struct ts_json *j, uint32_t node, struct ts_buf *scratch) {
  return ts_json_is(j, node, TS_JSON_NUMBER) ? ts_json_raw(j, node) : ts_json_text(j, node, scratch);
}

static struct ts_str read_arguments(struct ts_call *c, const struct ts_json *j, struct ts_buf *scratch) {
  uint32_t node = TS_JSON_GET(j, 0, "arguments"), input = TS_JSON_GET(j, 0, "input");
  c->is_input = node == 0 && ts_json_is(j, input, TS_JSON_STRING);
  if (node == 0) node = input; /* an object in it are arguments by another name */
  if (node == 0 || ts_json_is(j, node, TS_JSON_NULL)) return ts_str(NULL, 0);
  if (!ts_json_is(j, node, TS_JSON_STRING)) return ts_json_raw(j, node);
  struct ts_str text = ts_json_text(j, node, scratch);
  return !c->is_input && is_blank(text) ? ts_str(NULL, 0) : text;
}

/* The texts are copied one behind the other, and found again when none of them moves any more. */
static void read_members(struct ts_call *c, const struct ts_json *j) {
  struct ts_str *const members[] = {
    &c->key.session, &c->key.agent, &c->key.id, &c->key.name, &c->turn, &c->arguments
  };
  size_t end[TS_COUNT(members)], from = 0;
  struct ts_buf scratch = { 0 };
  for (size_t i = 0; i < TS_COUNT(members); i++) {
    ts_buf_add(&c->text,
               i < TEXTS ? text_of(j, ts_json_get(j, 0, wants[i].key), &scratch) : read_arguments(c, j, &scratch));
    end[i] = c->text.len;
  }
  for (size_t i = 0; i < TS_COUNT(members); from = end[i++])
    *members[i] = ts_str_sub(ts_buf_str(&c->text), from, end[i] - from);
  ts_buf_free(&scratch);
}

int ts_call_read(struct ts_call *c, struct ts_json *j, struct ts_str file, uint64_t line_number, struct ts_str line,
                 struct ts_buf *err) {
  ts_buf_clear(&c->problem);
  ts_buf_clear(&c->text);
  if (ts_json_scan(j, line, &shape) != 0)
    return ts_fail(err, "%.*s:%" PRIu64 ":%zu: not JSON: %s", TS_FMT(file), line_number, j->at + 1, j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT))
    return ts_fail(err, "%.*s:%" PRIu64 ":1: not a call record: not an object", TS_FMT(file), line_number);
  uint32_t type = TS_JSON_GET(j, 0, "type");
  if (type != 0 && !TS_JSON_SAYS(j, type, "call")) return 0;
  read_members(c, j);
  return 1;
}

/* --- for those who run it ----------------------------------------------------------------------------------- */

static void refuse_uncertain(struct ts_call *c, const struct ts_json *j, const char *where) {
  struct ts_buf pointer = { 0 };
  if (j->issues & 1u << TS_JSON_DUPLICATE_KEY) {
    ts_json_pointer(j->text, j->issue_at[TS_JSON_DUPLICATE_KEY], &pointer);
    ts_fail(&c->problem, "duplicate key in %s: '%s' is given twice", where, ts_buf_z(&pointer));
  } else if (j->issues & 1u << TS_JSON_BAD_UTF8) {
    ts_fail(&c->problem, "invalid UTF-8 in %s at byte %zu", where, j->issue_at[TS_JSON_BAD_UTF8] + 1);
  }
  ts_buf_free(&pointer);
}

static void settle_arguments(struct ts_call *c, struct ts_json *j) {
  ts_buf_clear(&c->settled);
  if (ts_json_scan(j, c->arguments, &ts_json_span) != 0) {
    ts_fail(&c->problem, "invalid arguments: not JSON: %s at byte %zu", j->reason, j->at + 1);
  } else if (!ts_json_root_is(j, TS_JSON_OBJECT)) {
    ts_fail(&c->problem, "invalid arguments: not an object");
  } else {
    refuse_uncertain(c, j, "the arguments");
    ts_json_minify(&c->settled, c->arguments);
    c->arguments = ts_buf_str(&c->settled);
  }
}

void ts_call_settle(struct ts_call *c, struct ts_json *j) {
  bool has_name = ts_json_is(j, TS_JSON_GET(j, 0, "name"), TS_JSON_STRING);
  refuse_uncertain(c, j, "the call record");
  if (c->arguments.len == 0 && !c->is_input) c->arguments = TS_STR("{}");
  if (c->problem.len == 0 && !c->is_input) settle_arguments(c, j);
  if (c->problem.len == 0 && !has_name) ts_fail(&c->problem, "the call record has no name");
}
