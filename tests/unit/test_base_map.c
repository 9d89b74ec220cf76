#include "base/map.h"

#include "base/arena.h"
#include "unit/tap.h"

static void basics(void) {
  struct ts_map m = { 0 };
  IS_U64(ts_map_get(&m, TS_STR("a")), TS_MAP_NONE, "an empty map has nothing");
  IS_U64(*ts_map_at(&m, TS_STR("a"), 7), 7, "a new key has the fallback");
  IS_U64(*ts_map_at(&m, TS_STR("a"), 8), 7, "an old one keeps its value");
  *ts_map_at(&m, TS_STR("a"), 0) = 9;
  IS_U64(ts_map_get(&m, TS_STR("a")), 9, "a value can be set");
  IS_U64(m.count, 1, "one key counts once");
  IS_U64(ts_map_get(&m, TS_STR("")), TS_MAP_NONE, "the empty key is not there by itself");
  IS_U64(*ts_map_at(&m, ts_str(NULL, 0), 3), 3, "no text is a key");
  IS_U64(ts_map_get(&m, TS_STR("")), 3, "the same as the empty one");
  IS_U64(ts_map_get(&m, ts_str(NULL, 0)), 3, "both ways");
  IS_U64(m.count, 2, "and counts once");
  static const struct ts_str alike[] = {
    TS_STR("a\0"),  TS_STR("a\0\0"),    TS_STR("A"),         TS_STR("\0"),
    TS_STR("\0\0"), TS_STR("aaaaaaaa"), TS_STR("aaaaaaaaa"), TS_STR("aaaaaaaa\0")
  };
  for (size_t i = 0; i < TS_COUNT(alike); i++)
    IS_U64(*ts_map_at(&m, alike[i], 100 + i), 100 + i, "row %zu: a key of its own", i);
  for (size_t i = 0; i < TS_COUNT(alike); i++) IS_U64(ts_map_get(&m, alike[i]), 100 + i, "row %zu: still there", i);
  ts_map_free(&m);
  OK(m.slot == NULL && m.count == 0 && m.cap == 0, "a freed map is empty");
  IS_U64(ts_map_get(&m, TS_STR("a")), TS_MAP_NONE, "and has nothing");
  ts_map_free(&m);
}

static void many(void) {
  struct ts_map m = { 0 };
  struct ts_arena a = { 0 };
  enum { COUNT = 100000 };
  static struct ts_str key[COUNT];
  size_t missing = 0, wrong = 0, ghosts = 0;
  for (size_t i = 0; i < COUNT; i++) {
    struct ts_buf name = { 0 };
    ts_buf_addf(&name, "toolu_%zu", i);
    key[i] = ts_arena_dup(&a, ts_buf_str(&name));
    ts_buf_free(&name);
    if (*ts_map_at(&m, key[i], i) != i) wrong++;
  }
  for (size_t i = 0; i < COUNT; i++) {
    size_t value = ts_map_get(&m, key[i]);
    if (value == TS_MAP_NONE) missing++;
    if (value != i) wrong++;
    if (ts_map_get(&m, ts_str_sub(key[i], 1, SIZE_MAX)) != TS_MAP_NONE) ghosts++;
  }
  IS_U64(m.count, COUNT, "100,000 keys");
  IS_U64(missing, 0, "none is lost");
  IS_U64(wrong, 0, "none has another's value");
  IS_U64(ghosts, 0, "none is there that was not put in");
  OK(m.cap <= 4 * COUNT, "the table is no larger than it must be");
  ts_map_free(&m);
  ts_arena_free(&a);
}

/* Texts that differ in one bit must not crowd: every low byte of the hash about as often as every other. */
static void spread(void) {
  unsigned seen[256] = { 0 }, most = 0;
  char text[32] = { 0 };
  for (size_t bit = 0; bit < 256; bit++)
    for (size_t k = 0; k < 16; k++) {
      memset(text, (int)k, sizeof text);
      text[bit / 8] = (char)(text[bit / 8] ^ (char)(1u << bit % 8));
      unsigned low = (unsigned)(ts_hash(ts_str(text, sizeof text)) & 0xff);
      if (++seen[low] > most) most = seen[low];
    }
  OK(most < 64, "4096 texts over 256 slots: at most %u in one", most); /* 16 on average */
  OK(ts_hash(TS_STR("ab")) == ts_hash(TS_STR("ab")), "the same text has the same hash");
  OK(ts_hash(TS_STR("")) == ts_hash(ts_str(NULL, 0)), "no text is the empty text");
}

int main(void) {
  basics();
  many();
  spread();
  return tap_done();
}
