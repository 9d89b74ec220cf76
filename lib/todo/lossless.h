/* Whether a JSON text survives a reader whose numbers are doubles. */
#ifndef TS_TODO_LOSSLESS_H
#define TS_TODO_LOSSLESS_H

#include "json/scan.h"

/* False when a value of the text, which j has just accepted, is a negative zero (or rounds to one) or a number
 * beyond the range of a double. Of doubled keys only the last value counts. */
bool ts_json_lossless(const struct ts_json *j);

#endif
