/* The one table of all rules: id, part, vector, and what --explain prints. Source: the project's rules for
 * audits, lint, drift and integrity; their text stands in toolsurface(7). */
#ifndef TS_REPORT_RULES_H
#define TS_REPORT_RULES_H

#include "base/buf.h"

/* Ascending: the worst of several is their maximum. */
enum ts_level { TS_OFF, TS_NOTE, TS_UNKNOWN, TS_WARNING, TS_ERROR };
enum ts_audience { TS_REPLAY, TS_SCHEMA, TS_CACHE, TS_MODEL, TS_POLICY, TS_AUDIENCES }; /* R S C M P */
enum ts_part { TS_AUDIT, TS_LINT, TS_DRIFT, TS_INTEGRITY };

struct ts_vector {
  uint8_t level[TS_AUDIENCES]; /* enum ts_level; TS_OFF: not concerned */
};

/* Names for the table's rows, made from it: rules.def has a TS_RULE(SYMBOL, "id", part, vector, purpose,
 * before, after) a row. */
enum ts_rule_id {
#define TS_RULE(symbol, ...) TS_RULE_##symbol,
#include "report/rules.def"
#undef TS_RULE
  TS_RULES,
};

struct ts_rule {
  const char *id; /* "unanswered-call" */
  enum ts_part part;
  struct ts_vector vector;    /* the usual one; a finding may carry another */
  const char *purpose;        /* one or two sentences */
  const char *before, *after; /* a minimal pair that shows it, JSONL; NULL where a pair shows nothing */
};

const struct ts_rule *ts_rule(enum ts_rule_id id);
/* TS_RULES when there is no such rule. */
enum ts_rule_id ts_rule_find(struct ts_str id);
const char *ts_level_name(enum ts_level level); /* "error" */
char ts_audience_letter(enum ts_audience a);    /* 'R' */
enum ts_level ts_vector_worst(const struct ts_vector *v);
/* "R e P w" as a vector: TS_VECTOR(.level[TS_REPLAY] = TS_ERROR, …) reads the same. */

#endif
