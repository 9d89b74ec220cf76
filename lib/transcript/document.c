/* Documents: objects with lists in them, whole or cut off, in a file of their own or on a line. */
#include "transcript/dialect.h"
#include "transcript/walk.h"

/* Where the values of a document's parts begin and end; end 0: absent. A list that is broken ends where the text
 * does. */
struct parts {
  size_t start[TS_PARTS], end[TS_PARTS];
};

static void read_list(struct ts_reader *r, struct ts_str text, size_t start) {
  const struct ts_document_shape *d = r->format->document;
  struct ts_walk w = ts_walk(text, start);
  while (!r->stopped && ts_walk_element(&w, &r->json, d->element) > 0) ts_reader_element(r);
}

static void read_parts(struct ts_reader *r, struct ts_str text, const struct parts *p) {
  const struct ts_document_shape *d = r->format->document;
  if (d->begin) d->begin(r);
  for (size_t i = 0; i < d->count && !r->stopped; i++) {
    if (p->end[i] == 0) continue;
    if (i < d->heads)
      d->head(r, i, ts_str_sub(text, p->start[i], p->end[i] - p->start[i]));
    else
      read_list(r, text, p->start[i]);
  }
}

void ts_document_list(struct ts_reader *r, size_t start) {
  struct ts_str text = r->json.text;
  if (r->format->document->begin) r->format->document->begin(r);
  read_list(r, text, start);
}

static size_t part_named(const struct ts_document_shape *d, struct ts_str key) {
  size_t i = 0;
  while (i < d->count && !ts_str_eq(d->parts[i], key)) i++;
  return i;
}

void ts_document_object(struct ts_reader *r) {
  const struct ts_json *j = &r->json;
  struct parts p = { 0 };
  for (size_t i = 0; i < r->format->document->count; i++) {
    uint32_t node = ts_json_get(j, 0, r->format->document->parts[i]);
    if (node == 0) continue;
    p.start[i] = j->node[node].start;
    p.end[i] = j->node[node].end;
  }
  read_parts(r, j->text, &p);
}

void ts_document_broken(struct ts_reader *r, size_t at) {
  const struct ts_document_shape *d = r->format->document;
  struct ts_str text = r->places.text, key;
  struct parts p = { 0 };
  struct ts_walk w = ts_walk(text, at);
  bool has_lists = false;
  while (d && ts_walk_member(&w, &r->json, &key) > 0) {
    size_t i = part_named(d, key), start = w.at;
    bool whole = ts_walk_over(&w, &r->json) == 0;
    if (i < d->count && (whole || i >= d->heads)) {
      p.start[i] = start;
      p.end[i] = whole ? w.at : text.len;
      has_lists |= i >= d->heads;
    }
    if (!whole) break;
  }
  ts_reader_at(r, at);
  if (has_lists) read_parts(r, text, &p);
}

bool ts_document_has_lists(struct ts_reader *r, size_t at) {
  const struct ts_document_shape *d = r->format->document;
  struct ts_walk w = ts_walk(r->places.text, at);
  struct ts_str key;
  while (d && ts_walk_member(&w, &r->json, &key) > 0) {
    size_t i = part_named(d, key);
    if (i >= d->heads && i < d->count) return true;
    if (ts_walk_over(&w, &r->json) < 0) break;
  }
  return false;
}

/* What is wrong with a document, found while r->json was at it. */
struct fault {
  bool there, cut;
  size_t at;
  char reason[96];
};

/* A text that is cut off ends behind its last byte that is no white space. */
static void note_fault(struct fault *f, struct ts_str text, const struct ts_json *j) {
  *f = (struct fault){ .there = true, .cut = j->cut, .at = j->at };
  while (f->cut && f->at > 0 && ts_is_blank(text.ptr[f->at - 1])) f->at--;
  (void)snprintf(f->reason, sizeof f->reason, "%s", j->reason);
}

/* A list of records, or of conversations, or (all_of_it false: broken) its beginning. */
static size_t read_root_list(struct ts_reader *r, struct ts_str text, size_t at, struct fault *f) {
  struct ts_walk w = ts_walk(text, at);
  int status;
  while ((status = ts_walk_element(&w, &r->json, r->format->shape)) > 0 && !r->stopped) ts_reader_record(r);
  if (status >= 0) return w.at;
  note_fault(f, text, &r->json);
  if (ts_byte_at(text, w.at) == '{') ts_document_broken(r, w.at);
  return text.len;
}

static size_t read_root_value(struct ts_reader *r, struct ts_str text, size_t at, struct fault *f) {
  if (text.ptr[at] == '[') return read_root_list(r, text, at, f);
  if (ts_json_scan_at(&r->json, text, at, r->format->shape) == 0) {
    size_t end = r->json.end;
    ts_reader_record(r);
    return end;
  }
  note_fault(f, text, &r->json);
  if (text.ptr[at] == '{') ts_document_broken(r, at);
  return text.len;
}

void ts_document_read(struct ts_reader *r) {
  struct ts_str text = r->places.text;
  struct fault f = { 0 };
  size_t at = ts_skip_blank(text, 0), values = 0;
  while (at < text.len && !r->stopped && !f.there) {
    if (values++ == 1) ts_remark(r, TS_RULE_BAD_DOCUMENT, at, "another value follows the document; it was read too");
    at = ts_skip_blank(text, read_root_value(r, text, at, &f));
  }
  if (f.there && f.cut)
    ts_remark(r, TS_RULE_BAD_DOCUMENT, f.at, "the document is cut off here (%s); what comes before was read", f.reason);
  else if (f.there)
    ts_remark(r, TS_RULE_BAD_DOCUMENT, f.at, "the document is not JSON here (%s); what comes before was read",
              f.reason);
}
