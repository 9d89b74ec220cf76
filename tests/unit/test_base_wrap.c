#include "base/wrap.h"

#include "unit/tap.h"

#define TEN "123456789 "
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN

static const struct {
  const char *name, *text;
  size_t indent, column;
  bool keep_brackets;
  const char *want;
} rows[] = {
  { "nothing", "", 4, 0, false, "" },
  { "one word", "word", 4, 0, false, "word" },
  { "blanks between words are one", "a  b   c", 4, 0, false, "a b c" },
  { "a blank at the end goes", "a b ", 4, 0, false, "a b" },
  { "80 columns fit", SEVENTY "1234567890", 2, 0, false, SEVENTY "1234567890" },
  { "81 do not", SEVENTY "12345678901", 2, 0, false, SEVENTY "\b\n  12345678901" },
  { "the line so far counts", SEVENTY "123456789", 2, 2, false, SEVENTY "\b\n  123456789" },
  { "the first word stays where it is", "word", 2, 200, false, "word" },
  { "the next one does not", "word word", 2, 200, false, "word\n  word" },
  { "without an indent", "a b", 0, 80, false, "a\nb" },
  { "brackets may be parted", "[-c SOURCE]", 2, 78, false, "[-c\n  SOURCE]" },
  { "or not", "x [-c SOURCE [X]] y", 2, 76, true, "x\n  [-c SOURCE [X]] y" },
  { "a bracket that stays open", "[a b", 2, 80, true, "[a b" },
};

int main(void) {
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 }, want = { 0 };
    for (const char *p = rows[i].want; *p; p++) { /* \b takes back the blank that TEN ends with */
      if (*p == '\b')
        ts_buf_cut(&want, want.len - 1);
      else
        ts_buf_addc(&want, *p);
    }
    ts_wrap(&out, rows[i].text, rows[i].indent, rows[i].column, rows[i].keep_brackets);
    IS(ts_buf_str(&out), ts_buf_str(&want), "%s", rows[i].name);
    ts_buf_free(&out);
    ts_buf_free(&want);
  }
  return tap_done();
}
