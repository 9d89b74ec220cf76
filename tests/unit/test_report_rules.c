/* report/rules: the table of rules holds together, and words find their rows. */
#include "report/rules.h"

#include "tap.h"

static bool is_id(const char *id) {
  size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-");
  return len > 0 && id[len] == '\0' && id[0] != '-' && id[len - 1] != '-';
}

static const char *const symbols[] = {
#define TS_RULE(symbol, ...) #symbol,
#include "report/rules.def"
#undef TS_RULE
};

/* The symbol of `a-b` is A_B. */
static bool is_symbol_of(const char *symbol, const char *id) {
  for (; *symbol && *id; symbol++, id++) {
    char want = *id == '-' ? '_' : (char)(*id >= 'a' && *id <= 'z' ? *id - 'a' + 'A' : *id);
    if (*symbol != want) return false;
  }
  return *symbol == *id;
}

static void test_table(void) {
  int part = TS_AUDIT;
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_rule *r = ts_rule((enum ts_rule_id)i);
    OK(is_id(r->id), "%s: is an id", r->id);
    OK(is_symbol_of(symbols[i], r->id), "%s: its symbol is %s", r->id, symbols[i]);
    IS_INT(ts_rule_find(ts_str_z(r->id)), i, "%s: is found, and there is no other", r->id);
    OK(ts_vector_worst(&r->vector) != TS_OFF, "%s: concerns somebody", r->id);
    OK(strlen(r->purpose) > 20 && strlen(r->purpose) < 200 && ts_str_ends(ts_str_z(r->purpose), TS_STR(".")),
       "%s: purpose is a sentence", r->id);
    OK((int)r->part >= part, "%s: stands with its part", r->id);
    OK(!r->before == !r->after, "%s: has both halves of a pair, or none", r->id);
    OK(!r->before || (ts_str_ends(ts_str_z(r->before), TS_STR("\n")) && strcmp(r->before, r->after) != 0),
       "%s: its pair is two texts of whole lines", r->id);
    part = (int)r->part;
  }
}

static void test_nearest(void) {
  static const struct {
    const char *word;
    int rule;
  } rows[] = {
    { "removed-call", TS_RULE_REMOVED_CALL },
    { "removed-calls", TS_RULE_REMOVED_CALL },
    { "unanswerd-call", TS_RULE_UNANSWERED_CALL },
    { "unanswered_call", TS_RULE_UNANSWERED_CALL },
    { "Description-Changed", TS_RULE_DESCRIPTION_CHANGED },
    { "head-byte-changed", TS_RULE_HEAD_BYTES_CHANGED },
    { "x", TS_RULES },
    { "", TS_RULES },
    { "quite another thing", TS_RULES },
    { "0123456789012345678901234567890123456789012345678901234567890123456789", TS_RULES },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    IS_INT(ts_rule_nearest(ts_str_z(rows[i].word)), rows[i].rule, "nearest to '%s'", rows[i].word);
  IS_INT(ts_rule_find(TS_STR("no-such-rule")), TS_RULES, "an unknown rule");
  IS_INT(ts_rule_find(TS_STR("")), TS_RULES, "an empty rule");
  IS_INT(ts_rule_find(TS_STR("bad-line\0")), TS_RULES, "a rule with a NUL behind it");
}

static void test_words(void) {
  for (int i = 0; i < TS_LEVELS; i++) {
    enum ts_level level = (enum ts_level)i;
    IS_INT(ts_level_find(ts_str_z(ts_level_name(level))), i, "level %s", ts_level_name(level));
  }
  for (int i = 0; i < TS_AUDIENCES; i++) {
    char letter = ts_audience_letter((enum ts_audience)i);
    IS_INT(ts_audience_find(ts_str(&letter, 1)), i, "audience %c", letter);
  }
  static const char *const wrong[] = { "", "r", "RS", "Error", "X" };
  for (size_t i = 0; i < TS_COUNT(wrong); i++) {
    IS_INT(ts_level_find(ts_str_z(wrong[i])), TS_LEVELS, "no level %zu", i);
    IS_INT(ts_audience_find(ts_str_z(wrong[i])), TS_AUDIENCES, "no audience %zu", i);
  }
  IS_INT(ts_audience_find(TS_STR("\0")), TS_AUDIENCES, "no audience NUL");
  static const char *const parts[TS_PARTS] = { "audit", "lint", "drift", "integrity" };
  for (int i = 0; i < TS_PARTS; i++) IS_Z(ts_part_name((enum ts_part)i), parts[i], "part %d", i);
}

static void test_vectors(void) {
  static const struct {
    struct ts_vector vector;
    int worst;
    const char *text;
  } rows[] = {
    { { .level = { 0 } }, TS_OFF, "" },
    { { .level = { [TS_REPLAY] = TS_NOTE } }, TS_NOTE, "R note" },
    { { .level = { [TS_POLICY] = TS_ERROR, [TS_REPLAY] = TS_WARNING } }, TS_ERROR, "R warning, P error" },
    { { .level = { TS_UNKNOWN, TS_UNKNOWN, TS_NOTE, TS_NOTE, TS_NOTE } },
      TS_UNKNOWN,
      "R unknown, S unknown, C note, M note, P note" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf text = { 0 };
    ts_vector_text(&text, &rows[i].vector);
    IS_Z(ts_buf_z(&text), rows[i].text, "vector %zu: text", i);
    IS_INT(ts_vector_worst(&rows[i].vector), rows[i].worst, "vector %zu: worst", i);
    ts_buf_free(&text);
  }
}

int main(void) {
  test_table();
  test_nearest();
  test_words();
  test_vectors();
  return tap_done();
}
