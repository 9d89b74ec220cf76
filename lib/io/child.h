/* A process with three pipes, the leader of a session and process group of its own: no terminal can stop it or be
 * asked by it. It gets descriptors 0, 1 and 2 and no other one, default signal handling, and the environment that its
 * specification names. The ends kept here are non-blocking and close-on-exec, so one child never holds another's
 * pipe open. The program that starts children has descriptors 0 to 2 open (ts_standard_descriptors) and ignores
 * SIGPIPE while it writes to them. */
#ifndef TS_IO_CHILD_H
#define TS_IO_CHILD_H

#include "base/diag.h"

#include <sys/types.h>

struct ts_child_spec {
  char *const *argv;         /* argv[0] is looked up in the child's PATH */
  char *const *environ_with; /* "NAME=value" entries set on top, ends with NULL; or NULL */
  bool clean_env;            /* start from PATH alone instead of the whole environment */
};

struct ts_child {
  pid_t pid;        /* 0: none */
  int in, out, err; /* our ends of its descriptors 0, 1 and 2; -1: closed */
};

/* 0. 1: there is no room for one more process or pipe just now; -1: it cannot be executed: *err has `cannot start
 * 'program': why` for both. */
int ts_child_start(const struct ts_child_spec *spec, struct ts_child *child, struct ts_buf *err);
/* Closes one of the three ends (pass &child->in …); nothing when it is closed already. */
void ts_child_close(int *fd);
void ts_child_close_all(struct ts_child *child);
/* Sends a signal to the whole group; it reaches what is left of it until ts_child_ended has said 1. */
void ts_child_signal(const struct ts_child *child, int signal);
/* Has it ended, and waits to be taken away by ts_child_ended? */
bool ts_child_is_dead(const struct ts_child *child);
/* Has it ended? 1 with *status as waitpid gives it (and pid is 0), 0 not yet. `block` waits for the end. */
int ts_child_ended(struct ts_child *child, bool block, int *status);
/* Appends "exited with status 3", "was killed by signal 9 (Killed)". */
void ts_child_describe(int status, struct ts_buf *out);

#endif
