#include "base/str.h"

#include <strings.h>

int ts_str_cmp(struct ts_str a, struct ts_str b) {
  size_t shorter = a.len < b.len ? a.len : b.len;
  int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;
  if (order != 0) return order;
  return (a.len > b.len) - (a.len < b.len);
}

bool ts_str_starts(struct ts_str s, struct ts_str prefix) {
  return s.len >= prefix.len && ts_str_eq(ts_str(s.ptr, prefix.len), prefix);
}

bool ts_str_ends(struct ts_str s, struct ts_str suffix) {
  return s.len >= suffix.len && ts_str_eq(ts_str_sub(s, s.len - suffix.len, suffix.len), suffix);
}

size_t ts_str_find(struct ts_str s, struct ts_str needle) {
  if (needle.len == 0) return 0;
  if (s.len < needle.len) return SIZE_MAX;
  const char *hit = memmem(s.ptr, s.len, needle.ptr, needle.len);
  return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

struct ts_str ts_str_sub(struct ts_str s, size_t from, size_t len) {
  if (from > s.len) from = s.len;
  if (len > s.len - from) len = s.len - from;
  return ts_str(s.ptr ? s.ptr + from : NULL, len);
}

/* strchr would also find the NUL that ends `bytes`. */
static bool is_one_of(char c, const char *bytes) { return c != '\0' && strchr(bytes, c) != NULL; }

struct ts_str ts_str_trim(struct ts_str s, const char *bytes) {
  while (s.len > 0 && is_one_of(s.ptr[0], bytes)) s = ts_str_sub(s, 1, s.len - 1);
  while (s.len > 0 && is_one_of(s.ptr[s.len - 1], bytes)) s.len--;
  return s;
}

static unsigned char fold(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

bool ts_str_eq_nocase(struct ts_str a, struct ts_str b) {
  if (a.len != b.len) return false;
  for (size_t i = 0; i < a.len; i++)
    if (fold(a.ptr[i]) != fold(b.ptr[i])) return false;
  return true;
}
