/* What a write may say: every error form, both trims, the order of checks. Expectations are the contract's. */
#include "todo/accept.h"
#include "todo/contents.h"
#include "unit/tap.h"

enum { DSH = TS_WRITE_DSH, WHALE = TS_WRITE_CODEWHALE };

#define ITEM(content, status) "{\"content\":\"" content "\",\"status\":\"" status "\"}"
#define TODOS(items) "{\"todos\":[" items "]}"
#define BAD(what) "Error: invalid arguments: " what
#define ONE_OF " must be one of [\"pending\",\"in_progress\",\"completed\"]"
#define UNDECLARED " is not a declared property (additionalProperties: false)"
#define EMPTY "Error: invalid todo: `content` must be a non-empty string"
#define TWICE "Error: invalid todos: duplicate content "
#define LOSSY "Error: tool execution arguments must be losslessly JSON-serializable"
#define NO_OBJECT BAD("\"arguments\" must be an object")
#define WHALE_STATUS(word) "unknown todo status '" word "'; expected pending, in_progress, completed, or cancelled"
#define WHALE_LIST "Missing or invalid 'todos' array"
#define WHALE_ITEM "Todo item missing 'content'"

/* Refused: the message. */
static const struct refused {
  const char *name;
  int dialect;
  bool single;
  struct ts_str args;
  struct ts_str error;
} refused[] = {
#define NO(name, args, error) \
  { name, DSH, false, TS_STR(args), TS_STR(error) }
#define NO_SINGLE(name, args, error) \
  { name, DSH, true, TS_STR(args), TS_STR(error) }
#define NO_WHALE(name, args, error) \
  { name, WHALE, false, TS_STR(args), TS_STR(error) }
  /* 1: not an object */
  NO("empty text is {}", "", BAD("missing required property \"todos\"")),
  NO("blank text is not", " \n", NO_OBJECT),
  NO("half an object", "{\"todos\":[", NO_OBJECT),
  NO("an array", "[]", NO_OBJECT),
  NO("null", "null", NO_OBJECT),
  NO("a number", "7", NO_OBJECT),
  NO("a string that holds JSON", "\"{\\\"todos\\\":[]}\"", NO_OBJECT),
  NO("two values", "{\"todos\":[]} {}", NO_OBJECT),
  NO("single quotes", "{'todos':[]}", NO_OBJECT),
  NO("a comma too many", "{\"todos\":[],}", NO_OBJECT),
  NO("NaN", "{\"todos\":[],\"n\":NaN}", NO_OBJECT),
  NO("a byte order mark", "\xef\xbb\xbf{\"todos\":[]}", NO_OBJECT),
  NO("bytes that are no UTF-8", TODOS(ITEM("\xff", "pending")), NO_OBJECT),
  NO("a NUL byte", "{\"todos\":[]}\0", NO_OBJECT),
  NO("a raw line break in a string", TODOS(ITEM("a\nb", "pending")), NO_OBJECT),
  /* 2: numbers */
  NO("negative zero", "{\"todos\":[],\"n\":-0}", LOSSY),
  NO("negative zero with a fraction", "{\"todos\":[],\"n\":[{\"m\":-0.0}]}", LOSSY),
  NO("negative zero with an exponent", "{\"todos\":[],\"n\":-0e5}", LOSSY),
  NO("rounds to negative zero", "{\"todos\":[],\"n\":-1e-999}", LOSSY),
  NO("beyond a double", "{\"todos\":[],\"n\":1e309}", LOSSY),
  NO("beyond a double, negative", "{\"todos\":[],\"n\":-1e309}", LOSSY),
  NO("before the schema", "{\"todos\":7,\"n\":-0}", LOSSY),
  NO("in an item", TODOS("{\"content\":-0,\"status\":\"pending\"}"), LOSSY),
  NO("a doubled key hides the other one", "{\"n\":1,\"todos\":[],\"n\":-0}", LOSSY),
  /* 3: schema */
  NO("no todos", "{}", BAD("missing required property \"todos\"")),
  NO("todos of another case", "{\"Todos\":[]}", BAD("missing required property \"todos\"")),
  NO("todos null", "{\"todos\":null}", BAD("\"todos\" must be an array")),
  NO("todos an object", "{\"todos\":{}}", BAD("\"todos\" must be an array")),
  NO("todos a string", "{\"todos\":\"[]\"}", BAD("\"todos\" must be an array")),
  NO("an item null", TODOS("null"), BAD("\"todos[0]\" must be an object")),
  NO("an item a string", TODOS(ITEM("a", "pending") ",\"b\""), BAD("\"todos[1]\" must be an object")),
  NO("an item an array", TODOS("[]"), BAD("\"todos[0]\" must be an object")),
  NO("no content", TODOS("{\"status\":\"pending\"}"), BAD("missing required property \"todos[0].content\"")),
  NO("no status", TODOS("{\"content\":\"a\"}"), BAD("missing required property \"todos[0].status\"")),
  NO("neither, in that order", TODOS("{}"),
     BAD("missing required property \"todos[0].content\"; missing required property \"todos[0].status\"")),
  NO("content a number", TODOS("{\"content\":1,\"status\":\"pending\"}"), BAD("\"todos[0].content\" must be a string")),
  NO("content null", TODOS("{\"content\":null,\"status\":\"pending\"}"), BAD("\"todos[0].content\" must be a string")),
  NO("status a list", TODOS("{\"content\":\"a\",\"status\":[]}"), BAD("\"todos[0].status\" must be a string")),
  NO("status cancelled", TODOS(ITEM("a", "cancelled")), BAD("\"todos[0].status\"" ONE_OF)),
  NO("status in another case", TODOS(ITEM("a", "Pending")), BAD("\"todos[0].status\"" ONE_OF)),
  NO("status with a blank", TODOS(ITEM("a", "pending ")), BAD("\"todos[0].status\"" ONE_OF)),
  NO("status empty", TODOS(ITEM("a", "")), BAD("\"todos[0].status\"" ONE_OF)),
  NO("status with a NUL", TODOS(ITEM("a", "pending\\u0000")), BAD("\"todos[0].status\"" ONE_OF)),
  NO("an undeclared key", TODOS("{\"id\":1,\"content\":\"a\",\"status\":\"pending\"}"),
     BAD("\"todos[0].id\"" UNDECLARED)),
  NO("an empty key", TODOS("{\"content\":\"a\",\"status\":\"pending\",\"\":1}"), BAD("\"todos[0].\"" UNDECLARED)),
  NO("a key of another case", TODOS("{\"Content\":\"a\",\"content\":\"a\",\"status\":\"pending\"}"),
     BAD("\"todos[0].Content\"" UNDECLARED)),
  NO("undeclared keys: indices ascending, then as they came",
     TODOS("{\"z\":0,\"10\":0,\"a\":0,\"9\":0,\"content\":\"a\",\"0\":0,\"status\":\"pending\"}"),
     BAD("\"todos[0].0\"" UNDECLARED "; \"todos[0].9\"" UNDECLARED "; \"todos[0].10\"" UNDECLARED
         "; \"todos[0].z\"" UNDECLARED "; \"todos[0].a\"" UNDECLARED)),
  NO("what is no index",
     TODOS("{\"00\":0,\"4294967295\":0,\"4294967294\":0,\"+1\":0,\"content\":\"a\",\"status\":\"pending\"}"),
     BAD("\"todos[0].4294967294\"" UNDECLARED "; \"todos[0].00\"" UNDECLARED "; \"todos[0].4294967295\"" UNDECLARED
         "; \"todos[0].+1\"" UNDECLARED)),
  NO("a doubled undeclared key is named once, where it stood first",
     TODOS("{\"x\":0,\"y\":0,\"\\u0078\":0,\"content\":\"a\",\"status\":\"pending\"}"),
     BAD("\"todos[0].x\"" UNDECLARED "; \"todos[0].y\"" UNDECLARED)),
  NO("a key is quoted as it is", TODOS("{\"content\":\"a\",\"status\":\"pending\",\"k\\n\\\"\\u0000\":1}"),
     BAD("\"todos[0].k\n\"\0\"" UNDECLARED)),
  NO("within an item: missing, wrong, undeclared", TODOS("{\"id\":1,\"content\":1}"),
     BAD("missing required property \"todos[0].status\"; \"todos[0].content\" must be a string; "
         "\"todos[0].id\"" UNDECLARED)),
  NO("wrong values: content, then status", TODOS("{\"status\":\"x\",\"content\":[]}"),
     BAD("\"todos[0].content\" must be a string; \"todos[0].status\"" ONE_OF)),
  NO("item after item", TODOS("7,{},8"),
     BAD("\"todos[0]\" must be an object; missing required property \"todos[1].content\"; missing required property "
         "\"todos[1].status\"; \"todos[2]\" must be an object")),
  NO("of doubled members the last counts", TODOS("{\"content\":\"a\",\"status\":\"pending\",\"status\":1}"),
     BAD("\"todos[0].status\" must be a string")),
  NO("of a doubled todos the last counts", "{\"todos\":[],\"todos\":1}", BAD("\"todos\" must be an array")),
  NO("the schema before the contents", TODOS(ITEM("", "pending") ",{}"),
     BAD("missing required property \"todos[1].content\"; missing required property \"todos[1].status\"")),
  /* 4: contents */
  NO("empty", TODOS(ITEM("", "pending")), EMPTY),
  NO("blank", TODOS(ITEM(" \\t\\r\\n\\f\\u000b", "pending")), EMPTY),
  NO("only U+FEFF", TODOS(ITEM("\\ufeff", "pending")), EMPTY),
  NO("only U+2028, U+2029, U+00A0, U+3000", TODOS(ITEM("\\u2028\\u2029\\u00a0\\u3000", "pending")), EMPTY),
  NO("twice", TODOS(ITEM("a", "pending") "," ITEM("a", "completed")), TWICE "\"a\""),
  NO("twice after trimming", TODOS(ITEM("a ", "pending") "," ITEM("\\na", "pending")), TWICE "\"a\""),
  NO("twice, escaped and not", TODOS(ITEM("\\u00e9/", "pending") "," ITEM("\xc3\xa9\\/", "pending")),
     TWICE "\"\xc3\xa9/\""),
  NO("twice: short escapes", TODOS(ITEM("x\\b\\t\\n\\f\\ry", "pending") "," ITEM("x\\b\\t\\n\\f\\ry", "pending")),
     TWICE "\"x\\b\\t\\n\\f\\ry\""),
  NO("twice: other C0", TODOS(ITEM("\\u0000\\u001F", "pending") "," ITEM("\\u0000\\u001f", "pending")),
     TWICE "\"\\u0000\\u001f\""),
  NO("twice: quote and backslash", TODOS(ITEM("\\\"\\\\", "pending") "," ITEM("\\\"\\\\", "pending")),
     TWICE "\"\\\"\\\\\""),
  NO("twice: a lone surrogate", TODOS(ITEM("\\uD800", "pending") "," ITEM("\\ud800", "pending")), TWICE "\"\\ud800\""),
  NO("twice: DEL and U+2028 stay raw", TODOS(ITEM("\x7f\\u2028.", "pending") "," ITEM("\x7f\\u2028.", "pending")),
     TWICE "\"\x7f\xe2\x80\xa8.\""),
  NO("the first of three",
     TODOS(ITEM("a", "pending") "," ITEM("b", "pending") "," ITEM("b", "pending") "," ITEM("a", "pending")),
     TWICE "\"b\""),
  NO("item by item", TODOS(ITEM("a", "pending") "," ITEM("a", "pending") "," ITEM("", "pending")), TWICE "\"a\""),
  NO("item by item, the other way", TODOS(ITEM("a", "pending") "," ITEM(" ", "pending") "," ITEM("a", "pending")),
     EMPTY),
  /* 5: one in progress */
  NO_SINGLE("two in progress", TODOS(ITEM("a", "in_progress") "," ITEM("b", "in_progress")),
            "Error: invalid todos: at most one task may be in_progress (got 2)"),
  NO_SINGLE("three, apart",
            TODOS(ITEM("a", "in_progress") "," ITEM("b", "pending") "," ITEM("c", "in_progress") "," ITEM(
                "d", "in_progress")),
            "Error: invalid todos: at most one task may be in_progress (got 3)"),
  NO_SINGLE("duplicates first", TODOS(ITEM("a", "in_progress") "," ITEM("a", "in_progress")), TWICE "\"a\""),
  /* codewhale */
  NO_WHALE("empty text", "", WHALE_LIST),
  NO_WHALE("not JSON", "{", WHALE_LIST),
  NO_WHALE("null", "null", WHALE_LIST),
  NO_WHALE("an array", "[]", WHALE_LIST),
  NO_WHALE("no todos", "{}", WHALE_LIST),
  NO_WHALE("todos a string", "{\"todos\":\"x\"}", WHALE_LIST),
  NO_WHALE("an item a string", TODOS("\"a\""), WHALE_ITEM),
  NO_WHALE("no content", TODOS("{\"status\":\"done\"}"), WHALE_ITEM),
  NO_WHALE("content a number", TODOS("{\"content\":1}"), WHALE_ITEM),
  NO_WHALE("content before status", TODOS("{\"content\":1,\"status\":\"x\"}"), WHALE_ITEM),
  NO_WHALE("an unknown word", TODOS(ITEM("a", "doing")), WHALE_STATUS("doing")),
  NO_WHALE("quoted as it came", TODOS(ITEM("a", " it's\\n")), WHALE_STATUS(" it's\n")),
  NO_WHALE("an empty word", TODOS(ITEM("a", "")), WHALE_STATUS("")),
  NO_WHALE("two blanks", TODOS(ITEM("a", "in  progress")), WHALE_STATUS("in  progress")),
  NO_WHALE("U+FEFF is not trimmed", TODOS(ITEM("a", "\\ufeffdone")),
           WHALE_STATUS("\xef\xbb\xbf"
                        "done")),
  NO_WHALE("another letter that looks alike", TODOS(ITEM("a", "d\\u043ene")), WHALE_STATUS("d\xd0\xbene")),
  NO_WHALE("the first error", TODOS(ITEM("a", "x") ",7"), WHALE_STATUS("x")),
};

