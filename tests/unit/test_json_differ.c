/* Where two JSON values differ first. */
#include "json/differ.h"

#include "unit/tap.h"

static const struct row {
  const char *name, *ignore; /* pointers with a blank between them */
  const char *one, *other;
  const char *pointer; /* NULL: they are the same */
  const char *one_value, *other_value;
  size_t offset;
} rows[] = {
  { "scalars", "", "1", "1", NULL, "", "", 0 },
  { "white space", "", " { \"a\" : [ 1 , 2 ] } ", "{\"a\":[1,2]}", NULL, "", "", 0 },
  { "escapes of strings", "", "[\"\\u0061/\\n\"]", "[\"a\\/\\u000a\"]", NULL, "", "", 0 },
  { "escapes of keys", "", "{\"\\u0061\":1}", "{\"a\":1}", NULL, "", "", 0 },
  { "empty containers", "", "[{},[]]", "[{},[]]", NULL, "", "", 0 },
  { "kinds", "", "[]", "{}", "", "[]", "{}", 0 },
  { "spelling of a number", "", "[1.0]", "[1]", "/0", "1.0", "1", 0 },
  { "big integers", "", "[12345678901234567890]", "[12345678901234567891]", "/0", "12345678901234567890",
    "12345678901234567891", 0 },
  { "literals", "", "{\"a\":null}", "{\"a\":false}", "/a", "null", "false", 0 },
  { "a string", "", "{\"a\":\"bcd\"}", "{\"a\":\"bxd\"}", "/a", "\"bcd\"", "\"bxd\"", 1 },
  { "the beginning of a string", "", "\"ab\"", "\"abc\"", "", "\"ab\"", "\"abc\"", 2 },
  { "half a character", "", "\"a\xc3\xa4\"", "\"a\xc3\xb6\"", "", "\"a\xc3\xa4\"", "\"a\xc3\xb6\"", 1 },
  { "the first of several", "", "{\"a\":1,\"b\":[1,2],\"c\":3}", "{\"a\":1,\"b\":[1,9],\"c\":4}", "/b/1", "2", "9", 0 },
  { "an element more", "", "[1,2]", "[1]", "/1", "2", "", 0 },
  { "an element less", "", "[1]", "[1,{\"a\" :2}]", "/1", "", "{\"a\":2}", 0 },
  { "a member more", "", "{\"a\":1,\"b\":2}", "{\"b\":2}", "/a", "1", "", 0 },
  { "a member less", "", "{\"b\":2}", "{\"a\":1,\"b\":2}", "/a", "", "1", 0 },
  { "another order", "", "{\"x\":{\"a\":1,\"b\":2}}", "{\"x\":{\"b\":2,\"a\":1}}", "/x", "{\"a\":1,\"b\":2}",
    "{\"b\":2,\"a\":1}", 0 },
  { "a doubled member", "", "{\"a\":1,\"a\":1}", "{\"a\":1}", "", "{\"a\":1,\"a\":1}", "{\"a\":1}", 0 },
  { "keys to escape", "", "{\"a/b~c\":1}", "{\"a/b~c\":2}", "/a~1b~0c", "1", "2", 0 },
  { "an empty key", "", "{\"\":{\"\":1}}", "{\"\":{\"\":2}}", "//", "1", "2", 0 },
  { "all", "", "{\"a\":1}", "[]", "", "{\"a\":1}", "[]", 0 },
  { "ignored value", "/a", "{\"a\":1,\"b\":2}", "{\"a\":[],\"b\":2}", NULL, "", "", 0 },
  { "ignored member on one side", "/a", "{\"a\":1,\"b\":2}", "{\"b\":2}", NULL, "", "", 0 },
  { "ignored member at the end", "/z", "{\"b\":2}", "{\"b\":2,\"z\":2}", NULL, "", "", 0 },
  { "ignored element", "/1", "[1,2,3]", "[1,9,3]", NULL, "", "", 0 },
  { "ignored below", "/a/0/t /a/1", "{\"a\":[{\"t\":1},2]}", "{\"a\":[{\"t\":2},3]}", NULL, "", "", 0 },
  { "ignored is not its neighbour", "/a", "{\"a\":1,\"ab\":2}", "{\"a\":2,\"ab\":3}", "/ab", "2", "3", 0 },
  { "ignored with escapes", "/a~1b", "{\"a/b\":1}", "{\"a/b\":2}", NULL, "", "", 0 },
  { "into a string", "/a/t", "{\"a\":\"{\\\"t\\\":1,\\\"u\\\":2}\"}", "{\"a\":\"{ \\\"t\\\":9,\\\"u\\\":2}\"}", NULL,
    "", "", 0 },
  { "into a string, another place", "/a/t", "{\"a\":\"{\\\"t\\\":1,\\\"u\\\":2}\",\"b\":1}",
    "{\"a\":\"{\\\"t\\\":1,\\\"u\\\":3}\",\"b\":1}", "/a/u", "2", "3", 0 },
  { "into a string, and on", "/a/t", "{\"a\":\"{\\\"t\\\":1}\",\"b\":1}", "{\"a\":\"{\\\"t\\\":2}\",\"b\":2}", "/b",
    "1", "2", 0 },
  { "into a string that holds no JSON", "/a/t", "{\"a\":\"{\\\"t\\\":1}\"}", "{\"a\":\"{\\\"t\\\":2\"}", "/a",
    "\"{\\\"t\\\":1}\"", "\"{\\\"t\\\":2\"", 5 },
};

