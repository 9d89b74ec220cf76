/* Writing JSON: commas, quoting, and white space dropped from raw values; each result is read back by the scanner. */
#include "json/write.h"

#include "base/utf8.h"
#include "json/scan.h"
#include "tap.h"

static struct ts_buf out;

static bool is_json(struct ts_str text) {
  struct ts_json j = { 0 };
  bool good = ts_json_scan(&j, text, NULL) == 0 && !(j.issues & 1u << TS_JSON_BAD_UTF8);
  ts_json_free(&j);
  return good;
}

static void test_records(void) {
  struct ts_jw w = ts_jw(&out);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "s", TS_STR("a\"b"));
  ts_jw_member_if(&w, "none", TS_STR(""));
  ts_jw_member_if(&w, "some", TS_STR("x"));
  ts_jw_member_raw(&w, "raw", TS_STR(" { \"k\" : [ 1 , 2.0 ] } "));
  ts_jw_member_raw_if(&w, "none", TS_STR(""));
  ts_jw_member_raw_if(&w, "r", TS_STR("1"));
  ts_jw_member_u64(&w, "most", UINT64_MAX);
  ts_jw_member_bool(&w, "yes", true);
  ts_jw_key(&w, "list");
  ts_jw_open(&w, '[');
  ts_jw_open(&w, '[');
  ts_jw_close(&w, ']');
  ts_jw_open(&w, '{');
  ts_jw_close(&w, '}');
  ts_jw_i64(&w, INT64_MIN);
  ts_jw_u64(&w, 0);
  ts_jw_bool(&w, false);
  ts_jw_null(&w);
  ts_jw_str(&w, TS_STR(""));
  ts_jw_raw(&w, TS_STR("1e5"));
  ts_jw_close(&w, ']');
  ts_jw_key_str(&w, TS_STR("k\0\n"));
  ts_jw_null(&w);
  ts_jw_close(&w, '}');
  IS(ts_buf_str(&out),
     TS_STR(
         "{\"s\":\"a\\\"b\",\"some\":\"x\",\"raw\":{\"k\":[1,2.0]},\"r\":1,\"most\":18446744073709551615,\"yes\":true,"
         "\"list\":[[],{},-9223372036854775808,0,false,null,\"\",1e5],\"k\\u0000\\n\":null}"),
     "a record");
  OK(is_json(ts_buf_str(&out)), "is JSON");
  ts_buf_addc(&out, '\n');
  w = ts_jw(&out);
  ts_jw_open(&w, '[');
  ts_jw_close(&w, ']');
  OK(ts_str_ends(ts_buf_str(&out), TS_STR("}\n[]")), "the next record stands behind it");
}

static void test_quote(void) {
  static const struct {
    struct ts_str text, json;
  } rows[] = {
    { TS_STR(""), TS_STR("\"\"") },
    { TS_STR("plain"), TS_STR("\"plain\"") },
    { TS_STR("\"\\/"), TS_STR("\"\\\"\\\\/\"") },
    { TS_STR("\b\t\n\f\r"), TS_STR("\"\\b\\t\\n\\f\\r\"") },
    { TS_STR("\0\1\x1f\x7f"), TS_STR("\"\\u0000\\u0001\\u001f\x7f\"") },
    { TS_STR("\x0b\x0e"), TS_STR("\"\\u000b\\u000e\"") },
    { TS_STR("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), TS_STR("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"") },
    { TS_STR("\xe2\x80\xa8\xef\xbf\xbf"), TS_STR("\"\xe2\x80\xa8\xef\xbf\xbf\"") },
    { TS_STR("\xed\xa0\x80x\xed\xbf\xbf"), TS_STR("\"\\ud800x\\udfff\"") },
    { TS_STR("a\xff"
             "b\x80"),
      TS_STR("\"a\xef\xbf\xbd"
             "b\xef\xbf\xbd\"") },
    { TS_STR("\xc3"), TS_STR("\"\xef\xbf\xbd\"") },
    { TS_STR("\xe2\x82"), TS_STR("\"\xef\xbf\xbd\xef\xbf\xbd\"") },
    { TS_STR("\xc0\x80"), TS_STR("\"\xef\xbf\xbd\xef\xbf\xbd\"") },
    { TS_STR("\xf4\x90\x80\x80"), TS_STR("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_buf_clear(&out);
    ts_json_quote(&out, rows[i].text);
    IS(ts_buf_str(&out), rows[i].json, "text %zu quoted", i);
    OK(is_json(ts_buf_str(&out)), "text %zu: a JSON string", i);
  }
}

/* Every byte, and every pair of a scalar's edges, comes back as it was. */
static void test_round_trip(void) {
  static const uint32_t scalars[] = { 0,      1,      0x1f,   0x20,   0x22,   0x5c,   0x7f,   0x80,    0x7ff,   0x800,
                                      0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff };
  struct ts_json j = { 0 };
  struct ts_buf text = { 0 }, again = { 0 };
  size_t lost = 0;
  for (size_t i = 0; i < TS_COUNT(scalars) * TS_COUNT(scalars); i++) {
    uint32_t first = scalars[i / TS_COUNT(scalars)], second = scalars[i % TS_COUNT(scalars)];
    bool pair = first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
    if (pair) continue; /* two halves side by side are a whole when read again */
    ts_buf_clear(&text);
    ts_buf_clear(&out);
    ts_utf8_put(&text, first);
    ts_utf8_put(&text, second);
    ts_json_quote(&out, ts_buf_str(&text));
    if (ts_json_scan(&j, ts_buf_str(&out), NULL) < 0 || !ts_str_eq(ts_json_text(&j, 0, &again), ts_buf_str(&text)))
      lost++;
  }
  IS_U64(lost, 0, "texts that do not come back");
  ts_json_free(&j);
  ts_buf_free(&text);
  ts_buf_free(&again);
}

static void test_minify(void) {
  static const struct {
    struct ts_str json, small;
  } rows[] = {
    { TS_STR("1"), TS_STR("1") },
    { TS_STR(" \t\r\n1 \t\r\n"), TS_STR("1") },
    { TS_STR("\" a  b \""), TS_STR("\" a  b \"") },
    { TS_STR("[ \"a \\\" b\" , \"\\\\\" , 1.0 ]"), TS_STR("[\"a \\\" b\",\"\\\\\",1.0]") },
    { TS_STR("[ \"\\\\\\\" \" , 2 ]"), TS_STR("[\"\\\\\\\" \",2]") },
    { TS_STR("{\n  \"k\" :\t{ } ,\r\n  \"l\" : [ ]\n}"), TS_STR("{\"k\":{},\"l\":[]}") },
    { TS_STR("{\"a\":12345678901234567890,\"b\":\"\\u0041\\/\",\"c\":1E+2}"),
      TS_STR("{\"a\":12345678901234567890,\"b\":\"\\u0041\\/\",\"c\":1E+2}") },
    { TS_STR("\"\xff \xc2\xa0\" "), TS_STR("\"\xff \xc2\xa0\"") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_buf_clear(&out);
    ts_json_minify(&out, rows[i].json);
    IS(ts_buf_str(&out), rows[i].small, "text %zu without white space", i);
  }
}

int main(void) {
  test_records();
  test_quote();
  test_round_trip();
  test_minify();
  ts_buf_free(&out);
  return tap_done();
}
