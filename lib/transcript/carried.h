/* The lists of tools that a transcript carries itself: the latest of its session is in force. */
#ifndef TS_TRANSCRIPT_CARRIED_H
#define TS_TRANSCRIPT_CARRIED_H

#include "transcript/judge.h"

/* So many lists are kept: those in use last. A conversation has one session, seldom two at a time. */
#define TS_CARRIED_LISTS 16

/* {0} is ready. */
struct ts_carried {
  struct ts_carried_list {
    bool in_force; /* in `session`; else only kept because most lists are said again */
    struct ts_buf session, tools;
    struct ts_catalog catalog;
    struct ts_judge *judge; /* NULL: the slot is free */
    uint64_t used;
  } list[TS_CARRIED_LISTS];
  uint64_t clock;
};

/* Takes a TS_EVENT_CATALOG of the file. An empty list says nothing. -1: it is no list of tools, and the one before
 * stays in force. The surface is borrowed, and the same every time. */
int ts_carried_take(struct ts_carried *c, struct ts_str file, const struct ts_event *e,
                    const struct ts_surface *surface, struct ts_buf *err);
/* Judges by the list in force; NULL: there is none. */
struct ts_judge *ts_carried_judge(struct ts_carried *c, struct ts_str session);
/* A conversation is over: no list is in force. */
void ts_carried_forget(struct ts_carried *c);
void ts_carried_free(struct ts_carried *c);

#endif