/* Accepted: the list as the event carries it. */
static const struct accepted {
  const char *name;
  int dialect;
  bool single;
  struct ts_str args;
  struct ts_str todos;
  size_t by_status[TS_TODO_STATUSES];
} accepted[] = {
#define YES(name, args, todos, ...)                                \
  {                                                                \
    name, DSH, false, TS_STR(args), TS_STR(todos), { __VA_ARGS__ } \
  }
#define YES_SINGLE(name, args, todos, ...)                        \
  {                                                               \
    name, DSH, true, TS_STR(args), TS_STR(todos), { __VA_ARGS__ } \
  }
#define YES_WHALE(name, args, todos, ...)                            \
  {                                                                  \
    name, WHALE, false, TS_STR(args), TS_STR(todos), { __VA_ARGS__ } \
  }
  YES("nothing to do", "{\"todos\":[]}", "[]", 0),
  YES("over several lines", "\n{ \"todos\" :\t[ ] }\r\n", "[]", 0),
  YES("one of each", TODOS(ITEM("a", "completed") "," ITEM("b", "in_progress") "," ITEM("c", "pending")),
      "[" ITEM("a", "completed") "," ITEM("b", "in_progress") "," ITEM("c", "pending") "]", 1, 1, 1),
  YES("members in another order", TODOS("{ \"status\" : \"pending\" , \"content\" : \"a\" }"),
      "[" ITEM("a", "pending") "]", 1),
  YES("the root is open", "{\"x\":[{\"y\":1e300}],\"todos\":[],\"\":null}", "[]", 0),
  YES("an escaped key", "{\"\\u0074odos\":[{\"\\u0063ontent\":\"a\",\"stat\\u0075s\":\"pending\"}]}",
      "[" ITEM("a", "pending") "]", 1),
  YES("doubled members: the last", TODOS("{\"content\":1,\"content\":\"b\",\"status\":\"x\",\"status\":\"pending\"}"),
      "[" ITEM("b", "pending") "]", 1),
  YES("a hidden negative zero", "{\"n\":-0,\"todos\":[],\"n\":0}", "[]", 0),
  YES("the largest double", "{\"todos\":[],\"n\":1.7976931348623157e308}", "[]", 0),
  YES("rounds to zero", "{\"todos\":[],\"n\":1e-999}", "[]", 0),
  YES("a number in a string", TODOS(ITEM("-0", "pending")), "[" ITEM("-0", "pending") "]", 1),
  YES("trimmed",
      TODOS(ITEM(" \\t\\n\\u000b\\f\\r a b \\ufeff\\u00a0\\u1680\\u2000\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
                 "pending")),
      "[" ITEM("a b", "pending") "]", 1),
  YES("not trimmed: U+0085, U+200B, U+180E", TODOS(ITEM("\\u0085\\u200ba\\u180e", "pending")),
      "[" ITEM("\xc2\x85\xe2\x80\x8b"
               "a\xe1\xa0\x8e",
               "pending") "]",
      1),
  YES("not trimmed: controls", TODOS(ITEM("\\u0000\\u001c", "pending")), "[" ITEM("\\u0000\\u001c", "pending") "]", 1),
  YES("escapes as they have to be", TODOS(ITEM("\\/\\u0041\\u00e9\\uD83D\\uDE00\\u007f\\u000b.", "pending")),
      "[" ITEM("/A\xc3\xa9\xf0\x9f\x98\x80\x7f\\u000b.", "pending") "]", 1),
  YES("lone surrogates stay", TODOS(ITEM("\\uD800x\\uDC00\\uDBFF", "pending")),
      "[" ITEM("\\ud800x\\udc00\\udbff", "pending") "]", 1),
  YES("a NUL is not the end", TODOS(ITEM("a\\u0000b", "pending") "," ITEM("a", "pending")),
      "[" ITEM("a\\u0000b", "pending") "," ITEM("a", "pending") "]", 2),
  YES("composed and decomposed differ", TODOS(ITEM("\\u00e9", "pending") "," ITEM("e\\u0301", "pending")),
      "[" ITEM("\xc3\xa9", "pending") "," ITEM("e\xcc\x81", "pending") "]", 2),
  YES("a prefix is no duplicate", TODOS(ITEM("a\\\"", "pending") "," ITEM("a", "pending") "," ITEM("a\\\\", "pending")),
      "[" ITEM("a\\\"", "pending") "," ITEM("a", "pending") "," ITEM("a\\\\", "pending") "]", 3),
  YES("several in progress", TODOS(ITEM("a", "in_progress") "," ITEM("b", "in_progress")),
      "[" ITEM("a", "in_progress") "," ITEM("b", "in_progress") "]", 0, 2),
  YES_SINGLE("one in progress", TODOS(ITEM("a", "in_progress") "," ITEM("b", "pending")),
             "[" ITEM("a", "in_progress") "," ITEM("b", "pending") "]", 1, 1),
  YES_SINGLE("none in progress", TODOS(ITEM("b", "completed")), "[" ITEM("b", "completed") "]", 0, 0, 1),
  YES_WHALE("nothing to do", TODOS(""), "[]", 0),
  YES_WHALE("content as sent", TODOS(ITEM(" a\\n", "pending") "," ITEM("", "pending")),
            "[" ITEM(" a\\n", "pending") "," ITEM("", "pending") "]", 2),
  YES_WHALE("twice", TODOS(ITEM("a", "pending") "," ITEM("a", "pending")),
            "[" ITEM("a", "pending") "," ITEM("a", "pending") "]", 2),
  YES_WHALE("other members do not matter", TODOS("{\"id\":7,\"content\":\"a\",\"activeForm\":\"b\"}"),
            "[" ITEM("a", "pending") "]", 1),
  YES_WHALE("no status", TODOS("{\"content\":\"a\"}"), "[" ITEM("a", "pending") "]", 1),
  YES_WHALE("a status that is no string", TODOS("{\"content\":\"a\",\"status\":3}"), "[" ITEM("a", "pending") "]", 1),
  YES_WHALE("spellings",
            TODOS(ITEM("a", "DONE") "," ITEM("b", "complete") "," ITEM("c", "Canceled") "," ITEM(
                "d", "CANCELLED") "," ITEM("e", "\\u0085 completed\\u3000")),
            "[" ITEM("a", "completed") "," ITEM("b", "completed") "," ITEM("c", "cancelled") "," ITEM(
                "d", "cancelled") "," ITEM("e", "completed") "]",
            0, 0, 3, 2),
  YES_WHALE("in progress, three ways", TODOS(ITEM("a", "inprogress")), "[" ITEM("a", "in_progress") "]", 0, 1),
  YES_WHALE("with a hyphen", TODOS(ITEM("a", "In-Progress")), "[" ITEM("a", "in_progress") "]", 0, 1),
  YES_WHALE("with a blank", TODOS(ITEM("a", "in progress")), "[" ITEM("a", "in_progress") "]", 0, 1),
  YES_WHALE("the last in progress stays",
            TODOS(ITEM("a", "in_progress") "," ITEM("b", "in_progress") "," ITEM("c", "pending") "," ITEM(
                "d", "in_progress")),
            "[" ITEM("a", "pending") "," ITEM("b", "pending") "," ITEM("c", "pending") "," ITEM("d", "in_progress") "]",
            3, 1),
  YES_WHALE("numbers do not matter", "{\"todos\":[],\"n\":-0}", "[]", 0),
};

