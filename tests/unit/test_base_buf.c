#include "base/buf.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "unit/tap.h"

static void growing(void) {
  struct ts_buf b = { 0 }, want = { 0 };
  IS_Z(ts_buf_z(&b), "", "an empty buffer is the empty C string");
  IS(ts_buf_str(&b), TS_STR(""), "and the empty text");
  ts_buf_clear(&b);
  ts_buf_add(&b, ts_str(NULL, 0));
  OK(b.ptr == NULL, "nothing is held for nothing");
  bool ended = true;
  for (size_t i = 0; i < 5000; i++) {
    ts_buf_addc(&b, (char)(i * 31));
    ended = ended && b.len == i + 1 && b.cap > b.len && b.ptr[b.len] == '\0';
  }
  OK(ended, "a NUL stands behind the text after every byte");
  bool same = true;
  for (size_t i = 0; i < 5000; i++) same = same && b.ptr[i] == (char)(i * 31);
  OK(same, "bytes stay what they were while the buffer grows");
  size_t cap = b.cap;
  ts_buf_cut(&b, 3);
  IS_U64(b.cap, cap, "cutting keeps the room");
  IS_Z(ts_buf_z(&b), "\0\x1f>", "and ends the text");
  ts_buf_free(&b);
  OK(b.ptr == NULL && b.len == 0 && b.cap == 0, "a freed buffer is empty");
  ts_buf_free(&b);
  ts_buf_addz(&b, "again");
  ts_buf_addz(&b, "");
  IS_Z(ts_buf_z(&b), "again", "and can be used again");
  ts_buf_free(&b);
  ts_buf_free(&want);
}

static void reserving(void) {
  struct ts_buf b = { 0 };
  OK(ts_buf_reserve(&b, 0) != NULL, "room for nothing is a place all the same");
  IS_Z(b.ptr, "", "with a NUL in it");
  char *end = ts_buf_reserve(&b, 1000);
  OK(b.cap > 1000 && b.len == 0, "reserving does not move the end");
  memset(end, 'x', 1000);
  OK(ts_buf_reserve(&b, 1000) == end, "nor the text when there is room");
  ts_buf_cut(&b, 1000);
  OK(b.ptr[1000] == '\0', "cut sets the end of what was written there");
  ts_buf_free(&b);
}

static void formats(void) {
  struct ts_buf b = { 0 };
  ts_buf_addf(&b, "%s", "");
  IS_U64(b.len, 0, "formatting nothing adds nothing");
  ts_buf_addf(&b, "%d-%s-%.*s|", 42, "x", TS_FMT(ts_str("a\0b", 1)));
  IS_Z(ts_buf_z(&b), "42-x-a|", "formatted text is added");
  ts_buf_addf(&b, "%.*s|%.*s", TS_FMT(TS_STR("")), TS_FMT(ts_str(NULL, 0)));
  IS_Z(ts_buf_z(&b), "42-x-a||", "TS_FMT takes empty text and none");
  ts_buf_addf(&b, "%c", 0);
  IS(ts_buf_str(&b), TS_STR("42-x-a||\0"), "a NUL that is formatted counts");
  ts_buf_clear(&b);
  ts_buf_addf(&b, "%*s", 100000, "");
  OK(b.len == 100000 && strlen(b.ptr) == 100000, "long results find room");
  ts_buf_free(&b);
}

static void replacing(void) {
  static const struct {
    size_t from, len;
    const char *want;
  } rows[] = { { 0, 10, "0123456789" }, { 3, 4, "3456" }, { 9, 1, "9" }, { 10, 0, "" }, { 0, 0, "" }, { 0, 3, "012" } };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf b = { 0 };
    ts_buf_addz(&b, "0123456789");
    ts_buf_set(&b, ts_str(b.ptr + rows[i].from, rows[i].len));
    IS_Z(ts_buf_z(&b), rows[i].want, "row %zu: a piece of the buffer itself", i);
    ts_buf_set(&b, TS_STR("a\0b"));
    IS(ts_buf_str(&b), TS_STR("a\0b"), "row %zu: other text", i);
    ts_buf_set(&b, ts_str(NULL, 0));
    IS(ts_buf_str(&b), TS_STR(""), "row %zu: nothing", i);
    ts_buf_free(&b);
  }
  struct ts_buf empty = { 0 };
  ts_buf_set(&empty, ts_buf_str(&empty));
  OK(empty.ptr == NULL, "an empty buffer set to itself stays empty");
  char *twice = ts_buf_reserve(&empty, 40);
  memcpy(twice, "0123456789012345678901234567890123456789", 40);
  ts_buf_cut(&empty, 40);
  for (int i = 0; i < 3; i++) ts_buf_add(&empty, ts_buf_str(&empty));
  IS_U64(empty.len, 320, "a buffer can be added to itself");
  OK(memcmp(empty.ptr, empty.ptr + 160, 160) == 0 && memcmp(empty.ptr, "0123456789", 10) == 0, "and doubles");
  ts_buf_free(&empty);
}

