/* The one table of all rules: id, part, vector, and what --explain prints. Source: the project's rules for
 * audits, lint, drift and integrity; their text stands in toolsurface(7). Everything here is static. */
#ifndef TS_REPORT_RULES_H
#define TS_REPORT_RULES_H

#include "base/buf.h"

/* Ascending: the worst of several is their maximum. */
enum ts_level { TS_OFF, TS_NOTE, TS_UNKNOWN, TS_WARNING, TS_ERROR, TS_LEVELS };
enum ts_audience { TS_REPLAY, TS_SCHEMA, TS_CACHE, TS_MODEL, TS_POLICY, TS_AUDIENCES }; /* R S C M P */
enum ts_part { TS_AUDIT, TS_LINT, TS_DRIFT, TS_INTEGRITY, TS_PARTS };

struct ts_vector {
  uint8_t level[TS_AUDIENCES]; /* enum ts_level; TS_OFF: not concerned */
};

/* Names for the table's rows, made from it. */
enum ts_rule_id {
#define TS_RULE(symbol, ...) TS_RULE_##symbol,
#include "report/rules.def"
#undef TS_RULE
  TS_RULES,
};

/* The example of a rule is a pair of texts that --explain prints and the tests run. They stand in pairs_lint.def,
 * pairs_drift.def and pairs_audit.def, a TS_PAIR(SYMBOL, options, before, after) each:
 *   audit      before and after are JSONL of catalog records and neutral records (or torn lines) in one text:
 *              the catalog lines are the catalog, the other lines, in order, the transcript. Before gives the
 *              rule, after does not.
 *   lint       two catalogs: before gives the rule, after does not.
 *   drift      the old and the new catalog: comparing them gives the rule, comparing either with itself does
 *              not.
 * Integrity rules have none: it is not a catalog that breaks them. */
struct ts_rule {
  const char *id; /* "unanswered-call" */
  enum ts_part part;
  struct ts_vector vector;    /* the worst it can have; a finding may carry a milder one */
  const char *purpose;        /* one or two sentences */
  const char *options;        /* with which the pair shows it, "--mass 1"; NULL: none are needed */
  const char *before, *after; /* each line ends with LF; NULL: there is no pair */
};

const struct ts_rule *ts_rule(enum ts_rule_id id);
/* TS_RULES when there is no such rule. */
enum ts_rule_id ts_rule_find(struct ts_str id);
/* The rule whose id comes closest to a mistyped one; TS_RULES when none is near. */
enum ts_rule_id ts_rule_nearest(struct ts_str id);
const char *ts_part_name(enum ts_part part);    /* "lint" */
const char *ts_level_name(enum ts_level level); /* "error" */
/* TS_LEVELS when the word names none. */
enum ts_level ts_level_find(struct ts_str word);
char ts_audience_letter(enum ts_audience a); /* 'R' */
/* TS_AUDIENCES when the word names none. */
enum ts_audience ts_audience_find(struct ts_str letter);
enum ts_level ts_vector_worst(const struct ts_vector *v);
/* "R error, P warning", appended; nothing for a vector that concerns nobody. */
void ts_vector_text(struct ts_buf *out, const struct ts_vector *v);

#endif
