#include "schema/validate.h"

#include "unit/tap.h"
#include "unit/test_schema_rows.h"

/* Do the sanitizers' larger frames use up the stack before the values end? */
#if defined(__SANITIZE_ADDRESS__)
#define ROOMY_FRAMES true
#elif defined(__has_feature)
#define ROOMY_FRAMES __has_feature(address_sanitizer)
#else
#define ROOMY_FRAMES false
#endif

static struct ts_schema *parse(const char *json) {
  struct ts_buf err = { 0 };
  struct ts_schema *s = ts_schema_parse(ts_str_z(json), &err);
  if (!s) printf("# %s\n", ts_buf_z(&err));
  ts_buf_free(&err);
  return s;
}

static int check(struct ts_schema *s, struct ts_str json, struct ts_misfit *why) {
  struct ts_tree *value = ts_tree_parse(json, NULL);
  int answer = value ? ts_schema_check(s, value, why) : -2;
  ts_tree_free(value);
  return answer;
}

static void add_why(struct ts_buf *out, const struct ts_misfit *why) {
  ts_buf_clear(out);
  ts_buf_add(out, ts_buf_str(&why->pointer));
  ts_buf_addf(out, ": expected %s, came %s", ts_buf_z(&why->expected), ts_buf_z(&why->came));
}

static void keywords(void) {
  struct ts_schema *s = NULL;
  struct ts_misfit why = { 0 };
  struct ts_buf said = { 0 };
  for (size_t i = 0; i < TS_COUNT(schema_rows); i++) {
    if (schema_rows[i].schema) {
      ts_schema_free(s);
      s = parse(schema_rows[i].schema);
    }
    struct ts_str value = ts_str_z(schema_rows[i].value);
    IS_INT(check(s, value, &why), schema_rows[i].want, "row %zu: %s", i, schema_rows[i].value);
    IS_INT(check(s, value, NULL), schema_rows[i].want, "row %zu: and without asking why", i);
    add_why(&said, &why);
    if (schema_rows[i].why) IS(ts_buf_str(&said), ts_str_z(schema_rows[i].why), "row %zu: why not", i);
  }
  ts_schema_free(s);
  ts_misfit_free(&why);
  ts_buf_free(&said);
}

/* A NUL in a name is one in the pointer, too. */
static void nul_in_a_name(void) {
  struct ts_schema *s = parse("{\"properties\":{\"a\\u0000b\":{\"type\":\"null\"}}}");
  struct ts_misfit why = { 0 };
  IS_INT(check(s, TS_STR("{\"a\\u0000b\":1}"), &why), 0, "a name with a NUL");
  IS(ts_buf_str(&why.pointer), TS_STR("/a\0b"), "its pointer");
  ts_misfit_free(&why);
  ts_schema_free(s);
}

static void no_schemas(void) {
  static const char *const rows[] = { "", "{", "[]", "\"string\"", "1", "null", "{} {}", "{\"type\":}" };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf err = { 0 };
    OK(!ts_schema_parse(ts_str_z(rows[i]), &err) && err.len > 0, "'%s' is no schema: %s", rows[i], ts_buf_z(&err));
    ts_buf_free(&err);
  }
  OK(!ts_schema_parse(TS_STR("[]"), NULL), "without an error buffer too");
  ts_schema_free(NULL);
}

/* text, `times` times head, middle, `times` times tail. */
static void nest(struct ts_buf *out, size_t times, const char *head, const char *middle, const char *tail) {
  ts_buf_clear(out);
  for (size_t i = 0; i < times; i++) ts_buf_addz(out, head);
  ts_buf_addz(out, middle);
  for (size_t i = 0; i < times; i++) ts_buf_addz(out, tail);
}

/* 10,000 levels fit on an ordinary stack; the sanitizers' frames are larger, so there -1 is an answer as well. */
static void depth(void) {
  const bool roomy = ROOMY_FRAMES;
  static const struct {
    const char *name, *schema, *head, *middle, *tail;
    int want;
  } rows[] = {
    { "any object", J({ "type" : "object" }), "{\"c\":", "1", "}", 1 },
    { "itself", J({ "type" : "object", "properties" : { "c" : { "$ref" : "#" } } }), "{\"c\":", "{}", "}", 1 },
    { "itself, but for the end", J({ "type" : "object", "properties" : { "c" : { "$ref" : "#" } } }), "{\"c\":", "1",
      "}", 0 },
    { "unlike lists", J({ "type" : "array", "items" : { "$ref" : "#" }, "uniqueItems" : true }), "[", "", "]", 1 },
    { "one of several", J({
        "$ref" : "#/$defs/n",
        "$defs" : {
          "n" : {
            "anyOf" : [
              { "type" : "array", "items" : { "$ref" : "#/$defs/n" } },
              { "type" : "object", "additionalProperties" : { "$ref" : "#/$defs/n" } }, { "type" : "null" }
            ]
          }
        }
      }),
      "{\"c\":[", "null", "]}", 1 },
    { "not recursive", J({ "properties" : { "c" : { "properties" : { "c" : { "type" : "object" } } } } }),
      "{\"c\":", "1", "}", 1 },
  };
  struct ts_buf text = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_schema *s = parse(rows[i].schema);
    struct ts_misfit why = { 0 };
    nest(&text, rows[i].tail[1] ? 4990 : 9990, rows[i].head, rows[i].middle, rows[i].tail);
    int answer = check(s, ts_buf_str(&text), &why);
    OK(answer == rows[i].want || (roomy && answer == -1), "%s, 10,000 deep: %d", rows[i].name, answer);
    if (rows[i].want == 0 && answer == 0)
      OK(why.pointer.len == 2 * 9990 || ts_str_is(ts_buf_str(&why.expected), "a value that fits the schema"),
         "%s: where", rows[i].name);
    ts_misfit_free(&why);
    ts_schema_free(s);
  }
  nest(&text, 9000, "{\"items\":", "{\"type\":\"null\"}", "}");
  struct ts_schema *s = parse(ts_buf_z(&text));
  nest(&text, 9000, "[", "1", "]");
  IS_INT(check(s, ts_buf_str(&text), NULL), -1, "a schema 9,000 deep is undecided there");
  IS_INT(check(s, TS_STR("[[[]]]"), NULL), 1, "and decided where it is asked for little");
  ts_schema_free(s);
  ts_buf_free(&text);
}

