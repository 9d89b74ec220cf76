#include "transcript/replay.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "transcript/judge.h"
#include "transcript/neutral.h"
#include "transcript/parallel.h"

enum { EVENTS_A_TICK = 256 };

enum parcel { RECORD, REMARK, FAILURE };

struct run {
  struct ts_replay *replay;
  const struct ts_files *files;
  _Atomic uint64_t done; /* bytes, not yet told */
  atomic_bool stop;
};

/* A thread's own. */
struct worker {
  struct run *run;
  struct ts_spool *spool; /* takes what comes before its turn; NULL: it is always this thread's turn */
  struct ts_audit *audit;
  struct ts_judge *judge;
  struct ts_neutral_writer writer;
  struct ts_summary sum;
  struct ts_buf record, err;
  bool counts, failed;
  /* of the file in hand */
  struct ts_input *in;
  struct ts_str file;
  struct ts_read_stats stats;
  uint64_t told; /* bytes of it that were counted in run->done */
  unsigned events;
};

/* --- handing over --------------------------------------------------------------------------------------- */

static void deliver(struct ts_replay *r, enum parcel kind, struct ts_str bytes) {
  if (kind == RECORD) {
    r->records++;
    r->record(r->context, bytes);
  } else {
    ts_note(kind == REMARK ? &r->remark : &r->failure, "%.*s", TS_FMT(bytes));
  }
}

struct header {
  uint64_t size;
  enum parcel kind;
};

static void hand_over(struct worker *w, enum parcel kind, struct ts_str bytes) {
  if (!w->spool) {
    deliver(w->run->replay, kind, bytes);
    if (w->run->replay->stop) w->run->stop = true;
    return;
  }
  struct header h = { .size = bytes.len, .kind = kind };
  ts_spool_add(w->spool, ts_str((const char *)&h, sizeof h));
  ts_spool_add(w->spool, bytes);
}

static void hand_over_record(void *worker, struct ts_str record) { hand_over(worker, RECORD, record); }

static void tell_progress(struct run *run) {
  uint64_t more = atomic_exchange(&run->done, 0);
  if (more > 0 && run->replay->progress) run->replay->progress(run->replay->context, more);
}

static void idle(void *context) { tell_progress(context); }

static void finish(void *context, size_t job, void *slot) {
  struct run *run = context;
  struct ts_spool *spool = slot;
  struct ts_buf block = { 0 }, err = { 0 };
  (void)job;
  while (spool && spool->size > 0) {
    struct header h;
    if (ts_spool_take(spool, sizeof h, &block, &err) < 0) break;
    memcpy(&h, block.ptr, sizeof h);
    if (ts_spool_take(spool, (size_t)h.size, &block, &err) < 0) break;
    if (!run->replay->stop) deliver(run->replay, h.kind, ts_buf_str(&block));
  }
  if (err.len > 0) {
    deliver(run->replay, FAILURE, ts_buf_str(&err));
    run->replay->failed = true;
  }
  if (run->replay->stop) run->stop = true;
  if (spool) ts_spool_free(spool);
  ts_buf_free(&block);
  ts_buf_free(&err);
  tell_progress(run);
}

/* --- one file ------------------------------------------------------------------------------------------- */

/* In the views that are no audit the reader's findings are remarks. */
static void take_finding(struct worker *w, const struct ts_event *e) {
  const struct ts_audit_rules *rules = &w->run->replay->audit;
  const struct ts_finding f = { .rule = e->rule, .vector = e->vector };
  if (ts_threshold_counts(rules->threshold, &f)) w->counts = true;
  if (ts_finding_severity(&f) < TS_WARNING) return;
  ts_buf_clear(&w->record);
  ts_buf_addf(&w->record, "%.*s:%llu:%llu: %s: ", TS_FMT(w->file), (unsigned long long)e->line,
              (unsigned long long)e->column, ts_rule(e->rule)->id);
  ts_visible(&w->record, e->message);
  hand_over(w, REMARK, ts_buf_str(&w->record));
}

static bool is_wanted(struct worker *w, const struct ts_event *e) {
  const struct ts_selection *only = w->run->replay->audit.only;
  struct ts_route route;
  switch (w->run->replay->view) {
    case TS_REPLAY_CALLS:
      if (e->kind != TS_EVENT_CALL) return false;
      if (ts_selection_is_all(only)) return true;
      bool judged = ts_judge_route(w->judge, e->name, &route);
      return ts_selection_has(only, e->name, judged, route.state);
    case TS_REPLAY_RESULTS:
      return e->kind == TS_EVENT_RESULT;
    default:
      return true;
  }
}

static void write_neutral(struct worker *w, const struct ts_event *e) {
  if (e->kind == TS_EVENT_FINDING) take_finding(w, e);
  if (!is_wanted(w, e)) return;
  w->writer.file = w->file;
  w->writer.format = ts_str_z(ts_format_name(w->stats.format));
  ts_buf_clear(&w->record);
  ts_neutral_write(&w->writer, e, &w->record);
  hand_over(w, RECORD, ts_buf_str(&w->record));
}

