/* Call records, read as they are and settled for being run. */
#include "report/call.h"

#include "unit/tap.h"

static const struct row {
  struct ts_str line;
  int kind;              /* what ts_call_read says */
  const char *arguments; /* as they are */
  const char *settled;   /* for being run; NULL: there is a problem: */
  const char *problem;   /* it, or the error */
} rows[] = {
  { TS_STR("{\"name\":\"t\"}"), 1, "", "{}", "" },
  { TS_STR("{\"type\":\"call\",\"name\":\"t\",\"arguments\":null}"), 1, "", "{}", "" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\"\"}"), 1, "", "{}", "" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\" \\t\\n\"}"), 1, "", "{}", "" },
  { TS_STR(" {\"name\":\"t\",\"arguments\":{ \"a\" : [1.0, 1e2] } }"), 1, "{ \"a\" : [1.0, 1e2] }", "{\"a\":[1.0,1e2]}",
    "" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\"{ \\\"a\\\": 12345678901234567890}\"}"), 1,
    "{ \"a\": 12345678901234567890}", "{\"a\":12345678901234567890}", "" },
  { TS_STR("{\"name\":\"t\",\"arguments\":{\"\\u0061\":\"\\u00e4\"}}"), 1, "{\"\\u0061\":\"\\u00e4\"}",
    "{\"\\u0061\":\"\\u00e4\"}", "" },
  { TS_STR("{\"name\":\"t\",\"input\":{\"a\":1}}"), 1, "{\"a\":1}", "{\"a\":1}", "" },
  { TS_STR("{\"name\":\"t\",\"arguments\":[]}"), 1, "[]", NULL, "invalid arguments: not an object" },
  { TS_STR("{\"name\":\"t\",\"arguments\":3}"), 1, "3", NULL, "invalid arguments: not an object" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\"[1]\"}"), 1, "[1]", NULL, "invalid arguments: not an object" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\"{}x\"}"), 1, "{}x", NULL,
    "invalid arguments: not JSON: bytes after the value at byte 3" },
  { TS_STR("{\"name\":\"t\",\"name\":\"u\"}"), 1, "", NULL,
    "duplicate key in the call record: '/name' is given twice" },
  { TS_STR("{\"name\":\"t\",\"x\":[{\"k\":1,\"\\u006b\":2}]}"), 1, "", NULL,
    "duplicate key in the call record: '/x/0/k' is given twice" },
  { TS_STR("{\"name\":\"t\",\"arguments\":\"{\\\"a\\\":1,\\\"a\\\":1}\"}"), 1, "{\"a\":1,\"a\":1}", NULL,
    "duplicate key in the arguments: '/a' is given twice" },
  { TS_STR("{\"name\":\"t\",\"arguments\":{\"a\":\"\xff\"}}"), 1, "{\"a\":\"\xff\"}", NULL,
    "invalid UTF-8 in the call record at byte 31" },
  { TS_STR("{\"id\":\"1\"}"), 1, "", NULL, "the call record has no name" },
  { TS_STR("{\"name\":5}"), 1, "", NULL, "the call record has no name" },
  { TS_STR("{\"type\":\"result\",\"name\":\"t\"}"), 0, "", NULL, "" },
  { TS_STR("{\"type\":5,\"name\":\"t\"}"), 0, "", NULL, "" },
  { TS_STR("[1]"), -1, "", NULL, "f:7:1: not a call record: not an object" },
  { TS_STR("{\"name\":}"), -1, "", NULL, "f:7:9: not JSON: unexpected byte 0x7d" },
};

static void reading(void) {
  struct ts_call c = { 0 };
  struct ts_json j = { 0 };
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    const struct row *r = &rows[i];
    ts_buf_clear(&err);
    IS_INT(ts_call_read(&c, &j, TS_STR("f"), 7, r->line, &err), r->kind, "row %zu: what it is", i);
    if (r->kind < 0) IS(ts_buf_str(&err), ts_str_z(r->problem), "row %zu: why not", i);
    if (r->kind <= 0) continue;
    IS(c.arguments, ts_str_z(r->arguments), "row %zu: the arguments as they are", i);
    ts_call_settle(&c, &j);
    IS(ts_buf_str(&c.problem), ts_str_z(r->problem), "row %zu: its problem", i);
    if (r->settled) IS(c.arguments, ts_str_z(r->settled), "row %zu: the arguments to run with", i);
  }
  ts_call_free(&c);
  ts_json_free(&j);
  ts_buf_free(&err);
}

static void members(void) {
  struct ts_call c = { 0 };
  struct ts_json j = { 0 };
  struct ts_str line = TS_STR(
      "{\"turn\":3,\"session\":\"s\\n\",\"agent\":\"\",\"id\":1.50,\"name\":\"t\\u0000\",\"input\":\" \\u00e4\"}");
  IS_INT(ts_call_read(&c, &j, TS_STR("f"), 1, line, NULL), 1, "a call with raw input");
  IS(c.key.session, TS_STR("s\n"), "its session, decoded");
  IS(c.key.agent, TS_STR(""), "its agent is empty");
  IS(c.key.id, TS_STR("1.50"), "an id that is a number, as spelled");
  IS(c.key.name, TS_STR("t\0"), "a NUL in its name");
  IS(c.turn, TS_STR("3"), "its turn");
  OK(c.is_input, "its input never was to be JSON");
  ts_call_settle(&c, &j);
  IS(c.arguments, TS_STR(" \xc3\xa4"), "and is not settled as such, blanks and all");
  IS_U64(c.problem.len, 0, "nor is it a problem");
  ts_call_free(&c);
  ts_json_free(&j);
}

int main(void) {
  reading();
  members();
  return tap_done();
}