static void test_refused(void) {
  struct ts_todo_accepted a = { 0 };
  struct ts_buf problem = { 0 };
  for (size_t i = 0; i < TS_COUNT(refused); i++) {
    const struct refused *r = &refused[i];
    const char *dialect = r->dialect == DSH ? "dsh" : "codewhale";
    int got = ts_todo_accept((enum ts_write_dialect)r->dialect, r->args, r->single, &a, &problem);
    IS_INT(got, -1, "%s: %s: refused", dialect, r->name);
    IS(ts_buf_str(&problem), r->error, "%s: %s: message", dialect, r->name);
  }
  ts_todo_accepted_free(&a);
  ts_buf_free(&problem);
}

static void test_accepted(void) {
  struct ts_todo_accepted a = { 0 };
  struct ts_buf problem = { 0 };
  for (size_t i = 0; i < TS_COUNT(accepted); i++) {
    const struct accepted *r = &accepted[i];
    const char *dialect = r->dialect == DSH ? "dsh" : "codewhale";
    int got = ts_todo_accept((enum ts_write_dialect)r->dialect, r->args, r->single, &a, &problem);
    IS_INT(got, 0, "%s: %s: accepted", dialect, r->name);
    IS(ts_buf_str(&problem), TS_STR(""), "%s: %s: no message", dialect, r->name);
    IS(ts_buf_str(&a.todos), r->todos, "%s: %s: the list", dialect, r->name);
    for (size_t s = 0; s < TS_TODO_STATUSES; s++)
      IS_U64(a.by_status[s], r->by_status[s], "%s: %s: status %zu", dialect, r->name, s);
  }
  ts_todo_accepted_free(&a);
  ts_buf_free(&problem);
}

