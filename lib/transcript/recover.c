/* Lines that are not one JSON value: what is wrong with them, and which records can be read all the same. */
#include "transcript/dialect.h"
#include "transcript/walk.h"

/* A value that ends with the last byte of text begins at the bracket that its last one closes. Going backwards,
 * outside of strings every quote is one that closes, and the string begins at the next quote with an even number
 * of backslashes before it; so there is one bracket, found in one pass, and whoever wants to know whether a value
 * begins there scans forward. SIZE_MAX: there is none at or behind `from`. */
static size_t string_start(struct ts_str text, size_t from, size_t close) {
  for (size_t i = close; i > from;) {
    const char *quote = memrchr(text.ptr + from, '"', i - from);
    if (!quote) return SIZE_MAX;
    i = (size_t)(quote - text.ptr);
    size_t slashes = 0;
    while (i - slashes > from && text.ptr[i - slashes - 1] == '\\') slashes++;
    if (slashes % 2 == 0) return i;
  }
  return SIZE_MAX;
}

static size_t value_start(struct ts_str text, size_t from) {
  size_t open = 0;
  for (size_t i = text.len; i > from;) {
    char c = text.ptr[--i];
    if (c == '}' || c == ']')
      open++;
    else if (open == 0)
      return SIZE_MAX; /* the text does not end with a bracket */
    else if (c == '"')
      i = string_start(text, from, i);
    else if ((c == '{' || c == '[') && --open == 0)
      return i;
    if (i == SIZE_MAX) return SIZE_MAX;
  }
  return SIZE_MAX;
}

static bool is_record(struct ts_reader *r) {
  if (!ts_json_root_is(&r->json, TS_JSON_OBJECT) && !ts_json_root_is(&r->json, TS_JSON_ARRAY)) return false;
  return r->format->is_record ? r->format->is_record(r) : ts_json_root_is(&r->json, TS_JSON_OBJECT);
}

/* Where the whole records that end the text begin, behind `from`; text.len: there are none. Every byte is looked at
 * a constant number of times: each step backwards goes on where the one before ended, and the first candidate that
 * is no record ends the search. */
static size_t last_records(struct ts_reader *r, struct ts_str text, size_t from) {
  size_t first = text.len, end = text.len;
  for (;;) {
    while (end > from && ts_is_blank(text.ptr[end - 1])) end--;
    size_t start = value_start(ts_str(text.ptr, end), from);
    if (start == SIZE_MAX) return first;
    bool whole = ts_json_scan(&r->json, ts_str_sub(text, start, end - start), r->format->shape) == 0;
    if (!whole || !is_record(r)) return first;
    first = end = start;
  }
}

struct damage {
  size_t read_before, read_behind; /* whole records used */
  size_t nuls, nul_at;
  bool broken, cut;
  size_t at;
  char reason[96];
};

static size_t skip_nuls(struct ts_str text, size_t at, struct damage *d) {
  for (; at < text.len && (ts_is_blank(text.ptr[at]) || text.ptr[at] == '\0'); at++) {
    if (text.ptr[at] != '\0') continue;
    if (d->nuls++ == 0) d->nul_at = at;
  }
  return at;
}

/* Reads the whole values from `at` on; returns where the first one that is not whole begins. */
static size_t read_values(struct ts_reader *r, struct ts_str text, size_t at, struct damage *d, size_t *count) {
  while ((at = skip_nuls(text, at, d)) < text.len && !r->stopped) {
    if (ts_json_scan_at(&r->json, text, at, r->format->shape) < 0) {
      d->broken = true;
      d->cut = r->json.cut;
      d->at = r->json.at;
      (void)snprintf(d->reason, sizeof d->reason, "%s", r->json.reason);
      return at;
    }
    at = r->json.end;
    ++*count;
    ts_reader_record(r);
  }
  return text.len;
}

/* Is there nothing but white space behind the line? */
static bool is_last(const struct ts_line *line, struct ts_input *in) {
  enum { ENOUGH = 1 << 20 };
  struct ts_str bytes;
  if (!line->ended) return true;
  for (size_t want = 4096;; want *= 4) {
    if (ts_input_peek(in, want, &bytes, NULL) < 0 || ts_skip_blank(bytes, 0) == bytes.len) {
      if (bytes.len < want) return true;
      if (want < ENOUGH) continue;
    }
    return false;
  }
}

static void tell_torn(struct ts_reader *r, const struct damage *d, const struct ts_line *line, bool last) {
  struct ts_event e = { .kind = TS_EVENT_FINDING, .rule = TS_RULE_TORN_LINE, .line = line->number };
  const unsigned long long at_byte = line->offset + d->at;
  const char *lost = last ? "it was left out" : "it was left out, the lines after it were read";
  if (last) e.vector.level[TS_REPLAY] = TS_WARNING;
  ts_buf_clear(&r->message);
  if (d->read_behind > 0)
    ts_buf_addf(&r->message, "a record is cut off and %zu whole one%s on the line: %s read%s", d->read_behind,
                d->read_behind == 1 ? " follows" : "s follow", d->read_behind == 1 ? "that was" : "those were",
                last ? "" : ", and so were the lines after it");
  else if (d->read_before > 0)
    ts_buf_addf(&r->message, "%zu whole record%s and one that is cut off (%s): %s", d->read_before,
                d->read_before == 1 ? "" : "s", d->reason, lost);
  else
    ts_buf_addf(&r->message, "the line ends inside a record (%s, byte %llu of the file): %s", d->reason, at_byte, lost);
  e.message = ts_buf_str(&r->message);
  e.column = d->at + 1;
  ts_reader_finding(r, &e);
}

static void tell(struct ts_reader *r, const struct damage *d, const struct ts_line *line, bool last) {
  const unsigned long long at_byte = line->offset + d->at, nul_byte = line->offset + d->nul_at;
  const char *on = last ? "" : "; the lines after it were read";
  size_t read = d->read_before + d->read_behind;
  const char *used = read == 0 ? "" : read == 1 ? "; the record on it was read" : "; the records on it were read";
  if (d->broken && (d->cut || d->read_behind > 0))
    tell_torn(r, d, line, last);
  else if (d->broken)
    ts_remark(r, TS_RULE_BAD_LINE, d->at, "not a JSON value: %s (byte %llu of the file)%s%s", d->reason, at_byte, used,
              on);
  else if (d->nuls > 0)
    ts_remark(r, TS_RULE_BAD_LINE, d->nul_at, "%zu NUL byte%s (from byte %llu of the file)%s%s", d->nuls,
              d->nuls == 1 ? "" : "s", nul_byte, used, on);
  else
    ts_remark(r, TS_RULE_GLUED_RECORDS, 0, "%zu records on one line; all were read", d->read_before);
}

void ts_recover(struct ts_reader *r, const struct ts_line *line, struct ts_input *in) {
  struct ts_str text = line->text;
  struct damage d = { 0 };
  if (line->too_long) {
    ts_remark(r, TS_RULE_BAD_LINE, 0, "the line is longer than %zu bytes and was left out%s", text.len,
              is_last(line, in) ? "" : "; the lines after it were read");
    return;
  }
  size_t broken = read_values(r, text, 0, &d, &d.read_before);
  /* What ends a conversation that is cut off is a message of it, and no record. */
  if (d.broken && !(d.cut && ts_document_has_lists(r, broken))) {
    struct damage rest = { 0 };
    (void)read_values(r, text, last_records(r, text, broken + 1), &rest, &d.read_behind);
  }
  tell(r, &d, line, is_last(line, in));
}
