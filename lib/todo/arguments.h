/* Takes the argument text of a write apart, for the dialects: shared by them, and private to them. */
#ifndef TS_TODO_ARGUMENTS_H
#define TS_TODO_ARGUMENTS_H

#include "base/arena.h"
#include "todo/accept.h"

/* A member of an item that is neither content nor status. */
struct ts_todo_extra {
  struct ts_str key; /* decoded; valid until the next item */
  uint64_t index;    /* for the dialect to sort by */
  size_t order;      /* in the text */
};

struct ts_todo_arguments {
  struct ts_str todos;          /* the member of that name, any value; ptr NULL: absent */
  enum ts_json_kind todos_kind; /* of it */
  struct ts_json json;          /* of the whole text until the items are walked */
  size_t at, index;             /* of the item at hand, from 0 */
  enum ts_json_kind kind;
  struct ts_todo_step content, status; /* its members, the last of doubled ones; value.ptr NULL: absent */
  struct ts_todo_extra *extra;
  size_t extra_count, extra_cap;
  struct ts_json item_json; /* private, as the rest */
  struct ts_arena arena;
  struct ts_buf word;
};

/* -1: the text is not a JSON object in valid UTF-8. The text is borrowed. {0} is ready for use. */
int ts_todo_arguments_read(struct ts_todo_arguments *a, struct ts_str text);
/* Goes to the next item, back to the first after ts_todo_arguments_rewind; false behind the last. */
bool ts_todo_arguments_next(struct ts_todo_arguments *a);
void ts_todo_arguments_rewind(struct ts_todo_arguments *a);
void ts_todo_arguments_free(struct ts_todo_arguments *a);

bool ts_todo_is_string(const struct ts_todo_step *member);
/* What the string in the status member spells; TS_TODO_STATUSES for none. */
enum ts_todo_status ts_todo_arguments_status(struct ts_todo_arguments *a, enum ts_todo_spelling spelling);

/* Appends an item to an accepted list; returns where its quoted content begins, and *len how long that is. */
size_t ts_todo_accepted_add(struct ts_todo_accepted *out, struct ts_str content, enum ts_todo_status status,
                            size_t *len);
/* Puts text into *problem and returns -1. */
int ts_todo_problem(struct ts_buf *problem, const char *text);

/* The dialects' parts. They may use *a as they like. */
int ts_todo_accept_dsh(struct ts_todo_arguments *a, struct ts_str text, bool single, struct ts_todo_accepted *out,
                       struct ts_buf *problem);
int ts_todo_accept_codewhale(struct ts_todo_arguments *a, struct ts_str text, bool single, struct ts_todo_accepted *out,
                             struct ts_buf *problem);
void ts_todo_acknowledge_dsh(const struct ts_todo_accepted *a, struct ts_buf *content);
void ts_todo_acknowledge_codewhale(const struct ts_todo_accepted *a, struct ts_buf *content);

#endif
