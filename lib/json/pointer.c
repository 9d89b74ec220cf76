/* RFC 6901 pointers into accepted texts. */
#include "base/xalloc.h"
#include "json/engine.h"

struct step {
  size_t key;          /* in an object: where the key's quote is */
  size_t index;        /* in an array: the element's number */
  bool object, inside; /* inside: the walk is at a member or element, not between them */
};

struct walk {
  struct step *step;
  size_t count, cap;
};

static void enter(struct walk *w, bool object) {
  ts_xgrow(&w->step, &w->cap, w->count + 1, sizeof *w->step);
  w->step[w->count++] = (struct step){ .object = object, .inside = !object };
}

static void print_step(const struct step *s, struct ts_str text, struct ts_buf *out) {
  if (!s->inside) return;
  ts_buf_addc(out, '/');
  if (!s->object) {
    ts_buf_addf(out, "%zu", s->index);
    return;
  }
  struct ts_json_reader r = ts_json_reader(ts_json_body_at(text, s->key));
  for (int c; (c = ts_json_read(&r)) >= 0;)
    if (c == '~' || c == '/')
      ts_buf_addz(out, c == '~' ? "~0" : "~1");
    else
      ts_buf_addc(out, (char)c);
}

/* Takes the token at `at` and gives what is behind it. Behind a member's comma the walk is at the object itself, behind
 * an element's at the next one. */
static size_t take_token(struct walk *w, struct ts_str text, size_t at) {
  struct step *top = w->count ? &w->step[w->count - 1] : NULL;
  switch (text.ptr[at]) {
    case '{':
    case '[':
      enter(w, text.ptr[at] == '{');
      break;
    case '}':
    case ']':
      w->count--;
      break;
    case ',':
      if (!top->object) top->index++;
      top->inside = !top->object;
      break;
    case '"':
      if (top && top->object && !top->inside) {
        top->key = at;
        top->inside = true;
      }
      return at + ts_json_body_at(text, at).len + 2;
    default:
      break;
  }
  return at + 1;
}

void ts_json_pointer(struct ts_str text, size_t at, struct ts_buf *out) {
  struct walk w = { 0 };
  size_t from = 0;
  while (from < text.len) {
    char c = text.ptr[from];
    size_t count = w.count; /* an opening bracket at `at` is the container itself, not its first element */
    from = take_token(&w, text, from);
    if (from > at) {
      if (c == '{' || c == '[') w.count = count;
      break;
    }
  }
  for (size_t i = 0; i < w.count; i++) print_step(&w.step[i], text, out);
  free(w.step);
}
