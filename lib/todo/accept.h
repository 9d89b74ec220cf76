/* What a write of the list may say: the two dialects of todo-write. Pure functions from an argument text to a
 * list and the words of the answer; logs and sessions are serve.h's. */
#ifndef TS_TODO_ACCEPT_H
#define TS_TODO_ACCEPT_H

#include "todo/list.h"

enum ts_write_dialect { TS_WRITE_DSH, TS_WRITE_CODEWHALE, TS_WRITE_DIALECTS };

/* An accepted list. Owns its text; {0} is none, and may be given to ts_todo_accept again. */
struct ts_todo_accepted {
  struct ts_buf todos; /* [{"content":…,"status":…},…] without blanks, as the event carries it */
  size_t count, by_status[TS_TODO_STATUSES];
  size_t current;  /* the id of the item in progress, codewhale only; 0: none */
  size_t *demoted; /* ids of items that were sent as in progress and are pending now, codewhale only */
  size_t demoted_count, demoted_cap;
};

/* 0, or -1 with the error text of the dialect in *problem. That text is for the caller of the tool: it quotes
 * what was sent, byte for byte (WTF-8). single: dsh refuses more than one item in progress. Time and memory are
 * linear in the text; memory is about twice the text and 8 to 16 bytes an item. */
int ts_todo_accept(enum ts_write_dialect dialect, struct ts_str text, bool single, struct ts_todo_accepted *out,
                   struct ts_buf *problem);
void ts_todo_accepted_free(struct ts_todo_accepted *a);
unsigned ts_todo_accepted_percent(const struct ts_todo_accepted *a);

/* How a dialect words what goes wrong outside of its arguments: "Error: " before it, or nothing. */
const char *ts_todo_error_prefix(enum ts_write_dialect dialect);
/* The content of a result: appended as plain text. */
void ts_todo_acknowledge(enum ts_write_dialect dialect, const struct ts_todo_accepted *a, struct ts_buf *content);

#endif
