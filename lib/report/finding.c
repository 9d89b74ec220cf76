#include "report/finding.h"

#include "base/diag.h"
#include "base/digest.h"
#include "json/write.h"

_Static_assert(TS_FINGERPRINT <= TS_SHA256_HEX, "a fingerprint is the beginning of a digest");

struct ts_vector ts_finding_vector(const struct ts_finding *f) {
  return ts_vector_worst(&f->vector) == TS_OFF ? ts_rule(f->rule)->vector : f->vector;
}

enum ts_level ts_finding_severity(const struct ts_finding *f) {
  struct ts_vector v = ts_finding_vector(f);
  return ts_vector_worst(&v);
}

/* The values count as they are printed, without the white space between their tokens. */
void ts_finding_fingerprint(const struct ts_finding *f, char out[TS_FINGERPRINT]) {
  struct ts_buf old_value = { 0 }, new_value = { 0 };
  ts_json_minify(&old_value, f->old_value);
  ts_json_minify(&new_value, f->new_value);
  const struct ts_str parts[] = { ts_str_z(ts_rule(f->rule)->id), f->name, f->pointer, ts_buf_str(&old_value),
                                  ts_buf_str(&new_value) };
  char hex[TS_SHA256_HEX];
  ts_sha256(parts, TS_COUNT(parts), 0, hex);
  memcpy(out, hex, TS_FINGERPRINT - 1);
  out[TS_FINGERPRINT - 1] = 0;
  ts_buf_free(&old_value);
  ts_buf_free(&new_value);
}

void ts_vector_write(struct ts_jw *w, const struct ts_vector *v) {
  ts_jw_open(w, '{');
  for (int a = 0; a < TS_AUDIENCES; a++) {
    if (v->level[a] == TS_OFF) continue;
    const char letter[2] = { ts_audience_letter((enum ts_audience)a), 0 };
    ts_jw_member(w, letter, ts_str_z(ts_level_name((enum ts_level)v->level[a])));
  }
  ts_jw_close(w, '}');
}

static void write_corpus(struct ts_jw *w, const struct ts_finding *f) {
  if (!f->has_corpus) return;
  ts_jw_key(w, "corpus");
  ts_jw_open(w, '{');
  ts_jw_member_u64(w, "breaks", f->corpus_breaks);
  ts_jw_member_u64(w, "calls", f->corpus_calls);
  ts_jw_close(w, '}');
}

static void write_source(struct ts_jw *w, const struct ts_place *p) {
  if (p->file.len == 0 && p->line == 0) return;
  ts_jw_key(w, "source");
  ts_jw_open(w, '{');
  ts_jw_member_if(w, "file", p->file);
  if (p->line > 0) ts_jw_member_u64(w, "line", p->line);
  if (p->line > 0 && p->column > 0) ts_jw_member_u64(w, "column", p->column);
  ts_jw_close(w, '}');
}

void ts_finding_write(struct ts_buf *out, const struct ts_finding *f) {
  struct ts_jw w = ts_jw(out);
  struct ts_buf message = { 0 };
  struct ts_vector vector = ts_finding_vector(f);
  char fingerprint[TS_FINGERPRINT];
  ts_visible(&message, f->message);
  ts_finding_fingerprint(f, fingerprint);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("finding"));
  ts_jw_member(&w, "rule", ts_str_z(ts_rule(f->rule)->id));
  ts_jw_member(&w, "severity", ts_str_z(ts_level_name(ts_vector_worst(&vector))));
  ts_jw_key(&w, "vector");
  ts_vector_write(&w, &vector);
  ts_jw_member(&w, "message", ts_buf_str(&message));
  ts_jw_member_if(&w, "session", f->session);
  ts_jw_member_if(&w, "agent", f->agent);
  ts_jw_member_if(&w, "id", f->id);
  ts_jw_member_if(&w, "name", f->name);
  if (f->has_pointer || f->pointer.len > 0) ts_jw_member(&w, "pointer", f->pointer);
  ts_jw_member_raw_if(&w, "old", f->old_value);
  ts_jw_member_raw_if(&w, "new", f->new_value);
  ts_jw_member_raw_if(&w, "witness", f->witness);
  write_corpus(&w, f);
  write_source(&w, &f->place);
  ts_jw_member(&w, "fingerprint", ts_str_z(fingerprint));
  ts_jw_close(&w, '}');
  ts_buf_addc(out, '\n');
  ts_buf_free(&message);
}
