/* report/finding and report/threshold: the finding record, its fingerprint, and which findings count. */
#include "report/finding.h"

#include "base/digest.h"
#include "tap.h"

static void check_record(const struct ts_finding *f, const char *before, const char *after, const char *what) {
  struct ts_buf out = { 0 }, want = { 0 };
  char fingerprint[TS_FINGERPRINT];
  ts_finding_fingerprint(f, fingerprint);
  ts_buf_addf(&want, "%s%s%s\n", before, fingerprint, after);
  ts_finding_write(&out, f);
  IS(ts_buf_str(&out), ts_buf_str(&want), "%s", what);
  ts_buf_free(&out);
  ts_buf_free(&want);
}

static void test_record(void) {
  struct ts_finding least = { .rule = TS_RULE_BAD_LINE, .message = TS_STR("not JSON") };
  check_record(&least,
               "{\"type\":\"finding\",\"rule\":\"bad-line\",\"severity\":\"error\",\"vector\":{\"R\":\"error\"},"
               "\"message\":\"not JSON\",\"fingerprint\":\"",
               "\"}", "least of all");
  struct ts_finding full = {
    .rule = TS_RULE_TYPE_CHANGED,
    .vector = { .level = { [TS_SCHEMA] = TS_NOTE, [TS_POLICY] = TS_UNKNOWN } },
    .message = TS_STR("'n' was a string and is a number"),
    .session = TS_STR("s"),
    .agent = TS_STR("a"),
    .id = TS_STR("i"),
    .name = TS_STR("n"),
    .pointer = TS_STR("/properties/n"),
    .old_value = TS_STR("[ \"a b\" ,1.0]"),
    .new_value = TS_STR("12345678901234567890"),
    .witness = TS_STR("{ \"n\" : \"\\u0041\" }"),
    .place = { TS_STR("f.jsonl"), 12, 3 },
  };
  check_record(&full,
               "{\"type\":\"finding\",\"rule\":\"type-changed\",\"severity\":\"unknown\",\"vector\":{\"S\":\"note\","
               "\"P\":\"unknown\"},\"message\":\"'n' was a string and is a number\",\"session\":\"s\",\"agent\":\"a\","
               "\"id\":\"i\",\"name\":\"n\",\"pointer\":\"/properties/n\",\"old\":[\"a b\",1.0],"
               "\"new\":12345678901234567890,\"witness\":{\"n\":\"\\u0041\"},"
               "\"source\":{\"file\":\"f.jsonl\",\"line\":12,\"column\":3},\"fingerprint\":\"",
               "\"}", "everything, in order");
  struct ts_finding hostile = {
    .rule = TS_RULE_UNKNOWN_CALL,
    .message = TS_STR("no tool '\x1b[2J\r\n\0x'"),
    .name = TS_STR("\x1b[2J\r\n\0x\"\\"),
    .has_pointer = true,
    .place = { TS_STR("a\nb"), 7, 0 },
  };
  check_record(
      &hostile,
      "{\"type\":\"finding\",\"rule\":\"unknown-call\",\"severity\":\"error\",\"vector\":{\"R\":\"error\"},"
      "\"message\":\"no tool '\\\\x1b[2J\\\\x0d\\\\x0a\\\\x00x'\",\"name\":\"\\u001b[2J\\r\\n\\u0000x\\\"\\\\\","
      "\"pointer\":\"\",\"source\":{\"file\":\"a\\nb\",\"line\":7},\"fingerprint\":\"",
      "\"}", "hostile text");
  struct ts_finding place = { .rule = TS_RULE_BAD_LINE, .place = { TS_STR("f"), 0, 9 } };
  check_record(&place,
               "{\"type\":\"finding\",\"rule\":\"bad-line\",\"severity\":\"error\",\"vector\":{\"R\":\"error\"},"
               "\"message\":\"\",\"source\":{\"file\":\"f\"},\"fingerprint\":\"",
               "\"}", "a column without a line says nothing");
}

