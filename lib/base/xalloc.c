#include "base/xalloc.h"

#include <unistd.h>

#include "base/diag.h"

void ts_out_of_memory(void) {
  ts_diag_fixed("out of memory");
  _exit(2);
}

void *ts_xmalloc(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) ts_out_of_memory();
  return memory;
}

void *ts_xcalloc(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory) ts_out_of_memory();
  return memory;
}

void *ts_xrealloc(void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) ts_out_of_memory();
  void *memory = realloc(old, bytes ? bytes : 1);
  if (!memory) ts_out_of_memory();
  return memory;
}

void ts_xgrow(void *items, size_t *cap, size_t need, size_t size) {
  if (need <= *cap) return;
  size_t more = *cap < 8 ? 8 : *cap + *cap / 2;
  if (more < need) more = need;
  void *grown; /* items points at a pointer of some other type, so it is copied, not dereferenced */
  memcpy(&grown, items, sizeof grown);
  grown = ts_xrealloc(grown, more, size);
  memcpy(items, &grown, sizeof grown);
  *cap = more;
}

char *ts_xstrdup(const char *z) {
  size_t size = strlen(z) + 1;
  return memcpy(ts_xmalloc(size), z, size);
}
