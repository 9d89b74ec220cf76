#include "check/corpus.h"

#include "base/xalloc.h"
#include "transcript/judge.h"

struct ts_corpus_name {
  uint64_t calls, breaks;
};

/* --- reading ---------------------------------------------------------------------------------------------------- */

/* The first thing that went wrong is the one to tell. */
static void keep_first(void *context, struct ts_str sentence) {
  struct ts_buf *err = context;
  if (err->len == 0) ts_buf_add(err, sentence);
}

static struct ts_corpus_name *name_at(struct ts_corpus *c, struct ts_str name) {
  size_t *at = ts_map_at(&c->by_name, name, c->name_count);
  ts_xgrow(&c->name, &c->name_cap, *at + 1, sizeof *c->name);
  if (*at == c->name_count) c->name[c->name_count++] = (struct ts_corpus_name){ 0 };
  return &c->name[*at];
}

static void count(struct ts_corpus *c, struct ts_str name, uint64_t calls, bool broken) {
  struct ts_corpus_name *n = name_at(c, name);
  n->calls += calls;
  if (broken) n->breaks += calls;
}

/* A call by an old name is one of the tool that it leads to as well. */
static void try_calls(struct ts_corpus *c, const struct ts_catalog *before, const struct ts_catalog *after) {
  const struct ts_surface every = { 0 };
  struct ts_judge *old = ts_judge_new(before, &every), *new = ts_judge_new(after, &every);
  for (size_t i = 0; i < c->saved.count; i++) {
    const struct ts_saved_call *s = &c->saved.call[i];
    bool broken = ts_judge_replays(old, &s->call) && !ts_judge_replays(new, &s->call);
    struct ts_route route;
    count(c, s->call.name, s->count, broken);
    if (ts_judge_route(old, s->call.name, &route) && route.tool && !ts_str_eq(route.tool->name, s->call.name))
      count(c, route.tool->name, s->count, broken);
  }
  ts_judge_free(old);
  ts_judge_free(new);
}

int ts_corpus_load(struct ts_corpus *c, const char *path, const struct ts_catalog *before,
                   const struct ts_catalog *after, struct ts_buf *err) {
  struct ts_files files = { 0 };
  struct ts_buf failed = { 0 };
  const struct ts_notes failure = { keep_first, &failed };
  char *operand[] = { (char *)(uintptr_t)path };
  (void)ts_files_gather(&files, 1, operand, NULL, &failure, NULL);
  const struct ts_saved_reading reading = { .files = &files, .threads = 1, .failure = failure };
  (void)ts_saved_read(&c->saved, &reading);
  int status = 0;
  if (failed.len > 0)
    status = ts_fail(err, "%s", ts_buf_z(&failed));
  else if (c->saved.files == 0)
    status = ts_fail(err, "%s: there is not one transcript", path);
  else
    try_calls(c, before, after);
  ts_buf_free(&failed);
  ts_files_free(&files);
  return status;
}

void ts_corpus_free(struct ts_corpus *c) {
  ts_saved_free(&c->saved);
  ts_map_free(&c->by_name);
  free(c->name);
  *c = (struct ts_corpus){ 0 };
}

/* --- telling ---------------------------------------------------------------------------------------------------- */

/* 1204 as 1,204 */
static void add_number(struct ts_buf *out, uint64_t n) {
  if (n >= 1000) {
    add_number(out, n / 1000);
    ts_buf_addf(out, ",%03u", (unsigned)(n % 1000));
  } else {
    ts_buf_addf(out, "%u", (unsigned)n);
  }
}

static void add_calls(struct ts_buf *out, uint64_t n) {
  add_number(out, n);
  ts_buf_addz(out, n == 1 ? " saved call" : " saved calls");
}

void ts_corpus_weigh(const struct ts_corpus *c, struct ts_finding *f, struct ts_buf *message) {
  struct ts_vector vector = ts_finding_vector(f);
  if (vector.level[TS_REPLAY] <= TS_NOTE || f->name.len == 0) return;
  size_t at = ts_map_get(&c->by_name, f->name);
  if (at != TS_MAP_NONE) {
    f->corpus_breaks = c->name[at].breaks;
    f->corpus_calls = c->name[at].calls;
  }
  f->has_corpus = true;
  ts_buf_set(message, f->message);
  ts_buf_addz(message, " (");
  add_number(message, f->corpus_breaks);
  ts_buf_addz(message, " of ");
  add_calls(message, f->corpus_calls);
  ts_buf_addz(message, " of '");
  ts_buf_add(message, f->name);
  ts_buf_addz(message, "')");
  f->message = ts_buf_str(message);
}

void ts_corpus_summary(const struct ts_corpus *c, struct ts_buf *out) {
  add_calls(out, c->saved.calls);
  ts_buf_addz(out, " in ");
  add_number(out, c->saved.files);
  ts_buf_addz(out, c->saved.files == 1 ? " file" : " files");
}
