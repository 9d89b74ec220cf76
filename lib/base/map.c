#include "base/map.h"

#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/xalloc.h"

struct ts_map_slot {
  struct ts_str key; /* ptr NULL: free */
  uint64_t hash;
  size_t value;
};

static uint64_t seed;

static void make_seed(void) {
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) seed = (uint64_t)getpid() << 20;
}

/* 64 x 64 -> 128 bit multiplication folded to 64: the mixing step of the multiply-fold hashes. */
static uint64_t fold(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t ts_hash(struct ts_str s) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static const uint64_t odd1 = 0x9e3779b97f4a7c15u, odd2 = 0xd6e8feb86659fd93u; /* odd, bits well mixed */
  (void)pthread_once(&once, make_seed);
  uint64_t hash = seed ^ odd2 ^ s.len;
  while (s.len > 0) {
    uint64_t word = 0;
    size_t n = s.len < sizeof word ? s.len : sizeof word;
    memcpy(&word, s.ptr, n);
    hash = fold(hash ^ word, odd1 ^ seed);
    s = ts_str_sub(s, n, s.len);
  }
  return fold(hash ^ odd1, odd2);
}

static struct ts_map_slot *slot_of(const struct ts_map *m, struct ts_str key, uint64_t hash) {
  size_t i = (size_t)hash & (m->cap - 1);
  while (m->slot[i].key.ptr && !(m->slot[i].hash == hash && ts_str_eq(m->slot[i].key, key))) i = (i + 1) & (m->cap - 1);
  return &m->slot[i];
}

static void grow(struct ts_map *m) {
  struct ts_map bigger = { .cap = m->cap ? m->cap * 2 : 16, .count = m->count };
  bigger.slot = ts_xcalloc(bigger.cap, sizeof *bigger.slot);
  for (size_t i = 0; i < m->cap; i++)
    if (m->slot[i].key.ptr) *slot_of(&bigger, m->slot[i].key, m->slot[i].hash) = m->slot[i];
  free(m->slot);
  *m = bigger;
}

size_t ts_map_get(const struct ts_map *m, struct ts_str key) {
  if (m->count == 0) return TS_MAP_NONE;
  const struct ts_map_slot *slot = slot_of(m, key, ts_hash(key));
  return slot->key.ptr ? slot->value : TS_MAP_NONE;
}

size_t *ts_map_at(struct ts_map *m, struct ts_str key, size_t fallback) {
  if (m->count * 2 >= m->cap) grow(m);
  if (!key.ptr) key = TS_STR(""); /* a NULL pointer marks a free slot */
  uint64_t hash = ts_hash(key);
  struct ts_map_slot *slot = slot_of(m, key, hash);
  if (!slot->key.ptr) {
    *slot = (struct ts_map_slot){ key, hash, fallback };
    m->count++;
  }
  return &slot->value;
}

void ts_map_free(struct ts_map *m) {
  free(m->slot);
  *m = (struct ts_map){ 0 };
}
