#include "schema/subset.h"

#include "unit/tap.h"
#include "unit/test_schema_pairs.h"
#include "unit/test_schema_wholes.h"

struct seen {
  struct ts_buf changes, words;
  struct ts_schema *before, *after; /* a witness fits the first, not the second */
  bool rule[TS_RULES];
  unsigned errors, unknown, unproved;
};

static int check(struct ts_schema *s, struct ts_str json) {
  struct ts_tree *value = ts_tree_parse(json, NULL);
  int answer = value ? ts_schema_check(s, value, NULL) : -2;
  ts_tree_free(value);
  return answer;
}

static void see(void *context, const struct ts_schema_change *change) {
  struct seen *seen = context;
  enum ts_level level = ts_vector_worst(&change->vector);
  ts_buf_addf(&seen->changes, "%s %s ", ts_level_name(level), ts_rule(change->rule)->id);
  ts_buf_add(&seen->changes, change->pointer.len ? change->pointer : TS_STR("\"\""));
  if (change->witness.len > 0) ts_buf_addf(&seen->changes, " %.*s", TS_FMT(change->witness));
  ts_buf_addc(&seen->changes, '\n');
  ts_buf_addf(&seen->words, "%.*s|%.*s\n", TS_FMT(change->path), TS_FMT(change->message));
  seen->rule[change->rule] = true;
  seen->errors += level == TS_ERROR;
  seen->unknown += level == TS_UNKNOWN;
  bool proved =
      change->witness.len > 0 && check(seen->before, change->witness) == 1 && check(seen->after, change->witness) == 0;
  seen->unproved += (level == TS_ERROR) != proved;
}

static struct ts_schema *parse(const char *json) {
  struct ts_buf err = { 0 };
  struct ts_schema *s = ts_schema_parse(ts_str_z(json), &err);
  if (!s) printf("# %s\n", ts_buf_z(&err));
  ts_buf_free(&err);
  return s;
}

static void compare(const char *before, const char *after, bool output, struct seen *seen) {
  struct ts_schema *old = parse(before), *new = parse(after);
  ts_buf_clear(&seen->changes);
  ts_buf_clear(&seen->words);
  seen->errors = seen->unknown = seen->unproved = 0;
  seen->before = output ? new : old;
  seen->after = output ? old : new;
  ts_schema_compare(old, new, output, see, seen);
  ts_schema_free(old);
  ts_schema_free(new);
}

static void free_seen(struct seen *seen) {
  ts_buf_free(&seen->changes);
  ts_buf_free(&seen->words);
}

/* The changes of each pair; no pair differs from itself, or from itself in other words. */
static void pairs(const struct schema_pair *rows, size_t count, bool output, struct seen *seen) {
  struct ts_buf renamed = { 0 };
  for (size_t i = 0; i < count; i++) {
    compare(rows[i].before, rows[i].after, output, seen);
    IS(ts_buf_str(&seen->changes), ts_str_z(rows[i].changes), "pair %zu: %s", i, rows[i].after);
    IS_U64(seen->unproved, 0, "pair %zu: each error has a witness, and nothing else has", i);
    compare(rows[i].after, rows[i].after, output, seen);
    IS(ts_buf_str(&seen->changes), TS_STR(""), "pair %zu: nothing changed", i);
    ts_buf_clear(&renamed);
    ts_buf_addf(&renamed, "{\"title\":\"t\",\"allOf\":[%s]}", rows[i].after);
    if (strstr(rows[i].after, "\"#") || strstr(rows[i].after, "unevaluated")) continue; /* mean something else there */
    compare(rows[i].after, ts_buf_z(&renamed), output, seen);
    IS_U64(seen->errors + seen->unknown, 0, "pair %zu: the same within allOf: %s", i, ts_buf_z(&seen->changes));
  }
  ts_buf_free(&renamed);
}

/* Every rule about schemas comes up among the pairs. */
static void rules(const struct seen *seen) {
  for (int rule = TS_RULE_PARAM_ADDED_REQUIRED; rule <= TS_RULE_REF_OR_UNSUPPORTED; rule++)
    OK(seen->rule[rule], "%s has a pair", ts_rule((enum ts_rule_id)rule)->id);
}

/* Going there and back: what one way accepts more, the other way accepts less. */
static void both_ways(void) {
  struct seen seen = { 0 };
  unsigned narrowed = 0;
  for (size_t i = 0; i < TS_COUNT(argument_pairs); i++) {
    compare(argument_pairs[i].before, argument_pairs[i].after, false, &seen);
    unsigned errors = seen.errors, unknown = seen.unknown;
    compare(argument_pairs[i].after, argument_pairs[i].before, true, &seen);
    OK(errors == seen.errors && unknown == seen.unknown, "pair %zu: as bad for results the other way round", i);
    narrowed += errors > 0;
  }
  OK(narrowed > 40, "%u pairs break something", narrowed);
  free_seen(&seen);
}

