/* Input: a file, standard input or bytes in memory, decompressed when its first bytes are those of zstd or
 * gzip, read in blocks and handed out line by line. Memory: the longest line, and 1 MiB. */
#ifndef TS_IO_LINES_H
#define TS_IO_LINES_H

#include "base/buf.h"

#define TS_LINE_MAX (256ull << 20) /* bytes; --max-line */

struct ts_input;

/* Opens path ("-": standard input) for reading; NULL with a sentence `file: cannot open: why` in *err. A
 * directory is an error. The caller closes it. */
struct ts_input *ts_input_open(const char *path, struct ts_buf *err);
/* Bytes in memory, borrowed until ts_input_close. */
struct ts_input *ts_input_memory(struct ts_str bytes);
void ts_input_close(struct ts_input *in);

struct ts_line {
  struct ts_str text; /* without its LF and a CR before it (and the BOM of line 1); valid until the next call */
  uint64_t number;    /* from 1 */
  uint64_t offset;    /* of text's first byte, after decompression */
  bool ended;         /* by an LF; false: the last line, cut off by the end of the file */
  bool too_long;      /* longer than max_line: text is its beginning, the rest was skipped */
};

/* 1: a line; 0: the end; -1: a read or decompression error, *err has the sentence; what came before it, a
 * beginning of a line included, has been handed out by then. */
int ts_input_line(struct ts_input *in, uint64_t max_line, struct ts_line *line, struct ts_buf *err);
/* For a program that has other things to do than to wait here: `wait` is called before each read of the descriptor,
 * and returns true when that will not block; false: nothing more is wanted, and it reads as the end. */
void ts_input_waits(struct ts_input *in, bool (*wait)(void *context, int fd), void *context);
/* Looks at the next bytes without consuming them: at least `want` of them, fewer only at the end. Borrowed
 * until the next call. -1: as above. */
int ts_input_peek(struct ts_input *in, size_t want, struct ts_str *bytes, struct ts_buf *err);
/* All that is left, at most max bytes: 0; -1 when there is more or on error. Appends to *out. */
int ts_input_all(struct ts_input *in, uint64_t max, struct ts_buf *out, struct ts_buf *err);
uint64_t ts_input_bytes(const struct ts_input *in);    /* handed out so far, after decompression */
uint64_t ts_input_consumed(const struct ts_input *in); /* of the file itself, for progress */

#endif
