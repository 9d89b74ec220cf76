/* A transcript without its dialect: events as the records of tsrecord(5), and the words these are made of. Reading
 * what ts_neutral_write wrote (format neutral) gives the same events again. */
#ifndef TS_TRANSCRIPT_NEUTRAL_H
#define TS_TRANSCRIPT_NEUTRAL_H

#include "json/scan.h"
#include "report/record.h"
#include "transcript/event.h"

/* Words of tsrecord(5) for events other than calls, results and findings, by kind; empty for those. */
struct ts_str ts_neutral_word(enum ts_event_kind kind);

/* What a writer needs again and again; {0} is ready for use. */
struct ts_neutral_writer {
  struct ts_str file; /* borrowed */
  struct ts_str format;
  struct ts_json json;
  struct ts_buf more, text;
};
void ts_neutral_free(struct ts_neutral_writer *w);

/* Appends the record of one event, and a newline. A result's content is its text when it is a string or a list of
 * one block of text; other JSON stays as it is; what is not UTF-8 is written in base64. */
void ts_neutral_write(struct ts_neutral_writer *w, const struct ts_event *e, struct ts_buf *out);

#endif
