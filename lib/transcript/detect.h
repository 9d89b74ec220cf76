/* Which format a transcript is in, and whether it is lines or one document. Source of the rules and their order:
 * toolsurface(7), "Transcript formats". */
#ifndef TS_TRANSCRIPT_DETECT_H
#define TS_TRANSCRIPT_DETECT_H

#include "io/lines.h"
#include "transcript/reader.h"

struct ts_detected {
  const struct ts_format *format;
  bool is_document;
};

/* Looks at what comes next, consuming nothing: the first value, whole however long (up to max bytes), then up to 200
 * records, as far as they lie in the first 8 MiB behind it. `given` is the format when it is known, or NULL. 1: found;
 * 0: no known format, *err says what was seen; -1: cannot be read, or is UTF-16. */
int ts_detect(struct ts_input *in, struct ts_str file, const struct ts_format *given, uint64_t max,
              struct ts_detected *out, struct ts_buf *err);

#endif