static void test_fingerprint(void) {
  struct ts_finding f = {
    .rule = TS_RULE_TYPE_CHANGED,
    .name = TS_STR("n"),
    .pointer = TS_STR("/p"),
    .old_value = TS_STR("\"a\""),
    .new_value = TS_STR("[1,2]"),
  };
  const struct ts_str text = TS_STR("type-changed\0n\0/p\0\"a\"\0[1,2]");
  char hex[TS_SHA256_HEX], got[TS_FINGERPRINT], other[TS_FINGERPRINT];
  ts_sha256(&text, 1, -1, hex);
  hex[16] = '\0';
  ts_finding_fingerprint(&f, got);
  IS_Z(got, hex, "rule, name, pointer, old, new, joined by NUL");
  struct ts_finding same = f;
  same.message = TS_STR("in other words");
  same.session = same.id = TS_STR("elsewhere");
  same.place = (struct ts_place){ TS_STR("f"), 9, 9 };
  same.vector.level[TS_CACHE] = TS_ERROR;
  same.new_value = TS_STR(" [1, 2] ");
  ts_finding_fingerprint(&same, other);
  IS_Z(other, got, "neither message nor place nor spacing");
  struct ts_finding moved = {
    .rule = f.rule, .name = TS_STR("n/p"), .old_value = f.old_value, .new_value = f.new_value
  };
  ts_finding_fingerprint(&moved, other);
  OK(strcmp(other, got) != 0, "parts do not run into each other");
}

static void test_threshold(void) {
  enum { RV = TS_REPLAY, CV = TS_CACHE, MV = TS_MODEL, PV = TS_POLICY };
  static const struct {
    const char *spec;
    enum ts_rule_id rule;
    struct ts_vector vector;
    bool counts;
  } rows[] = {
    { NULL, TS_RULE_REMOVED_CALL, { { 0 } }, true },
    { NULL, TS_RULE_DEPRECATED_CALL, { { 0 } }, false },
    { NULL, TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, false },
    { NULL, TS_RULE_PATTERN_CHANGED, { { 0 } }, false },
    { "all=warning", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, true },
    { "all=warning", TS_RULE_PATTERN_CHANGED, { { 0 } }, true },
    { "all=warning", TS_RULE_DEPRECATED_CALL, { { 0 } }, false },
    { "all=note", TS_RULE_DEPRECATED_CALL, { { 0 } }, true },
    { "all=off", TS_RULE_REMOVED_CALL, { { 0 } }, false },
    { "removed-call=off", TS_RULE_REMOVED_CALL, { { 0 } }, false },
    { "removed-call=off", TS_RULE_UNKNOWN_CALL, { { 0 } }, true },
    { "deprecated-call=note", TS_RULE_DEPRECATED_CALL, { { 0 } }, true },
    { "deprecated-call=warning", TS_RULE_DEPRECATED_CALL, { { 0 } }, false },
    { "C=warning", TS_RULE_HEAD_REORDERED, { { 0 } }, true },
    { "C=warning,description-changed=off", TS_RULE_HEAD_REORDERED, { { 0 } }, true },
    { "C=warning,description-changed=off", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, false },
    { "description-changed=off,C=warning", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, false },
    { "R=off", TS_RULE_REMOVED_CALL, { { 0 } }, false },
    { "R=off", TS_RULE_NAME_DROPPED, { { 0 } }, true },
    { "R=off,S=off", TS_RULE_NAME_DROPPED, { { 0 } }, false },
    { "R=warning", TS_RULE_PATTERN_CHANGED, { { 0 } }, true },
    { "unknown=warning", TS_RULE_PATTERN_CHANGED, { { 0 } }, true },
    { "unknown=warning", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, false },
    { "unknown=note", TS_RULE_PATTERN_CHANGED, { { 0 } }, true },
    { "unknown=off,all=note", TS_RULE_PATTERN_CHANGED, { { 0 } }, false },
    { "unknown=off,all=note", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, true },
    { "unknown=error,all=note", TS_RULE_PATTERN_CHANGED, { { 0 } }, false },
    { "unknown=warning,R=error,S=error", TS_RULE_PATTERN_CHANGED, { { 0 } }, false },
    { "pattern-changed=warning,R=off,unknown=off,all=off", TS_RULE_PATTERN_CHANGED, { { 0 } }, true },
    { "all=warning,all", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, false },
    { " all = warning , R = off ", TS_RULE_DESCRIPTION_CHANGED, { { 0 } }, true },
    { "torn-line", TS_RULE_TORN_LINE, { { [RV] = TS_WARNING } }, false },
    { "torn-line=warning", TS_RULE_TORN_LINE, { { [RV] = TS_WARNING } }, true },
    { "P=warning", TS_RULE_LIFECYCLE_LEAK, { { [MV] = TS_WARNING } }, false },
    { "M=warning", TS_RULE_LIFECYCLE_LEAK, { { [MV] = TS_WARNING, [CV] = TS_NOTE } }, true },
    { "all=off", TS_RULE_WAIVER_EXPIRED, { { 0 } }, true },
    { "P=off", TS_RULE_WAIVER_EXPIRED, { { 0 } }, true },
    { NULL, TS_RULE_WAIVER_UNUSED, { { 0 } }, false },
    { "P=warning", TS_RULE_WAIVER_UNUSED, { { 0 } }, true },
    { "waiver-unused=warning", TS_RULE_WAIVER_UNUSED, { { 0 } }, true },
    { "all=warning,waiver-unused=off", TS_RULE_WAIVER_UNUSED, { { 0 } }, false },
    { "P=warning", TS_RULE_ILLEGAL_TRANSITION, { { [PV] = TS_WARNING } }, true },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_threshold t;
    struct ts_buf err = { 0 };
    struct ts_finding f = { .rule = rows[i].rule, .vector = rows[i].vector };
    ts_threshold_default(&t);
    if (rows[i].spec) IS_INT(ts_threshold_parse(&t, ts_str_z(rows[i].spec), &err), 0, "'%s' is read", rows[i].spec);
    OK(ts_threshold_counts(&t, &f) == rows[i].counts, "'%s': %s %s", rows[i].spec ? rows[i].spec : "",
       ts_rule(f.rule)->id, rows[i].counts ? "counts" : "does not count");
    ts_buf_free(&err);
  }
}

