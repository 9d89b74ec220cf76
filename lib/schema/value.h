/* What the schema checks need to know of values beyond json/tree.h. Types are sets of bits, so that
 * narrowing and widening are set operations; a number is an integer (1, 1.0, 1e2) or a fraction. */
#ifndef TS_SCHEMA_VALUE_H
#define TS_SCHEMA_VALUE_H

#include "json/tree.h"

enum {
  TS_T_NULL = 1,
  TS_T_BOOLEAN = 2,
  TS_T_INTEGER = 4,
  TS_T_FRACTION = 8,
  TS_T_STRING = 16,
  TS_T_ARRAY = 32,
  TS_T_OBJECT = 64,
  TS_T_NUMBER = TS_T_INTEGER | TS_T_FRACTION,
  TS_T_ALL = 127,
};

/* The bit of a value's type. */
unsigned ts_value_type(const struct ts_tree *v);
/* The bits of a type's name, in any case (Gemini shouts); 0: no type. */
unsigned ts_type_find(struct ts_str name);
/* "string or null", appended. */
void ts_type_text(struct ts_buf *out, unsigned types);
/* "string" or ["string","null"], appended. */
void ts_type_json(struct ts_buf *out, unsigned types);

/* Is value a multiple of divisor, which is above 0? Exact, as decimals: 0.3 is one of 0.1. 1, 0, or -1 for a
 * divisor of more than 18 digits. */
int ts_number_is_multiple(struct ts_str value, struct ts_str divisor);
/* Equal values (ts_tree_equal) have equal hashes; *steps is raised by the values looked at. */
uint64_t ts_value_hash(const struct ts_tree *v, size_t *steps);
/* Code points of a text in tree spelling. */
uint64_t ts_tree_length(struct ts_str text);
/* A text in tree spelling as it was meant, appended: C0 80 becomes a NUL. */
void ts_tree_plain(struct ts_buf *out, struct ts_str text);
/* A text in tree spelling, quoted as JSON, appended; cut to `most` code points and an ellipsis. */
void ts_tree_quote(struct ts_buf *out, struct ts_str text, size_t most);
/* The value for a sentence: as JSON when short, else cut; appended. */
void ts_value_brief(struct ts_buf *out, const struct ts_tree *v);

#endif
