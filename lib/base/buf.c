#include "base/buf.h"

#include "base/xalloc.h"

char *ts_buf_reserve(struct ts_buf *b, size_t more) {
  size_t need;
  if (__builtin_add_overflow(b->len, more, &need) || __builtin_add_overflow(need, 1, &need)) ts_out_of_memory();
  if (need > b->cap) {
    ts_xgrow(&b->ptr, &b->cap, need < 32 ? 32 : need, 1);
    b->ptr[b->len] = '\0';
  }
  return b->ptr + b->len;
}

/* Where in b's memory p points, or SIZE_MAX: asked before growing, which moves it. */
static size_t inside(const struct ts_buf *b, const char *p) {
  size_t at = (size_t)((uintptr_t)p - (uintptr_t)b->ptr);
  return at < b->cap ? at : SIZE_MAX;
}

void ts_buf_add(struct ts_buf *b, struct ts_str s) {
  if (s.len == 0) return;
  size_t own = inside(b, s.ptr);
  char *end = ts_buf_reserve(b, s.len);
  memcpy(end, own == SIZE_MAX ? s.ptr : b->ptr + own, s.len);
  ts_buf_cut(b, b->len + s.len);
}

void ts_buf_addz(struct ts_buf *b, const char *z) { ts_buf_add(b, ts_str_z(z)); }

void ts_buf_addc(struct ts_buf *b, char c) {
  *ts_buf_reserve(b, 1) = c;
  ts_buf_cut(b, b->len + 1);
}

void ts_buf_addu(struct ts_buf *b, uint64_t n) {
  char digits[20]; /* of 2^64 - 1 */
  size_t from = sizeof digits;
  do digits[--from] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  ts_buf_add(b, ts_str(digits + from, sizeof digits - from));
}

void ts_buf_addv(struct ts_buf *b, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n > 0) {
    char *end = ts_buf_reserve(b, (size_t)n);
    (void)vsnprintf(end, (size_t)n + 1, format, again);
    b->len += (size_t)n;
  }
  va_end(again);
}

void ts_buf_addf(struct ts_buf *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ts_buf_addv(b, format, args);
  va_end(args);
}

void ts_buf_set(struct ts_buf *b, struct ts_str s) {
  if (inside(b, s.ptr) != SIZE_MAX) {
    memmove(b->ptr, s.ptr, s.len);
    ts_buf_cut(b, s.len);
    return;
  }
  ts_buf_clear(b);
  ts_buf_add(b, s);
}

void ts_buf_cut(struct ts_buf *b, size_t len) {
  b->len = len;
  if (b->ptr) b->ptr[len] = '\0';
}

void ts_buf_free(struct ts_buf *b) {
  free(b->ptr);
  *b = (struct ts_buf){ 0 };
}
