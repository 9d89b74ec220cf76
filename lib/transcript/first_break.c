#include "transcript/first_break.h"

#include <inttypes.h>

#include "base/xalloc.h"
#include "json/write.h"
#include "transcript/judge.h"

/* One distinct content of the path. */
struct ts_break_version {
  bool readable; /* false: no catalog, and unchanged as far as one can tell */
  bool *replays; /* of each distinct call */
};

/* --- versions --------------------------------------------------------------------------------------------------- */

/* 1: *c is the catalog; where the path is not there it is an empty one. 0: *why says why it is none. */
static int read_catalog(const struct ts_first_break *b, const char *blob, struct ts_catalog *c, struct ts_buf *why,
                        struct ts_buf *err) {
  struct ts_buf text = { 0 };
  int status = blob[0] == '\0' ? 1 : ts_repo_blob(b->repo, blob, &text, err) < 0 ? -1 : 1;
  if (status == 1 && blob[0] && ts_catalog_read(c, ts_str_z(blob), ts_buf_str(&text), why) < 0) status = 0;
  if (status == 1 && ts_catalog_finish(c, why) < 0) status = 0;
  if (status == 1 && c->incomplete) {
    status = 0;
    (void)ts_fail(why, "%s: it ends with a nextCursor: more of its pages are needed", blob);
  }
  ts_buf_free(&text);
  return status;
}

static void try_calls(const struct ts_first_break *b, const struct ts_catalog *c, struct ts_break_version *v) {
  struct ts_judge *judge = ts_judge_new(c, b->surface);
  v->readable = true;
  v->replays = ts_xcalloc(b->saved->count, sizeof *v->replays);
  for (size_t i = 0; i < b->saved->count; i++) v->replays[i] = ts_judge_replays(judge, &b->saved->call[i].call);
  ts_judge_free(judge);
}

/* Reads a content when it is met for the first time. */
static int load(struct ts_first_break *b, const char *blob, struct ts_buf *err) {
  if (ts_map_get(&b->by_blob, ts_str_z(blob)) != TS_MAP_NONE) return 0;
  struct ts_catalog c = { 0 };
  struct ts_buf why = { 0 };
  struct ts_break_version v = { 0 };
  int status = read_catalog(b, blob, &c, &why, err);
  if (status == 0) ts_note(&b->remark, "a version is no catalog, and is passed over: %s", ts_buf_z(&why));
  if (status == 1) try_calls(b, &c, &v);
  *ts_map_at(&b->by_blob, ts_arena_dup(&b->arena, ts_str_z(blob)), 0) = b->version_count;
  ts_xgrow(&b->version, &b->version_cap, b->version_count + 1, sizeof *b->version);
  b->version[b->version_count++] = v;
  ts_catalog_free(&c);
  ts_buf_free(&why);
  return status < 0 ? -1 : 0;
}

static const struct ts_break_version *version(const struct ts_first_break *b, const char *blob) {
  return &b->version[ts_map_get(&b->by_blob, ts_str_z(blob))];
}

/* --- the search ------------------------------------------------------------------------------------------------- */

/* The blob of the base, or NULL with a sentence. */
static const char *find_base(struct ts_first_break *b, struct ts_buf *err) {
  const struct ts_history *h = &b->history;
  if (h->base[0]) {
    if (load(b, h->base, err) < 0) return NULL;
    if (version(b, h->base)->readable) return h->base;
    (void)ts_fail(err, "'%.*s' is no catalog at the lower end of '%.*s'", TS_FMT(b->path), TS_FMT(b->range));
    return NULL;
  }
  for (size_t i = 0; i < h->count; i++) {
    const char *blob = h->revision[i].blob;
    if (load(b, blob, err) < 0) return NULL;
    if (blob[0] && version(b, blob)->readable) return blob;
  }
  (void)ts_fail(err, "no commit in '%.*s' has '%.*s' as a catalog", TS_FMT(b->range), TS_FMT(b->path));
  return NULL;
}

