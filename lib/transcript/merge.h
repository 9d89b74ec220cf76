/* Merging what audits of shares have written (--partial): the summaries are added up, the findings passed on, sorted,
 * so that the outcome is the same for any split of the files, any order and any tree of merges. */
#ifndef TS_TRANSCRIPT_MERGE_H
#define TS_TRANSCRIPT_MERGE_H

#include "io/lines.h"
#include "transcript/ordered.h"
#include "transcript/summary.h"

struct ts_merge_finding {
  struct ts_str file;
  struct ts_placed place;
};

/* {0} is empty. Memory: that of all findings. */
struct ts_merge {
  struct ts_summary sum;
  uint64_t summaries;
  /* private */
  struct ts_merge_finding *finding;
  size_t finding_count, finding_cap;
  uint64_t by_rule[TS_RULES]; /* findings that were read */
  struct ts_arena arena;
};

/* Reads the records of one input; name is for messages. -1: a line is neither a finding nor a summary; *err says
 * `name:line: why`. */
int ts_merge_read(struct ts_merge *m, struct ts_input *in, struct ts_str name, uint64_t max_line, struct ts_buf *err);
/* All is read. -1: there was no summary, or one is missing: findings came that none of them counts. */
int ts_merge_end(struct ts_merge *m, struct ts_buf *err);
/* Hands over the finding records by file, line, column and bytes. */
void ts_merge_findings(const struct ts_merge *m, ts_record_fn *record, void *context);
void ts_merge_free(struct ts_merge *m);

#endif
