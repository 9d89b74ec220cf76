#include "json/write.h"

#include "base/utf8.h"

/* The letter of a short escape; 'u': the long one; 0: the byte stands for itself. */
static const char escape_of[128] = {
  [0] = 'u',    [1] = 'u',    [2] = 'u',    [3] = 'u',    [4] = 'u',    [5] = 'u',     [6] = 'u',
  [7] = 'u',    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', [0x0b] = 'u', ['\f'] = 'f',  ['\r'] = 'r',
  [0x0e] = 'u', [0x0f] = 'u', [0x10] = 'u', [0x11] = 'u', [0x12] = 'u', [0x13] = 'u',  [0x14] = 'u',
  [0x15] = 'u', [0x16] = 'u', [0x17] = 'u', [0x18] = 'u', [0x19] = 'u', [0x1a] = 'u',  [0x1b] = 'u',
  [0x1c] = 'u', [0x1d] = 'u', [0x1e] = 'u', [0x1f] = 'u', ['"'] = '"',  ['\\'] = '\\',
};

static void add_escape(struct ts_buf *out, unsigned char c) {
  if (escape_of[c] == 'u') {
    ts_buf_addf(out, "\\u%04x", c);
    return;
  }
  char pair[2] = { '\\', escape_of[c] };
  ts_buf_add(out, ts_str(pair, 2));
}

/* The character at *at, which does not stand for itself or is beyond ASCII; *at moves behind it. */
static void add_special(struct ts_buf *out, struct ts_str text, size_t *at) {
  size_t from = *at;
  uint32_t c = ts_wtf8_next(text, at);
  if (c < 0x80)
    add_escape(out, (unsigned char)c);
  else if (c == TS_UTF8_BAD)
    ts_buf_addz(out, "\xef\xbf\xbd"); /* U+FFFD */
  else if (c >= 0xd800 && c < 0xe000)
    ts_buf_addf(out, "\\u%04x", c);
  else
    ts_buf_add(out, ts_str_sub(text, from, *at - from));
}

void ts_json_quote(struct ts_buf *out, struct ts_str text) {
  (void)ts_buf_reserve(out, text.len + 2);
  ts_buf_addc(out, '"');
  for (size_t at = 0; at < text.len;) {
    size_t from = at;
    while (at < text.len && (unsigned char)text.ptr[at] < 0x80 && !escape_of[(unsigned char)text.ptr[at]]) at++;
    ts_buf_add(out, ts_str_sub(text, from, at - from));
    if (at < text.len) add_special(out, text, &at);
  }
  ts_buf_addc(out, '"');
}

/* Behind the string whose body begins at `at`. */
static size_t behind_string(struct ts_str json, size_t at) {
  while (at < json.len) {
    const char *quote = memchr(json.ptr + at, '"', json.len - at);
    if (!quote) break;
    size_t end = (size_t)(quote - json.ptr), slashes = 0;
    while (slashes < end - at && json.ptr[end - 1 - slashes] == '\\') slashes++;
    at = end + 1;
    if (slashes % 2 == 0) return at;
  }
  return json.len;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void ts_json_minify(struct ts_buf *out, struct ts_str json) {
  size_t from = 0, at = 0; /* what stands between is still to be written */
  while (at < json.len) {
    if (json.ptr[at] == '"') {
      at = behind_string(json, at + 1);
    } else if (!is_blank(json.ptr[at])) {
      at++;
    } else {
      ts_buf_add(out, ts_str_sub(json, from, at - from));
      while (at < json.len && is_blank(json.ptr[at])) at++;
      from = at;
    }
  }
  ts_buf_add(out, ts_str_sub(json, from, at - from));
}

/* The comma before an item, if it needs one; and one before the next. */
static void begin(struct ts_jw *w) {
  if (w->comma) ts_buf_addc(w->out, ',');
  w->comma = true;
}

void ts_jw_open(struct ts_jw *w, char bracket) {
  begin(w);
  ts_buf_addc(w->out, bracket);
  w->comma = false;
}

void ts_jw_close(struct ts_jw *w, char bracket) {
  ts_buf_addc(w->out, bracket);
  w->comma = true;
}

void ts_jw_key_str(struct ts_jw *w, struct ts_str key) {
  begin(w);
  ts_json_quote(w->out, key);
  ts_buf_addc(w->out, ':');
  w->comma = false;
}

void ts_jw_key(struct ts_jw *w, const char *key) { ts_jw_key_str(w, ts_str_z(key)); }

void ts_jw_str(struct ts_jw *w, struct ts_str text) {
  begin(w);
  ts_json_quote(w->out, text);
}

void ts_jw_raw(struct ts_jw *w, struct ts_str json) {
  begin(w);
  ts_json_minify(w->out, json);
}

void ts_jw_u64(struct ts_jw *w, uint64_t n) {
  begin(w);
  ts_buf_addu(w->out, n);
}

void ts_jw_i64(struct ts_jw *w, int64_t n) {
  begin(w);
  ts_buf_addf(w->out, "%lld", (long long)n);
}

void ts_jw_bool(struct ts_jw *w, bool b) {
  begin(w);
  ts_buf_addz(w->out, b ? "true" : "false");
}

void ts_jw_null(struct ts_jw *w) {
  begin(w);
  ts_buf_addz(w->out, "null");
}

void ts_jw_member(struct ts_jw *w, const char *key, struct ts_str text) {
  ts_jw_key(w, key);
  ts_jw_str(w, text);
}

void ts_jw_member_if(struct ts_jw *w, const char *key, struct ts_str text) {
  if (text.len) ts_jw_member(w, key, text);
}

void ts_jw_member_raw(struct ts_jw *w, const char *key, struct ts_str json) {
  ts_jw_key(w, key);
  ts_jw_raw(w, json);
}

void ts_jw_member_raw_if(struct ts_jw *w, const char *key, struct ts_str json) {
  if (json.len) ts_jw_member_raw(w, key, json);
}

void ts_jw_member_u64(struct ts_jw *w, const char *key, uint64_t n) {
  ts_jw_key(w, key);
  ts_jw_u64(w, n);
}

void ts_jw_member_bool(struct ts_jw *w, const char *key, bool b) {
  ts_jw_key(w, key);
  ts_jw_bool(w, b);
}
