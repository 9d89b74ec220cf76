/* The scanner's index: shapes, members, texts, numbers, unescaping and pointers; and what memory a text may cost. */
#include "json/engine.h"
#include "tap.h"

static struct ts_json json;

static bool scan(const char *text, const struct ts_json_shape *shape) {
  return ts_json_scan(&json, ts_str_z(text), shape) == 0;
}

/* Writes what the index holds: strings and scalars as they stand, containers with what has nodes in them. */
static void print_node(struct ts_buf *out, uint32_t node) {
  bool object = json.node[node].kind == TS_JSON_OBJECT, array = json.node[node].kind == TS_JSON_ARRAY;
  if (!object && !array) {
    ts_buf_add(out, ts_json_raw(&json, node));
    return;
  }
  ts_buf_addc(out, object ? '{' : '[');
  for (uint32_t child = ts_json_first(&json, node); child; child = ts_json_after(&json, node, child)) {
    if (child != node + 1) ts_buf_addc(out, ',');
    if (object) {
      ts_buf_add(out, ts_json_raw(&json, child));
      ts_buf_addc(out, ':');
    }
    print_node(out, object ? child + 1 : child);
  }
  ts_buf_addc(out, object ? '}' : ']');
}

static void test_everything(void) {
  static const char *const texts[] = {
    "1",
    "\"a\"",
    "null",
    "[]",
    "{}",
    "[[],{},[{}]]",
    "{\"a\":1,\"b\":[1,2,{\"c\":[]}],\"c\":{\"d\":{\"e\":\"f\"}}}",
    "[1,\"2\",null,true,false,[0],{\"\":0}]",
  };
  for (size_t i = 0; i < TS_COUNT(texts); i++) {
    struct ts_buf out = { 0 };
    OK(scan(texts[i], NULL), "text %zu is accepted", i);
    print_node(&out, 0);
    IS_Z(ts_buf_z(&out), texts[i], "the index of it holds all of it");
    IS_U64(json.node[0].next, json.count, "and node 0 spans it");
    ts_buf_free(&out);
  }
}

#define WANT(k, s) \
  { TS_STR(k), s }
static const struct ts_json_want block_wants[] = { WANT("type", &ts_json_span), WANT("name", &ts_json_span),
                                                   WANT("input", &ts_json_span) };
static const struct ts_json_shape block = { block_wants, TS_COUNT(block_wants), NULL };
static const struct ts_json_shape blocks = { NULL, 0, &block };
static const struct ts_json_want message_wants[] = { WANT("role", NULL), WANT("content", &blocks) };
static const struct ts_json_shape message = { message_wants, TS_COUNT(message_wants), NULL };
static const struct ts_json_want record_wants[] = { WANT("type", &ts_json_span),
                                                    WANT("message", &message),
                                                    WANT("all", NULL),
                                                    WANT("", &ts_json_span),
                                                    WANT("a wanted key that is long, longer than two registers hold",
                                                         &ts_json_span),
                                                    WANT("nul\0key", &ts_json_span),
                                                    WANT("k\xc3\xa9y", &ts_json_span) };
static const struct ts_json_shape record = { record_wants, TS_COUNT(record_wants), NULL };

