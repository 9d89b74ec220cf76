/* A text that a regular expression of ECMA-262 is likely to match: a guess to be checked by the caller. Private
 * to lib/schema. */
#ifndef TS_SCHEMA_SAMPLE_H
#define TS_SCHEMA_SAMPLE_H

#include "base/buf.h"

/* Appends the text. `variant` picks later alternatives and characters, `more` is the number of extra rounds of
 * what may be repeated. False: the pattern has something that is not understood here. */
bool ts_pattern_sample(struct ts_str pattern, unsigned variant, size_t more, struct ts_buf *out);

#endif
