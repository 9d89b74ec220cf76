/* Which program serves which tool: the records of a handlers file and the --handler options. */
#ifndef TS_DISPATCH_HANDLER_H
#define TS_DISPATCH_HANDLER_H

#include "base/arena.h"
#include "base/diag.h"

struct ts_handler {
  struct ts_str name; /* of the tool; "*": every tool that has none */
  char **argv;        /* ends with NULL */
  char **env;         /* "NAME=value", ends with NULL */
  bool stream;        /* started once, speaks JSONL both ways */
  bool clean_env;     /* gets PATH and env alone */
};

/* Owns everything its handlers point at. {0} is empty. */
struct ts_handlers {
  struct ts_handler *handler;
  size_t count, cap;
  struct ts_arena arena;
};

/* Reads a handlers file (JSONL) on top of what h has; a later record of a name replaces an earlier one. -1:
 * `file:line: why` in *err. */
int ts_handlers_read(struct ts_handlers *h, struct ts_str file, struct ts_str text, struct ts_buf *err);
/* "[NAME=]PROGRAM": an argv of one word. */
void ts_handlers_add(struct ts_handlers *h, const char *option);
/* The handler of the tool, else that of "*", else NULL. */
const struct ts_handler *ts_handlers_find(const struct ts_handlers *h, struct ts_str tool);
void ts_handlers_free(struct ts_handlers *h);

#endif
