#include "transcript/walk.h"

size_t ts_skip_blank(struct ts_str text, size_t at) {
  while (at < text.len && ts_is_blank(text.ptr[at])) at++;
  return at;
}

static int broken(const struct ts_walk *w, struct ts_json *j, const char *expected) {
  j->at = w->at;
  j->cut = w->at >= w->text.len;
  j->reason = j->cut ? "the text ends too early" : expected;
  return -1;
}

/* Goes to the next item of a container: 1; 0: it is closed. */
static int next_item(struct ts_walk *w, struct ts_json *j, char open, char close) {
  w->at = ts_skip_blank(w->text, w->at);
  char c = ts_byte_at(w->text, w->at);
  if (!w->begun && c != open) return broken(w, j, "not a list or object");
  if (!w->begun) {
    w->begun = true;
    w->at = ts_skip_blank(w->text, w->at + 1);
    if (ts_byte_at(w->text, w->at) != close) return 1;
  } else if (c == ',') {
    w->at = ts_skip_blank(w->text, w->at + 1);
    return 1;
  } else if (c != close) {
    return broken(w, j, "a comma or a closing bracket is missing");
  }
  w->at++;
  return 0;
}

int ts_walk_over(struct ts_walk *w, struct ts_json *j) {
  if (ts_json_scan_at(j, w->text, w->at, &ts_json_span) < 0) return -1;
  w->at = j->end;
  return 0;
}

int ts_walk_element(struct ts_walk *w, struct ts_json *j, const struct ts_json_shape *shape) {
  int status = next_item(w, j, '[', ']');
  if (status <= 0) return status;
  if (ts_json_scan_at(j, w->text, w->at, shape) < 0) return -1;
  w->at = j->end;
  return 1;
}

int ts_walk_member(struct ts_walk *w, struct ts_json *j, struct ts_str *key) {
  int status = next_item(w, j, '{', '}');
  if (status <= 0) return status;
  if (ts_byte_at(w->text, w->at) != '"') return broken(w, j, "a key is missing");
  if (ts_json_scan_at(j, w->text, w->at, &ts_json_span) < 0) return -1;
  *key = ts_str_sub(w->text, w->at + 1, j->end - w->at - 2);
  w->at = ts_skip_blank(w->text, j->end);
  if (ts_byte_at(w->text, w->at) != ':') return broken(w, j, "a colon is missing");
  w->at = ts_skip_blank(w->text, w->at + 1);
  return 1;
}
