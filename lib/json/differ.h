/* Where two JSON values differ first, in the order of the old one. Strings are compared by what they say, numbers by
 * how they are spelled, members of objects in their order; white space between tokens does not count. */
#ifndef TS_JSON_DIFFER_H
#define TS_JSON_DIFFER_H

#include "json/scan.h"

/* Owns its text; the caller frees it with ts_differ_free. */
struct ts_differ {
  /* Given: pointers (RFC 6901) of values that do not count. One that leads into a string means the JSON that the
   * string holds: where there is such a one, two strings that hold objects or arrays are compared as those. */
  const struct ts_str *ignore;
  size_t ignore_count;
  struct ts_buf pointer; /* in: of the two values; out: of the difference */
  /* Out: the values there, raw; empty: there is none. */
  struct ts_buf old_value, new_value;
  size_t offset; /* of two strings: bytes that both begin with, whole characters */
};

/* Both are accepted JSON. False: they do not differ. */
bool ts_differ(struct ts_differ *d, struct ts_str old_text, struct ts_str new_text);
void ts_differ_free(struct ts_differ *d);

#endif