static void test_answers(void) {
  struct ts_todo_accepted a = { 0 };
  struct ts_buf text = { 0 };
  ts_todo_accept(TS_WRITE_DSH, TS_STR(TODOS(ITEM("a", "completed") "," ITEM("b", "pending") "," ITEM("c", "pending"))),
                 false, &a, &text);
  ts_todo_acknowledge(TS_WRITE_DSH, &a, &text);
  IS(ts_buf_str(&text), TS_STR("Updated todo list: 2 pending, 0 in progress, 1 completed."), "dsh: the answer");
  ts_todo_accept(TS_WRITE_CODEWHALE,
                 TS_STR(TODOS(ITEM("a\\n", "in_progress") "," ITEM("b", "in_progress") "," ITEM("c", "done"))), false,
                 &a, &text);
  IS_U64(a.current, 2, "codewhale: the item in progress");
  IS_U64(a.demoted_count, 1, "codewhale: one demoted");
  IS_U64(a.demoted_count ? a.demoted[0] : 0, 1, "codewhale: which one");
  ts_buf_clear(&text);
  ts_todo_acknowledge(TS_WRITE_CODEWHALE, &a, &text);
  IS(ts_buf_str(&text),
     TS_STR(
         "Todo list updated (3 items, 33% settled)\n{\n  \"items\": [\n    {\n      \"id\": 1,\n      \"content\": "
         "\"a\\n\",\n"
         "      \"status\": \"pending\"\n    },\n    {\n      \"id\": 2,\n      \"content\": \"b\",\n      \"status\": "
         "\"in_progress\"\n    },\n    {\n      \"id\": 3,\n      \"content\": \"c\",\n      \"status\": "
         "\"completed\"\n    }\n"
         "  ],\n  \"completion_pct\": 33,\n  \"in_progress_id\": 2\n}"),
     "codewhale: the answer");
  ts_todo_accept(TS_WRITE_CODEWHALE, TS_STR("{\"todos\":[]}"), false, &a, &text);
  ts_todo_acknowledge(TS_WRITE_CODEWHALE, &a, &text);
  IS(ts_buf_str(&text), TS_STR("Todo list updated (0 items, 0% settled)\n{\n  \"completion_pct\": 0\n}"),
     "codewhale: an empty list");
  ts_todo_accepted_free(&a);
  ts_buf_free(&text);
}

