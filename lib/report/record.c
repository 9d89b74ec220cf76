#include "report/record.h"

#include "base/utf8.h"
#include "json/write.h"

/* Opens the record and writes what they all begin with. */
static struct ts_jw begin(struct ts_buf *out, struct ts_str type, const struct ts_call_key *k) {
  struct ts_jw w = ts_jw(out);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", type);
  ts_jw_member_if(&w, "session", k->session);
  ts_jw_member_if(&w, "agent", k->agent);
  ts_jw_member_if(&w, "id", k->id);
  ts_jw_member_if(&w, "name", k->name);
  return w;
}

static void end(struct ts_jw *w) {
  ts_jw_close(w, '}');
  ts_buf_addc(w->out, '\n');
}

/* Members that come without braces. */
static void write_more(struct ts_jw *w, struct ts_str members) {
  if (members.len == 0) return;
  ts_buf_addc(w->out, ',');
  ts_buf_add(w->out, members);
}

static void write_source(struct ts_jw *w, const struct ts_origin_place *p) {
  if (p->file.len == 0 && p->line == 0 && p->format.len == 0) return;
  ts_jw_key(w, "source");
  ts_jw_open(w, '{');
  ts_jw_member_if(w, "file", p->file);
  if (p->line > 0) ts_jw_member_u64(w, "line", p->line);
  ts_jw_member_if(w, "format", p->format);
  ts_jw_close(w, '}');
}

void ts_call_write(struct ts_buf *out, const struct ts_call_record *r) {
  struct ts_jw w = begin(out, TS_STR("call"), &r->key);
  switch (r->arguments_kind) {
    case TS_ARGUMENTS_ABSENT:
      break;
    case TS_ARGUMENTS_RAW:
      ts_jw_member_raw(&w, "arguments", r->arguments);
      break;
    case TS_ARGUMENTS_TEXT:
      ts_jw_member(&w, "arguments", r->arguments);
      break;
    case TS_ARGUMENTS_FREE:
      ts_jw_member(&w, "input", r->arguments);
      break;
  }
  ts_jw_member_raw_if(&w, "at", r->at_json);
  write_source(&w, &r->source);
  write_more(&w, r->more_json);
  end(&w);
}

static void write_content(struct ts_jw *w, const struct ts_result_record *r) {
  if (r->content_json.len > 0) {
    ts_jw_member_raw(w, "content", r->content_json);
  } else if (ts_utf8_valid(r->content) == r->content.len) {
    ts_jw_member(w, "content", r->content);
  } else {
    struct ts_buf text = { 0 };
    ts_base64(&text, r->content);
    ts_jw_member(w, "content", ts_buf_str(&text));
    ts_jw_member(w, "encoding", TS_STR("base64"));
    ts_buf_free(&text);
  }
}

void ts_result_write(struct ts_buf *out, const struct ts_result_record *r) {
  struct ts_jw w = begin(out, TS_STR("result"), &r->key);
  ts_jw_member_bool(&w, "is_error", r->is_error);
  write_content(&w, r);
  ts_jw_member_raw_if(&w, "metadata", r->metadata_json);
  write_more(&w, r->more_json);
  end(&w);
}

static struct ts_jw begin_route(struct ts_buf *out, struct ts_str type, const struct ts_route_record *r) {
  struct ts_jw w = begin(out, type, &r->key);
  ts_jw_member_if(&w, "canonical", r->canonical);
  ts_jw_member_if(&w, "state", r->state);
  ts_jw_key(&w, "dispatches");
  if (r->unjudged)
    ts_jw_null(&w);
  else
    ts_jw_bool(&w, r->dispatches);
  return w;
}

void ts_route_write(struct ts_buf *out, const struct ts_route_record *r) {
  struct ts_jw w = begin_route(out, TS_STR("route"), r);
  write_more(&w, r->more_json);
  end(&w);
}

void ts_verdict_write(struct ts_buf *out, const struct ts_route_record *r) {
  struct ts_jw w = begin_route(out, TS_STR("verdict"), r);
  ts_jw_member_if(&w, "arguments", r->arguments_word);
  write_source(&w, &r->source);
  end(&w);
}

void ts_base64(struct ts_buf *out, struct ts_str bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *in = (const unsigned char *)bytes.ptr;
  for (size_t i = 0; i < bytes.len; i += 3) {
    size_t left = bytes.len - i;
    uint32_t three = (uint32_t)in[i] << 16;
    if (left > 1) three |= (uint32_t)in[i + 1] << 8;
    if (left > 2) three |= in[i + 2];
    const char four[] = { digits[three >> 18], digits[three >> 12 & 63], left > 1 ? digits[three >> 6 & 63] : '=',
                          left > 2 ? digits[three & 63] : '=' };
    ts_buf_add(out, ts_str(four, sizeof four));
  }
}
