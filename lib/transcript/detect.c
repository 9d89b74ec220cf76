#include "transcript/detect.h"

#include "base/diag.h"
#include "transcript/look.h"

enum { SOON = 1 << 20, KEYS_SHOWN = 6 };

/* At the next bytes that come, not to make a slow pipe wait; later at twice as much, for a long value is scanned from
 * its beginning each time. */
bool ts_look_further(struct ts_look *l, uint64_t limit) {
  size_t have = l->bytes.len, want = have < SOON ? have + 1 : have * 2;
  if (have > limit) return false;
  (void)ts_input_peek(l->in, want, &l->bytes, NULL); /* an error comes again when it is the turn of its bytes */
  return l->bytes.len > have;
}

size_t ts_look_skip_blank(struct ts_look *l, size_t at) {
  do at = ts_skip_blank(l->bytes, at);
  while (at == l->bytes.len && ts_look_further(l, l->max));
  return at;
}

size_t ts_look_line_end(struct ts_look *l, size_t at, uint64_t limit) {
  for (;;) {
    const char *lf = at < l->bytes.len ? memchr(l->bytes.ptr + at, '\n', l->bytes.len - at) : NULL;
    if (lf) return (size_t)(lf - l->bytes.ptr);
    if (!ts_look_further(l, limit)) return l->bytes.len;
  }
}

/* --- UTF-16 --------------------------------------------------------------------------------------------- */

static const char *utf16_kind(struct ts_str b) {
  if (ts_str_starts(b, TS_STR("\xff\xfe"))) return "little-endian, by its byte order mark";
  if (ts_str_starts(b, TS_STR("\xfe\xff"))) return "big-endian, by its byte order mark";
  if (b.len < 4) return NULL;
  bool low = b.ptr[0] && !b.ptr[1] && b.ptr[2] && !b.ptr[3], high = !b.ptr[0] && b.ptr[1] && !b.ptr[2] && b.ptr[3];
  return low ? "little-endian" : high ? "big-endian" : NULL;
}

/* --- lines or a document -------------------------------------------------------------------------------- */

enum layout {
  NOTHING,
  LINES,
  ONE_LINE, /* one line only, whole or not: lines, or a document */
  DOCUMENT, /* a value that goes on over several lines */
};

static bool is_whole_object(struct ts_look *l, size_t at) {
  size_t end = ts_look_line_end(l, at, l->max);
  return ts_json_scan(&l->json, ts_str_sub(l->bytes, at, end - at), &ts_json_span) == 0 &&
         ts_json_root_is(&l->json, TS_JSON_OBJECT);
}

/* The first value is not whole, or goes on behind its line: a document, unless the line is torn and the next one
 * is a record. */
static enum layout broken_layout(struct ts_look *l, size_t line_end_at, size_t fault) {
  size_t next = ts_look_skip_blank(l, line_end_at);
  if (next == l->bytes.len) return ONE_LINE;
  return fault <= line_end_at || is_whole_object(l, next) ? LINES : DOCUMENT;
}

static enum layout find_layout(struct ts_look *l, size_t first) {
  int status;
  while ((status = ts_json_scan_at(&l->json, l->bytes, first, &ts_json_span)) < 0 && l->json.cut)
    if (!ts_look_further(l, l->max)) break;
  size_t stop = status < 0 ? l->json.at : l->json.end;
  size_t end = ts_look_line_end(l, first, l->max + TS_LOOK_BEYOND);
  if (status < 0) return broken_layout(l, end, stop);
  bool one_line = stop <= end;
  if (ts_look_skip_blank(l, stop) == l->bytes.len) return one_line ? ONE_LINE : DOCUMENT;
  return one_line ? LINES : DOCUMENT;
}

/* --- what was seen -------------------------------------------------------------------------------------- */

static void say_record(struct ts_look *l, size_t at, struct ts_buf *out) {
  struct ts_walk w = ts_walk(l->bytes, at);
  struct ts_str key;
  size_t keys = 0;
  ts_buf_addz(out, "its first record has ");
  while (keys < KEYS_SHOWN && ts_walk_member(&w, &l->json, &key) > 0) {
    ts_buf_addf(out, "%s%.*s", keys++ == 0 ? "the keys " : ", ", TS_FMT(key));
    size_t start = w.at;
    if (ts_walk_over(&w, &l->json) < 0) break;
    if (ts_str_is(key, "type")) ts_buf_addf(out, " (%.*s)", TS_FMT(ts_str_sub(l->bytes, start, w.at - start)));
  }
  if (keys == 0) ts_buf_addz(out, "no keys");
}

static int say_unknown(struct ts_look *l, struct ts_str file, size_t first, size_t records, struct ts_buf *err) {
  struct ts_buf seen = { 0 };
  if (first == l->bytes.len)
    ts_buf_addz(&seen, "it is empty");
  else if (records == 0)
    ts_buf_addz(&seen, "there is no JSON in what was looked at");
  else if (ts_byte_at(l->bytes, first) == '{')
    say_record(l, first, &seen);
  else
    ts_buf_addz(&seen, "its first line is no record");
  (void)ts_fail(err, "%.*s: no known transcript format: %s; --from FORMAT names one", TS_FMT(file), ts_buf_z(&seen));
  ts_buf_free(&seen);
  return 0;
}

/* --- all together --------------------------------------------------------------------------------------- */

/* The format is known: is it one of documents that has one here? A list is read as a document whatever its records
 * are. */
static bool is_document_of(struct ts_look *l, const struct ts_format *f, enum layout layout, size_t first) {
  if (layout == LINES || layout == NOTHING) return false;
  return layout == DOCUMENT || ts_byte_at(l->bytes, first) == '[' || (f->document && ts_look_document(l, first));
}

static int detect(struct ts_look *l, struct ts_str file, const struct ts_format *given, struct ts_detected *out,
                  struct ts_buf *err) {
  size_t first = ts_look_skip_blank(l, 0), records = 0;
  enum layout layout = first < l->bytes.len ? find_layout(l, first) : NOTHING;
  if (given) {
    *out = (struct ts_detected){ given, is_document_of(l, given, layout, first) };
    return 1;
  }
  if (layout == ONE_LINE || layout == DOCUMENT) out->format = ts_look_document(l, first);
  out->is_document = out->format || layout == DOCUMENT;
  if (!out->format && layout == DOCUMENT) out->format = ts_look_record(l, first, &records);
  if (!out->format && layout != NOTHING && records == 0) {
    out->format = ts_look_lines(l, first, &records);
    out->is_document = layout == ONE_LINE && ts_byte_at(l->bytes, first) == '[';
  }
  return out->format ? 1 : say_unknown(l, file, first, records, err);
}

int ts_detect(struct ts_input *in, struct ts_str file, const struct ts_format *given, uint64_t max,
              struct ts_detected *out, struct ts_buf *err) {
  struct ts_look l = { .in = in, .max = max };
  *out = (struct ts_detected){ 0 };
  if (ts_input_peek(in, 4, &l.bytes, err) < 0) return -1;
  const char *utf16 = utf16_kind(l.bytes);
  if (utf16) return ts_fail(err, "%.*s: this is UTF-16 text (%s): convert it to UTF-8 first", TS_FMT(file), utf16);
  int status = detect(&l, file, given, out, err);
  ts_json_free(&l.json);
  return status;
}
