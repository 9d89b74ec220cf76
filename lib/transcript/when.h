/* Points in time as transcripts write them, to be compared: RFC 3339 strings, and numbers of seconds, milli-, micro-
 * or nanoseconds since 1970. */
#ifndef TS_TRANSCRIPT_WHEN_H
#define TS_TRANSCRIPT_WHEN_H

#include "base/buf.h"

#define TS_WHEN_UNKNOWN INT64_MIN

/* Milliseconds since 1970 (UTC) from a raw JSON value, finer parts dropped; TS_WHEN_UNKNOWN when it is no time of
 * the years 1 to 9999. A time without a zone is taken as UTC. */
int64_t ts_when_parse(struct ts_str json);
/* 2026-01-02T03:04:05.678Z */
void ts_when_write(struct ts_buf *out, int64_t when);

#endif
