#include "transcript/reader.h"

#include "base/diag.h"
#include "base/xalloc.h"
#include "transcript/detect.h"
#include "transcript/dialect.h"
#include "transcript/walk.h"

static bool is_blank_line(struct ts_str text) { return ts_skip_blank(text, 0) == text.len; }

static void read_line(struct ts_reader *r, const struct ts_line *line, struct ts_input *in) {
  ts_reader_text(r, line->text, line->number, true);
  bool one_value = !line->too_long && ts_json_scan(&r->json, line->text, r->format->shape) == 0;
  if (one_value) {
    if (r->json.issues & 1u << TS_JSON_BAD_UTF8) r->stats->bad_lines++;
    ts_reader_record(r);
  } else if (line->too_long || !is_blank_line(line->text)) {
    r->stats->bad_lines++;
    ts_recover(r, line, in);
  }
}

static int read_lines(struct ts_reader *r, struct ts_input *in, uint64_t max_line, struct ts_buf *err) {
  struct ts_line line;
  int status = 1;
  while (!r->stopped && (status = ts_input_line(in, max_line, &line, err)) > 0) {
    r->stats->lines = line.number;
    read_line(r, &line, in);
  }
  return status < 0 ? -1 : 1;
}

static int read_document(struct ts_reader *r, struct ts_input *in, struct ts_str file, uint64_t max,
                         struct ts_buf *err) {
  struct ts_str text;
  if (ts_input_peek(in, (size_t)max + 1, &text, err) < 0) return -1;
  if (text.len > max)
    return ts_fail(err, "%.*s: the document is longer than %llu bytes", TS_FMT(file), (unsigned long long)max);
  ts_reader_text(r, text, 1, false);
  ts_document_read(r);
  struct ts_line line; /* counts them, and says whether the end came too early */
  int status;
  while ((status = ts_input_line(in, max, &line, err)) > 0) r->stats->lines = line.number;
  return status < 0 ? -1 : 1;
}

static void reader_free(struct ts_reader *r) {
  if (r->format->free_state) r->format->free_state(r->state);
  free(r->state);
  ts_json_free(&r->json);
  ts_json_free(&r->arguments);
  for (size_t i = 0; i < TS_SLOTS; i++) ts_buf_free(&r->slot[i]);
  ts_buf_free(&r->message);
}

/* A file that was said to be of a format which it is not would be in order, whatever is in it. */
static int check_claim(const struct ts_reader *r, struct ts_str file, struct ts_buf *err) {
  const struct ts_claim *c = &r->claim;
  if (r->stopped || !c->open || !c->records || (c->maybe && !c->other)) return 1;
  r->stats->format = NULL;
  (void)ts_fail(err, "%.*s: no record of format %s%s%s%s", TS_FMT(file), r->format->name,
                c->other ? " (it looks like " : "", c->other ? c->other->name : "", c->other ? ")" : "");
  return 0;
}

int ts_transcript_read(struct ts_input *in, struct ts_str file, const struct ts_read_options *options,
                       ts_event_fn *events, void *context, struct ts_read_stats *stats, struct ts_buf *err) {
  uint64_t max = options->max_line ? options->max_line : TS_LINE_MAX;
  struct ts_detected found;
  *stats = (struct ts_read_stats){ 0 };
  int known = ts_detect(in, file, options->format, max, &found, err);
  if (known <= 0) return known;
  stats->format = found.format;
  struct ts_reader r = { .format = found.format, .events = events, .context = context, .stats = stats };
  r.claim.open = options->format != NULL;
  r.state = ts_xcalloc(1, found.format->state_size);
  int status = found.is_document ? read_document(&r, in, file, max, err) : read_lines(&r, in, max, err);
  if (!r.stopped && found.format->finish) found.format->finish(&r);
  stats->bytes = ts_input_bytes(in);
  if (status > 0) status = check_claim(&r, file, err);
  reader_free(&r);
  return status;
}
