/* What to do with a call: answer it here, or hand it to a handler. The order: a call that can't be read, a name
 * that does not dispatch, the policy, hydration (whoever has not
 * seen the schema cannot fit it), the arguments, the tools that the library serves itself, the
 * handlers. */
#ifndef TS_DISPATCH_DECIDE_H
#define TS_DISPATCH_DECIDE_H

#include "catalog/fit.h"
#include "dispatch/answer.h"
#include "dispatch/handler.h"
#include "dispatch/hydrate.h"
#include "dispatch/policy.h"

/* A tool that needs no process: fills *a. `arguments` as the tool takes them. */
typedef void ts_builtin_fn(void *context, const struct ts_call *c, struct ts_str arguments, struct ts_answer *a);

struct ts_decider {
  const struct ts_catalog *catalog; /* borrowed, like all below */
  const struct ts_surface *surface;
  const struct ts_handlers *handlers;
  const struct ts_policy *policy;
  bool validate, hydrate;
  struct ts_str builtin_tool; /* the tool that `builtin` serves; empty: none */
  ts_builtin_fn *builtin;
  void *builtin_context;
  struct ts_fit *fit;       /* made by ts_decider_init */
  struct ts_hydrate loaded; /* owned */
};

enum ts_decision_kind {
  TS_ANSWERED, /* *answer is the answer */
  TS_SERVED,   /* the library serves it: ts_decide_serve, when it is its turn */
  TS_HANDLED,  /* by `handler` */
};

struct ts_decision {
  enum ts_decision_kind kind;
  struct ts_route route;
  const struct ts_handler *handler;
  struct ts_answer answer;
  struct ts_buf arguments; /* as the tool takes them */
};

void ts_decider_init(struct ts_decider *d);
void ts_decider_free(struct ts_decider *d);
/* Runs nothing. *out is reused with the room it has. */
void ts_decide(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out);
/* The answer of a call that the library serves. */
void ts_decide_serve(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out);
void ts_decision_free(struct ts_decision *out);
/* What a deprecated name adds to the metadata of an answer that is no error; in the place of members of these names
 * that are there already. */
void ts_decide_notice(const struct ts_route *r, struct ts_answer *a);

#endif
