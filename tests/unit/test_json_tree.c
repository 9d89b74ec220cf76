/* Trees: what they keep, how they compare, how they are written. */
#include "json/tree.h"

#include "tap.h"

static struct ts_buf err, out;

static struct ts_tree *parse(const char *text) { return ts_tree_parse(ts_str_z(text), &err); }

static const char *written(const struct ts_tree *t) {
  ts_buf_clear(&out);
  ts_tree_write(t, &out);
  return ts_buf_z(&out);
}

static void test_round_trip(void) {
  static const struct {
    struct ts_str text;
    const char *tree; /* NULL: as the text */
  } rows[] = {
    { TS_STR("1"), NULL },
    { TS_STR("null"), NULL },
    { TS_STR("[]"), NULL },
    { TS_STR("{}"), NULL },
    { TS_STR("\"\""), NULL },
    { TS_STR("[true,false,null,1.0,10e-1,-0,12345678901234567890,\"x\"]"), NULL },
    { TS_STR("{\"b\":{\"a\":[[],{},[{\"\":1}]]},\"a\":2}"), NULL },
    { TS_STR(" [ 1 , { \"a\" : 2 } ] "), "[1,{\"a\":2}]" },
    { TS_STR("\"\\u00e9\\ud83d\\ude00\\/\""), "\"\xc3\xa9\xf0\x9f\x98\x80/\"" },
    { TS_STR("\"a\\u0000b\\u0000\""), "\"a\\u0000b\\u0000\"" },
    { TS_STR("{\"\\u0000\":\"\\udc00\\ud800\"}"), "{\"\\u0000\":\"\\udc00\\ud800\"}" },
    { TS_STR("{\"a\":1,\"b\":2,\"a\":[3]}"), "{\"a\":[3],\"b\":2}" },
    { TS_STR("{\"a\":1,\"a\":2,\"\\u0061\":3}"), "{\"a\":3}" },
    { TS_STR("[{\"x\":{\"k\":1,\"k\":{\"l\":0,\"l\":1}},\"x\":{\"k\":1,\"k\":\"last\"}}]"),
      "[{\"x\":{\"k\":\"last\"}}]" },
    { TS_STR("{\"b\":0,\"a\":{\"c\":1},\"b\":\"s\",\"a\":[]}"), "{\"b\":\"s\",\"a\":[]}" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_tree *t = ts_tree_parse(rows[i].text, &err);
    if (!OK(t, "tree of %.*s", TS_FMT(rows[i].text))) continue;
    IS_Z(written(t), rows[i].tree ? rows[i].tree : rows[i].text.ptr, "%.*s written", TS_FMT(rows[i].text));
    ts_tree_free(t);
  }
}

static void test_refused(void) {
  OK(!parse("{\"a\":}"), "not JSON");
  IS_Z(ts_buf_z(&err), "not JSON at byte 6: unexpected byte 0x7d", "and where");
  OK(!parse(""), "nothing");
  IS_Z(ts_buf_z(&err), "not JSON at byte 1: no value", "is not JSON either");
}

static void test_looking(void) {
  struct ts_tree *t =
      parse("{\"n\":1.50,\"s\":\"a\\u0000\\ud800\",\"l\":[1,\"2\",{}],\"o\":{\"k\":true},\"\":null,\"f\":false}");
  OK(t, "parsed");
  IS_U64(ts_tree_count(t), 6, "members");
  const struct ts_tree *n = ts_tree_first(t);
  IS(ts_tree_key(n), TS_STR("n"), "first key");
  IS(ts_tree_text(n), TS_STR("1.50"), "a number keeps its spelling");
  OK(ts_tree_number(n) > 1.49 && ts_tree_number(n) < 1.51, "and has a value");
  IS(ts_tree_key(ts_tree_after(n)), TS_STR("s"), "second key");
  IS(ts_tree_text(ts_tree_get(t, "s")), TS_STR("a\xc0\x80\xed\xa0\x80"), "tree spelling of NUL and surrogate");
  static const struct {
    const char *key;
    enum ts_json_kind kind;
  } kinds[] = { { "n", TS_JSON_NUMBER }, { "s", TS_JSON_STRING }, { "l", TS_JSON_ARRAY },
                { "o", TS_JSON_OBJECT }, { "", TS_JSON_NULL },    { "f", TS_JSON_FALSE } };
  for (size_t i = 0; i < TS_COUNT(kinds); i++)
    IS_INT(ts_tree_kind(ts_tree_get(t, kinds[i].key)), kinds[i].kind, "kind of %s", kinds[i].key);
  IS_INT(ts_tree_kind(ts_tree_get(ts_tree_get(t, "o"), "k")), TS_JSON_TRUE, "kind of k");
  const struct ts_tree *list = ts_tree_get(t, "l");
  IS_U64(ts_tree_count(list), 3, "elements");
  IS(ts_tree_text(ts_tree_after(ts_tree_first(list))), TS_STR("2"), "the second");
  OK(!ts_tree_after(ts_tree_after(ts_tree_after(ts_tree_first(list)))), "no fourth");
  OK(!ts_tree_get(t, "N") && !ts_tree_get(t, "none") && !ts_tree_get(list, "n") && !ts_tree_get(n, "n"),
     "no such members");
  OK(ts_tree_text(list).len == 0 && ts_tree_key(t).len == 0 && !ts_tree_first(n), "what a thing has not is empty");
  IS_Z(written(list), "[1,\"2\",{}]", "a part is written alone");
  IS_Z(written(n), "1.50", "a member's value too");
  ts_tree_free(t);
}

static void test_part(void) {
  struct ts_json j = { 0 };
  OK(ts_json_scan(&j, TS_STR("{\"x\":1,\"arguments\":{\"a\":[1,{\"b\":2}]},\"y\":2}"), NULL) == 0, "scanned");
  struct ts_tree *t = ts_tree_of(&j, TS_JSON_GET(&j, 0, "arguments"), &err);
  IS_Z(written(t), "{\"a\":[1,{\"b\":2}]}", "the tree of a member");
  ts_tree_free(t);
  t = ts_tree_of(&j, TS_JSON_GET(&j, 0, "x"), &err);
  IS_Z(written(t), "1", "of a scalar");
  ts_tree_free(t);
  ts_json_free(&j);
}

static void test_equal(void) {
  static const struct {
    const char *a, *b;
    bool equal;
  } rows[] = {
    { "1", "1.0", true },
    { "1", "10e-1", true },
    { "1", "true", false },
    { "1", "\"1\"", false },
    { "0", "-0.0e5", true },
    { "null", "false", false },
    { "\"a\"", "\"\\u0061\"", true },
    { "\"a\"", "\"A\"", false },
    { "\"a\\u0000b\"", "\"a\\u0000c\"", false },
    { "\"\"", "\"\\u0000\"", false },
    { "[]", "[]", true },
    { "[]", "{}", false },
    { "[1]", "[]", false },
    { "[]", "[1]", false },
    { "[1,2]", "[2,1]", false },
    { "[1,[2,[3]]]", "[1,[2,[3.0]]]", true },
    { "{}", "{\"a\":1}", false },
    { "{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1}", true },
    { "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false },
    { "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false },
    { "{\"a\":1,\"a\":2}", "{\"a\":2}", true },
    { "{\"a\":{\"x\":[{\"y\":1}]}}", "{\"a\":{\"x\":[{\"y\":2}]}}", false },
    { "{\"a\":null}", "{\"b\":null}", false },
    { "9007199254740993", "9007199254740992", false },
    { "123456789012345678901234567890", "1.2345678901234567890123456789e29", true },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_tree *a = parse(rows[i].a), *b = parse(rows[i].b);
    OK(ts_tree_equal(a, b) == rows[i].equal && ts_tree_equal(b, a) == rows[i].equal, "%s and %s: %d", rows[i].a,
       rows[i].b, rows[i].equal);
    OK(ts_tree_equal(a, a), "%s is itself", rows[i].a);
    ts_tree_free(a);
    ts_tree_free(b);
  }
}

/* An object of many keys, forwards or backwards. */
static struct ts_tree *many(unsigned count, bool backwards) {
  struct ts_buf text = { 0 };
  for (unsigned i = 0; i < count; i++)
    ts_buf_addf(&text, "%c\"%u\":%u", i ? ',' : '{', backwards ? count - 1 - i : i, backwards ? count - 1 - i : i);
  ts_buf_addc(&text, '}');
  struct ts_tree *t = ts_tree_parse(ts_buf_str(&text), &err);
  ts_buf_free(&text);
  return t;
}

static void test_many(void) {
  struct ts_tree *a = many(100000, false), *b = many(100000, true), *less = many(99999, false);
  OK(ts_tree_equal(a, b), "a hundred thousand members in another order");
  OK(!ts_tree_equal(a, less) && !ts_tree_equal(less, a), "one more or less");
  ts_tree_free(a);
  ts_tree_free(b);
  ts_tree_free(less);
}

/* depth containers in one another, arrays and objects by turns. */
static struct ts_tree *deep(unsigned depth, char inner) {
  struct ts_buf text = { 0 };
  for (unsigned i = 0; i < depth; i++) ts_buf_addz(&text, i % 2 ? "{\"k\":" : "[");
  ts_buf_addc(&text, inner);
  for (unsigned i = depth; i-- > 0;) ts_buf_addc(&text, i % 2 ? '}' : ']');
  struct ts_tree *t = ts_tree_parse(ts_buf_str(&text), &err);
  if (t) IS(ts_str_z(written(t)), ts_buf_str(&text), "%u deep, written", depth);
  ts_buf_free(&text);
  return t;
}

static void test_deep(void) {
  struct ts_tree *a = deep(TS_TREE_DEPTH_MAX, '1'), *b = deep(TS_TREE_DEPTH_MAX, '1'),
                 *c = deep(TS_TREE_DEPTH_MAX, '2');
  OK(ts_tree_equal(a, b) && !ts_tree_equal(a, c), "as deep as allowed, compared");
  OK(!deep(TS_TREE_DEPTH_MAX + 1, '1'), "one deeper is refused");
  IS_Z(ts_buf_z(&err), "nested deeper than 20000", "and why");
  ts_tree_free(a);
  ts_tree_free(b);
  ts_tree_free(c);
}

static void test_numbers(void) {
  /* Smallest first; those in one row are equal. */
  static const char *const rows[][5] = {
    { "-1e99999999999999999999", "-10e99999999999999999998" },
    { "-1e999999999" },
    { "-18446744073709551617" },
    { "-18446744073709551616" },
    { "-10.5", "-1.05e1", "-105e-1" },
    { "-10", "-1e1" },
    { "-1.5" },
    { "-1" },
    { "-0.1", "-1e-1", "-0.10" },
    { "-1e-99999999999999999999" },
    { "0", "-0", "0.0", "0e99999999999999999999", "-0.000e-5" },
    { "1e-99999999999999999999", "0.1e-99999999999999999998" },
    { "1e-99999999999999999998" },
    { "1e-400" },
    { "0.000001", "1e-6", "0.1e-5", "10e-7" },
    { "0.0000011" },
    { "0.1" },
    { "0.11" },
    { "1", "1.0", "10e-1", "0.1e1", "1000e-3" },
    { "1.0000000000000000000000000000001" },
    { "1.1", "11e-1" },
    { "9", "9.0" },
    { "9.99" },
    { "10", "1e1", "1E+1", "100e-1", "0.01e3" },
    { "10.01" },
    { "99" },
    { "100", "1e2", "1e0000000000000000000002" },
    { "101" },
    { "9007199254740992" },
    { "9007199254740993", "9007199254740993.0" },
    { "1e400", "10e399", "0.1e401" },
    { "1.1e400" },
    { "1e401" },
    { "1e999999999" },
    { "1e99999999999999999999", "10e99999999999999999998", "0.01e100000000000000000001" },
    { "1.01e99999999999999999999" },
    { "1e100000000000000000000" },
  };
  size_t wrong = 0;
  for (size_t a = 0; a < TS_COUNT(rows); a++)
    for (size_t b = 0; b < TS_COUNT(rows); b++)
      for (size_t i = 0; i < 5 && rows[a][i]; i++)
        for (size_t k = 0; k < 5 && rows[b][k]; k++) {
          int order = ts_number_cmp(ts_str_z(rows[a][i]), ts_str_z(rows[b][k]));
          bool good = a == b ? order == 0 : a < b ? order < 0 : order > 0;
          if (!good && wrong++ < 5) printf("#   %s and %s: %d\n", rows[a][i], rows[b][k], order);
        }
  IS_U64(wrong, 0, "numbers compared in the wrong order");
}

/* 1, spelled with many zeros before or behind the point and the exponent that makes up for them. */
static void test_long_numbers(void) {
  static const size_t zeros[] = { 0, 1, 9, 100, 1500, 20000 };
  for (size_t i = 0; i < TS_COUNT(zeros); i++) {
    struct ts_buf small = { 0 }, large = { 0 };
    ts_buf_addz(&small, "0.");
    ts_buf_addc(&large, '1');
    for (size_t n = 0; n < zeros[i]; n++) {
      ts_buf_addc(&small, '0');
      ts_buf_addc(&large, '0');
    }
    ts_buf_addf(&small, "1e%zu", zeros[i] + 1);
    ts_buf_addf(&large, "e-%zu", zeros[i]);
    struct ts_str a = ts_buf_str(&small), b = ts_buf_str(&large);
    OK(ts_number_cmp(a, TS_STR("1")) == 0 && ts_number_cmp(b, TS_STR("1")) == 0, "%zu zeros: 1", zeros[i]);
    OK(ts_number_cmp(a, b) == 0 && ts_number_is_integer(a) && ts_number_is_integer(b), "%zu zeros: alike", zeros[i]);
    OK(ts_number_cmp(a, TS_STR("1.001")) < 0 && ts_number_cmp(TS_STR("0.9"), b) < 0, "%zu zeros: in order", zeros[i]);
    ts_buf_free(&small);
    ts_buf_free(&large);
  }
}

static void test_integers(void) {
  static const struct {
    struct ts_str spelling;
    bool integer;
  } rows[] = {
    { TS_STR("0"), true },
    { TS_STR("-0.0"), true },
    { TS_STR("1"), true },
    { TS_STR("1.0"), true },
    { TS_STR("10e-1"), true },
    { TS_STR("1.5"), false },
    { TS_STR("1.5e1"), true },
    { TS_STR("15e-1"), false },
    { TS_STR("0.1"), false },
    { TS_STR("0.1e1"), true },
    { TS_STR("1e400"), true },
    { TS_STR("1e-400"), false },
    { TS_STR("100e-2"), true },
    { TS_STR("100e-3"), false },
    { TS_STR("120e-1"), true },
    { TS_STR("123456789012345678901234567890"), true },
    { TS_STR("1e99999999999999999999"), true },
    { TS_STR("1e-99999999999999999999"), false },
    { TS_STR("0e-99999999999999999999"), true },
    { TS_STR("-2.50"), false },
    { TS_STR("-2.50e1"), true },
    { TS_STR("1.20e1"), true },
    { TS_STR("1.23e1"), false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    OK(ts_number_is_integer(rows[i].spelling) == rows[i].integer, "%.*s is an integer: %d", TS_FMT(rows[i].spelling),
       rows[i].integer);
}

/* Values are bounded; bytes in strings do not count as any. */
static void test_many_values(void) {
  struct ts_buf text = { 0 };
  ts_buf_addz(&text, "[0");
  for (int i = 1; i < TS_TREE_VALUES_MAX; i++) ts_buf_addz(&text, ",0");
  ts_buf_addz(&text, "]");
  struct ts_tree *t = ts_tree_parse(ts_buf_str(&text), &err);
  OK(t != NULL, "as many values as there may be: %s", ts_buf_z(&err));
  ts_tree_free(t);
  ts_buf_cut(&text, text.len - 1);
  ts_buf_addz(&text, ",0]");
  t = ts_tree_parse(ts_buf_str(&text), &err);
  OK(t == NULL && ts_str_has(ts_buf_str(&err), TS_STR("more than 400000 values")), "one more: %s", ts_buf_z(&err));
  ts_tree_free(t);
  ts_buf_clear(&text);
  ts_buf_addz(&text, "{\"csv\":\"\\\"");
  for (int i = 0; i < TS_TREE_VALUES_MAX; i++) ts_buf_addz(&text, ",[");
  ts_buf_addz(&text, "\"}");
  t = ts_tree_parse(ts_buf_str(&text), &err);
  OK(t != NULL, "commas in a string");
  ts_tree_free(t);
  ts_buf_free(&text);
}

int main(void) {
  test_round_trip();
  test_refused();
  test_looking();
  test_part();
  test_equal();
  test_many();
  test_deep();
  test_numbers();
  test_long_numbers();
  test_integers();
  ts_buf_free(&err);
  ts_buf_free(&out);
  test_many_values();
  return tap_done();
}
