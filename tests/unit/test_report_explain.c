/* report/explain: what --rules and --explain print. */
#include "report/explain.h"

#include "json/scan.h"
#include "tap.h"

static size_t count_lines(struct ts_str text) {
  size_t n = 0;
  for (size_t i = 0; i < text.len; i++) n += text.ptr[i] == '\n';
  return n;
}

static size_t rules_of(unsigned parts) {
  size_t n = 0;
  for (int i = 0; i < TS_RULES; i++) n += parts >> ts_rule((enum ts_rule_id)i)->part & 1;
  return n;
}

static void test_list(void) {
  struct ts_buf out = { 0 };
  ts_rules_list(&out, 1u << TS_AUDIT, false);
  OK(ts_str_starts(ts_buf_str(&out),
                   TS_STR("removed-call              R error\n"
                          "    A call uses a name that was removed: it no longer runs. The replacement is\n"
                          "    named, if there is one.\n"
                          "unknown-call              R error\n")),
     "the rules of an audit");
  OK(!ts_str_has(ts_buf_str(&out), TS_STR("name-dropped")), "and no others");
  ts_buf_clear(&out);
  ts_rules_list(&out, 0, false);
  IS_U64(out.len, 0, "the rules of no part");
  ts_rules_list(&out, 1u << TS_DRIFT, true);
  OK(ts_str_starts(ts_buf_str(&out),
                   TS_STR("{\"type\":\"rule\",\"rule\":\"name-dropped\",\"part\":\"drift\",\"severity\":\"error\","
                          "\"vector\":{\"R\":\"error\",\"S\":\"error\"},"
                          "\"purpose\":\"A name is gone without a trace: saved calls of it stop replaying.\"}\n")),
     "a record a rule");
  IS_U64(count_lines(ts_buf_str(&out)), rules_of(1u << TS_DRIFT), "and no more");
  for (size_t at = 0; at < out.len;) {
    struct ts_json j = { 0 };
    size_t len = ts_str_find(ts_str_sub(ts_buf_str(&out), at, SIZE_MAX), TS_STR("\n"));
    if (ts_json_scan(&j, ts_str_sub(ts_buf_str(&out), at, len), NULL) < 0) OK(false, "is not JSON at %zu", at);
    ts_json_free(&j);
    at += len + 1;
  }
  ts_buf_free(&out);
}

static void test_width(void) {
  struct ts_buf out = { 0 };
  ts_rules_list(&out, ~0u, false);
  size_t widest = 0;
  for (size_t i = 0, from = 0; i < out.len; i++) {
    if (out.ptr[i] != '\n') continue;
    if (i - from > widest) widest = i - from;
    from = i + 1;
  }
  OK(widest <= 80, "no line is wider than 80 columns (%zu)", widest);
  ts_buf_free(&out);
}

static void test_explain(void) {
  struct ts_buf out = { 0 }, err = { 0 };
  IS_INT(ts_rules_explain(&out, TS_STR("nothing-checked"), false, &err), 0, "a rule without a pair");
  IS_Z(ts_buf_z(&out), "nothing-checked (integrity): P error\n\nThere was not one tool to check.\n", "its page");
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_rule *rule = ts_rule((enum ts_rule_id)i);
    size_t blank_lines = !rule->before ? 0 : rule->options ? 3 : 2;
    ts_buf_clear(&out);
    IS_INT(ts_rules_explain(&out, ts_str_z(rule->id), false, &err), 0, "%s is explained", rule->id);
    size_t blanks = 0;
    for (struct ts_str rest = ts_buf_str(&out); rest.len > 1; rest = ts_str_sub(rest, 1, SIZE_MAX))
      blanks += rest.ptr[0] == '\n' && rest.ptr[1] == '\n';
    IS_U64(blanks, 1 + blank_lines, "%s: its pair is shown, when there is one", rule->id);
    ts_buf_clear(&out);
    IS_INT(ts_rules_explain(&out, ts_str_z(rule->id), true, &err), 0, "%s as a record", rule->id);
    struct ts_json j = { 0 };
    IS_INT(ts_json_scan(&j, ts_buf_str(&out), NULL), 0, "%s: a record is JSON", rule->id);
    OK(!rule->before == !TS_JSON_GET(&j, 0, "before") &&
           (!rule->before || ts_json_says(&j, TS_JSON_GET(&j, 0, "after"), ts_str_z(rule->after))),
       "%s: with its pair", rule->id);
    ts_json_free(&j);
  }
  ts_buf_free(&out);
  ts_buf_free(&err);
}

static void test_unknown(void) {
  static const struct {
    const char *rule, *err;
  } rows[] = {
    { "name-droped", "no rule 'name-droped': did you mean 'name-dropped'?" },
    { "\x1b", "no rule '\\x1b': --rules lists them" },
    { "", "no rule '': --rules lists them" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 }, err = { 0 };
    IS_INT(ts_rules_explain(&out, ts_str_z(rows[i].rule), false, &err), -1, "no rule %zu", i);
    IS_Z(ts_buf_z(&err), rows[i].err, "no rule %zu: sentence", i);
    IS_U64(out.len, 0, "no rule %zu: nothing is printed", i);
    ts_buf_free(&out);
    ts_buf_free(&err);
  }
}

int main(void) {
  test_list();
  test_width();
  test_explain();
  test_unknown();
  return tap_done();
}
