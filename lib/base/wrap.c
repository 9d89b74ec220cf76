#include "base/wrap.h"

static size_t word_length(const char *text, bool keep_brackets) {
  size_t len = 0;
  for (int depth = 0; text[len] && (text[len] != ' ' || (keep_brackets && depth > 0)); len++)
    depth += text[len] == '[' ? 1 : text[len] == ']' ? -1 : 0;
  return len;
}

void ts_wrap(struct ts_buf *out, const char *text, size_t indent, size_t column, bool keep_brackets) {
  for (bool is_first = true; *text; is_first = false) {
    size_t len = word_length(text, keep_brackets);
    if (!is_first && column + 1 + len > TS_PAGE_WIDTH) {
      ts_buf_addf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!is_first) {
      ts_buf_addc(out, ' ');
      column++;
    }
    ts_buf_add(out, ts_str(text, len));
    column += len;
    text += len;
    while (*text == ' ') text++;
  }
}
