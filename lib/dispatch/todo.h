/* The one tool that needs no handler: todo_write, served by the library into a session log. */
#ifndef TS_DISPATCH_TODO_H
#define TS_DISPATCH_TODO_H

#include "dispatch/decide.h"
#include "todo/serve.h"

/* Makes d answer calls that reach todo_write with `server`, which is borrowed and closed by the caller. */
void ts_dispatch_serve_todo(struct ts_decider *d, struct ts_todo_server *server);

#endif
