#include "base/str.h"

#include "unit/tap.h"

static int sign(int n) { return (n > 0) - (n < 0); }

static void order(void) {
  static const struct {
    struct ts_str a, b;
    int want;
  } rows[] = { { TS_STR(""), TS_STR(""), 0 },          { { NULL, 0 }, TS_STR(""), 0 },
               { { NULL, 0 }, TS_STR("a"), -1 },       { TS_STR("a"), TS_STR("b"), -1 },
               { TS_STR("b"), TS_STR("a"), 1 },        { TS_STR("ab"), TS_STR("abc"), -1 },
               { TS_STR("abc"), TS_STR("ab"), 1 },     { TS_STR("Z"), TS_STR("a"), -1 },
               { TS_STR("\x7f"), TS_STR("\x80"), -1 }, { TS_STR("\xff"), TS_STR("a"), 1 },
               { TS_STR("a\0b"), TS_STR("a"), 1 },     { TS_STR("a\0b"), TS_STR("a\0c"), -1 },
               { TS_STR("a\0b"), TS_STR("a\0b"), 0 } };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    IS_INT(sign(ts_str_cmp(rows[i].a, rows[i].b)), rows[i].want, "row %zu: order", i);
    IS_INT(sign(ts_str_cmp(rows[i].b, rows[i].a)), -rows[i].want, "row %zu: the other way round", i);
    OK(ts_str_eq(rows[i].a, rows[i].b) == (rows[i].want == 0), "row %zu: equality agrees with order", i);
  }
}

static void prefix_and_suffix(void) {
  static const struct {
    struct ts_str s, part;
    bool starts, ends;
    size_t at;
  } rows[] = {
    { TS_STR(""), TS_STR(""), true, true, 0 },           { { NULL, 0 }, TS_STR(""), true, true, 0 },
    { { NULL, 0 }, { NULL, 0 }, true, true, 0 },         { { NULL, 0 }, TS_STR("a"), false, false, SIZE_MAX },
    { TS_STR("abcab"), TS_STR(""), true, true, 0 },      { TS_STR("abcab"), TS_STR("ab"), true, true, 0 },
    { TS_STR("abcab"), TS_STR("abcab"), true, true, 0 }, { TS_STR("abcab"), TS_STR("abcabx"), false, false, SIZE_MAX },
    { TS_STR("abcab"), TS_STR("ca"), false, false, 2 },  { TS_STR("abcab"), TS_STR("B"), false, false, SIZE_MAX },
    { TS_STR("a\0b"), TS_STR("\0b"), false, true, 1 },   { TS_STR("a\0b"), TS_STR("\0"), false, false, 1 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    OK(ts_str_starts(rows[i].s, rows[i].part) == rows[i].starts, "row %zu: starts", i);
    OK(ts_str_ends(rows[i].s, rows[i].part) == rows[i].ends, "row %zu: ends", i);
    IS_U64(ts_str_find(rows[i].s, rows[i].part), rows[i].at, "row %zu: find", i);
    OK(ts_str_has(rows[i].s, rows[i].part) == (rows[i].at != SIZE_MAX), "row %zu: has", i);
  }
}

static void pieces(void) {
  static const struct {
    struct ts_str s;
    size_t from, len;
    struct ts_str want;
  } rows[] = {
    { TS_STR("hello"), 0, 5, TS_STR("hello") },
    { TS_STR("hello"), 1, 3, TS_STR("ell") },
    { TS_STR("hello"), 3, SIZE_MAX, TS_STR("lo") },
    { TS_STR("hello"), 5, 1, TS_STR("") },
    { TS_STR("hello"), 6, 1, TS_STR("") },
    { TS_STR("hello"), SIZE_MAX, SIZE_MAX, TS_STR("") },
    { { NULL, 0 }, 0, 0, TS_STR("") },
    { { NULL, 0 }, 3, 3, TS_STR("") },
    { TS_STR("a\0b"), 1, SIZE_MAX, TS_STR("\0b") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    IS(ts_str_sub(rows[i].s, rows[i].from, rows[i].len), rows[i].want, "row %zu: sub", i);
  OK(ts_str_sub((struct ts_str){ NULL, 0 }, 3, 3).ptr == NULL, "a piece of nothing has no pointer");
}

static void trim(void) {
  static const struct {
    struct ts_str s;
    const char *bytes;
    struct ts_str want;
  } rows[] = {
    { TS_STR("  a b \t"), " \t", TS_STR("a b") },
    { TS_STR("   "), " ", TS_STR("") },
    { TS_STR(""), " ", TS_STR("") },
    { { NULL, 0 }, " ", TS_STR("") },
    { TS_STR("a"), "", TS_STR("a") },
    { TS_STR("\0a\0"), " ", TS_STR("\0a\0") },
    { TS_STR(" \0 "), " ", TS_STR("\0") },
    { TS_STR("\xffx\xff"), "\xff", TS_STR("x") },
    { TS_STR("xax"), "x", TS_STR("a") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    IS(ts_str_trim(rows[i].s, rows[i].bytes), rows[i].want, "row %zu: trim", i);
}

static void folded(void) {
  OK(ts_str_eq_nocase(TS_STR("aZ09_"), TS_STR("Az09_")), "ASCII letters fold");
  OK(!ts_str_eq_nocase(TS_STR("a"), TS_STR("ab")), "lengths count");
  OK(!ts_str_eq_nocase(TS_STR("@["), TS_STR("`{")), "only letters fold");
  OK(!ts_str_eq_nocase(TS_STR("\xc4"), TS_STR("\xe4")), "no byte beyond ASCII folds");
  OK(ts_str_eq_nocase(ts_str_z(NULL), TS_STR("")), "nothing equals the empty text");
}

int main(void) {
  order();
  prefix_and_suffix();
  pieces();
  trim();
  folded();
  OK(ts_str_is(TS_STR("ab"), "ab") && !ts_str_is(TS_STR("a\0b"), "a"), "a NUL inside does not end the text");
  IS_U64(TS_STR("a\0b").len, 3, "a literal's NUL counts");
  IS_U64(ts_str_z(NULL).len, 0, "no C string is empty text");
  return tap_done();
}
