#include "transcript/saved.h"

#include "base/xalloc.h"
#include "transcript/parallel.h"

struct run {
  const struct ts_saved_reading *reading;
  struct ts_saved *total;
  bool failed;
};

/* What a job leaves behind where it is not its turn. */
struct outcome {
  struct ts_saved saved;
  struct ts_buf err;
  bool failed;
};

/* --- one file --------------------------------------------------------------------------------------------------- */

struct gathering {
  struct ts_saved *into;
  struct ts_str file;
  struct ts_buf key;
};

/* Name and arguments can hold any byte: the length of the name parts them. */
static void make_key(struct ts_buf *key, const struct ts_event *e) {
  ts_buf_clear(key);
  ts_buf_addf(key, "%zu %d%d ", e->name.len, (int)e->form, e->arguments_string);
  ts_buf_add(key, e->name);
  if (e->form == TS_ARGUMENTS_JSON) ts_buf_add(key, e->arguments); /* raw input is never checked: any is as good */
}

static void add(struct ts_saved *s, struct ts_buf *key, const struct ts_event *e, uint64_t count,
                const struct ts_place *first) {
  make_key(key, e);
  size_t at = ts_map_get(&s->by_key, ts_buf_str(key));
  s->calls += count;
  if (at != TS_MAP_NONE) {
    s->call[at].count += count;
    return;
  }
  struct ts_str kept = ts_arena_dup(&s->arena, ts_buf_str(key));
  size_t rest = e->form == TS_ARGUMENTS_JSON ? e->arguments.len : 0, head = kept.len - e->name.len - rest;
  struct ts_event call = { .kind = TS_EVENT_CALL, .form = e->form, .arguments_string = e->arguments_string };
  call.name = ts_str(kept.ptr + head, e->name.len);
  call.arguments = ts_str(kept.ptr + head + e->name.len, rest);
  *ts_map_at(&s->by_key, kept, 0) = s->count;
  ts_xgrow(&s->call, &s->cap, s->count + 1, sizeof *s->call);
  s->call[s->count++] = (struct ts_saved_call){ call, count, *first };
}

/* A ts_event_fn. */
static int take_event(void *context, const struct ts_event *e) {
  struct gathering *g = context;
  const struct ts_place place = { g->file, e->line, e->column };
  const struct ts_finding f = { .rule = e->rule, .vector = e->vector };
  if (e->kind == TS_EVENT_CALL) add(g->into, &g->key, e, 1, &place);
  if (e->kind == TS_EVENT_FINDING && ts_finding_severity(&f) >= TS_WARNING) g->into->faults++;
  return 0;
}

/* 1: read; 0: of no known format; -1: it could not be. */
static int read_file(struct ts_saved *into, const struct ts_read_options *options, const struct ts_file *file,
                     struct ts_buf *err) {
  struct gathering g = { .into = into, .file = ts_str_z(file->path) };
  struct ts_read_stats stats = { 0 };
  bool skipped;
  struct ts_input *in = ts_file_open(file, &skipped, err);
  int status = in ? ts_transcript_read(in, g.file, options, take_event, &g, &stats, err) : skipped ? 0 : -1;
  if (stats.format) into->files++;
  if (status == 0 && !file->is_named)
    into->skipped++;
  else if (status == 0)
    status = -1;
  ts_input_close(in);
  ts_buf_free(&g.key);
  return status;
}

/* --- all of them ------------------------------------------------------------------------------------------------ */

static void tell(struct run *run, size_t job, const struct outcome *o) {
  const struct ts_saved_reading *r = run->reading;
  if (o->err.len > 0) ts_note(o->failed ? &r->failure : &r->remark, "%s", ts_buf_z(&o->err));
  run->failed |= o->failed;
  if (r->progress) r->progress(r->context, r->files->item[job].size);
}

static void work(void *worker, size_t job, void *slot) {
  struct run *run = worker;
  struct outcome here = { 0 }, *o = slot ? slot : &here;
  o->failed =
      read_file(slot ? &o->saved : run->total, &run->reading->read, &run->reading->files->item[job], &o->err) < 0;
  if (!slot) tell(run, job, o);
  ts_buf_free(&here.err);
}

static void add_all(struct ts_saved *s, const struct ts_saved *more) {
  struct ts_buf key = { 0 };
  for (size_t i = 0; i < more->count; i++) {
    const struct ts_saved_call *c = &more->call[i];
    add(s, &key, &c->call, c->count, &c->first);
  }
  s->files += more->files;
  s->skipped += more->skipped;
  s->faults += more->faults;
  ts_buf_free(&key);
}

static void finish(void *context, size_t job, void *slot) {
  struct run *run = context;
  struct outcome *o = slot;
  if (!o) return;
  add_all(run->total, &o->saved);
  tell(run, job, o);
  ts_saved_free(&o->saved);
  ts_buf_free(&o->err);
}

static void idle(void *context) { (void)context; }

int ts_saved_read(struct ts_saved *s, const struct ts_saved_reading *reading) {
  struct run run = { .reading = reading, .total = s };
  size_t files = reading->files->count;
  unsigned threads = reading->threads > files ? (unsigned)files : reading->threads;
  if (threads < 1) threads = 1;
  void **workers = ts_xcalloc(threads, sizeof *workers);
  for (unsigned i = 0; i < threads; i++) workers[i] = &run;
  const struct ts_parallel p = { .jobs = files,
                                 .threads = threads,
                                 .slot_size = sizeof(struct outcome),
                                 .worker = workers,
                                 .context = &run,
                                 .work = work,
                                 .finish = finish,
                                 .idle = idle };
  ts_parallel_run(&p);
  free(workers);
  return run.failed ? -1 : 0;
}

void ts_saved_free(struct ts_saved *s) {
  free(s->call);
  ts_map_free(&s->by_key);
  ts_arena_free(&s->arena);
  *s = (struct ts_saved){ 0 };
}