static bool has_parent_with(const struct ts_first_break *b, const struct ts_revision *r, size_t call) {
  for (size_t i = 0; i < r->before_count; i++) {
    const struct ts_break_version *v = version(b, r->before[i]);
    if (!v->readable || v->replays[call]) return true;
  }
  return false;
}

static bool is_broken_at(const struct ts_first_break *b, const struct ts_break_version *base,
                         const struct ts_revision *r, size_t call) {
  return base->replays[call] && !version(b, r->blob)->replays[call] && has_parent_with(b, r, call);
}

static bool breaks(const struct ts_first_break *b, const struct ts_break_version *base, const struct ts_revision *r) {
  if (!version(b, r->blob)->readable) return false;
  for (size_t i = 0; i < b->saved->count; i++)
    if (is_broken_at(b, base, r, i)) return true;
  return false;
}

/* --- what broke ------------------------------------------------------------------------------------------------- */

static enum ts_rule_id explain(struct ts_judge *j, const struct ts_verdict *v, struct ts_str name, struct ts_buf *out) {
  ts_buf_clear(out);
  if (!v->route.dispatches) {
    ts_buf_add(out, ts_judge_explain(j, &v->route));
    return v->route.state == TS_REMOVED ? TS_RULE_REMOVED_CALL : TS_RULE_UNKNOWN_CALL;
  }
  ts_misfit_explain(v->misfit, name, out);
  return TS_RULE_ARGUMENTS_MISFIT;
}

/* Calls that broke for the same reason are one entry; the sentence has the name in it. */
static void add_broken(struct ts_first_break *b, const struct ts_saved_call *c, enum ts_rule_id rule,
                       struct ts_str message) {
  size_t *at = ts_map_at(&b->by_reason, message, TS_MAP_NONE), i = *at;
  if (i == TS_MAP_NONE) {
    *at = i = b->broken_count++;
    ts_xgrow(&b->broken, &b->broken_cap, b->broken_count, sizeof *b->broken);
    b->broken[i] = (struct ts_broken){ .name = c->call.name, .message = message, .rule = rule, .first = c->first };
  }
  b->broken[i].calls += c->count;
  b->broken_calls += c->count;
}

static int collect(struct ts_first_break *b, const struct ts_break_version *base, struct ts_buf *err) {
  struct ts_catalog c = { 0 };
  struct ts_buf message = { 0 };
  struct ts_verdict verdict;
  int status = read_catalog(b, b->revision->blob, &c, &message, err) == 1 ? 0 : -1;
  struct ts_judge *judge = ts_judge_new(&c, b->surface);
  for (size_t i = 0; i < b->saved->count && status == 0; i++) {
    const struct ts_saved_call *call = &b->saved->call[i];
    if (!is_broken_at(b, base, b->revision, i)) continue;
    ts_judge_call(judge, &call->call, &verdict);
    enum ts_rule_id rule = explain(judge, &verdict, call->call.name, &message);
    add_broken(b, call, rule, ts_arena_dup(&b->arena, ts_buf_str(&message)));
  }
  ts_judge_free(judge);
  ts_catalog_free(&c);
  ts_buf_free(&message);
  return status;
}

int ts_first_break_find(struct ts_first_break *b, struct ts_buf *err) {
  struct ts_history *h = &b->history;
  if (ts_history_read(b->repo, b->range, b->path, &b->remark, h, err) < 0) return -1;
  const char *base_blob = find_base(b, err);
  if (!base_blob) return -1;
  for (size_t i = 0; i < b->saved->count; i++)
    if (!version(b, base_blob)->replays[i]) b->never_calls += b->saved->call[i].count;
  for (size_t i = 0; i < h->count && !b->revision; i++) {
    const struct ts_revision *r = &h->revision[i];
    if (load(b, r->blob, err) < 0) return -1;
    for (size_t k = 0; k < r->before_count; k++)
      if (load(b, r->before[k], err) < 0) return -1;
    if (breaks(b, version(b, base_blob), r)) b->revision = r;
  }
  return b->revision ? collect(b, version(b, base_blob), err) : 0;
}

