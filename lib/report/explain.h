/* What --rules and --explain print. */
#ifndef TS_REPORT_EXPLAIN_H
#define TS_REPORT_EXPLAIN_H

#include "report/rules.h"

/* Appends the rules of some parts (bits 1 << enum ts_part), in the table's order: for people, or with jsonl set
 * a record each. */
void ts_rules_list(struct ts_buf *out, unsigned parts, bool jsonl);
/* Appends purpose, vector and the before/after pair of one rule, whatever its part. -1: there is no such rule;
 * *err says so, and which one may have been meant. */
int ts_rules_explain(struct ts_buf *out, struct ts_str rule, bool jsonl, struct ts_buf *err);

#endif
