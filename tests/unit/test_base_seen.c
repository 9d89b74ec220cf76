#include "base/seen.h"

#include "unit/tap.h"

static struct ts_hash128 hash_of(const char *a, const char *b) {
  const struct ts_str parts[] = { ts_str_z(a), ts_str_z(b) };
  return ts_hash128(parts, 2);
}

static bool same(struct ts_hash128 a, struct ts_hash128 b) { return a.low == b.low && a.high == b.high; }

static void hashes(void) {
  static const struct {
    const char *a1, *a2, *b1, *b2;
    bool same;
  } rows[] = {
    { "s", "id", "s", "id", true },
    { "s", "id", "si", "d", false },
    { "", "a", "a", "", false },
    { "", "", "", "", true },
    { "12345678", "", "1234567", "8", false },
    { "12345678", "9", "12345678", "9", true },
    { "a", "b", "b", "a", false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    OK(same(hash_of(rows[i].a1, rows[i].a2), hash_of(rows[i].b1, rows[i].b2)) == rows[i].same, "row %zu: hash", i);
  const struct ts_str with = TS_STR("a\0"), without = TS_STR("a"), one[2] = { TS_STR("ab") };
  OK(!same(ts_hash128(&with, 1), ts_hash128(&without, 1)), "a NUL at the end counts");
  OK(!same(ts_hash128(one, 1), ts_hash128(one, 2)), "one more empty part is another text");
}

static struct ts_hash128 numbered(uint32_t n) {
  const struct ts_str part = ts_str((const char *)&n, sizeof n);
  return ts_hash128(&part, 1);
}

static void many(void) {
  enum { MANY = 300000 };
  struct ts_seen seen = { 0 };
  uint32_t lost = 0, wrong_note = 0, ghosts = 0;
  size_t dearest = 0;
  OK(ts_seen_find(&seen, numbered(1)) == NULL, "an empty set has nothing");
  for (uint32_t n = 0; n < MANY; n++) {
    if (!ts_seen_add(&seen, numbered(n), n)) lost++;
    size_t each = seen.count > 100000 ? ts_seen_size(&seen) / seen.count : 0;
    if (each > dearest) dearest = each;
  }
  IS_U64(seen.count, MANY, "all are in");
  OK(!ts_seen_add(&seen, numbered(7), 99), "a second time it is not new");
  for (uint32_t n = 0; n < MANY; n++) {
    const uint32_t *note = ts_seen_find(&seen, numbered(n));
    if (!note) lost++;
    if (note && *note != n) wrong_note++;
    if (ts_seen_find(&seen, numbered(MANY + n))) ghosts++;
  }
  IS_U64(lost, 0, "every member is found");
  IS_U64(wrong_note, 0, "with its note");
  IS_U64(ghosts, 0, "and nothing else is");
  OK(dearest <= 24, "at most 24 bytes a member at any time (%zu)", dearest);
  *ts_seen_find(&seen, numbered(3)) = 77;
  IS_U64(*ts_seen_find(&seen, numbered(3)), 77, "a note can be changed");
  ts_seen_free(&seen);
  IS_U64(seen.count, 0, "freed, it is empty");
}

int main(void) {
  hashes();
  many();
  return tap_done();
}
