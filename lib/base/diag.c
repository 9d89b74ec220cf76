#include "base/diag.h"

#include <sys/uio.h>
#include <unistd.h>

#include "base/utf8.h"

static const char *program = "toolsurface";

void ts_diag_program(const char *name) { program = name; }

static void add_hidden(struct ts_buf *out, const struct ts_hidden *h, struct ts_str s) {
  if (h->c == TS_UTF8_BAD || h->c < 0x80)
    ts_buf_addf(out, "\\x%02x", (unsigned)(unsigned char)s.ptr[h->from]);
  else
    ts_buf_addf(out, "\\u{%04x}", (unsigned)h->c);
}

void ts_visible(struct ts_buf *out, struct ts_str s) {
  size_t shown = 0;
  for (struct ts_hidden h = { 0 }; ts_hidden_next(&h, s); shown = h.end) {
    ts_buf_add(out, ts_str_sub(s, shown, h.from - shown));
    add_hidden(out, &h, s);
  }
  ts_buf_add(out, ts_str_sub(s, shown, SIZE_MAX));
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