/* Schemas that ask for more and more work end, undecided or not. */
static void work(void) {
  struct ts_buf schema = { 0 }, value = { 0 };
  ts_buf_addz(&schema, "{\"$defs\":{\"d0\":{\"type\":\"string\"}");
  for (int i = 1; i < 60; i++)
    ts_buf_addf(&schema, ",\"d%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"}]}]}",
                i, i - 1, i - 1);
  ts_buf_addz(&schema, "},\"$ref\":\"#/$defs/d59\"}");
  struct ts_schema *s = parse(ts_buf_z(&schema));
  IS_INT(check(s, TS_STR("\"a\""), NULL), 1, "2^59 ways, the first one fits");
  IS_INT(check(s, TS_STR("1"), NULL), -1, "2^59 ways, none fits: undecided");
  IS_INT(check(s, TS_STR("\"a\""), NULL), 1, "and the schema is as good as before");
  ts_schema_free(s);

  ts_buf_clear(&schema);
  ts_buf_addz(&schema, "{\"properties\":{\"k0\":true");
  for (int i = 1; i < 20000; i++) ts_buf_addf(&schema, ",\"k%d\":{\"type\":\"integer\"}", i);
  ts_buf_addz(&schema, "},\"required\":[\"k0\"");
  for (int i = 1; i < 20000; i++) ts_buf_addf(&schema, ",\"k%d\"", i);
  ts_buf_addz(&schema, "],\"additionalProperties\":false}");
  s = parse(ts_buf_z(&schema));
  ts_buf_addz(&value, "{\"k0\":null");
  for (int i = 19999; i > 0; i--) ts_buf_addf(&value, ",\"k%d\":%d", i, i);
  ts_buf_addc(&value, '}');
  for (int i = 0; i < 20; i++)
    if (check(s, ts_buf_str(&value), NULL) != 1) break;
  IS_INT(check(s, ts_buf_str(&value), NULL), 1, "20,000 properties, all required, in another order");
  ts_schema_free(s);

  s = parse("{\"uniqueItems\":true,\"items\":{\"maximum\":99999}}");
  ts_buf_clear(&value);
  for (int i = 0; i < 100000; i++) ts_buf_addf(&value, "%c%d.0", i ? ',' : '[', i);
  ts_buf_addc(&value, ']');
  IS_INT(check(s, ts_buf_str(&value), NULL), 1, "100,000 unlike items");
  ts_schema_free(s);
  ts_buf_free(&schema);
  ts_buf_free(&value);
}

/* One schema, many values: nothing is left over from one to the next. */
static void reuse(void) {
  struct ts_schema *s =
      parse(J({ "properties" : { "a" : { "pattern" : "^x" }, "b" : { "enum" : [ "y", 1 ] } }, "required" : ["a"] }));
  struct ts_misfit why = { 0 };
  for (int i = 0; i < 3; i++) {
    IS_INT(check(s, TS_STR("{\"a\":\"x1\",\"b\":1}"), &why), 1, "round %d: fits", i);
    IS_INT(check(s, TS_STR("{\"b\":\"z\",\"a\":\"z\"}"), &why), 0, "round %d: does not", i);
    IS(ts_buf_str(&why.pointer), TS_STR("/b"), "round %d: the first fault in the value's order", i);
    IS_INT(check(s, TS_STR("{\"a\":\"z\",\"b\":\"z\"}"), &why), 0, "round %d: does not", i);
    IS(ts_buf_str(&why.pointer), TS_STR("/a"), "round %d: in the other order", i);
  }
  ts_misfit_free(&why);
  ts_schema_free(s);
}

int main(void) {
  keywords();
  nul_in_a_name();
  no_schemas();
  depth();
  work();
  reuse();
  return tap_done();
}
