/* What the first-turn block costs, per mode and profile. */
#ifndef TS_CATALOG_MEASURE_H
#define TS_CATALOG_MEASURE_H

#include "base/digest.h"
#include "catalog/firstturn.h"

struct ts_measure {
  size_t active; /* tools */
  size_t bytes;
  size_t tokens; /* estimated: a quarter of the bytes, rounded up */
  char sha256[TS_SHA256_HEX];
};
void ts_measure_take(struct ts_measure *m, const struct ts_head *h);

/* Records, or a table for people, appended to *out: one row per mode and profile of `after`. With `before` (or
 * NULL) each row also says what it was there; a mode or profile that only one of the two has stands alone. */
void ts_measure_print(const struct ts_catalog *before, const struct ts_catalog *after, const struct ts_surface *s,
                      enum ts_api api, bool table, struct ts_buf *out);

#endif
