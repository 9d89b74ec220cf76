#include "base/arena.h"

#include <stdalign.h>

#include "base/xalloc.h"

enum { BLOCK = 64 * 1024 };

struct ts_arena_block {
  struct ts_arena_block *older;
  alignas(max_align_t) char bytes[];
};

static void add_block(struct ts_arena *a, size_t size) {
  size_t whole;
  if (__builtin_add_overflow(size, sizeof(struct ts_arena_block), &whole)) ts_out_of_memory();
  struct ts_arena_block *block = ts_xmalloc(whole);
  block->older = a->head;
  a->head = block;
  a->used = 0;
  a->size = size;
}

void *ts_arena_alloc(struct ts_arena *a, size_t size) {
  size_t align = alignof(max_align_t);
  if (size > SIZE_MAX - align) ts_out_of_memory();
  size_t rounded = (size + align - 1) / align * align;
  if (!a->head || rounded > a->size - a->used) add_block(a, rounded > BLOCK ? rounded : BLOCK);
  void *memory = a->head->bytes + a->used;
  a->used += rounded;
  return memset(memory, 0, size);
}

struct ts_str ts_arena_dup(struct ts_arena *a, struct ts_str s) {
  if (s.len == SIZE_MAX) ts_out_of_memory();
  char *copy = ts_arena_alloc(a, s.len + 1);
  if (s.len > 0) memcpy(copy, s.ptr, s.len);
  return ts_str(copy, s.len);
}

static void free_blocks(struct ts_arena_block *block) {
  while (block) {
    struct ts_arena_block *older = block->older;
    free(block);
    block = older;
  }
}

void ts_arena_reset(struct ts_arena *a) {
  if (!a->head) return;
  free_blocks(a->head->older);
  a->head->older = NULL;
  a->used = 0;
}

void ts_arena_free(struct ts_arena *a) {
  free_blocks(a->head);
  *a = (struct ts_arena){ 0 };
}
