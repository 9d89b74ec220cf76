#include "base/seen.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

/* --- the hash ------------------------------------------------------------------------------------------- */

static uint64_t key[2];

static void make_key(void) {
  if (getrandom(key, sizeof key, 0) == (ssize_t)sizeof key) return;
  key[0] = (uint64_t)getpid() << 32 ^ (uint64_t)time(NULL); /* a kernel without getrandom: better than a constant */
  key[1] = (uint64_t)clock();
}

struct sip {
  uint64_t v[4];
};

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void sip_round(uint64_t v[4]) {
  v[0] += v[1];
  v[2] += v[3];
  v[1] = rotate(v[1], 13) ^ v[0];
  v[3] = rotate(v[3], 16) ^ v[2];
  v[0] = rotate(v[0], 32) + v[3];
  v[2] += v[1];
  v[3] = rotate(v[3], 21) ^ v[0];
  v[1] = rotate(v[1], 17) ^ v[2];
  v[2] = rotate(v[2], 32);
}

static void sip_word(struct sip *s, uint64_t word) {
  s->v[3] ^= word;
  sip_round(s->v);
  s->v[0] ^= word;
}

static uint64_t sip_end(struct sip *s, int at, uint64_t mark) {
  s->v[at] ^= mark;
  for (int i = 0; i < 3; i++) sip_round(s->v);
  return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

struct ts_hash128 ts_hash128(const struct ts_str *parts, size_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, make_key);
  struct sip s = { { key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du ^ 0xee, key[0] ^ 0x6c7967656e657261u,
                     key[1] ^ 0x7465646279746573u } };
  for (size_t i = 0; i < count; i++) {
    const char *at = parts[i].ptr;
    size_t left = parts[i].len;
    uint64_t word = 0;
    sip_word(&s, left); /* makes the parts prefix-free: ("ab","c") is not ("a","bc") */
    for (; left >= sizeof word; at += sizeof word, left -= sizeof word) {
      memcpy(&word, at, sizeof word);
      sip_word(&s, word);
    }
    if (left == 0) continue;
    word = 0;
    memcpy(&word, at, left);
    sip_word(&s, word);
  }
  struct ts_hash128 hash;
  hash.low = sip_end(&s, 2, 0xee);
  hash.high = sip_end(&s, 1, 0xdd);
  return hash;
}

/* --- the table ------------------------------------------------------------------------------------------ */

/* Open addressing. With at most 7/8 of the slots taken and a quarter more of them at a time, 70 % are in use after
 * growing: 16 / 0.7 = 23 bytes a member at worst. */
struct ts_seen_slot {
  uint32_t word[3]; /* of the hash; all zero: free */
  uint32_t note;
};
_Static_assert(sizeof(struct ts_seen_slot) == 16, "the promise of the header");

static struct ts_seen_slot slot_of(struct ts_hash128 hash, uint32_t note) {
  struct ts_seen_slot slot = { { (uint32_t)hash.low, (uint32_t)(hash.low >> 32), (uint32_t)hash.high }, note };
  if ((slot.word[0] | slot.word[1] | slot.word[2]) == 0) slot.word[0] = 1;
  return slot;
}

static bool is_free(const struct ts_seen_slot *slot) { return (slot->word[0] | slot->word[1] | slot->word[2]) == 0; }

static struct ts_seen_slot *probe(const struct ts_seen_segment *g, const struct ts_seen_slot *wanted) {
  size_t i = (size_t)((uint64_t)wanted->word[1] * g->cap >> 32);
  while (!is_free(&g->slot[i]) && memcmp(g->slot[i].word, wanted->word, sizeof wanted->word) != 0)
    i = i + 1 < g->cap ? i + 1 : 0;
  return &g->slot[i];
}

static void grow(struct ts_seen_segment *g) {
  struct ts_seen_segment bigger = { .count = g->count, .cap = g->cap < 8 ? 8 : g->cap + g->cap / 4 };
  if (bigger.cap < g->cap) ts_out_of_memory();
  bigger.slot = ts_xcalloc(bigger.cap, sizeof *bigger.slot);
  for (uint32_t i = 0; i < g->cap; i++)
    if (!is_free(&g->slot[i])) *probe(&bigger, &g->slot[i]) = g->slot[i];
  free(g->slot);
  *g = bigger;
}

/* The segment comes from bits of the hash that the slots do not store. */
static size_t segment_of(struct ts_hash128 hash) { return (size_t)(hash.high >> 32) % TS_SEEN_SEGMENTS; }

uint32_t *ts_seen_find(const struct ts_seen *s, struct ts_hash128 hash) {
  const struct ts_seen_segment *g = &s->segment[segment_of(hash)];
  if (g->count == 0) return NULL;
  struct ts_seen_slot wanted = slot_of(hash, 0), *slot = probe(g, &wanted);
  return is_free(slot) ? NULL : &slot->note;
}

bool ts_seen_add(struct ts_seen *s, struct ts_hash128 hash, uint32_t note) {
  struct ts_seen_segment *g = &s->segment[segment_of(hash)];
  if (g->cap == 0 || g->count + 1 >= g->cap - g->cap / 8) grow(g);
  struct ts_seen_slot wanted = slot_of(hash, note), *slot = probe(g, &wanted);
  if (!is_free(slot)) return false;
  *slot = wanted;
  g->count++;
  s->count++;
  return true;
}

void ts_seen_free(struct ts_seen *s) {
  if (s->count == 0) return;
  for (size_t i = 0; i < TS_SEEN_SEGMENTS; i++) free(s->segment[i].slot);
  memset(s, 0, sizeof *s);
}

size_t ts_seen_size(const struct ts_seen *s) {
  size_t bytes = sizeof *s;
  for (size_t i = 0; i < TS_SEEN_SEGMENTS; i++) bytes += s->segment[i].cap * sizeof(struct ts_seen_slot);
  return bytes;
}
