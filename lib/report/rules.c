#include "report/rules.h"

/* How the columns of rules.def and of the pairs read. `#` keeps an example's bytes: in an operand of it no macro
 * (`true` of stdbool.h is one) is expanded, and string literals keep their escapes. */
#define VECTOR(...)          \
  {                          \
    .level = { __VA_ARGS__ } \
  }
#define R(level) [TS_REPLAY] = TS_##level
#define S(level) [TS_SCHEMA] = TS_##level
#define C(level) [TS_CACHE] = TS_##level
#define M(level) [TS_MODEL] = TS_##level
#define P(level) [TS_POLICY] = TS_##level
#define JSONL(...) #__VA_ARGS__ "\n"

static const struct ts_rule rules[TS_RULES] = {
#define TS_RULE(symbol, name, in_part, concerns, why)                                                    \
  [TS_RULE_##symbol].id = name, [TS_RULE_##symbol].part = in_part, [TS_RULE_##symbol].vector = concerns, \
  [TS_RULE_##symbol].purpose = why,
#include "report/rules.def"
#undef TS_RULE
#define TS_PAIR(symbol, with, broken, whole) \
  [TS_RULE_##symbol].options = with, [TS_RULE_##symbol].before = broken, [TS_RULE_##symbol].after = whole,
#include "report/pairs_audit.def"
#include "report/pairs_drift.def"
#include "report/pairs_lint.def"
#undef TS_PAIR
};

static const char *const level_names[TS_LEVELS] = {
  [TS_OFF] = "off", [TS_NOTE] = "note", [TS_UNKNOWN] = "unknown", [TS_WARNING] = "warning", [TS_ERROR] = "error",
};

static const char *const part_names[TS_PARTS] = {
  [TS_AUDIT] = "audit",
  [TS_LINT] = "lint",
  [TS_DRIFT] = "drift",
  [TS_INTEGRITY] = "integrity",
};

static const char audience_letters[TS_AUDIENCES + 1] = "RSCMP";

const struct ts_rule *ts_rule(enum ts_rule_id id) { return &rules[id]; }

enum ts_rule_id ts_rule_find(struct ts_str id) {
  for (int i = 0; i < TS_RULES; i++)
    if (ts_str_is(id, rules[i].id)) return (enum ts_rule_id)i;
  return TS_RULES;
}

#define ID_MAX 64 /* bytes; longer than any id, so that one row of the distance table fits on the stack */

/* Bytes to insert, delete or replace (Levenshtein). Both are shorter than ID_MAX. */
static size_t edit_distance(struct ts_str a, struct ts_str b) {
  size_t row[ID_MAX];
  for (size_t j = 0; j <= b.len; j++) row[j] = j;
  for (size_t i = 1; i <= a.len; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.len; j++) {
      size_t above = row[j], best = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = above;
      row[j] = best;
    }
  }
  return row[b.len];
}

enum ts_rule_id ts_rule_nearest(struct ts_str id) {
  enum ts_rule_id nearest = TS_RULES;
  if (id.len == 0 || id.len >= ID_MAX) return nearest;
  size_t best = id.len / 3 + 2; /* farther than that is another word, not a slip */
  for (int i = 0; i < TS_RULES; i++) {
    size_t distance = edit_distance(id, ts_str_z(rules[i].id));
    if (distance >= best) continue;
    best = distance;
    nearest = (enum ts_rule_id)i;
  }
  return nearest;
}

const char *ts_part_name(enum ts_part part) { return part_names[part]; }

const char *ts_level_name(enum ts_level level) { return level_names[level]; }

enum ts_level ts_level_find(struct ts_str word) {
  int i = 0;
  while (i < TS_LEVELS && !ts_str_is(word, level_names[i])) i++;
  return (enum ts_level)i;
}

char ts_audience_letter(enum ts_audience a) { return audience_letters[a]; }

enum ts_audience ts_audience_find(struct ts_str letter) {
  int i = 0;
  while (i < TS_AUDIENCES && !(letter.len == 1 && letter.ptr[0] == audience_letters[i])) i++;
  return (enum ts_audience)i;
}

enum ts_level ts_vector_worst(const struct ts_vector *v) {
  int worst = TS_OFF;
  for (int a = 0; a < TS_AUDIENCES; a++)
    if (v->level[a] > worst) worst = v->level[a];
  return (enum ts_level)worst;
}

void ts_vector_text(struct ts_buf *out, const struct ts_vector *v) {
  const char *before = "";
  for (int a = 0; a < TS_AUDIENCES; a++) {
    if (v->level[a] == TS_OFF) continue;
    ts_buf_addf(out, "%s%c %s", before, audience_letters[a], level_names[v->level[a]]);
    before = ", ";
  }
}
