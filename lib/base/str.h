/* Borrowed text: a pointer and a length in bytes. It may hold NUL bytes and need not be UTF-8; it is not
 * ended by a NUL. Whoever owns the bytes says how long they live; a ts_str never frees anything. */
#ifndef TS_BASE_STR_H
#define TS_BASE_STR_H

#include "base/prelude.h"

struct ts_str {
  const char *ptr; /* NULL only when len is 0 */
  size_t len;
};

/* For a string literal; sizeof also counts a NUL inside it. */
#define TS_STR(literal) ((struct ts_str){ "" literal, sizeof(literal) - 1 })
/* For printf's "%.*s". Text beyond INT_MAX bytes is shown cut. */
#define TS_FMT(s) (int)((s).len > 0x7fffffff ? 0x7fffffff : (s).len), ((s).ptr ? (s).ptr : "")

static inline struct ts_str ts_str(const char *ptr, size_t len) { return (struct ts_str){ ptr, len }; }
static inline struct ts_str ts_str_z(const char *z) { return (struct ts_str){ z, z ? strlen(z) : 0 }; }
static inline bool ts_str_eq(struct ts_str a, struct ts_str b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}
static inline bool ts_str_is(struct ts_str a, const char *z) { return ts_str_eq(a, ts_str_z(z)); }

/* Bytewise order, a prefix before what it begins: the order of every sorted output. */
int ts_str_cmp(struct ts_str a, struct ts_str b);
bool ts_str_starts(struct ts_str s, struct ts_str prefix);
bool ts_str_ends(struct ts_str s, struct ts_str suffix);
/* Offset of the first needle in s, or SIZE_MAX. An empty needle is at 0. */
size_t ts_str_find(struct ts_str s, struct ts_str needle);
static inline bool ts_str_has(struct ts_str s, struct ts_str needle) { return ts_str_find(s, needle) != SIZE_MAX; }
/* s from byte `from` on, at most `len` bytes; both are clamped to what is there. */
struct ts_str ts_str_sub(struct ts_str s, size_t from, size_t len);
/* Without the given ASCII bytes at both ends. */
struct ts_str ts_str_trim(struct ts_str s, const char *bytes);
/* ASCII case folded only: never the locale's. */
bool ts_str_eq_nocase(struct ts_str a, struct ts_str b);

#endif
