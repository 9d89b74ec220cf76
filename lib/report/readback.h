/* Finding records of tsrecord(5), read back: for programs that pass them on, and for reports that are written from
 * records. */
#ifndef TS_REPORT_READBACK_H
#define TS_REPORT_READBACK_H

#include "json/scan.h"
#include "report/finding.h"

/* Holds the text of the finding read last. {0} is ready. */
struct ts_readback {
  struct ts_buf text[8];
};

/* From the index of a whole record whose type is "finding". The text of *f is borrowed from r and from the record.
 * -1: it is none that this version knows. */
int ts_finding_read(struct ts_readback *r, const struct ts_json *j, struct ts_finding *f, struct ts_buf *err);
void ts_readback_free(struct ts_readback *r);

#endif
