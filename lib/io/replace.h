/* A file gets new contents all at once: whoever reads it, whenever, sees the old bytes or the new ones. */
#ifndef TS_IO_REPLACE_H
#define TS_IO_REPLACE_H

#include "base/buf.h"

/* Writes bytes to a new file beside path, makes them durable and puts the file in its place. An old file's mode
 * stays, and a symbolic link goes on pointing at it. What is no regular file (a pipe, /dev/null) is written to.
 * 0, or -1 with `path: what: why`; then path is as it was. */
int ts_file_replace(const char *path, struct ts_str bytes, struct ts_buf *err);

#endif
