/* Bytes that must wait: first in, first out. They stay in memory up to TS_SPOOL_MEMORY; beyond that they go to an
 * unnamed temporary file in $TMPDIR, else /tmp. Where none can be made or written, they stay in memory: then it
 * costs more, but nothing is lost. {0} is an empty spool. */
#ifndef TS_IO_SPOOL_H
#define TS_IO_SPOOL_H

#include "io/out.h"

#define TS_SPOOL_MEMORY (1u << 20) /* bytes */

struct ts_spool {
  uint64_t size; /* bytes that wait */
  /* private: first come those read ahead from the file, then the rest of the file, then those in memory */
  struct ts_buf ahead;
  size_t ahead_at;
  bool opened, failed; /* there is a file; there is none, or it is full: memory takes the rest */
  int fd;
  uint64_t file_at, file_end;
  struct ts_buf memory;
  size_t memory_at;
};

void ts_spool_add(struct ts_spool *s, struct ts_str bytes);
/* Moves the next n bytes (at most s->size) to *out, replacing its text. -1: the file could not be read back. */
int ts_spool_take(struct ts_spool *s, size_t n, struct ts_buf *out, struct ts_buf *err);
/* Moves all of it to o. */
int ts_spool_drain(struct ts_spool *s, struct ts_out *o, struct ts_buf *err);
void ts_spool_free(struct ts_spool *s);

#endif