static void test_shapes(void) {
  static const struct {
    const char *text, *held;
    const struct ts_json_shape *shape;
  } rows[] = {
    { "{\"a\":[1,{\"type\":2}]}", "{}", &record },
    { "[1,2]", "[]", &record },
    { "\"x\"", "\"x\"", &record },
    { "{\"type\":\"x\",\"typf\":1,\"typ\":2,\"types\":3}", "{\"type\":\"x\"}", &record },
    { "{\"x\":0,\"type\":{\"type\":1},\"y\":[0]}", "{\"type\":{}}", &record },
    { "{\"all\":{\"a\":[1,{\"b\":[]}]},\"type\":[1,2]}", "{\"all\":{\"a\":[1,{\"b\":[]}]},\"type\":[]}", &record },
    { "{\"t\\u0079pe\":1,\"\\u0061ll\":[2]}", "{\"t\\u0079pe\":1,\"\\u0061ll\":[2]}", &record },
    { "{\"\":1,\" \":2}", "{\"\":1}", &record },
    { "{\"nul\\u0000key\":1,\"nul\":2}", "{\"nul\\u0000key\":1}", &record },
    { "{\"k\xc3\xa9y\":1}", "{\"k\xc3\xa9y\":1}", &record },
    { "{\"k\\u00e9y\":1,\"k\\u00eay\":2}", "{\"k\\u00e9y\":1}", &record },
    { "{\"a wanted key that is long, longer than two registers hold\":1,\"a wanted key that is long, longer than two "
      "registers told\":2}",
      "{\"a wanted key that is long, longer than two registers hold\":1}", &record },
    { "{\"message\":{\"role\":\"user\",\"content\":\"text\",\"id\":1}}",
      "{\"message\":{\"role\":\"user\",\"content\":\"text\"}}", &record },
    { "{\"message\":{\"content\":[{\"type\":\"t\",\"id\":1,\"input\":{\"name\":[1]},\"name\":\"n\"},3,\"s\",[4],{}]}}",
      "{\"message\":{\"content\":[{\"type\":\"t\",\"input\":{},\"name\":\"n\"},3,\"s\",[],{}]}}", &record },
    { "{\"message\":[{\"role\":1}],\"type\":1}", "{\"message\":[],\"type\":1}", &record },
    { "{\"message\":{\"content\":{\"type\":1}}}", "{\"message\":{\"content\":{}}}", &record },
    { "{\"other\":{\"type\":1,\"message\":{\"role\":2}},\"type\":3}", "{\"type\":3}", &record },
    { "[{\"type\":1,\"x\":2},[5],6]", "[{\"type\":1},[],6]", &blocks },
    { "{\"type\":1,\"type\":2}", "{\"type\":1,\"type\":2}", &record },
    { "[[1],{\"a\":2}]", "[]", &ts_json_span },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 };
    bool good = scan(rows[i].text, rows[i].shape);
    if (good) print_node(&out, 0);
    IS_Z(ts_buf_z(&out), rows[i].held, "shape %zu: what is held of %s", i, rows[i].text);
    ts_buf_free(&out);
  }
}