static const struct percent {
  unsigned settled, total, percent;
} percents[] = { { 0, 0, 0 },  { 0, 1, 0 },  { 1, 1, 100 },  { 1, 2, 50 },      { 1, 3, 33 },
                 { 2, 3, 67 }, { 1, 8, 13 }, { 1, 200, 1 },  { 1, 201, 0 },     { 199, 200, 100 },
                 { 3, 8, 38 }, { 5, 8, 63 }, { 1, 1000, 0 }, { 995, 1000, 100 } };

static void test_percent(void) {
  for (size_t i = 0; i < TS_COUNT(percents); i++)
    IS_U64(ts_todo_percent(percents[i].settled, percents[i].total), percents[i].percent, "%u of %u",
           percents[i].settled, percents[i].total);
}

static void dropped(const char *name, const char *before, const char *now, size_t pending, size_t active) {
  struct ts_todo_accepted a = { 0 };
  struct ts_todo_list list = { 0 };
  struct ts_buf text = { 0 };
  size_t got[TS_TODO_STATUSES];
  ts_todo_accept(TS_WRITE_CODEWHALE, ts_str_z(now), false, &a, &text);
  OK(ts_todo_list_read(&list, ts_str_z(before), TS_TODO_WRITTEN, &text) == 0, "%s: a list", name);
  ts_todo_dropped(&list, &a, got);
  IS_U64(got[TS_TODO_PENDING], pending, "%s: pending", name);
  IS_U64(got[TS_TODO_IN_PROGRESS], active, "%s: in progress", name);
  ts_todo_accepted_free(&a);
  ts_buf_free(&text);
}

