/* Serves writes of the list, one call after the other, into one session log: what todo-write does, and what
 * tsdispatch does with --session. */
#ifndef TS_TODO_SERVE_H
#define TS_TODO_SERVE_H

#include "io/applog.h"
#include "json/write.h"
#include "todo/accept.h"
#include "todo/session_log.h"

/* The members above the line are the caller's: {0} with them set is ready. */
struct ts_todo_server {
  enum ts_write_dialect dialect;
  bool single;                  /* dsh: at most one item in progress */
  bool dry_run;                 /* everything but the write */
  const char *path;             /* the session log; NULL: there is none */
  struct ts_str session_id;     /* whose log it has to be; empty: anybody's */
  const struct ts_notes *notes; /* remarks; borrowed, may be NULL */

  bool open; /* private, as the rest */
  struct ts_applog log;
  struct ts_session_log reader;
  struct ts_buf pending; /* what was read behind the last newline … */
  uint64_t offset;       /* … and where reading goes on, behind that */
  bool others;           /* somebody else has written since the last call */
};

struct ts_todo_call {
  struct ts_str session, agent; /* empty: not given */
  struct ts_str arguments;      /* the argument text, as it came */
};

/* Owns its text; {0} is ready, and may be used again. */
struct ts_todo_reply {
  bool is_error;
  bool unusable;         /* the log can't be used at all: not the call's fault */
  bool replaced;         /* the list on the disk is the one sent */
  struct ts_buf content; /* plain text, WTF-8 */
  struct ts_todo_accepted list;
  size_t dropped[TS_TODO_STATUSES]; /* unfinished items of the list before that are not in this one */
};

/* Answers one call. Whatever goes wrong is in the reply; the log then has every byte it had, unless the reply says
 * otherwise. A reply without an error stands for a list that is on the disk. */
void ts_todo_serve(struct ts_todo_server *s, const struct ts_todo_call *call, struct ts_todo_reply *reply);
/* Makes an error reply of the sentence, in the dialect's form. */
void ts_todo_refuse(const struct ts_todo_server *s, struct ts_todo_reply *reply, struct ts_str why);
void ts_todo_server_close(struct ts_todo_server *s);

/* What a result record says besides is_error: its content, as a JSON string; `"value":{…}`; and the members of its
 * metadata, without braces. Appended; nothing where there is nothing to say. */
void ts_todo_reply_content(const struct ts_todo_reply *reply, struct ts_buf *out);
void ts_todo_reply_value(const struct ts_todo_server *s, const struct ts_todo_reply *reply, struct ts_buf *out);
void ts_todo_reply_metadata(const struct ts_todo_server *s, const struct ts_todo_reply *reply, struct ts_jw *w);
void ts_todo_reply_free(struct ts_todo_reply *reply);

/* Creates a session log with nothing but its header. */
int ts_todo_log_create(const char *path, struct ts_str id, struct ts_buf *err);

#endif