static void count_bytes(struct worker *w) {
  uint64_t now = ts_input_consumed(w->in);
  atomic_fetch_add(&w->run->done, now - w->told);
  w->told = now;
  if (!w->spool) tell_progress(w->run);
}

static bool is_audit(const struct ts_replay *r) { return r->view < TS_REPLAY_CALLS; }

/* A ts_event_fn. */
static int take_event(void *context, const struct ts_event *e) {
  struct worker *w = context;
  int status = 0;
  if (++w->events % EVENTS_A_TICK == 0) count_bytes(w);
  if (is_audit(w->run->replay))
    status = ts_audit_event(w->audit, e);
  else
    write_neutral(w, e);
  return w->run->stop ? -1 : status;
}

static void end_audit(struct worker *w) {
  struct ts_audit_outcome outcome;
  struct ts_buf err = { 0 };
  if (ts_audit_end(w->audit, &outcome, &err) < 0) {
    hand_over(w, FAILURE, ts_buf_str(&err));
    w->failed = true;
  }
  ts_buf_free(&err);
  w->counts |= outcome.counts;
  if (w->run->replay->view != TS_REPLAY_FILES || !outcome.selected) return;
  ts_buf_set(&w->record, w->file);
  ts_buf_addc(&w->record, w->run->replay->list_end);
  hand_over(w, RECORD, ts_buf_str(&w->record));
}

static void count_file(struct worker *w) {
  if (!w->stats.format) return;
  w->sum.files++;
  w->sum.lines += w->stats.lines;
  w->sum.bytes += w->stats.bytes;
}

/* What the reader's return value comes to. */
static void judge_reading(struct worker *w, const struct ts_file *file, int status) {
  if (status > 0) return;
  if (status == 0 && !file->is_named) {
    w->sum.skipped++;
    if (!w->run->replay->quiet) hand_over(w, REMARK, ts_buf_str(&w->err));
    return;
  }
  w->failed = true;
  hand_over(w, FAILURE, ts_buf_str(&w->err));
}

static void read_file(struct worker *w, const struct ts_file *file) {
  const struct ts_replay *r = w->run->replay;
  ts_buf_clear(&w->err);
  w->stats = (struct ts_read_stats){ 0 };
  w->file = ts_str_z(file->path);
  w->told = 0;
  bool skipped;
  w->in = ts_file_open(file, &skipped, &w->err);
  int status = skipped ? 0 : -1;
  if (w->in) {
    if (is_audit(r)) ts_audit_begin(w->audit, w->file, &w->stats, &w->sum);
    status = ts_transcript_read(w->in, w->file, &r->read, take_event, w, &w->stats, &w->err);
    if (is_audit(r))
      end_audit(w);
    else
      count_file(w);
    count_bytes(w);
  }
  judge_reading(w, file, status);
  ts_input_close(w->in);
}

static void work(void *worker, size_t job, void *slot) {
  struct worker *w = worker;
  w->spool = slot;
  if (!w->run->stop) read_file(w, &w->run->files->item[job]);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static struct worker *worker_new(struct run *run) {
  struct worker *w = ts_xcalloc(1, sizeof *w);
  const struct ts_replay *r = run->replay;
  struct ts_audit_views views = { .context = w };
  if (r->view == TS_REPLAY_FINDINGS) views.finding = hand_over_record;
  if (r->view == TS_REPLAY_VERDICTS) views.verdict = hand_over_record;
  w->run = run;
  w->audit = ts_audit_new(&r->audit, &views);
  w->judge = ts_judge_new(r->audit.catalog, r->audit.surface);
  return w;
}

/* Takes over what it found. */
static void worker_free(struct worker *w) {
  struct ts_replay *r = w->run->replay;
  ts_summary_add(&r->sum, &w->sum);
  r->counts |= w->counts;
  r->failed |= w->failed;
  ts_audit_free(w->audit);
  ts_judge_free(w->judge);
  ts_neutral_free(&w->writer);
  ts_summary_free(&w->sum);
  ts_buf_free(&w->record);
  ts_buf_free(&w->err);
  free(w);
}

void ts_replay_run(struct ts_replay *r, const struct ts_files *files) {
  struct run run = { .replay = r, .files = files };
  unsigned threads = r->threads > files->count ? (unsigned)files->count : r->threads;
  if (threads < 1) threads = 1;
  void **workers = ts_xcalloc(threads, sizeof *workers);
  for (unsigned i = 0; i < threads; i++) workers[i] = worker_new(&run);
  const struct ts_parallel p = { .jobs = files->count,
                                 .threads = threads,
                                 .slot_size = sizeof(struct ts_spool),
                                 .worker = workers,
                                 .context = &run,
                                 .work = work,
                                 .finish = finish,
                                 .idle = idle };
  ts_parallel_run(&p);
  for (unsigned i = 0; i < threads; i++) worker_free(workers[i]);
  free((void *)workers);
}

void ts_replay_free(struct ts_replay *r) { ts_summary_free(&r->sum); }
