/* The one tool that needs no handler: todo_write, served by the library into a session log. */
#ifndef TS_DISPATCH_TODO_H
#define TS_DISPATCH_TODO_H

#include "dispatch/decide.h"
#include "todo/serve.h"

struct ts_todo_service {
  struct ts_todo_server server;
  const struct ts_notes *failures; /* told once when the log cannot be used at all; borrowed */
  bool failed;
  uint64_t replaced; /* lists that are on the disk */
};

/* Makes d answer calls that reach todo_write with `service`, which is borrowed; its server is closed by the caller. */
void ts_dispatch_serve_todo(struct ts_decider *d, struct ts_todo_service *service);

#endif
