/* A text that a regular expression of ECMA-262 is likely to match: a guess to be checked by the caller. Private
 * to lib/schema. */
#ifndef TS_SCHEMA_SAMPLE_H
#define TS_SCHEMA_SAMPLE_H

#include "base/buf.h"

struct ts_sample {
  unsigned variant; /* later alternatives and characters */
  size_t more;      /* extra rounds of what may be repeated, … */
  unsigned which;   /* … but only of the which-th such thing; 0: of all */
};

/* Appends the text. False: the pattern has something that is not understood here. */
bool ts_pattern_sample(struct ts_str pattern, struct ts_sample how, struct ts_buf *out);

#endif
