#include "base/arena.h"

#include <stdalign.h>

#include "unit/tap.h"

static bool is_zero(const char *p, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (p[i] != 0) return false;
  return true;
}

static void pieces(void) {
  struct ts_arena a = { 0 };
  enum { COUNT = 3000 };
  static char *piece[COUNT];
  static size_t size[COUNT];
  bool aligned = true, zeroed = true, kept = true;
  for (size_t i = 0; i < COUNT; i++) {
    size[i] = i % 17 * (i % 29) + (i % 1000 == 999 ? 200000 : 0); /* some larger than a block, some empty */
    piece[i] = ts_arena_alloc(&a, size[i]);
    aligned = aligned && (uintptr_t)piece[i] % alignof(max_align_t) == 0;
    zeroed = zeroed && is_zero(piece[i], size[i]);
    memset(piece[i], (int)(i & 0xff), size[i]);
  }
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k < size[i]; k++) kept = kept && piece[i][k] == (char)(i & 0xff);
  OK(aligned, "every piece is aligned for any type");
  OK(zeroed, "every piece is zeroed");
  OK(kept, "no piece overlaps another");
  ts_arena_reset(&a);
  char *again = ts_arena_alloc(&a, 40000);
  OK(is_zero(again, 40000), "after a reset pieces are zeroed again");
  ts_arena_free(&a);
  OK(a.head == NULL && a.used == 0 && a.size == 0, "a freed arena is empty");
  ts_arena_reset(&a);
  ts_arena_free(&a);
  OK(a.head == NULL, "freeing and resetting an empty one does nothing");
}

static void copies(void) {
  struct ts_arena a = { 0 };
  char text[] = "a\0b";
  struct ts_str copy = ts_arena_dup(&a, ts_str(text, 3));
  struct ts_str empty = ts_arena_dup(&a, TS_STR("")), none = ts_arena_dup(&a, ts_str(NULL, 0));
  text[0] = 'x';
  IS(copy, TS_STR("a\0b"), "a copy has all bytes, and is one");
  OK(copy.ptr[3] == '\0', "a NUL stands behind it");
  IS_Z(empty.ptr, "", "a copy of the empty text is a C string");
  IS_Z(none.ptr, "", "so is one of no text at all");
  struct ts_buf big = { 0 };
  for (size_t i = 0; i < 70000; i++) ts_buf_addc(&big, (char)i);
  IS(ts_arena_dup(&a, ts_buf_str(&big)), ts_buf_str(&big), "a text larger than a block");
  IS(copy, TS_STR("a\0b"), "earlier copies stay");
  ts_buf_free(&big);
  ts_arena_free(&a);
}

int main(void) {
  pieces();
  copies();
  return tap_done();
}
