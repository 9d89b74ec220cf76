/* To-do lists, as they stand: a list is the text of an accepted JSON array of items, and is walked where it
 * is. Nothing is stored per item, so that a list of millions costs no more than its text. */
#ifndef TS_TODO_LIST_H
#define TS_TODO_LIST_H

#include "json/scan.h"

enum ts_todo_status { TS_TODO_PENDING, TS_TODO_IN_PROGRESS, TS_TODO_COMPLETED, TS_TODO_CANCELLED, TS_TODO_STATUSES };

struct ts_todo_status_row {
  const char *name; /* "in_progress" */
  const char *mark; /* "[~]" */
  bool settled;     /* nothing is left to do */
};
const struct ts_todo_status_row *ts_todo_status_row(enum ts_todo_status s);

/* Which spellings of a status count. */
enum ts_todo_spelling {
  TS_SPELLING_DSH = 1,       /* the first three names, exactly */
  TS_SPELLING_SNAPSHOT = 2,  /* the four names and "canceled", exactly */
  TS_SPELLING_CODEWHALE = 4, /* those and more, in any ASCII case, white space around them */
};
/* TS_TODO_STATUSES when text spells none. */
enum ts_todo_status ts_todo_status_find(struct ts_str text, enum ts_todo_spelling spelling);

/* Whole percent settled, half rounded up; 0 of nothing. */
unsigned ts_todo_percent(uint64_t settled, uint64_t total);

/* What an item looks like: names of its members, and how exact it is. */
enum ts_todo_shape {
  TS_TODO_WRITTEN,  /* {"content","status"}: of a log, a call, a bare list; ids are positions, from 1 */
  TS_TODO_LENIENT,  /* the same as a model sent it: any spelling of a status, none is pending */
  TS_TODO_NUMBERED, /* {"id","content","status"}: of a snapshot */
  TS_TODO_PLANNED,  /* {"step","status"}: of update_plan */
  TS_TODO_SHAPES,
};

struct ts_todo_list {
  struct ts_str json; /* the array, borrowed; ptr NULL: there is no list */
  enum ts_todo_shape shape;
  size_t count, by_status[TS_TODO_STATUSES];
  uint64_t percent; /* as its writer says it */
  bool has_percent;
  uint64_t current; /* in_progress_id */
  bool has_current;
};

struct ts_todo_item {
  size_t index; /* in the list, from 0 */
  uint64_t id;
  enum ts_todo_status status;
};

/* Takes an array that the scanner has accepted (with the white space around it) as a list: 0, with counts. -1:
 * it is none; *err says which item and why ("item 2: unknown status 'paused'"). percent and current are kept. */
int ts_todo_list_read(struct ts_todo_list *l, struct ts_str json, enum ts_todo_shape shape, struct ts_buf *err);
size_t ts_todo_settled(const struct ts_todo_list *l);

/* Goes through the members of an accepted object, or the elements of an accepted array, without an index. */
struct ts_todo_step {
  struct ts_str key; /* between its quotes, still escaped; a member's only */
  bool key_escaped;
  struct ts_str value; /* its bytes */
  enum ts_json_kind kind;
  bool escaped; /* a string with a backslash in it */
};
/* *at is 0 at first, and moves on. text begins with the bracket, white space before it allowed. */
bool ts_todo_step(struct ts_json *j, struct ts_str text, size_t *at, struct ts_todo_step *step);
/* A string's text: borrowed when nothing in it is escaped, else decoded into *scratch, replacing it. */
struct ts_str ts_todo_step_text(const struct ts_todo_step *step, struct ts_buf *scratch);
bool ts_todo_step_is(const struct ts_todo_step *step, struct ts_str key, struct ts_buf *scratch);

/* Walks a list. {0} but for the list; free it when done. */
struct ts_todo_walk {
  const struct ts_todo_list *list;
  size_t at, index;    /* the rest is private */
  struct ts_json json; /* of the item read last */
  uint32_t content;    /* its node there */
  struct ts_buf text, word;
};
/* Takes an array as a list, as ts_todo_list_read does, in the memory of a walk that is used again and again. */
int ts_todo_walk_list(struct ts_todo_walk *w, struct ts_todo_list *l, struct ts_str json, enum ts_todo_shape shape,
                      struct ts_buf *err);
/* 1: an item; 0: the end. Only for lists that ts_todo_list_read has taken. */
int ts_todo_next(struct ts_todo_walk *w, struct ts_todo_item *item);
/* The content of the item read last, decoded, WTF-8; valid until the next item. */
struct ts_str ts_todo_content(struct ts_todo_walk *w);
void ts_todo_walk_free(struct ts_todo_walk *w);

#endif
