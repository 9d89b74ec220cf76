/* The bytes of a descriptor or of memory, decompressed when they begin as zstd or gzip data does: by their
 * first bytes, never by a file's name. Concatenated zstd frames and gzip members are read as one text. This
 * is the only user of libzstd and zlib. */
#ifndef TS_IO_UNPACK_H
#define TS_IO_UNPACK_H

#include <sys/types.h>

#include "base/buf.h"

struct ts_unpack;

/* Reads from fd, which ts_unpack_close closes unless it is standard input. `name` is for sentences; copied. */
struct ts_unpack *ts_unpack_open(int fd, const char *name);
/* Bytes in memory, borrowed until ts_unpack_close. */
struct ts_unpack *ts_unpack_memory(struct ts_str bytes);
void ts_unpack_close(struct ts_unpack *u);

/* Writes at most `room` (4 or more) bytes to `to`: how many; 0: the end; -1: a read error, or data that is damaged
 * or cut off, with `name: why` in *err. All that could be decoded comes before the -1. */
ssize_t ts_unpack_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err);
/* Bytes of the file itself that were read so far. */
uint64_t ts_unpack_consumed(const struct ts_unpack *u);
/* `wait` is called before each read of the descriptor; false: nothing more is wanted, and reads as the end. */
void ts_unpack_waits(struct ts_unpack *u, bool (*wait)(void *context, int fd), void *context);
const char *ts_unpack_name(const struct ts_unpack *u);

#endif
