/* Output that remembers its first error: a program writes, and asks once at the end whether all of it went
 * out. Writes are buffered; the buffer is flushed when full and by ts_out_flush. */
#ifndef TS_IO_OUT_H
#define TS_IO_OUT_H

#include "base/buf.h"

struct ts_out {
  int fd;
  int error; /* errno of the first failed write, 0 */
  struct ts_buf pending;
  /* NULL; or called before each write, which is then small enough not to block on a pipe that poll calls writable.
   * False: the output is given up (error EINTR). */
  bool (*wait)(void *context, int fd);
  void *wait_context;
};

void ts_out_open(struct ts_out *o, int fd);
void ts_out_add(struct ts_out *o, struct ts_str s);
int ts_out_flush(struct ts_out *o); /* 0, or -1 with o->error set */
/* Flushes, closes fd (its error counts too) and frees the buffer: 0, or -1 with `standard output: why` in *err. */
int ts_out_close(struct ts_out *o, struct ts_buf *err);
/* At the start of main: descriptors 0 to 2 that are closed are filled, so that reading 0 and writing to 1 and 2 fails
 * as it should, and no file that is opened later takes their number. */
void ts_standard_descriptors(void);

#endif
