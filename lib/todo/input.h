/* Where a list comes from: a bare list or a snapshot (one JSON document), a session log, or any transcript. */
#ifndef TS_TODO_INPUT_H
#define TS_TODO_INPUT_H

#include "base/diag.h"
#include "catalog/catalog.h"
#include "todo/list.h"
#include "transcript/reader.h"

enum ts_todo_input_kind { TS_TODO_DOCUMENT, TS_TODO_SESSION_LOG, TS_TODO_TRANSCRIPT };

struct ts_todo_query {
  struct ts_str file;               /* for sentences; borrowed, as all of it */
  const struct ts_format *format;   /* of a transcript; NULL: detect */
  const struct ts_catalog *catalog; /* which names mean todo_write; needed for transcripts only */
  struct ts_str agent;              /* whose list; empty: that of the top level */
  uint64_t at;                      /* as of this line; 0: as of the last */
  bool standing;                    /* a new turn clears the list */
  bool plan;                        /* update_plan counts too */
  bool agents;                      /* say whose lists there are, instead */
  uint64_t max_line;
  const struct ts_notes *notes;
};

/* Owns its text. {0} has no list. */
struct ts_todo_found {
  struct ts_todo_list list; /* borrowed from text; json.ptr NULL: there is none */
  struct ts_buf text;
  struct ts_buf owner;  /* whose list: an agent's or a session's id; empty: unknown */
  struct ts_buf agents; /* a record a line for each agent that has a list */
};

/* Looks at what comes, consuming nothing. -1: *err says why it can't be told. */
int ts_todo_input_kind(struct ts_input *in, const struct ts_todo_query *q, enum ts_todo_input_kind *kind,
                       struct ts_buf *err);
/* Reads all of it. -1: *err says why there is no list to be had; a list that does not exist is no error. */
int ts_todo_input_read(struct ts_input *in, enum ts_todo_input_kind kind, const struct ts_todo_query *q,
                       struct ts_todo_found *found, struct ts_buf *err);
void ts_todo_found_free(struct ts_todo_found *f);

/* A work-graph projection, {"owner":…,"items":[…]}: when its owner is that of the list found, its items take the
 * list's place, even when there are none. 1: they did; 0: it is somebody else's; -1: it can't be read, and *err says
 * why; nothing has changed then. */
int ts_todo_graph_apply(struct ts_str file, struct ts_str text, struct ts_todo_found *found, struct ts_buf *err);

#endif
