/* Breaking a line of prose where it gets too wide. For text of our own, which is ASCII: bytes are columns. */
#ifndef TS_BASE_WRAP_H
#define TS_BASE_WRAP_H

#include "base/buf.h"

#define TS_PAGE_WIDTH 80 /* columns: what every terminal shows */

/* Appends text word by word; the line so far is `column` bytes wide, the next ones begin at `indent`. No newline
 * at the end. With keep_brackets a space inside [] does not part words (usage lines). */
void ts_wrap(struct ts_buf *out, const char *text, size_t indent, size_t column, bool keep_brackets);

#endif
