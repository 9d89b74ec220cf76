/* The current list of each agent of a transcript: the last write that was accepted, or that nobody has answered yet.
 * Reads nothing but events, so it knows no dialect. */
#ifndef TS_TODO_PROJECT_H
#define TS_TODO_PROJECT_H

#include "base/diag.h"
#include "catalog/resolve.h"
#include "todo/list.h"
#include "transcript/event.h"

struct ts_todo_project_options {
  const struct ts_catalog *catalog; /* which names mean todo_write; borrowed */
  bool plan;                        /* update_plan counts too */
  uint64_t last_line;               /* what comes behind this line does not count; 0: all counts */
  struct ts_str file;               /* for remarks; borrowed, as notes are */
  const struct ts_notes *notes;
};

struct ts_todo_agent {
  struct ts_str session, agent; /* agent is empty for who talks at top level */
  bool has_list;
  struct ts_str list; /* the array as it was sent */
  enum ts_todo_shape shape;
  uint64_t line; /* of the call */
};

/* Memory: 24 bytes a call, and the lists of each agent that are still unanswered, or the last one. */
struct ts_todo_project;

struct ts_todo_project *ts_todo_project_new(const struct ts_todo_project_options *options);
void ts_todo_project_free(struct ts_todo_project *p);
/* A ts_event_fn; the context is the project. -1: what is behind last_line does not matter. */
int ts_todo_project_event(void *context, const struct ts_event *e);

/* The agents seen, in the order in which they first spoke. Text is valid until the next event. False behind the
 * last one. */
bool ts_todo_project_agent(const struct ts_todo_project *p, size_t i, struct ts_todo_agent *out);
/* Whose list is asked for: `id` is an agent's id or a session's; empty: who talks at top level (of the session that
 * spoke last), or the only one there is. What it sent that was neither a list nor refused goes to the notes. -1:
 * nobody, or it is not clear who; *err says so. */
int ts_todo_project_find(struct ts_todo_project *p, struct ts_str id, struct ts_todo_agent *out, struct ts_buf *err);

#endif
