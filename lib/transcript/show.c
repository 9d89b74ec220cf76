#include "transcript/show.h"

#include <unistd.h>

#include "transcript/tell.h"

static const struct ts_view_row views[] = {
  { NULL, TS_SHOW_AUDIT, TS_REPLAY_FINDINGS, .reports = true, .text = true, .summary = true, .selects = true },
  { "verdicts", TS_SHOW_AUDIT, TS_REPLAY_VERDICTS, .text = true, .summary = true, .selects = true },
  { "list", TS_SHOW_AUDIT, TS_REPLAY_FILES, .selects = true },
  { "calls", TS_SHOW_NEUTRAL, TS_REPLAY_CALLS, .selects = true },
  { .option = "results", .kind = TS_SHOW_NEUTRAL, .records = TS_REPLAY_RESULTS },
  { .option = "events", .kind = TS_SHOW_NEUTRAL, .records = TS_REPLAY_EVENTS },
  { "names", TS_SHOW_AUDIT, TS_REPLAY_NOTHING, .text = true, .names = true, .selects = true },
  { "partial", TS_SHOW_AUDIT, TS_REPLAY_FINDINGS, .summary = true, .selects = true },
  { "merge", TS_SHOW_MERGE, TS_REPLAY_NOTHING, .reports = true, .text = true, .summary = true },
  { .option = "compare", .kind = TS_SHOW_COMPARE, .records = TS_REPLAY_RESULTS },
  { "first-break", TS_SHOW_FIRST_BREAK, TS_REPLAY_NOTHING, .text = true },
};

const struct ts_view_row *ts_view_find(const char *option) {
  for (size_t i = 0; i < TS_COUNT(views); i++) {
    const char *has = views[i].option;
    if (option && has ? strcmp(option, has) == 0 : !option && !has) return &views[i];
  }
  return NULL;
}

/* --- callbacks: their context is the ts_show ------------------------------------------------------------- */

static void remark(void *context, struct ts_str sentence) {
  struct ts_show *s = context;
  ts_progress_hide(&s->progress);
  s->say(sentence);
}

static void failure(void *context, struct ts_str sentence) {
  ((struct ts_show *)context)->failed = true;
  remark(context, sentence);
}

static void record(void *context, struct ts_str bytes) {
  struct ts_show *s = context;
  ts_output_record(s->output, bytes);
  if (s->out->error) s->replay.stop = true;
}

static void compare_record(void *context, struct ts_str bytes) {
  struct ts_show *s = context;
  ts_compare_take(&s->compare, bytes);
  if (s->out->error) s->replay.stop = true;
}

static void progress(void *context, uint64_t more) { ts_progress_step(&((struct ts_show *)context)->progress, more); }

/* --- the work ------------------------------------------------------------------------------------------- */

static void replay(struct ts_show *s) {
  struct ts_replay *r = &s->replay;
  r->view = s->view->records;
  r->quiet = s->quiet;
  r->record = s->view->kind == TS_SHOW_COMPARE ? compare_record : record;
  r->remark = (struct ts_notes){ remark, s };
  r->failure = (struct ts_notes){ failure, s };
  r->progress = progress;
  r->context = s;
  ts_replay_run(r, s->files);
  s->counts = r->counts;
}

static void merge(struct ts_show *s) {
  struct ts_merge m = { 0 };
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < s->files->count && !s->failed; i++) {
    const char *path = s->files->item[i].path;
    struct ts_input *in = ts_input_open(path, &err);
    uint64_t max = s->replay.read.max_line ? s->replay.read.max_line : TS_LINE_MAX;
    if (!in || ts_merge_read(&m, in, ts_str_z(path), max, &err) < 0) failure(s, ts_buf_str(&err));
    ts_input_close(in);
  }
  if (!s->failed && ts_merge_end(&m, &err) < 0) failure(s, ts_buf_str(&err));
  if (!s->failed) {
    ts_merge_findings(&m, record, s);
    ts_summary_add(&s->replay.sum, &m.sum);
    s->counts = ts_summary_counts(&m.sum, s->replay.audit.threshold);
  }
  ts_merge_free(&m);
  ts_buf_free(&err);
}

static void compare(struct ts_show *s) {
  struct ts_buf err = { 0 };
  struct ts_compare *c = &s->compare;
  c->results = ts_input_open(s->results, &err);
  c->name = ts_str_z(s->results);
  c->max_line = s->replay.read.max_line ? s->replay.read.max_line : TS_LINE_MAX;
  c->out = record;
  c->failure = (struct ts_notes){ failure, s };
  c->context = s;
  if (c->results)
    replay(s);
  else
    failure(s, ts_buf_str(&err));
  if (c->results) ts_compare_end(c);
  s->counts |= c->differ + c->missing + c->extra > 0;
  ts_input_close(c->results);
  ts_buf_free(&err);
}

