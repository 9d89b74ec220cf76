#include "report/readback.h"

#include "base/diag.h"

static int read_vector(const struct ts_json *j, uint32_t object, struct ts_vector *v, struct ts_buf *err) {
  struct ts_buf key = { 0 }, word = { 0 };
  int status = 0;
  *v = (struct ts_vector){ 0 };
  for (uint32_t k = ts_json_first(j, object); k && status == 0; k = ts_json_after(j, object, k)) {
    struct ts_str letter = ts_json_text(j, k, &key), level = ts_json_text(j, k + 1, &word);
    enum ts_audience a = ts_audience_find(letter);
    enum ts_level l = ts_level_find(level);
    if (a == TS_AUDIENCES || l == TS_LEVELS)
      status = ts_fail(err, "finding: no such level: '%.*s' of '%.*s'", TS_FMT(level), TS_FMT(letter));
    else
      v->level[a] = (uint8_t)l;
  }
  ts_buf_free(&key);
  ts_buf_free(&word);
  return status;
}

static struct ts_str raw_member(const struct ts_json *j, struct ts_str key) {
  uint32_t node = ts_json_get(j, 0, key);
  return node ? ts_json_raw(j, node) : (struct ts_str){ NULL, 0 };
}

int ts_finding_read(struct ts_readback *r, const struct ts_json *j, struct ts_finding *f, struct ts_buf *err) {
  *f = (struct ts_finding){ 0 };
  const struct {
    struct ts_str key;
    struct ts_str *text;
  } texts[] = { { TS_STR("message"), &f->message }, { TS_STR("session"), &f->session },
                { TS_STR("agent"), &f->agent },     { TS_STR("id"), &f->id },
                { TS_STR("name"), &f->name },       { TS_STR("pointer"), &f->pointer } };
  struct ts_str rule = ts_json_text(j, TS_JSON_GET(j, 0, "rule"), &r->text[0]);
  f->rule = ts_rule_find(rule);
  if (f->rule == TS_RULES) return ts_fail(err, "finding: unknown rule '%.*s'", TS_FMT(rule));
  if (read_vector(j, TS_JSON_GET(j, 0, "vector"), &f->vector, err) < 0) return -1;
  for (size_t i = 0; i < TS_COUNT(texts); i++)
    *texts[i].text = ts_json_text(j, ts_json_get(j, 0, texts[i].key), &r->text[1 + i]);
  f->has_pointer = TS_JSON_GET(j, 0, "pointer") != 0;
  f->old_value = raw_member(j, TS_STR("old"));
  f->new_value = raw_member(j, TS_STR("new"));
  f->witness = raw_member(j, TS_STR("witness"));
  uint32_t source = TS_JSON_GET(j, 0, "source");
  if (source == 0) return 0;
  f->place.file = ts_json_text(j, TS_JSON_GET(j, source, "file"), &r->text[7]);
  (void)ts_json_u64(j, TS_JSON_GET(j, source, "line"), &f->place.line);
  (void)ts_json_u64(j, TS_JSON_GET(j, source, "column"), &f->place.column);
  return 0;
}

void ts_readback_free(struct ts_readback *r) {
  for (size_t i = 0; i < TS_COUNT(r->text); i++) ts_buf_free(&r->text[i]);
}
