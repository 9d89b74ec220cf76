#include "todo/contents.h"

#include "base/map.h"
#include "base/xalloc.h"
#include "json/write.h"

struct ts_contents_slot {
  uint32_t hash;
  uint32_t at; /* offset + 1; 0: free. Texts are below 4 GiB (json/scan.h) */
};

/* No quoted string begins another one, so the bytes at an offset need no length to be compared. */
static bool is_at(const struct ts_contents *c, size_t at, struct ts_str quoted) {
  return ts_str_eq(ts_str_sub(ts_buf_str(c->text), at, quoted.len), quoted);
}

static struct ts_contents_slot *slot_of(const struct ts_contents *c, uint32_t hash, struct ts_str quoted) {
  size_t i = hash & (c->cap - 1);
  for (; c->slot[i].at != 0; i = (i + 1) & (c->cap - 1))
    if (c->slot[i].hash == hash && is_at(c, c->slot[i].at - 1, quoted)) break;
  return &c->slot[i];
}

static void grow(struct ts_contents *c) {
  size_t cap = c->cap ? c->cap * 2 : 64;
  struct ts_contents_slot *slot = ts_xcalloc(cap, sizeof *slot);
  for (size_t old = 0; old < c->cap; old++) {
    if (c->slot[old].at == 0) continue;
    size_t i = c->slot[old].hash & (cap - 1);
    while (slot[i].at != 0) i = (i + 1) & (cap - 1);
    slot[i] = c->slot[old];
  }
  free(c->slot);
  c->slot = slot;
  c->cap = cap;
}

bool ts_contents_add(struct ts_contents *c, size_t at, size_t len) {
  if (c->count * 2 >= c->cap) grow(c);
  struct ts_str quoted = ts_str_sub(ts_buf_str(c->text), at, len);
  uint32_t hash = (uint32_t)ts_hash(quoted);
  struct ts_contents_slot *slot = slot_of(c, hash, quoted);
  if (slot->at != 0) return false;
  *slot = (struct ts_contents_slot){ hash, (uint32_t)at + 1 };
  c->count++;
  return true;
}

bool ts_contents_has(const struct ts_contents *c, struct ts_str quoted) {
  return c->count > 0 && slot_of(c, (uint32_t)ts_hash(quoted), quoted)->at != 0;
}

void ts_contents_free(struct ts_contents *c) {
  free(c->slot);
  c->slot = NULL;
  c->count = c->cap = 0;
}

/* The set of an accepted list. */
static struct ts_contents contents_of(const struct ts_todo_accepted *now) {
  struct ts_contents set = { .text = &now->todos };
  struct ts_json json = { 0 };
  struct ts_todo_step item, member;
  struct ts_str text = ts_buf_str(&now->todos);
  for (size_t at = 0; ts_todo_step(&json, text, &at, &item);) {
    size_t first = 0; /* content is an accepted item's first member */
    if (ts_todo_step(&json, item.value, &first, &member))
      (void)ts_contents_add(&set, (size_t)(member.value.ptr - text.ptr), member.value.len);
  }
  ts_json_free(&json);
  return set;
}

void ts_todo_dropped(const struct ts_todo_list *before, const struct ts_todo_accepted *now,
                     size_t by_status[TS_TODO_STATUSES]) {
  memset(by_status, 0, TS_TODO_STATUSES * sizeof *by_status);
  if (ts_todo_settled(before) == before->count) return;
  struct ts_contents set = contents_of(now);
  struct ts_todo_walk w = { .list = before };
  struct ts_todo_item item;
  struct ts_buf quoted = { 0 };
  while (ts_todo_next(&w, &item)) {
    if (ts_todo_status_row(item.status)->settled) continue;
    ts_buf_clear(&quoted);
    ts_json_quote(&quoted, ts_todo_content(&w));
    by_status[item.status] += !ts_contents_has(&set, ts_buf_str(&quoted));
  }
  ts_buf_free(&quoted);
  ts_todo_walk_free(&w);
  ts_contents_free(&set);
}
