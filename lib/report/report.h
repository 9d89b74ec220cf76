/* A report: findings, in the order in which they are given, in one of the formats of --format. A program opens
 * it, hands over the findings, already sorted, and closes it; what the format holds back until it knows all
 * (counts, ends) comes then. The text is appended to a buffer that the program may empty at any time. */
#ifndef TS_REPORT_REPORT_H
#define TS_REPORT_REPORT_H

#include "report/finding.h"

/* The values of --format, for a table of options. */
#define TS_REPORT_FORMATS "text|jsonl|github|sarif|junit|markdown"

struct ts_reporter; /* a row of the table of formats */
struct ts_report;

const struct ts_reporter *ts_reporter_find(struct ts_str name); /* NULL: no such format */
const struct ts_reporter *ts_reporter_at(size_t i);             /* the i-th of the table, NULL behind its end */
const char *ts_reporter_name(const struct ts_reporter *r);

struct ts_report_spec {
  const char *program;           /* "tscat" */
  const char *version;           /* of the program */
  unsigned parts;                /* 1 << enum ts_part of what is checked; integrity is always there */
  struct ts_threshold threshold; /* junit: what counts is a failure, the rest is output */
  bool colour;                   /* text only */
};

/* The caller ends it with ts_report_close. spec is copied, its strings and out are borrowed until then. */
struct ts_report *ts_report_open(const struct ts_reporter *reporter, const struct ts_report_spec *spec,
                                 struct ts_buf *out);
void ts_report_finding(struct ts_report *r, const struct ts_finding *f);
/* The end of it: for programs a record (one line of JSON), for people whole lines, made visible already. A
 * format that has no place for it leaves it out. */
void ts_report_summary(struct ts_report *r, struct ts_str record, struct ts_str text);
void ts_report_close(struct ts_report *r);

/* How many findings came, all in all and of one severity. */
size_t ts_report_count(const struct ts_report *r);
size_t ts_report_count_of(const struct ts_report *r, enum ts_level severity);

#endif
