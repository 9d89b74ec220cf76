/* Memory that is always there: when it is not, or when count * size would overflow, one line goes to
 * standard error and the program exits with status 2. This is the one place where the library exits. */
#ifndef TS_BASE_XALLOC_H
#define TS_BASE_XALLOC_H

#include "base/prelude.h"

void *ts_xmalloc(size_t size);
void *ts_xcalloc(size_t count, size_t size);
void *ts_xrealloc(void *old, size_t count, size_t size);
/* Grows the array at *items (of `size`-byte items, *cap of them) so that `need` items fit. */
void ts_xgrow(void *items, size_t *cap, size_t need, size_t size);
char *ts_xstrdup(const char *z);
TS_NORETURN void ts_out_of_memory(void);

#endif
