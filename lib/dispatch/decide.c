#include "dispatch/decide.h"

#include "catalog/argmap.h"

void ts_decider_init(struct ts_decider *d) { d->fit = ts_fit_new(d->catalog); }

void ts_decider_free(struct ts_decider *d) {
  ts_fit_free(d->fit);
  ts_hydrate_free(&d->loaded);
}

static bool refuse(struct ts_decision *out, struct ts_buf *why) {
  ts_answer_fail(&out->answer, ts_buf_str(why));
  return true;
}

/* Each step returns true when it has answered the call. */
typedef bool step(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why);

static bool check_call(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)d;
  ts_buf_set(why, ts_buf_str(&c->problem));
  return why->len > 0 && refuse(out, why);
}

static bool check_name(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)c;
  if (out->route.dispatches) return false;
  ts_route_explain(d->catalog, d->surface, &out->route, why);
  return refuse(out, why);
}

/* The arguments as the tool takes them; raw text has none. */
static bool map_arguments(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)d;
  if (c->is_input) return false;
  return ts_argmap_apply(out->route.called, c->arguments, &out->arguments, why) != 0 && refuse(out, why);
}

static bool check_policy(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)c;
  return !ts_policy_permits(d->policy, d->catalog, &out->route, ts_buf_str(&out->arguments), why) && refuse(out, why);
}

static bool check_arguments(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out,
                            struct ts_buf *why) {
  struct ts_misfit misfit = { 0 };
  bool answered = false;
  if (!d->validate || c->is_input) return false;
  if (ts_fit_check(d->fit, &out->route, c->arguments, NULL, &misfit) == TS_MISFITS) {
    ts_fail(why, "invalid arguments: at '%s': expected %s, got %s", ts_buf_z(&misfit.pointer),
            ts_buf_z(&misfit.expected), ts_buf_z(&misfit.came));
    answered = refuse(out, why);
  }
  ts_misfit_free(&misfit);
  return answered;
}

static bool hydrate(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)why;
  const struct ts_tool *tool = out->route.tool;
  if (!d->hydrate || tool->state != TS_DEFERRED || !ts_hydrate_needed(&d->loaded, tool, c->turn)) return false;
  struct ts_str arguments = ts_buf_str(&out->arguments);
  struct ts_jw w = ts_answer_metadata(&out->answer);
  ts_hydrate_content(tool, arguments, &out->answer.content);
  ts_hydrate_metadata(tool, arguments, &w);
  return true;
}

static bool serve_here(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)why;
  if (d->builtin_tool.len == 0 || !ts_str_eq(out->route.canonical, d->builtin_tool)) return false;
  d->builtin(d->builtin_context, c, ts_buf_str(&out->arguments), &out->answer);
  return true;
}

static bool find_handler(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)c;
  out->handler = ts_handlers_find(d->handlers, out->route.canonical);
  if (out->handler) return false;
  ts_fail(why, "no handler for '%.*s'", TS_FMT(out->route.canonical));
  return refuse(out, why);
}

void ts_decide_notice(const struct ts_route *r, struct ts_answer *a) {
  if (a->is_error || !ts_state_row(r->state)->notice) return;
  struct ts_buf notice = { 0 };
  struct ts_jw w = ts_answer_metadata(a);
  if (r->called->replacement.len > 0)
    ts_buf_addf(&notice, "deprecated: use %.*s instead", TS_FMT(r->called->replacement));
  else
    ts_buf_addz(&notice, "deprecated");
  ts_jw_member(&w, "notice", ts_buf_str(&notice));
  ts_jw_member_if(&w, "replacement", r->called->replacement);
  ts_jw_member_if(&w, "since", r->called->first_deprecated_version);
  ts_jw_member_if(&w, "note", r->called->note);
  ts_buf_free(&notice);
}

void ts_decide(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out) {
  static step *const steps[] = { check_call,      check_name, map_arguments, check_policy,
                                 check_arguments, hydrate,    serve_here,    find_handler };
  struct ts_buf why = { 0 };
  out->handler = NULL;
  ts_answer_clear(&out->answer);
  ts_buf_clear(&out->arguments);
  ts_resolve(d->catalog, d->surface, c->name, &out->route);
  bool answered = false;
  for (size_t i = 0; i < TS_COUNT(steps) && !answered; i++) answered = steps[i](d, c, out, &why);
  if (answered) ts_decide_notice(&out->route, &out->answer);
  ts_buf_free(&why);
}
