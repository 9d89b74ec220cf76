/* Comparing two schemas: what does the new one refuse that the old one accepted, and what does it accept
 * besides? The answer is a list of changes under the drift rules (report/rules.def), each at a place of the
 * schema. It is sound in one direction: whatever the old schema accepted and the new one refuses is covered
 * by a change at that place, of whatever level. An error is never guessed: it comes with a witness, arguments
 * that ts_schema_check accepts before and refuses now. A narrowing for which none was found is `unknown`.
 *
 * Arguments and structured results are JSON objects: what a schema says of other values at its top is not compared. */
#ifndef TS_SCHEMA_SUBSET_H
#define TS_SCHEMA_SUBSET_H

#include "report/rules.h"
#include "schema/validate.h"

/* All text is borrowed for the call that takes it. */
struct ts_schema_change {
  enum ts_rule_id rule;
  struct ts_vector vector;            /* the one in force; it may differ from the rule's own */
  struct ts_str pointer;              /* into the schema as if references stood in place: "/properties/q/type" */
  struct ts_str path;                 /* the parameter for people: "edits[].old"; empty: the arguments as a whole */
  struct ts_str message;              /* "parameter 'q': type \"string\" became \"integer\"" */
  struct ts_str old_value, new_value; /* raw JSON, or empty */
  struct ts_str witness;              /* raw JSON, or empty; every error has one */
};
typedef void ts_schema_change_fn(void *context, const struct ts_schema_change *change);

/* Calls fn for each change, in bytewise order of pointer and rule id. `output`: the schemas are of results, where it is
 * the new side's values that must be accepted by those who know the old one; rules are still named for what happened,
 * and a witness is a result of the new schema that the old one refuses. */
void ts_schema_compare(struct ts_schema *old, struct ts_schema *new, bool output, ts_schema_change_fn *fn,
                       void *context);

/* Does `new` accept whatever `old` accepts? 1: yes (members that old does not declare apart: nobody sends
 * them); 0: no, and *witness (may be NULL) gets the smallest arguments found; -1: not decided. */
int ts_schema_fits(struct ts_schema *old, struct ts_schema *new, struct ts_buf *witness);

#endif
