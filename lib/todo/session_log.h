/* Reads a session log line by line, as far as the to-do list needs: what is its header, is it sound, what does its
 * next event count, and which list is current. A recording (its events carry no seq) is read with more patience
 * than a log; the rules are in todo-write(1). Both programs read with this. Knows nothing of files: lines are
 * handed in, and a log may grow between two of them. */
#ifndef TS_TODO_SESSION_LOG_H
#define TS_TODO_SESSION_LOG_H

#include "base/diag.h"
#include "todo/list.h"
#include "todo/log_format.h"

enum ts_log_kind {
  TS_LOG_EMPTY,     /* a header, no event yet: will be a log */
  TS_LOG_RECORDING, /* the first event has no seq */
  TS_LOG_EVENTS,    /* it has */
};

/* {0} with file, and what else is wished for above the line, is ready; owns the rest. */
struct ts_session_log {
  struct ts_str file;           /* for sentences; borrowed */
  const struct ts_notes *notes; /* remarks about lines that could not be used; borrowed, may be NULL */
  bool standing;                /* a new turn clears the list */
  bool marked;                  /* a byte order mark stood before the first line: no log begins like that */

  enum ts_log_kind kind;
  bool has_header;
  struct ts_log_header header;
  uint64_t line;        /* lines read */
  uint64_t events;      /* events read, those of packed lines counted one by one: the next seq */
  bool has_list;        /* there is one of this session's own … */
  struct ts_buf list;   /* … its array as the log has it (shape TS_TODO_WRITTEN) … */
  uint64_t list_line;   /* … and where it was written */
  bool stopped;         /* a log that is readable up to a bad line, and no further … */
  uint64_t bad_line;    /* … this one … */
  struct ts_buf reason; /* … because of this */

  struct ts_json json; /* private, as the rest */
  struct ts_todo_walk walk;
  struct ts_buf scratch, held;
};

/* Takes the next line, without its newline; `ended` is false for the rest of a file that has no newline behind it.
 * -1: the log can't be used, and no more lines are welcome; *err says `file:line: why`. */
int ts_session_log_line(struct ts_session_log *s, struct ts_str line, bool ended, struct ts_buf *err);
/* The next line is an event that the caller wrote himself, of this list: it need not be read. */
void ts_session_log_wrote(struct ts_session_log *s, struct ts_str todos);
/* All lines are read: -1 when that was no session log (nothing at all, or a header that no log can have). */
int ts_session_log_end(struct ts_session_log *s, struct ts_buf *err);
/* Is this text, which has no newline behind it, a whole event that may come next? In a recording any JSON object
 * is. */
bool ts_session_log_fits(struct ts_session_log *s, struct ts_str text);
void ts_session_log_free(struct ts_session_log *s);

#endif