static void test_strays(void) {
  static const struct {
    const char *text;
    const struct ts_json_shape *shape;
    bool stray;
  } rows[] = {
    { "{}", &record, false },
    { "{\"type\":1,\"all\":{\"x\":1}}", &record, false },
    { "{\"type\":{\"x\":1},\"message\":{\"x\":[{\"y\":1}]}}", &record, false },
    { "{\"typ\":1}", &record, true },
    { "{\"x\":1,\"type\":2}", &record, true },
    { "{\"type\":1,\"type\":2,\"x\":{}}", &record, true },
    { "{\"t\\u0079pe\":{},\"x\\u0079\":{\"type\":1}}", &record, true },
    { "{\"x\":1}", NULL, false },
    { "{\"x\":1}", &ts_json_span, true },
    { "[{\"type\":1},{\"name\":2}]", &blocks, false },
    { "3", &record, false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    OK(scan(rows[i].text, rows[i].shape) && json.stray == rows[i].stray, "stray %zu: %s", i, rows[i].text);
}

/* The same fields whichever way the text was scanned. */
static void test_fields(void) {
  static const struct {
    const char *text, *name, *input; /* NULL: absent */
  } rows[] = {
    { "{\"type\":1,\"name\":\"n\",\"input\":{}}", "\"n\"", "{}" },
    { "{\"input\":[1],\"x\":2,\"name\":3}", "3", "[1]" },
    { "{\"name\":1,\"name\":2}", "2", NULL },
    { "{\"n\\u0061me\":1,\"nam\":2}", "1", NULL },
    { "{}", NULL, NULL },
    { "[\"name\",1]", NULL, NULL },
    { "\"name\"", NULL, NULL },
  };
  static const struct ts_json_want other_wants[] = { WANT("input", &ts_json_span), WANT("name", &ts_json_span) };
  static const struct ts_json_shape other = { other_wants, TS_COUNT(other_wants), NULL };
  const struct ts_json_shape *scanned[] = { &block, NULL, &other };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    for (size_t k = 0; k < TS_COUNT(scanned); k++) {
      uint32_t out[3];
      OK(scan(rows[i].text, scanned[k]), "fields %zu: %s", i, rows[i].text);
      ts_json_root_fields(&json, &block, out);
      OK((out[1] != 0) == (rows[i].name != NULL) && (out[2] != 0) == (rows[i].input != NULL), "fields %zu: which", i);
      if (out[1]) OK(ts_str_is(ts_json_raw(&json, out[1]), rows[i].name), "fields %zu: name", i);
      if (out[2]) OK(ts_str_is(ts_json_raw(&json, out[2]), rows[i].input), "fields %zu: input", i);
    }
  uint32_t out[3];
  OK(scan("{\"all\":{\"name\":5},\"message\":[]}", &record), "fields below the root");
  ts_json_fields(&json, TS_JSON_GET(&json, 0, "all"), &block, out);
  OK(out[0] == 0 && ts_str_is(ts_json_raw(&json, out[1]), "5"), "fields of an object below the root");
  ts_json_fields(&json, 0, &block, out);
  OK(out[1] == 0, "node 0 has no fields");
}

static void test_members(void) {
  struct ts_buf scratch = { 0 };
  OK(scan("{\"s\":\"a\\n\\u00e9\\ud83d\\ude00\",\"p\":\"plain\",\"n\":42,\"\\u006b\":[10,20,30],\"d\":1,\"d\":2,\"e\":"
          "\"\",\"o\":{},\"z\":\"x\\u0000y\\ud800\"}",
          NULL),
     "scanned");
  IS(ts_json_text(&json, TS_JSON_GET(&json, 0, "s"), &scratch), TS_STR("a\n\xc3\xa9\xf0\x9f\x98\x80"),
     "a text with escapes");
  IS(ts_json_text(&json, TS_JSON_GET(&json, 0, "p"), &scratch), TS_STR("plain"), "a plain text");
  OK(ts_json_text(&json, TS_JSON_GET(&json, 0, "p"), &scratch).ptr > json.text.ptr, "is borrowed");
  IS(ts_json_text(&json, TS_JSON_GET(&json, 0, "e"), &scratch), TS_STR(""), "an empty text");
  IS(ts_json_text(&json, TS_JSON_GET(&json, 0, "n"), &scratch), TS_STR(""), "a number has no text");
  IS(ts_json_text(&json, TS_JSON_GET(&json, 0, "z"), &scratch), TS_STR("x\0y\xed\xa0\x80"), "NUL and lone surrogate");
  IS(ts_json_raw(&json, TS_JSON_GET(&json, 0, "d")), TS_STR("2"), "of doubled keys the last");
  IS(ts_json_raw(&json, TS_JSON_GET(&json, 0, "k")), TS_STR("[10,20,30]"), "an escaped key is found");
  IS_U64(TS_JSON_GET(&json, 0, "none"), 0, "an absent one is not");
  IS_U64(TS_JSON_GET(&json, 0, "S"), 0, "nor one in another case");
  IS_U64(TS_JSON_GET(&json, TS_JSON_GET(&json, 0, "k"), "k"), 0, "nor one of an array");
  uint32_t array = TS_JSON_GET(&json, 0, "k"), sum = 0;
  for (uint32_t e = ts_json_first(&json, array); e; e = ts_json_after(&json, array, e)) {
    uint64_t n = 0;
    OK(ts_json_u64(&json, e, &n), "an element");
    sum += (uint32_t)n;
  }
  IS_U64(sum, 60, "their sum");
  IS_U64(ts_json_first(&json, TS_JSON_GET(&json, 0, "o")), 0, "nothing in an empty object");
  IS_U64(ts_json_first(&json, TS_JSON_GET(&json, 0, "n")), 0, "nor in a number");
  IS_U64(ts_json_after(&json, TS_JSON_GET(&json, 0, "n"), 1), 0, "nor behind anything in a number");
  OK(ts_json_is(&json, array, TS_JSON_ARRAY) && !ts_json_is(&json, array, TS_JSON_OBJECT), "its kind");
  OK(!ts_json_is(&json, 0, TS_JSON_OBJECT) && ts_json_root_is(&json, TS_JSON_OBJECT),
     "0 is none, the root has its own question");
  ts_buf_free(&scratch);
}

static void test_says(void) {
  OK(scan("[\"tool_use\",\"tool\\u005fuse\",\"tool_user\",\"\",\"\\u0000\",1]", NULL), "scanned");
  static const bool wanted[] = { true, true, false, false, false, false };
  for (uint32_t i = 0; i < TS_COUNT(wanted); i++)
    OK(TS_JSON_SAYS(&json, i + 1, "tool_use") == wanted[i], "element %u says tool_use: %d", i, wanted[i]);
  OK(TS_JSON_SAYS(&json, 4, "") && !TS_JSON_SAYS(&json, 5, ""), "the empty text");
  OK(TS_JSON_SAYS(&json, 5, "\0"), "a NUL");
  OK(!TS_JSON_SAYS(&json, 2, "tool_us") && !TS_JSON_SAYS(&json, 2, "tool_use_"), "neither less nor more");
}

static void test_u64(void) {
  static const struct {
    const char *text;
    bool fits;
    uint64_t value;
  } rows[] = {
    { "0", true, 0 },
    { "7", true, 7 },
    { "18446744073709551615", true, UINT64_MAX },
    { "18446744073709551616", false, 0 },
    { "99999999999999999999", false, 0 },
    { "-1", false, 0 },
    { "-0", false, 0 },
    { "1.0", false, 0 },
    { "1e2", false, 0 },
    { "\"1\"", false, 0 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    uint64_t value = 99;
    OK(scan(rows[i].text, NULL) && ts_json_u64(&json, 0, &value) == rows[i].fits, "%s: fits or not", rows[i].text);
    IS_U64(value, rows[i].fits ? rows[i].value : 99, "%s: its value", rows[i].text);
  }
}

static void test_decode(void) {
  static const struct {
    struct ts_str body, text;
  } rows[] = {
    { TS_STR(""), TS_STR("") },
    { TS_STR("abc"), TS_STR("abc") },
    { TS_STR("\\\"\\\\\\/\\b\\f\\n\\r\\t"), TS_STR("\"\\/\b\f\n\r\t") },
    { TS_STR("a\\u0041\\u007f\\u0080\\u07ff\\u0800\\uFFFF"), TS_STR("aA\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf") },
    { TS_STR("\\ud800\\udc00\\uDBFF\\uDFFF"), TS_STR("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf") },
    { TS_STR("\\ud800"), TS_STR("\xed\xa0\x80") },
    { TS_STR("\\udfffx"), TS_STR("\xed\xbf\xbfx") },
    { TS_STR("\\udc00\\ud800"), TS_STR("\xed\xb0\x80\xed\xa0\x80") },
    { TS_STR("\\ud800\\ud800\\udc00"), TS_STR("\xed\xa0\x80\xf0\x90\x80\x80") },
    { TS_STR("\\ud800\\u0041"), TS_STR("\xed\xa0\x80"
                                       "A") },
    { TS_STR("\\ud800\\n"), TS_STR("\xed\xa0\x80\n") },
    { TS_STR("\\u0000"), TS_STR("\0") },
    { TS_STR("\xff\\n\xff"), TS_STR("\xff\n\xff") },
    { TS_STR("\\\\u0041"), TS_STR("\\u0041") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 };
    ts_buf_addc(&out, '>');
    ts_json_decode(rows[i].body, &out);
    IS(ts_str_sub(ts_buf_str(&out), 1, out.len), rows[i].text, "%.*s decoded", TS_FMT(rows[i].body));
    ts_buf_free(&out);
  }
}

static void test_pointer(void) {
  const struct ts_str text = TS_STR(
      "{\"a\":[10,{\"b/c\":20,\"~\":[[30]]}],\"\":{\"\\u0064\":40},\"e\":\"50,\\\"]\",\"a\":60, \"f\" : [ 70 , 71 ] }");
  static const struct {
    const char *at, *pointer;
  } rows[] = {
    { "{\"a\"", "" },      { "\"a\":[", "/a" },        { "[10", "/a" },         { "10", "/a/0" },
    { "{\"b", "/a/1" },    { "\"b/c\"", "/a/1/b~1c" }, { "20", "/a/1/b~1c" },   { "\"~", "/a/1/~0" },
    { "[[30", "/a/1/~0" }, { "[30", "/a/1/~0/0" },     { "30", "/a/1/~0/0/0" }, { "\"\":", "/" },
    { "{\"\\u0", "/" },    { "\"\\u0064", "//d" },     { "40", "//d" },         { "\"e\"", "/e" },
    { "50", "/e" },        { ",\\\"]", "/e" },         { "\"a\":6", "/a" },     { "60", "/a" },
    { "70", "/f/0" },      { "71", "/f/1" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 };
    ts_json_pointer(text, ts_str_find(text, ts_str_z(rows[i].at)), &out);
    IS_Z(ts_buf_z(&out), rows[i].pointer, "the pointer of %s", rows[i].at);
    ts_buf_free(&out);
  }
}

/* What the scanner holds for a text beyond the text. */
static size_t memory(void) {
  return json.node_cap * sizeof *json.node + json.key_cap * sizeof *json.key + json.frame_cap * sizeof *json.frame +
         json.scratch.cap;
}

static void test_memory(void) {
  static const struct {
    const char *begin, *again, *end;
  } rows[] = {
    { "[", "1,", "1]" },
    { "[", "[],", "1]" },
    { "[", "{},", "1]" },
    { "[", "\"\",", "1]" },
    { "[", "{\"type\":1},", "1]" },
    { "{\"x\":[", "{\"all\":1},", "1]}" },
    { "{", "\"%x\":1,", "\"x\":1}" },
    { "{\"a\":{", "\"type\":1,\"%x\":2,", "\"x\":1}}" },
    { "{\"", "\\n", "\":1}" },
    { "{\"", "\\u0041", "\":1}" },
    { "\"", "\\ud800", "\"" },
    { "{\"type\":[", "1,", "1]}" },
    { "", " ", "1" },
    { "", "1", "" },
  };
  enum { SIZE = 4 << 20 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf text = { 0 };
    ts_buf_addz(&text, rows[i].begin);
    for (unsigned n = 0; text.len < SIZE; n++) {
      const char *mark = strstr(rows[i].again, "%x");
      ts_buf_add(&text, ts_str(rows[i].again, mark ? (size_t)(mark - rows[i].again) : strlen(rows[i].again)));
      if (mark) ts_buf_addf(&text, "%x%s", n, mark + 2);
    }
    ts_buf_addz(&text, rows[i].end);
    ts_json_free(&json);
    OK(ts_json_scan(&json, ts_buf_str(&text), &record) == 0, "many of %s: %s", rows[i].again,
       json.reason ? json.reason : "accepted");
    OK(memory() < 2 * text.len, "many of %s cost %zu bytes for %zu", rows[i].again, memory(), text.len);
    ts_buf_free(&text);
  }
}

int main(void) {
  test_everything();
  test_shapes();
  test_strays();
  test_fields();
  test_members();
  test_says();
  test_u64();
  test_decode();
  test_pointer();
  test_memory();
  ts_json_free(&json);
  return tap_done();
}
