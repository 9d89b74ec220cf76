#include "base/diag.h"

#include <sys/uio.h>
#include <unistd.h>

#include "base/utf8.h"

static const char *program = "toolsurface";

void ts_diag_program(const char *name) { program = name; }

/* Code points that move the cursor or turn the reading direction: C0, DEL, C1, and the bidi controls. */
static bool is_invisible_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void ts_visible(struct ts_buf *out, struct ts_str s) {
  size_t at = 0;
  while (at < s.len) {
    size_t from = at;
    uint32_t c = ts_utf8_next(s, &at);
    if (c == TS_UTF8_BAD || c < 0x20 || c == 0x7f)
      ts_buf_addf(out, "\\x%02x", (unsigned)(unsigned char)s.ptr[from]);
    else if (is_invisible_control(c))
      ts_buf_addf(out, "\\u{%04x}", (unsigned)c);
    else
      ts_buf_add(out, ts_str_sub(s, from, at - from));
  }
}

static void set_visible(struct ts_buf *out, const char *format, va_list args) {
  struct ts_buf plain = { 0 };
  ts_buf_addv(&plain, format, args);
  ts_buf_clear(out);
  ts_visible(out, ts_buf_str(&plain));
  ts_buf_free(&plain);
}

int ts_fail(struct ts_buf *err, const char *format, ...) {
  if (!err) return -1;
  va_list args;
  va_start(args, format);
  set_visible(err, format, args);
  va_end(args);
  return -1;
}

void ts_diag(const char *format, ...) {
  struct ts_buf sentence = { 0 }, line = { 0 };
  va_list args;
  va_start(args, format);
  set_visible(&sentence, format, args);
  va_end(args);
  ts_buf_addf(&line, "%s: %s\n", program, ts_buf_z(&sentence));
  ssize_t written = write(STDERR_FILENO, line.ptr, line.len); /* nowhere is left to report a failure to */
  (void)written;
  ts_buf_free(&sentence);
  ts_buf_free(&line);
}

void ts_diag_fixed(const char *sentence) {
  const char *const piece[] = { program, ": ", sentence, "\n" };
  struct iovec line[TS_COUNT(piece)];
  for (size_t i = 0; i < TS_COUNT(piece); i++)
    line[i] = (struct iovec){ .iov_base = (void *)(uintptr_t)piece[i], .iov_len = strlen(piece[i]) };
  ssize_t written = writev(STDERR_FILENO, line, TS_COUNT(piece));
  (void)written;
}

void ts_note(const struct ts_notes *notes, const char *format, ...) {
  if (!notes || !notes->note) return;
  struct ts_buf sentence = { 0 };
  va_list args;
  va_start(args, format);
  set_visible(&sentence, format, args);
  va_end(args);
  notes->note(notes->context, ts_buf_str(&sentence));
  ts_buf_free(&sentence);
}