static void differences(void) {
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct ts_str ignore[4];
    size_t count = 0;
    for (struct ts_str rest = ts_str_z(r->ignore); rest.len > 0; count++) {
      size_t end = ts_str_find(rest, TS_STR(" "));
      ignore[count] = ts_str_sub(rest, 0, end);
      rest = end == SIZE_MAX ? TS_STR("") : ts_str_sub(rest, end + 1, rest.len);
    }
    struct ts_differ d = { .ignore = ignore, .ignore_count = count };
    bool differs = ts_differ(&d, ts_str_z(r->one), ts_str_z(r->other));
    OK(differs == (r->pointer != NULL), "%s: they %s", r->name, differs ? "differ" : "are the same");
    if (differs && r->pointer) {
      IS(ts_buf_str(&d.pointer), ts_str_z(r->pointer), "%s: where", r->name);
      IS(ts_buf_str(&d.old_value), ts_str_z(r->one_value), "%s: the one", r->name);
      IS(ts_buf_str(&d.new_value), ts_str_z(r->other_value), "%s: the other", r->name);
      IS_U64(d.offset, r->offset, "%s: bytes alike", r->name);
    }
    ts_differ_free(&d);
  }
}

/* Neither depth nor length may cost more than memory. */
static void depth(void) {
  struct ts_buf one = { 0 }, other = { 0 };
  for (int i = 0; i < 60000; i++) ts_buf_addc(&one, '[');
  ts_buf_add(&other, ts_buf_str(&one));
  ts_buf_addc(&one, '1');
  ts_buf_addc(&other, '2');
  for (int i = 0; i < 60000; i++) {
    ts_buf_addc(&one, ']');
    ts_buf_addc(&other, ']');
  }
  struct ts_differ d = { 0 };
  OK(ts_differ(&d, ts_buf_str(&one), ts_buf_str(&other)), "60,000 levels down they differ");
  IS_U64(d.pointer.len, 120000, "the pointer goes all the way");
  IS(ts_buf_str(&d.new_value), TS_STR("2"), "to the value");
  ts_differ_free(&d);
  ts_buf_free(&one);
  ts_buf_free(&other);
}

static void base(void) {
  struct ts_differ d = { 0 };
  ts_buf_addz(&d.pointer, "/content");
  OK(ts_differ(&d, TS_STR("[1]"), TS_STR("[2]")), "they differ");
  IS(ts_buf_str(&d.pointer), TS_STR("/content/0"), "behind the pointer that was given");
  ts_differ_free(&d);
  struct ts_str ignore = TS_STR("/content");
  d = (struct ts_differ){ .ignore = &ignore, .ignore_count = 1 };
  ts_buf_addz(&d.pointer, "/content");
  OK(!ts_differ(&d, TS_STR("[1]"), TS_STR("{}")), "the whole of it does not count");
  ts_differ_free(&d);
}

int main(void) {
  differences();
  depth();
  base();
  return tap_done();
}
