/* Fuzzing lib/transcript: whatever is read, in any format, the events have a place in it, and written as neutral
 * records and read again they are as many of each kind. */
#include "fuzz.h"
#include "transcript/neutral.h"
#include "transcript/reader.h"

struct told {
  size_t count[TS_EVENT_FINDING + 1];
  uint64_t last_line;
  struct ts_neutral_writer *writer; /* NULL: only count */
  struct ts_buf records;
};

static int take(void *context, const struct ts_event *e) {
  struct told *t = context;
  t->count[e->kind]++;
  if (e->line > t->last_line) t->last_line = e->line;
  MUST(e->line > 0 && e->column > 0);
  MUST(e->kind != TS_EVENT_FINDING || e->rule < TS_RULES);
  MUST(e->form == TS_ARGUMENTS_NONE || e->kind == TS_EVENT_CALL || e->kind == TS_EVENT_SUB_CALL);
  if (t->writer) ts_neutral_write(t->writer, e, &t->records);
  return 0;
}

static int read_text(struct ts_str text, const struct ts_format *format, struct told *t, struct ts_read_stats *stats) {
  struct ts_input *in = ts_input_memory(text);
  const struct ts_read_options options = { .format = format, .max_line = 1 << 20 };
  struct ts_buf err = { 0 };
  int status = ts_transcript_read(in, TS_STR("file"), &options, take, t, stats, &err);
  MUST(status == 1 || err.len > 0);
  ts_buf_free(&err);
  ts_input_close(in);
  return status;
}

static void read_twice(struct ts_str text, const struct ts_format *format) {
  struct ts_neutral_writer writer = { .file = TS_STR("file"), .format = TS_STR("some") };
  struct told first = { .writer = &writer }, again = { 0 };
  struct ts_read_stats stats;
  bool read = read_text(text, format, &first, &stats) == 1;
  MUST(!read || first.last_line <= stats.lines);
  MUST(stats.bad_lines <= stats.lines);
  if (read && first.records.len > 0) {
    MUST(read_text(ts_buf_str(&first.records), ts_format_find(TS_STR("neutral")), &again, &stats) == 1);
    MUST(stats.bad_lines == 0);
    MUST(memcmp(first.count, again.count, sizeof first.count) == 0);
  }
  ts_neutral_free(&writer);
  ts_buf_free(&first.records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ts_str text = ts_str((const char *)data, size);
  size_t formats = 0;
  while (ts_format_at(formats)) formats++;
  MUST(formats > 0);
  read_twice(text, NULL);
  read_twice(text, ts_format_at((size ? data[size / 2] + size : 0) % formats));
  return 0;
}
