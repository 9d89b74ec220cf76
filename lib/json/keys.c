/* Doubled keys. A small object keeps a 64-bit filter over its keys' hashes and looks closer on a hit only; a large
 * one sorts its keys by hash when it closes. Either way a key costs 8 bytes while its object is open. The hash is
 * seeded, so that nobody can write keys that collide. */
#include "base/map.h"
#include "base/xalloc.h"
#include "json/engine.h"

uint64_t ts_json_key_hash(const struct ts_json *j, struct ts_str key) {
  if (key.len > 16) return ts_hash(key);
  uint64_t word[2] = { 0, 0 };
  if (key.len) memcpy(word, key.ptr, key.len);
  return ts_json_short_hash(j->seed, word[0], word[1], key.len);
}

static size_t offset_of(uint64_t entry) { return (uint32_t)entry; }

static bool same_key(const struct ts_json *j, uint64_t a, uint64_t b) {
  struct ts_json_reader one = ts_json_reader(ts_json_body_at(j->text, offset_of(a)));
  struct ts_json_reader other = ts_json_reader(ts_json_body_at(j->text, offset_of(b)));
  int byte;
  do {
    byte = ts_json_read(&one);
    if (byte != ts_json_read(&other)) return false;
  } while (byte >= 0);
  return true;
}

void ts_json_check_key(struct ts_json *j, size_t first_key, uint64_t entry) {
  for (size_t i = first_key; i < j->key_count; i++)
    if (j->key[i] >> 32 == entry >> 32 && same_key(j, j->key[i], entry))
      ts_json_note_issue(j, TS_JSON_DUPLICATE_KEY, offset_of(entry));
}

static void sort_few(uint64_t *entry, size_t count) {
  for (size_t i = 1; i < count; i++) {
    uint64_t moved = entry[i];
    size_t k = i;
    for (; k > 0 && entry[k - 1] > moved; k--) entry[k] = entry[k - 1];
    entry[k] = moved;
  }
}

/* Radix sort in place by the byte at `shift` and those below it: at most eight levels deep, linear, no memory. */
static void sort(uint64_t *entry, size_t count, unsigned shift) {
  if (count <= 64) {
    sort_few(entry, count);
    return;
  }
  size_t next[256] = { 0 }, end[256], sum = 0;
  for (size_t i = 0; i < count; i++) next[entry[i] >> shift & 255]++;
  for (size_t b = 0; b < 256; b++) {
    sum += next[b];
    end[b] = sum;
    next[b] = sum - next[b];
  }
  for (size_t b = 0; b < 256; b++)
    while (next[b] < end[b]) {
      uint64_t moved = entry[next[b]];
      size_t home = moved >> shift & 255;
      entry[next[b]] = entry[next[home]];
      entry[next[home]++] = moved;
    }
  if (shift == 0) return;
  for (size_t b = 0, from = 0; b < 256; from = end[b++]) sort(entry + from, end[b] - from, shift - 8);
}

/* In each run of equal hashes, which is sorted by offset, the first key that an earlier one equals. */
void ts_json_check_keys(struct ts_json *j, size_t first_key) {
  uint64_t *entry = j->key + first_key;
  size_t count = j->key_count - first_key;
  sort(entry, count, 56);
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && entry[to] >> 32 == entry[from] >> 32; to++) continue;
    bool found = false;
    for (size_t b = from + 1; b < to && !found; b++)
      for (size_t a = from; a < b && !found; a++)
        if ((found = same_key(j, entry[a], entry[b])))
          ts_json_note_issue(j, TS_JSON_DUPLICATE_KEY, offset_of(entry[b]));
  }
}
