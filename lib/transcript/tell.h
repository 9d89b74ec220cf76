/* What an audit says at its end: a verdict that a person reads in ten seconds, the counts behind it, and what to do
 * next. All text is made visible. */
#ifndef TS_TRANSCRIPT_TELL_H
#define TS_TRANSCRIPT_TELL_H

#include "transcript/summary.h"

/* One line, without a newline: what was read, and what came of it. */
void ts_tell_line(const struct ts_summary *s, struct ts_buf *out);
/* The same for views that only convert. */
void ts_tell_records(const struct ts_summary *s, uint64_t records, struct ts_buf *out);
/* Several lines: the verdict, states, names that do not dispatch, findings, what to do next. Faults of what was
 * recorded that do not count by the threshold do not speak against it. */
void ts_tell_report(struct ts_summary *s, const struct ts_threshold *t, bool colour, struct ts_buf *out);
/* The names as an aligned table. */
void ts_tell_names(struct ts_summary *s, struct ts_buf *out);
/* One verdict record as a line: "file:line: name -> canonical: state, arguments fit". */
void ts_tell_verdict(const struct ts_json *record, struct ts_buf *out);

#endif
