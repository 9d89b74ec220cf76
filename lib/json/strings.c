/* Strings one character at a time: the exact reading that finds an error, escapes, and unescaping. */
#include "json/engine.h"

#define SURROGATE_HIGH 0xd800u
#define SURROGATE_LOW 0xdc00u

const unsigned char ts_json_plain_escape[256] = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/* A hex digit's value and 1; 0: none. */
static const unsigned char hex_digit[256] = {
  ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
  ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* The four digits at p as a number, or -1. */
static inline int32_t hex4(const unsigned char *p, const unsigned char *end) {
  if (end - p < 4) return -1;
  int32_t a = hex_digit[p[0]], b = hex_digit[p[1]], c = hex_digit[p[2]], d = hex_digit[p[3]];
  if (!a || !b || !c || !d) return -1;
  return (a - 1) << 12 | (b - 1) << 8 | (c - 1) << 4 | (d - 1);
}

static inline bool is_half(int32_t unit, uint32_t half) { return unit >= 0 && ((uint32_t)unit & 0xfc00u) == half; }

/* What the escape with its 'u' at *u stands for: a scalar, a lone surrogate, or -1. *u moves behind it. */
static inline int32_t unicode_escape(const unsigned char **u, const unsigned char *end) {
  int32_t unit = hex4(*u + 1, end);
  if (unit < 0) return -1;
  const unsigned char *p = *u += 5;
  if (!is_half(unit, SURROGATE_HIGH) || end - p < 6 || p[0] != '\\' || p[1] != 'u') return unit;
  int32_t low = hex4(p + 2, end);
  if (!is_half(low, SURROGATE_LOW)) return unit;
  *u = p + 6;
  return 0x10000 + (int32_t)(((uint32_t)unit - SURROGATE_HIGH) << 10) + (int32_t)((uint32_t)low - SURROGATE_LOW);
}

const unsigned char *ts_json_unicode_escape(struct ts_json *j, const unsigned char *u, const unsigned char *end) {
  size_t at = (size_t)(u - 1 - (const unsigned char *)j->text.ptr);
  int32_t c = unicode_escape(&u, end);
  if (c < 0) return NULL;
  if (c == 0) ts_json_note_issue(j, TS_JSON_NUL_ESCAPE, at);
  if (is_half(c, SURROGATE_HIGH) || is_half(c, SURROGATE_LOW)) ts_json_note_issue(j, TS_JSON_LONE_SURROGATE, at);
  return u;
}

/* Is what stands at u, to the end of the text, the beginning of a \u escape? */
static bool is_cut_escape(const unsigned char *u, const unsigned char *end) {
  if (end - u >= 5) return false;
  for (u++; u < end; u++)
    if (!hex_digit[*u]) return false;
  return true;
}

static const unsigned char *refuse_escape(struct ts_json *j, size_t at, unsigned char c) {
  bool shown = c > ' ' && c < 0x7f;
  (void)snprintf(j->reason_text, sizeof j->reason_text, shown ? "invalid escape \\%c" : "invalid escape of byte 0x%02x",
                 c);
  (void)ts_json_refuse(j, at, j->reason_text);
  return NULL;
}

/* The escape whose backslash is at p: behind it, or NULL with the reason. */
static const unsigned char *escape_exact(struct ts_json *j, const unsigned char *p, const unsigned char *end) {
  size_t at = (size_t)(p - (const unsigned char *)j->text.ptr);
  if (p + 1 < end && ts_json_plain_escape[p[1]]) return p + 2;
  if (p + 1 < end && p[1] != 'u') return refuse_escape(j, at, p[1]);
  const unsigned char *behind = p + 1 < end ? ts_json_unicode_escape(j, p + 1, end) : NULL;
  if (behind) return behind;
  if (p + 1 < end && !is_cut_escape(p + 1, end)) return refuse_escape(j, at, 'u');
  (void)ts_json_refuse_cut(j, "a string");
  return NULL;
}

const unsigned char *ts_json_string_exact(struct ts_json *j, size_t from) {
  const unsigned char *text = (const unsigned char *)j->text.ptr, *end = text + j->text.len, *p = text + from;
  while (p < end && *p != '"') {
    if (*p < 0x20) {
      (void)snprintf(j->reason_text, sizeof j->reason_text, "control character 0x%02x in a string", *p);
      (void)ts_json_refuse(j, (size_t)(p - text), j->reason_text);
      return NULL;
    }
    p = *p == '\\' ? escape_exact(j, p, end) : p + 1;
    if (!p) return NULL;
  }
  if (p < end) return p;
  (void)ts_json_refuse_cut(j, "a string");
  return NULL;
}

/* Accepted bodies */

/* The bytes of a scalar or surrogate in UTF-8 (WTF-8). */
static unsigned char encode(uint32_t c, unsigned char out[4]) {
  if (c < 0x80) {
    out[0] = (unsigned char)c;
    return 1;
  }
  unsigned char n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (unsigned char i = n; i-- > 1; c >>= 6) out[i] = (unsigned char)(0x80 | (c & 0x3f));
  out[0] = (unsigned char)((0xf00u >> n & 0xf0u) | c); /* n leading ones */
  return n;
}

/* Unescapes what the backslash at r->p begins into r->byte. */
static void read_escape(struct ts_json_reader *r) {
  const unsigned char *p = r->p + 1;
  r->at = 0;
  if (*p == 'u') {
    r->count = encode((uint32_t)unicode_escape(&p, r->end), r->byte);
    r->p = p;
    return;
  }
  r->byte[0] = ts_json_plain_escape[*p];
  r->count = 1;
  r->p = p + 1;
}

int ts_json_read(struct ts_json_reader *r) {
  if (r->at < r->count) return r->byte[r->at++];
  if (r->p == r->end) return -1;
  if (*r->p != '\\') return *r->p++;
  read_escape(r);
  return r->byte[r->at++];
}

bool ts_json_body_is(struct ts_str body, struct ts_str text) {
  struct ts_json_reader r = ts_json_reader(body);
  for (size_t i = 0; i < text.len; i++)
    if (ts_json_read(&r) != (unsigned char)text.ptr[i]) return false;
  return ts_json_read(&r) < 0;
}

struct ts_str ts_json_body_at(struct ts_str text, size_t at) {
  size_t end = at + 1;
  while (text.ptr[end] != '"') end += text.ptr[end] == '\\' ? 2 : 1;
  return ts_str(text.ptr + at + 1, end - at - 1);
}

void ts_json_decode(struct ts_str body, struct ts_buf *out) {
  struct ts_json_reader r = ts_json_reader(body);
  (void)ts_buf_reserve(out, body.len); /* no escape is shorter than what it stands for */
  while (r.p < r.end) {
    const unsigned char *slash = memchr(r.p, '\\', (size_t)(r.end - r.p));
    const unsigned char *plain_end = slash ? slash : r.end;
    ts_buf_add(out, ts_str((const char *)r.p, (size_t)(plain_end - r.p)));
    r.p = plain_end;
    if (!slash) break;
    read_escape(&r);
    ts_buf_add(out, ts_str((const char *)r.byte, r.count));
  }
}