static void show_names(struct ts_show *s) {
  struct ts_buf text = { 0 };
  ts_summary_select(&s->replay.sum, s->replay.audit.only);
  if (s->reporter)
    ts_tell_names(&s->replay.sum, &text);
  else
    ts_summary_write_names(&s->replay.sum, &text);
  ts_out_add(s->out, ts_buf_str(&text));
  ts_buf_free(&text);
}

/* One sentence for a person, unless the report is one for people and has said it. */
static void sum_up(struct ts_show *s) {
  struct ts_buf text = { 0 };
  const struct ts_summary *sum = &s->replay.sum;
  bool is_said = s->reporter && s->view->summary && strcmp(ts_reporter_name(s->reporter), "text") == 0;
  if (s->quiet || is_said) return;
  if (s->view->kind == TS_SHOW_COMPARE)
    ts_compare_tell(&s->compare, &text);
  else if (s->view->kind == TS_SHOW_NEUTRAL)
    ts_tell_records(sum, s->replay.records, &text);
  else
    ts_tell_line(sum, &text);
  s->say(ts_buf_str(&text));
  ts_buf_free(&text);
}

static void show_break(struct ts_show *s) {
  struct ts_buf text = { 0 };
  if (s->reporter)
    ts_first_break_text(&s->first_break, &text);
  else
    ts_first_break_records(&s->first_break, &text);
  ts_out_add(s->out, ts_buf_str(&text));
  ts_buf_clear(&text);
  ts_first_break_summary(&s->first_break, &text);
  if (!s->quiet) s->say(ts_buf_str(&text));
  s->counts = s->first_break.revision != NULL;
  ts_buf_free(&text);
}

/* The transcripts are read once, then catalog after catalog. */
static void first_break(struct ts_show *s) {
  struct ts_saved saved = { 0 };
  struct ts_buf err = { 0 };
  struct ts_first_break *b = &s->first_break;
  const struct ts_saved_reading reading = {
    .files = s->files,
    .read = s->replay.read,
    .threads = s->replay.threads,
    .remark = { s->quiet ? NULL : remark, s },
    .failure = { failure, s },
    .progress = progress,
    .context = s,
  };
  (void)ts_saved_read(&saved, &reading); /* a failure has been told, and is remembered */
  ts_progress_close(&s->progress);
  b->saved = &saved;
  b->surface = s->replay.audit.surface;
  b->remark = (struct ts_notes){ s->quiet ? NULL : remark, s };
  if (ts_first_break_find(b, &err) < 0)
    failure(s, ts_buf_str(&err));
  else
    show_break(s);
  ts_first_break_free(b);
  ts_saved_free(&saved);
  ts_buf_free(&err);
}

int ts_show_check(struct ts_show *s, struct ts_buf *err) {
  const struct ts_view_row *v = s->view;
  const char *format = s->reporter ? ts_reporter_name(s->reporter) : "";
  bool is_jsonl = strcmp(format, "jsonl") == 0, is_text = strcmp(format, "text") == 0;
  if (!v->selects && !ts_selection_is_all(s->replay.audit.only))
    return ts_fail(err, "--%s takes no --only-state and no --only-name", v->option);
  if (s->reporter && !v->reports && !is_jsonl && !(is_text && v->text))
    return ts_fail(err, "--%s is not written as %s", v->option, format);
  if (!s->reporter && v->text && isatty(s->out->fd)) s->reporter = ts_reporter_find(TS_STR("text"));
  if (is_jsonl) s->reporter = NULL;
  return 0;
}

static void show_records(struct ts_show *s) {
  s->output = ts_output_new(s->reporter, &s->spec, s->out);
  if (s->view->kind == TS_SHOW_MERGE)
    merge(s);
  else if (s->view->kind == TS_SHOW_COMPARE)
    compare(s);
  else
    replay(s);
  ts_progress_close(&s->progress);
  bool needs_all = s->view->kind == TS_SHOW_MERGE || s->view->kind == TS_SHOW_COMPARE;
  bool is_whole = !needs_all || !s->failed; /* half a sum is none */
  if (s->view->names) show_names(s);
  ts_output_end(s->output, s->view->summary && is_whole ? &s->replay.sum : NULL);
  if (is_whole) sum_up(s);
  ts_output_free(s->output);
  ts_replay_free(&s->replay);
}

void ts_show(struct ts_show *s) {
  /* Between the lines of a terminal a bar would be unreadable; a report comes at the end. */
  bool bar = !s->quiet && s->view->kind != TS_SHOW_MERGE && (s->reporter || !isatty(s->out->fd));
  ts_progress_open(&s->progress, ts_files_size(s->files), bar);
  if (s->view->kind == TS_SHOW_FIRST_BREAK)
    first_break(s);
  else
    show_records(s);
}
