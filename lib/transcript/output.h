/* Where the records of a view go: as they are, or as a report in one of the formats. */
#ifndef TS_TRANSCRIPT_OUTPUT_H
#define TS_TRANSCRIPT_OUTPUT_H

#include "io/out.h"
#include "report/report.h"
#include "transcript/summary.h"

#define TS_OUTPUT_PER_RULE 20 /* findings of one rule that the text report shows; the rest is counted */

struct ts_output;

/* reporter NULL: records pass as they are, whatever they are. spec's strings and out are borrowed. */
struct ts_output *ts_output_new(const struct ts_reporter *reporter, const struct ts_report_spec *spec,
                                struct ts_out *out);
/* A ts_record_fn; the context is the output. With a reporter it takes findings and verdicts (text only). */
void ts_output_record(void *output, struct ts_str record);
/* The end of it; a summary, when it is asked for (not NULL), goes behind the records. */
void ts_output_end(struct ts_output *o, struct ts_summary *s);
void ts_output_free(struct ts_output *o);

#endif
