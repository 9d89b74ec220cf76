/* report/record: exact bytes of call, result, route and verdict records. */
#include "report/record.h"

#include "tap.h"

static void check(struct ts_buf *out, struct ts_str want, const char *what) {
  IS(ts_buf_str(out), want, "%s", what);
  ts_buf_clear(out);
}

static void test_calls(struct ts_buf *out) {
  struct ts_call_record r = {
    .key = { TS_STR("s"), TS_STR("a"), TS_STR("call_1"), TS_STR("exec_wait") },
    .arguments_kind = TS_ARGUMENTS_RAW,
    .arguments = TS_STR("{ \"b\" : 1.0,\t\"a\":\"\\u0041 \\/\", \"b\":12345678901234567890 }"),
    .at_json = TS_STR("\"2026-01-01T00:00:00Z\""),
    .source = { TS_STR("s.jsonl"), 12, TS_STR("claude-code") },
  };
  ts_call_write(out, &r);
  check(out,
        TS_STR("{\"type\":\"call\",\"session\":\"s\",\"agent\":\"a\",\"id\":\"call_1\",\"name\":\"exec_wait\","
               "\"arguments\":{\"b\":1.0,\"a\":\"\\u0041 \\/\",\"b\":12345678901234567890},"
               "\"at\":\"2026-01-01T00:00:00Z\","
               "\"source\":{\"file\":\"s.jsonl\",\"line\":12,\"format\":\"claude-code\"}}\n"),
        "a call, its arguments byte for byte");
  ts_call_write(out, &(struct ts_call_record){ 0 });
  check(out, TS_STR("{\"type\":\"call\"}\n"), "a call of which nothing is known");
  r = (struct ts_call_record){
    .key.name = TS_STR("x"), .arguments_kind = TS_ARGUMENTS_TEXT, .arguments = TS_STR("{\"cut\":\n\0"), .source.line = 3
  };
  ts_call_write(out, &r);
  check(
      out,
      TS_STR("{\"type\":\"call\",\"name\":\"x\",\"arguments\":\"{\\\"cut\\\":\\n\\u0000\",\"source\":{\"line\":3}}\n"),
      "arguments that are no JSON");
  r = (struct ts_call_record){ .key.name = TS_STR("x"), .arguments_kind = TS_ARGUMENTS_FREE };
  ts_call_write(out, &r);
  check(out, TS_STR("{\"type\":\"call\",\"name\":\"x\",\"input\":\"\"}\n"), "raw input, empty");
}

static void test_results(struct ts_buf *out) {
  struct ts_result_record r = {
    .key = { .id = TS_STR("call_1"), .name = TS_STR("say") },
    .content = TS_STR("one\ntwo \xc3\xa4\0"),
    .metadata_json = TS_STR("{\"notice\": \"n\"}"),
  };
  ts_result_write(out, &r);
  check(out,
        TS_STR("{\"type\":\"result\",\"id\":\"call_1\",\"name\":\"say\",\"is_error\":false,"
               "\"content\":\"one\\ntwo \xc3\xa4\\u0000\",\"metadata\":{\"notice\":\"n\"}}\n"),
        "a result");
  r = (struct ts_result_record){ .is_error = true, .content = TS_STR("\xff\xfe") };
  ts_result_write(out, &r);
  check(out, TS_STR("{\"type\":\"result\",\"is_error\":true,\"content\":\"//4=\",\"encoding\":\"base64\"}\n"),
        "bytes that are not UTF-8");
  r = (struct ts_result_record){ .content = TS_STR("ignored"), .content_json = TS_STR("[ {\"a\": 1e400} ]") };
  ts_result_write(out, &r);
  check(out, TS_STR("{\"type\":\"result\",\"is_error\":false,\"content\":[{\"a\":1e400}]}\n"), "content that is JSON");
  ts_result_write(out, &(struct ts_result_record){ 0 });
  check(out, TS_STR("{\"type\":\"result\",\"is_error\":false,\"content\":\"\"}\n"), "a result without anything");
}

static void test_routes(struct ts_buf *out) {
  struct ts_route_record r = {
    .key = { TS_STR("s"), TS_STR("a"), TS_STR("i"), TS_STR("exec_wait") },
    .canonical = TS_STR("exec_shell_wait"),
    .state = TS_STR("hidden-compatibility"),
    .dispatches = true,
    .arguments_word = TS_STR("fit"),
    .source = { TS_STR("f"), 1, TS_STR("neutral") },
  };
  ts_route_write(out, &r);
  check(out,
        TS_STR("{\"type\":\"route\",\"session\":\"s\",\"agent\":\"a\",\"id\":\"i\",\"name\":\"exec_wait\","
               "\"canonical\":\"exec_shell_wait\",\"state\":\"hidden-compatibility\",\"dispatches\":true}\n"),
        "a route");
  ts_verdict_write(out, &r);
  check(out,
        TS_STR("{\"type\":\"verdict\",\"session\":\"s\",\"agent\":\"a\",\"id\":\"i\",\"name\":\"exec_wait\","
               "\"canonical\":\"exec_shell_wait\",\"state\":\"hidden-compatibility\",\"dispatches\":true,"
               "\"arguments\":\"fit\",\"source\":{\"file\":\"f\",\"line\":1,\"format\":\"neutral\"}}\n"),
        "a verdict");
  r = (struct ts_route_record){ .key.name = TS_STR("a\"b"), .state = TS_STR("unknown") };
  ts_route_write(out, &r);
  check(out, TS_STR("{\"type\":\"route\",\"name\":\"a\\\"b\",\"state\":\"unknown\",\"dispatches\":false}\n"),
        "a route of an unknown name");
}

static void test_base64(struct ts_buf *out) {
  static const struct {
    struct ts_str bytes;
    const char *text;
  } rows[] = {
    { { "", 0 }, "" },
    { { NULL, 0 }, "" },
    { { "f", 1 }, "Zg==" },
    { { "fo", 2 }, "Zm8=" },
    { { "foo", 3 }, "Zm9v" },
    { { "foob", 4 }, "Zm9vYg==" },
    { { "\0\0\0", 3 }, "AAAA" },
    { { "\xff\xff\xff", 3 }, "////" },
    { { "\xfb\xf0", 2 }, "+/A=" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_base64(out, rows[i].bytes);
    check(out, ts_str_z(rows[i].text), "base64");
  }
}

int main(void) {
  struct ts_buf out = { 0 };
  test_calls(&out);
  test_results(&out);
  test_routes(&out);
  test_base64(&out);
  ts_buf_free(&out);
  return tap_done();
}