void ts_first_break_free(struct ts_first_break *b) {
  for (size_t i = 0; i < b->version_count; i++) free(b->version[i].replays);
  free(b->version);
  free(b->broken);
  ts_map_free(&b->by_blob);
  ts_map_free(&b->by_reason);
  ts_arena_free(&b->arena);
  ts_history_free(&b->history);
  *b = (struct ts_first_break){ 0 };
}

/* --- telling ---------------------------------------------------------------------------------------------------- */

void ts_first_break_records(const struct ts_first_break *b, struct ts_buf *out) {
  struct ts_buf message = { 0 };
  for (size_t i = 0; i < b->broken_count; i++) {
    const struct ts_broken *k = &b->broken[i];
    struct ts_jw w = ts_jw(out);
    ts_buf_clear(&message);
    ts_visible(&message, k->message);
    ts_jw_open(&w, '{');
    ts_jw_member(&w, "type", TS_STR("break"));
    ts_jw_member(&w, "rule", ts_str_z(ts_rule(k->rule)->id));
    ts_jw_member(&w, "message", ts_buf_str(&message));
    ts_jw_member(&w, "name", k->name);
    ts_jw_member_u64(&w, "calls", k->calls);
    ts_jw_member(&w, "commit", ts_str_z(b->revision->commit));
    ts_jw_member(&w, "date", ts_str_z(b->revision->date));
    ts_jw_member_if(&w, "tag", b->revision->tag);
    ts_jw_key(&w, "source");
    ts_jw_open(&w, '{');
    ts_jw_member(&w, "file", k->first.file);
    ts_jw_member_u64(&w, "line", k->first.line);
    ts_jw_member_u64(&w, "column", k->first.column);
    ts_jw_close(&w, '}');
    ts_jw_close(&w, '}');
    ts_buf_addc(out, '\n');
  }
  ts_buf_free(&message);
}

static void add_calls(struct ts_buf *out, uint64_t n) { ts_buf_addf(out, "%" PRIu64 " call%s", n, n == 1 ? "" : "s"); }

/* "v1.2.0 (commit 0123456789ab of 2026-01-03)" */
static void add_revision(struct ts_buf *out, const struct ts_revision *r) {
  ts_visible(out, r->tag.len > 0 ? r->tag : TS_STR("unreleased"));
  ts_buf_addf(out, " (commit %.12s of %.10s)", r->commit, r->date);
}

void ts_first_break_text(const struct ts_first_break *b, struct ts_buf *out) {
  if (!b->revision) return;
  add_revision(out, b->revision);
  ts_buf_addz(out, " broke ");
  add_calls(out, b->broken_calls);
  ts_buf_addz(out, ":\n");
  for (size_t i = 0; i < b->broken_count; i++) {
    const struct ts_broken *k = &b->broken[i];
    ts_buf_addz(out, "  ");
    ts_visible(out, k->first.file);
    ts_buf_addf(out, ":%" PRIu64 ": ", k->first.line);
    ts_visible(out, k->message);
    ts_buf_addf(out, " [%s], ", ts_rule(k->rule)->id);
    add_calls(out, k->calls);
    ts_buf_addc(out, '\n');
  }
}

void ts_first_break_summary(const struct ts_first_break *b, struct ts_buf *out) {
  const struct ts_saved *s = b->saved;
  ts_buf_addf(out, "%" PRIu64 " file%s, ", s->files, s->files == 1 ? "" : "s");
  add_calls(out, s->calls);
  ts_buf_addf(out, " (%zu distinct): ", s->count);
  if (b->revision) {
    ts_buf_addf(out, "%" PRIu64 " stopped replaying at ", b->broken_calls);
    add_revision(out, b->revision);
  } else {
    ts_buf_addf(out, "none stopped replaying in %zu revision%s", b->history.count, b->history.count == 1 ? "" : "s");
  }
  if (b->never_calls > 0) ts_buf_addf(out, "; %" PRIu64 " did not replay at the base either", b->never_calls);
  if (s->faults > 0) ts_buf_addf(out, "; %" PRIu64 " fault%s in the files", s->faults, s->faults == 1 ? "" : "s");
}
