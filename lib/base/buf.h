/* Owned, growing text. A ts_buf set to {0} is empty and owns nothing; ts_buf_free gives back what it holds
 * and leaves it empty again. One NUL byte that is not counted always stands behind the text of a ts_buf
 * that has grown. Running out of memory ends the program (base/xalloc.h). */
#ifndef TS_BASE_BUF_H
#define TS_BASE_BUF_H

#include <stdarg.h>

#include "base/str.h"

struct ts_buf {
  char *ptr;
  size_t len; /* bytes in use */
  size_t cap; /* bytes held, the closing NUL included */
};

/* Room for `more` bytes behind len; returns where they begin. len stays. */
char *ts_buf_reserve(struct ts_buf *b, size_t more);
/* s may point into b. */
void ts_buf_add(struct ts_buf *b, struct ts_str s);
void ts_buf_addz(struct ts_buf *b, const char *z);
void ts_buf_addc(struct ts_buf *b, char c);
/* What the format takes must not point into b. */
void ts_buf_addu(struct ts_buf *b, uint64_t n); /* in decimal */
void ts_buf_addf(struct ts_buf *b, const char *format, ...) TS_PRINTF(2, 3);
void ts_buf_addv(struct ts_buf *b, const char *format, va_list args) TS_PRINTF(2, 0);
/* Replaces the text; s may point into b. */
void ts_buf_set(struct ts_buf *b, struct ts_str s);
/* Cuts to len bytes, keeping the room. */
void ts_buf_cut(struct ts_buf *b, size_t len);
static inline void ts_buf_clear(struct ts_buf *b) { ts_buf_cut(b, 0); }
void ts_buf_free(struct ts_buf *b);
static inline struct ts_str ts_buf_str(const struct ts_buf *b) { return ts_str(b->ptr, b->len); }
/* The text as a C string ("" when empty); valid until b changes. */
static inline const char *ts_buf_z(const struct ts_buf *b) { return b->ptr ? b->ptr : ""; }

#endif