static void test_dropped(void) {
#define BEFORE \
  "[" ITEM("a", "pending") "," ITEM("b", "in_progress") "," ITEM("c", "completed") "," ITEM("d", "cancelled") "]"
  dropped("all gone", BEFORE, TODOS(""), 1, 1);
  dropped("nothing gone", BEFORE, TODOS(ITEM("b", "done") "," ITEM("a", "cancelled")), 0, 0);
  dropped("reworded", BEFORE, TODOS(ITEM("A", "pending") "," ITEM("b", "pending")), 1, 0);
  dropped("nothing was open", "[" ITEM("c", "completed") "]", TODOS(""), 0, 0);
  dropped("spelt another way", "[" ITEM("\\u00e9\\/", "pending") "]", TODOS(ITEM("\xc3\xa9/", "pending")), 0, 0);
  dropped("a prefix is another one", "[" ITEM("a", "pending") "]", TODOS(ITEM("ab", "pending")), 1, 0);
  dropped("counted one by one", "[" ITEM("a", "pending") "," ITEM("a", "pending") "]", TODOS(""), 2, 0);
}

/* A set of thousands, so that the table grows. */
static void test_contents(void) {
  struct ts_buf text = { 0 };
  struct ts_contents set = { .text = &text };
  unsigned wrong = 0;
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; i < 5000; i++) {
      size_t at = text.len;
      ts_buf_addf(&text, "\"%u\"", i);
      wrong += ts_contents_add(&set, at, text.len - at) != (round == 0);
    }
  }
  IS_U64(wrong, 0, "each is new once");
  IS_U64(set.count, 5000, "as many as there are");
  OK(ts_contents_has(&set, TS_STR("\"4999\"")), "one that is there");
  OK(!ts_contents_has(&set, TS_STR("\"5000\"")), "one that is not");
  ts_contents_free(&set);
  ts_buf_free(&text);
}

int main(void) {
  test_refused();
  test_accepted();
  test_answers();
  test_percent();
  test_dropped();
  test_contents();
  return tap_done();
}