static void words(void) {
  static const struct {
    const char *before, *after, *words;
  } rows[] = {
    { J({ "properties" : { "q" : { "type" : "string" } } }), J({ "properties" : { "q" : { "type" : "integer" } } }),
      "q|parameter 'q': type \"string\" became \"integer\"\n" },
    { J({ "properties" : { "a/b" : { "items" : { "properties" : { "c~d" : {} } } } } }),
      J({ "properties" : { "a/b" : { "items" : { "properties" : { "c~d" : { "enum" : ["x"] } } } } } }),
      "a/b[].c~d|parameter 'a/b[].c~d': takes nothing but [\"x\"] now\n" },
    { J({ "properties" : { "m" : { "additionalProperties" : { "maxLength" : 9 } } } }),
      J({ "properties" : { "m" : { "additionalProperties" : { "maxLength" : 5 } } } }),
      "m.*|parameter 'm.*': maxLength 9 became 5\n" },
    { J({}), J({ "additionalProperties" : false }), "|the arguments: members that are not declared are refused now\n" },
    { J({ "properties" : { "p" : { "prefixItems" : [ {}, { "type" : "string" } ] } } }),
      J({ "properties" : { "p" : { "prefixItems" : [ {}, {} ] } } }),
      "p[1]|parameter 'p[1]': \"string\" is no longer asked for\n" },
    { J({ "properties" : { "s" : { "not" : { "enum" : ["x"] } } } }),
      J({ "properties" : { "s" : { "not" : { "enum" : [ "x", "y" ] } } } }),
      "s|parameter 's': in `not`: takes \"y\" as well\n" },
    { J({ "properties" : { "d" : { "description" : "one" } } }),
      J({ "properties" : { "d" : { "description" : "two" } } }),
      "d|parameter 'd': is described by \"two\" now, no longer by \"one\"\n" },
    { J({
        "properties" : {
          "d" : {
            "enum" :
                ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
          }
        }
      }),
      J({ "properties" : { "d" : { "enum" : ["b"] } } }),
      "d|parameter 'd': takes \"b\" as well\n"
      "d|parameter 'd': no longer takes "
      "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xe2\x80\xa6\n" },
  };
  struct seen seen = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    compare(rows[i].before, rows[i].after, false, &seen);
    IS(ts_buf_str(&seen.words), ts_str_z(rows[i].words), "row %zu: words", i);
  }
  free_seen(&seen);
}

static void fits(void) {
  static const struct {
    const char *before, *after;
    int want;
    const char *witness;
  } rows[] = {
    { J({}), J({}), 1, "" },
    { J({ "properties" : { "a" : { "type" : "string" } } }), J({ "type" : [ "object", "string" ] }), 1, "" },
    { J({ "type" : "object", "properties" : { "path" : { "type" : "string" } }, "required" : ["path"] }),
      J({ "type" : "object", "properties" : { "path" : { "type" : "string" }, "n" : { "type" : "integer" } } }), 1,
      "" },
    { J({ "type" : "object", "properties" : { "path" : { "type" : "string" } }, "required" : ["path"] }), J({
        "type" : "object",
        "properties" : { "path" : { "type" : "string" }, "action" : { "enum" : ["read"] } },
        "required" : [ "path", "action" ]
      }),
      0, "{\"path\":\"\"}" },
    { J({ "properties" : { "a" : { "type" : "integer" } }, "required" : ["a"] }),
      J({ "properties" : { "a" : { "type" : "integer", "maximum" : 99 } }, "additionalProperties" : false }), 0,
      "{\"a\":100}" },
    { J({ "pattern" : "^a" }), J({ "pattern" : "^b" }), 1, "" },
    { J({ "pattern" : "^a" }), J({ "pattern" : "^b", "type" : "string" }), 0, "{}" },
    { J({ "properties" : { "s" : { "pattern" : "^a" } } }), J({ "properties" : { "s" : { "pattern" : "^b" } } }), -1,
      "" },
    { J({ "properties" : { "s" : { "pattern" : "^a" } } }),
      J({ "properties" : { "s" : { "pattern" : "^b", "type" : "string" } } }), 0, "{\"s\":0}" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_schema *old = parse(rows[i].before), *new = parse(rows[i].after);
    struct ts_buf witness = { 0 };
    IS_INT(ts_schema_fits(old, new, &witness), rows[i].want, "row %zu: fits", i);
    IS(ts_buf_str(&witness), ts_str_z(rows[i].witness), "row %zu: witness", i);
    IS_INT(ts_schema_fits(old, new, NULL), rows[i].want, "row %zu: fits, without a witness", i);
    ts_buf_free(&witness);
    ts_schema_free(old);
    ts_schema_free(new);
  }
}

/* Schemas that refer to one another many times over: the comparison ends, and says so where it gave up. */
static void work(void) {
  struct ts_buf old = { 0 }, new = { 0 };
  for (int side = 0; side < 2; side++) {
    struct ts_buf *json = side ? &new : &old;
    ts_buf_addf(json, "{\"$ref\":\"#/$defs/d40\",\"$defs\":{\"d0\":{\"type\":\"%s\"}", side ? "integer" : "string");
    for (int i = 1; i <= 40; i++)
      ts_buf_addf(json, ",\"d%d\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d%d\"},\"b\":{\"$ref\":\"#/$defs/d%d\"}}}",
                  i, i - 1, i - 1);
    ts_buf_addz(json, "}}");
  }
  struct seen seen = { 0 };
  compare(ts_buf_z(&old), ts_buf_z(&new), false, &seen);
  OK(seen.errors + seen.unknown > 0, "2^40 ways to a change: %u errors, %u not decided", seen.errors, seen.unknown);
  compare(ts_buf_z(&old), ts_buf_z(&old), false, &seen);
  IS_U64(seen.errors + seen.unknown, 0, "2^40 ways to no change");
  ts_buf_free(&old);
  ts_buf_free(&new);
  free_seen(&seen);
}

int main(void) {
  struct seen seen = { 0 };
  pairs(argument_pairs, TS_COUNT(argument_pairs), false, &seen);
  pairs(whole_pairs, TS_COUNT(whole_pairs), false, &seen);
  pairs(result_pairs, TS_COUNT(result_pairs), true, &seen);
  rules(&seen);
  free_seen(&seen);
  both_ways();
  words();
  fits();
  work();
  return tap_done();
}
