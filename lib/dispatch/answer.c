#include "dispatch/answer.h"

#include "report/record.h"

void ts_answer_clear(struct ts_answer *a) {
  a->is_error = a->content_is_json = false;
  ts_buf_clear(&a->content);
  ts_buf_clear(&a->metadata);
  ts_buf_clear(&a->extra);
}

void ts_answer_free(struct ts_answer *a) {
  ts_buf_free(&a->content);
  ts_buf_free(&a->metadata);
  ts_buf_free(&a->extra);
  *a = (struct ts_answer){ 0 };
}

void ts_answer_fail(struct ts_answer *a, struct ts_str why) {
  ts_answer_clear(a);
  a->is_error = true;
  ts_buf_add(&a->content, why);
}

struct ts_jw ts_answer_metadata(struct ts_answer *a) {
  struct ts_jw w = ts_jw(&a->metadata);
  w.comma = a->metadata.len > 0;
  return w;
}

void ts_answer_write(const struct ts_answer *a, const struct ts_call *c, struct ts_buf *out) {
  struct ts_str content = ts_buf_str(&a->content);
  struct ts_buf metadata = { 0 };
  if (a->metadata.len > 0) ts_buf_addf(&metadata, "{%.*s}", TS_FMT(ts_buf_str(&a->metadata)));
  ts_result_write(out, &(struct ts_result_record){
                           .key = c->key,
                           .is_error = a->is_error,
                           .content_json = a->content_is_json ? content : TS_STR(""),
                           .content = a->content_is_json ? TS_STR("") : content,
                           .metadata_json = ts_buf_str(&metadata),
                           .more_json = ts_buf_str(&a->extra),
                       });
  ts_buf_free(&metadata);
}