/* What a child that runs out of memory leaves: its exit status and its standard error. */
static void dies(const char *name, void (*work)(void)) {
  int fd[2];
  struct ts_buf said = { 0 };
  if (!OK(pipe(fd) == 0, "a pipe")) return;
  (void)fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    (void)dup2(fd[1], STDERR_FILENO);
    work();
    _exit(0);
  }
  (void)close(fd[1]);
  for (ssize_t n; (n = read(fd[0], ts_buf_reserve(&said, 512), 512)) > 0;) ts_buf_cut(&said, said.len + (size_t)n);
  int status = 0;
  (void)waitpid(child, &status, 0);
  (void)close(fd[0]);
  OK(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s: exit status 2", name);
  IS(ts_buf_str(&said), TS_STR("prog: out of memory\n"), "%s: one line", name);
  ts_buf_free(&said);
}

static void too_much_reserve(void) {
  struct ts_buf b = { .len = 5 };
  (void)ts_buf_reserve(&b, SIZE_MAX - 5);
}
static void too_much_end(void) {
  struct ts_buf b = { 0 };
  (void)ts_buf_reserve(&b, SIZE_MAX);
}
static void too_much_items(void) { (void)ts_xrealloc(NULL, SIZE_MAX / 2, 3); }
static void too_much_growth(void) {
  void *items = NULL;
  size_t cap = 0;
  ts_xgrow(&items, &cap, SIZE_MAX / 4, 8);
}

/* Not even a byte is left. The sanitizers' malloc knows no limit. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
static void no_memory_at_all(void) {
  struct rlimit none = { 0, 0 };
  (void)setrlimit(RLIMIT_AS, &none);
  for (size_t size = 1u << 16; size > 0; size /= 2)
    for (void *last = &none; last;) last = malloc(size); /* all that malloc has still got */
  (void)ts_xmalloc(1);
}
#define NO_MEMORY_AT_ALL dies("no memory at all", no_memory_at_all)
#else
#define NO_MEMORY_AT_ALL (void)0
#endif

static void arrays(void) {
  uint32_t *items = NULL;
  size_t cap = 0, count = 0;
  bool kept = true;
  for (; count < 10000; count++) {
    ts_xgrow(&items, &cap, count + 1, sizeof *items);
    items[count] = (uint32_t)count * 3;
  }
  for (size_t i = 0; i < count; i++) kept = kept && items[i] == i * 3;
  OK(kept && cap >= count && cap < 2 * count, "an array keeps its items while it grows by half");
  uint32_t *before = items;
  ts_xgrow(&items, &cap, 5, sizeof *items);
  OK(items == before, "and does not shrink or move when there is room");
  free(items);
  char *copy = ts_xstrdup("");
  IS_Z(copy, "", "the empty C string is copied");
  free(copy);
  unsigned char *zeroed = ts_xcalloc(64, 3);
  bool zero = true;
  for (size_t i = 0; i < 192; i++) zero = zero && zeroed[i] == 0;
  OK(zero, "calloc zeroes");
  free(zeroed);
  void *nothing = ts_xmalloc(0), *none = ts_xcalloc(0, 8);
  OK(nothing && none, "no bytes are something all the same");
  free(ts_xrealloc(nothing, 0, 0));
  free(none);
}

int main(void) {
  ts_diag_program("prog");
  growing();
  reserving();
  formats();
  replacing();
  arrays();
  dies("length overflows", too_much_reserve);
  dies("closing NUL overflows", too_much_end);
  dies("count times size overflows", too_much_items);
  dies("array overflows", too_much_growth);
  NO_MEMORY_AT_ALL;
  return tap_done();
}
