#include "catalog/measure.h"

#include "base/xalloc.h"
#include "catalog/print.h"
#include "json/write.h"

enum { BYTES_PER_TOKEN = 4 }; /* rule of thumb for English text and JSON */

void ts_measure_take(struct ts_measure *m, const struct ts_head *h) {
  struct ts_str bytes = ts_buf_str(&h->bytes);
  m->active = h->count;
  m->bytes = bytes.len;
  m->tokens = (bytes.len + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
  ts_sha256(&bytes, 1, -1, m->sha256);
}

/* One mode and profile, before and after. */
struct row {
  struct ts_str mode, profile; /* of one of the catalogs */
  bool has[2];
  struct ts_measure m[2];
};

struct rows {
  struct row *row;
  size_t count, cap;
};

/* Takes the measures of one side; *has is false where that catalog lacks the mode or profile. */
static void take(struct row *r, int side, const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api,
                 struct ts_head *head) {
  struct ts_scope scope;
  r->has[side] = c && ts_scope_open(&scope, c, s, NULL) == 0;
  if (!r->has[side]) return;
  ts_head_build(head, c, &scope, api);
  ts_measure_take(&r->m[side], head);
  ts_scope_close(&scope);
}

static bool is_known(const struct rows *rows, const struct ts_surface *s) {
  for (size_t i = 0; i < rows->count; i++)
    if (ts_str_eq(rows->row[i].mode, s->mode) && ts_str_eq(rows->row[i].profile, s->profile)) return true;
  return false;
}

/* Rows for the surfaces of `of` that are not there yet. */
static void collect(struct rows *rows, const struct ts_catalog *of, const struct ts_catalog *before,
                    const struct ts_catalog *after, const struct ts_surface *s, enum ts_api api) {
  struct ts_surface each = *s;
  struct ts_head head = { 0 };
  for (size_t at = 0; ts_surface_next(of, &each, &at);) {
    if (is_known(rows, &each)) continue;
    struct row r = { .mode = each.mode, .profile = each.profile };
    take(&r, 0, before, &each, api, &head);
    take(&r, 1, after, &each, api, &head);
    ts_xgrow(&rows->row, &rows->cap, rows->count + 1, sizeof *rows->row);
    rows->row[rows->count++] = r;
  }
  ts_head_free(&head);
}

static void put_measure(struct ts_jw *w, const struct ts_measure *m) {
  ts_jw_member_u64(w, "active", m->active);
  ts_jw_member_u64(w, "bytes", m->bytes);
  ts_jw_member_u64(w, "tokens", m->tokens);
  ts_jw_member(w, "sha256", ts_str_z(m->sha256));
}

static void print_record(const struct row *r, bool both, struct ts_buf *out) {
  static const char *const side[] = { "before", "after" };
  struct ts_jw w = ts_jw(out);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("measure"));
  ts_jw_member(&w, "mode", r->mode);
  ts_jw_member_if(&w, "profile", r->profile);
  if (!both) put_measure(&w, &r->m[1]);
  for (int i = 0; both && i < 2; i++) {
    if (!r->has[i]) continue;
    ts_jw_key(&w, side[i]);
    ts_jw_open(&w, '{');
    put_measure(&w, &r->m[i]);
    ts_jw_close(&w, '}');
  }
  ts_jw_close(&w, '}');
  ts_buf_addc(out, '\n');
}

/* --- the table ------------------------------------------------------------------------------------------ */

enum { MODE, PROFILE, ACTIVE, BYTES, TOKENS, SHA256, COLUMNS };
enum { SHA_SHOWN = 12 };

/* "7", or "7 -> 9" where the two sides differ; "-" stands for a side that is not there. */
static struct ts_str pair(const struct row *r, bool both, const struct ts_str text[2], struct ts_arena *a) {
  struct ts_buf b = { 0 };
  struct ts_str left = r->has[0] ? text[0] : TS_STR("-"), right = r->has[1] ? text[1] : TS_STR("-");
  if (both && !ts_str_eq(left, right)) ts_buf_addf(&b, "%.*s -> ", TS_FMT(left));
  ts_buf_add(&b, right);
  struct ts_str copy = ts_arena_dup(a, ts_buf_str(&b));
  ts_buf_free(&b);
  return copy;
}

static struct ts_str number_pair(const struct row *r, bool both, size_t before, size_t after, struct ts_arena *a) {
  char left[24], right[24];
  (void)snprintf(left, sizeof left, "%zu", before);
  (void)snprintf(right, sizeof right, "%zu", after);
  return pair(r, both, (const struct ts_str[]){ ts_str_z(left), ts_str_z(right) }, a);
}

static void print_table(const struct rows *rows, bool both, struct ts_buf *out) {
  static const char *const heading[COLUMNS] = { "MODE", "PROFILE", "ACTIVE", "BYTES", "TOKENS", "SHA-256" };
  struct ts_arena texts = { 0 };
  struct ts_str *cell = ts_xcalloc((rows->count + 1) * COLUMNS, sizeof *cell), *line = cell;
  for (size_t i = 0; i < COLUMNS; i++) line[i] = ts_str_z(heading[i]);
  for (size_t i = 0; i < rows->count; i++) {
    const struct row *r = &rows->row[i];
    const struct ts_measure *m = r->m;
    line += COLUMNS;
    line[MODE] = r->mode;
    line[PROFILE] = r->profile.len > 0 ? r->profile : TS_STR("-");
    line[ACTIVE] = number_pair(r, both, m[0].active, m[1].active, &texts);
    line[BYTES] = number_pair(r, both, m[0].bytes, m[1].bytes, &texts);
    line[TOKENS] = number_pair(r, both, m[0].tokens, m[1].tokens, &texts);
    struct ts_str sha[] = { ts_str(m[0].sha256, SHA_SHOWN), ts_str(m[1].sha256, SHA_SHOWN) };
    line[SHA256] = pair(r, both, sha, &texts);
  }
  ts_table_print(cell, COLUMNS, rows->count + 1, 1u << ACTIVE | 1u << BYTES | 1u << TOKENS, out);
  ts_arena_free(&texts);
  free(cell);
}

void ts_measure_print(const struct ts_catalog *before, const struct ts_catalog *after, const struct ts_surface *s,
                      enum ts_api api, bool table, struct ts_buf *out) {
  struct rows rows = { 0 };
  collect(&rows, after, before, after, s, api);
  if (before) collect(&rows, before, before, after, s, api);
  for (size_t i = 0; !table && i < rows.count; i++) print_record(&rows.row[i], before != NULL, out);
  if (table) print_table(&rows, before != NULL, out);
  free(rows.row);
}