static void test_bad_thresholds(void) {
  static const struct {
    const char *spec, *err;
  } rows[] = {
    { "", "nothing between the commas of ''" },
    { "all=off,", "nothing between the commas of 'all=off,'" },
    { ",all=off", "nothing between the commas of ',all=off'" },
    { "=error", "no rule before '=error'" },
    { "removed-cal=off", "no rule 'removed-cal': did you mean 'removed-call'?" },
    { "X=off", "no rule 'X': give a rule of --rules, an audience (R, S, C, M, P), unknown or all" },
    { "c=off", "no rule 'c': give a rule of --rules, an audience (R, S, C, M, P), unknown or all" },
    { "all=fatal", "no level 'fatal' for 'all': use error, warning, note or off" },
    { "all=", "no level '' for 'all': use error, warning, note or off" },
    { "all=error=off", "no level 'error=off' for 'all': use error, warning, note or off" },
    { "all=unknown", "no level 'unknown' for 'all': use error, warning, note or off" },
    { "all=Error", "no level 'Error' for 'all': use error, warning, note or off" },
    { "deprecated-call", "'deprecated-call' is never an error: write 'deprecated-call=note'" },
    { "description-changed", "'description-changed' is never an error: write 'description-changed=warning'" },
    { "pattern-changed", "'pattern-changed' is never an error: write 'pattern-changed=warning'" },
    { "unknown", "'unknown' is never an error: write 'unknown=warning'" },
    { "waiver-expired=off", "'waiver-expired' is an integrity rule: it always counts" },
    { "a\x1b=off", "no rule 'a\\x1b': give a rule of --rules, an audience (R, S, C, M, P), unknown or all" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_threshold t, before;
    struct ts_buf err = { 0 };
    ts_threshold_default(&t);
    memcpy(&before, &t, sizeof t);
    IS_INT(ts_threshold_parse(&t, ts_str_z(rows[i].spec), &err), -1, "'%s' is refused", rows[i].spec);
    IS_Z(ts_buf_z(&err), rows[i].err, "'%s': sentence", rows[i].spec);
    OK(memcmp(&before, &t, sizeof t) == 0, "'%s' changes nothing", rows[i].spec);
    ts_buf_free(&err);
  }
}

int main(void) {
  test_record();
  test_fingerprint();
  test_threshold();
  test_bad_thresholds();
  return tap_done();
}
