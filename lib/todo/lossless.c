#include "todo/lossless.h"

#include <math.h>

#include "json/tree.h"

/* strtod needs a NUL behind the number; the locale is C, as no program sets another. */
static bool number_survives(struct ts_str spelling, struct ts_buf *scratch) {
  if (spelling.len < 16 && spelling.ptr[0] != '-' && !memchr(spelling.ptr, 'e', spelling.len) &&
      !memchr(spelling.ptr, 'E', spelling.len))
    return true;
  ts_buf_set(scratch, spelling);
  double value = strtod(ts_buf_z(scratch), NULL);
  return !isinf(value) && !(value == 0 && signbit(value));
}

/* Behind the string that begins at `at`. */
static size_t skip_string(struct ts_str text, size_t at) {
  for (at++; at < text.len && text.ptr[at] != '"'; at++)
    if (text.ptr[at] == '\\') at++;
  return at + 1;
}

static bool is_number_byte(char c) { return (c >= '0' && c <= '9') || (c && strchr("+-.eE", c)); }

/* Looks at every number, also those that a doubled key hides. */
static bool all_survive(struct ts_str text, struct ts_buf *scratch) {
  for (size_t at = 0; at < text.len;) {
    char c = text.ptr[at];
    if (c == '"') {
      at = skip_string(text, at);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      size_t from = at;
      while (at < text.len && is_number_byte(text.ptr[at])) at++;
      if (!number_survives(ts_str_sub(text, from, at - from), scratch)) return false;
    } else {
      at++;
    }
  }
  return true;
}

/* Depth is bounded by TS_TREE_DEPTH_MAX. */
static bool tree_survives(const struct ts_tree *t, struct ts_buf *scratch) {
  if (ts_tree_kind(t) == TS_JSON_NUMBER) return number_survives(ts_tree_text(t), scratch);
  for (const struct ts_tree *child = ts_tree_first(t); child; child = ts_tree_after(child))
    if (!tree_survives(child, scratch)) return false;
  return true;
}

bool ts_json_lossless(const struct ts_json *j) {
  struct ts_buf scratch = { 0 };
  bool good = all_survive(j->text, &scratch);
  if (!good && (j->issues & (1u << TS_JSON_DUPLICATE_KEY))) {
    struct ts_tree *tree = ts_tree_parse(j->text, NULL);
    good = tree && tree_survives(tree, &scratch);
    ts_tree_free(tree);
  }
  ts_buf_free(&scratch);
  return good;
}
