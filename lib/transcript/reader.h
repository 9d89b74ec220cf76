/* Reads one transcript, in whatever format it is, and calls back with events. Every fault of the file (torn
 * lines, glued records, bad UTF-8 …) comes as TS_EVENT_FINDING and reading goes on. */
#ifndef TS_TRANSCRIPT_READER_H
#define TS_TRANSCRIPT_READER_H

#include "io/lines.h"
#include "transcript/event.h"

struct ts_format; /* a row of the table of formats (transcript/dialect.h) */

const struct ts_format *ts_format_find(struct ts_str name); /* "claude-code"; NULL: none */
const char *ts_format_name(const struct ts_format *f);
/* Their names, for a table of options; tests hold it against the table of formats. */
#define TS_FORMATS \
  "claude-code|codex|dsh|codewhale-session|codewhale-events|codewhale-exec|openai|anthropic|gemini|pi|mcp|neutral"
const struct ts_format *ts_format_at(size_t i); /* NULL behind the last: for --help */

struct ts_read_options {
  const struct ts_format *format; /* --from; NULL: detect */
  uint64_t max_line;              /* bytes; 0: TS_LINE_MAX */
};

struct ts_read_stats {
  const struct ts_format *format;
  uint64_t lines, bytes; /* bytes after decompression */
  uint64_t bad_lines;    /* lines that are not exactly one JSON value */
};

/* 1: read to the end. 0: no known format (an empty file too), or there are records and not one is of the format that
 * was given, which is known at the end only; *err says what was seen, stats->format is NULL. -1: could not be read;
 * *err says why. `events` returning -1 ends reading with 1. */
int ts_transcript_read(struct ts_input *in, struct ts_str file, const struct ts_read_options *options,
                       ts_event_fn *events, void *context, struct ts_read_stats *stats, struct ts_buf *err);

#endif
