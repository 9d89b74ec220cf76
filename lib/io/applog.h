/* A file that several processes append whole lines to: each append is one write(2) under an exclusive flock(2),
 * made durable after the lock is dropped, so that writers wait for the disk together. Knows nothing of what the
 * lines say. The file is never created by opening it, and never anything but a regular file reached without a
 * symbolic link at its end. Errors are one sentence that begins with the path. */
#ifndef TS_IO_APPLOG_H
#define TS_IO_APPLOG_H

#include "base/buf.h"

struct ts_applog {
  const char *path; /* borrowed */
  int fd;           /* -1: not open */
  bool locked;
  uint64_t device, inode; /* which file it was when it was opened */
};

/* Opens for reading and appending. {.fd = -1} is a closed one. */
int ts_applog_open(struct ts_applog *l, const char *path, struct ts_buf *err);
void ts_applog_close(struct ts_applog *l);

/* Waits for the lock. -1: the path does not name the file that was opened any more (the lock is not held then). */
int ts_applog_lock(struct ts_applog *l, struct ts_buf *err);
void ts_applog_unlock(struct ts_applog *l);

/* Appends what stands at offset `from` and behind it to *out, at most max bytes. */
int ts_applog_read(const struct ts_applog *l, uint64_t from, size_t max, struct ts_buf *out, struct ts_buf *err);
int ts_applog_size(const struct ts_applog *l, uint64_t *size, struct ts_buf *err);

/* The rest is for who holds the lock. */

/* Writes the bytes behind all others, in one write(2); *end is the offset behind them. When that fails, in part or as a
 * whole, the file is cut to what it was, and *err says why. */
int ts_applog_append(const struct ts_applog *l, struct ts_str bytes, uint64_t *end, struct ts_buf *err);
/* Does the size stay the same for so long? For the tail of a writer that does not lock. 1 or 0, or -1. */
int ts_applog_is_still(const struct ts_applog *l, unsigned milliseconds, struct ts_buf *err);
/* Moves all from offset `from` on into the file named like this one with ".torn" behind it, with a newline behind
 * it, and cuts it off here. It is on the disk there before it is cut here. */
int ts_applog_set_aside(const struct ts_applog *l, uint64_t from, struct ts_buf *err);

/* Waits until all that was appended before is on the disk. Needs no lock. `others`: somebody else is appending too. */
int ts_applog_sync(const struct ts_applog *l, bool others, struct ts_buf *err);

/* Makes a new file of these bytes, readable for its owner alone: all of it or none, and never over another. */
int ts_applog_create(const char *path, struct ts_str bytes, struct ts_buf *err);

#endif
