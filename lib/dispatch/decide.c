#include "dispatch/decide.h"

#include "catalog/argmap.h"
#include "catalog/surface.h"

void ts_decider_init(struct ts_decider *d) { d->fit = ts_fit_new(d->catalog, d->surface); }

void ts_decider_free(struct ts_decider *d) {
  ts_fit_free(d->fit);
  ts_hydrate_free(&d->loaded);
}

static bool refuse(struct ts_decision *out, struct ts_buf *why) {
  ts_answer_fail(&out->answer, ts_buf_str(why));
  return true;
}

/* Each step returns true when it is decided what becomes of the call. */
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
  const struct ts_tool *called = out->route.called;
  if (c->is_input) return false;
  if (called->action.len == 0 && called->arguments.len == 0) {
    ts_buf_add(&out->arguments, c->arguments);
    return false;
  }
  return ts_argmap_apply(called, c->arguments, &out->arguments, why) != 0 && refuse(out, why);
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
  if (!d->hydrate || ts_surface_state(d->catalog, d->surface, tool) != TS_DEFERRED) return false;
  if (!ts_hydrate_needed(&d->loaded, tool, c->turn)) return false;
  struct ts_str arguments = ts_buf_str(&out->arguments);
  struct ts_jw w = ts_answer_metadata(&out->answer);
  ts_hydrate_content(tool, arguments, &out->answer.content);
  ts_hydrate_metadata(tool, arguments, &w);
  return true;
}

static bool find_handler(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out, struct ts_buf *why) {
  (void)c;
  if (d->builtin_tool.len > 0 && ts_str_eq(out->route.canonical, d->builtin_tool)) {
    out->kind = TS_SERVED;
    return true;
  }
  out->kind = TS_HANDLED;
  out->handler = ts_handlers_find(d->handlers, out->route.canonical);
  if (out->handler) return true;
  out->kind = TS_ANSWERED;
  ts_fail(why, "no handler for '%.*s'", TS_FMT(out->route.canonical));
  return refuse(out, why);
}

static const char *const notice_members[] = { "notice", "name", "replacement", "since", "note" };

static bool is_notice_member(const struct ts_json *j, uint32_t key) {
  for (size_t i = 0; i < TS_COUNT(notice_members); i++)
    if (ts_json_says(j, key, ts_str_z(notice_members[i]))) return true;
  return false;
}

/* A handler may have used these names itself: a key must not be doubled. */
static void drop_notice_members(struct ts_buf *metadata) {
  struct ts_buf all = { 0 }, kept = { 0 };
  struct ts_json j = { 0 };
  ts_buf_addc(&all, '{');
  ts_buf_add(&all, ts_buf_str(metadata));
  ts_buf_addc(&all, '}');
  if (ts_json_scan(&j, ts_buf_str(&all), NULL) == 0) {
    for (uint32_t k = ts_json_first(&j, 0); k; k = ts_json_after(&j, 0, k)) {
      if (is_notice_member(&j, k)) continue;
      if (kept.len > 0) ts_buf_addc(&kept, ',');
      ts_buf_add(&kept, ts_json_raw(&j, k));
      ts_buf_addc(&kept, ':');
      ts_buf_add(&kept, ts_json_raw(&j, k + 1));
    }
    ts_buf_set(metadata, ts_buf_str(&kept));
  }
  ts_json_free(&j);
  ts_buf_free(&all);
  ts_buf_free(&kept);
}

void ts_decide_notice(const struct ts_route *r, struct ts_answer *a) {
  if (a->is_error || !ts_state_row(r->state)->notice) return;
  struct ts_buf notice = { 0 };
  if (a->metadata.len > 0) drop_notice_members(&a->metadata);
  struct ts_jw w = ts_answer_metadata(a);
  if (r->called->replacement.len > 0)
    ts_buf_addf(&notice, "deprecated: use %.*s instead", TS_FMT(r->called->replacement));
  else
    ts_buf_addz(&notice, "deprecated");
  ts_jw_member(&w, "notice", ts_buf_str(&notice));
  ts_jw_member(&w, "name", r->called->name);
  ts_jw_member_if(&w, "replacement", r->called->replacement);
  ts_jw_member_if(&w, "since", r->called->first_deprecated_version);
  ts_jw_member_if(&w, "note", r->called->note);
  ts_buf_free(&notice);
}

void ts_decide(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out) {
  static step *const steps[] = { check_call, check_name,      map_arguments, check_policy,
                                 hydrate,    check_arguments, find_handler };
  struct ts_buf why = { 0 };
  out->kind = TS_ANSWERED;
  out->handler = NULL;
  ts_answer_clear(&out->answer);
  ts_buf_clear(&out->arguments);
  ts_resolve(d->catalog, d->surface, c->key.name, &out->route);
  bool is_decided = false;
  for (size_t i = 0; i < TS_COUNT(steps) && !is_decided; i++) is_decided = steps[i](d, c, out, &why);
  if (out->kind == TS_ANSWERED) ts_decide_notice(&out->route, &out->answer);
  ts_buf_free(&why);
}

void ts_decide_serve(struct ts_decider *d, const struct ts_call *c, struct ts_decision *out) {
  d->builtin(d->builtin_context, c, ts_buf_str(&out->arguments), &out->answer);
  ts_decide_notice(&out->route, &out->answer);
}

void ts_decision_free(struct ts_decision *out) {
  ts_answer_free(&out->answer);
  ts_buf_free(&out->arguments);
}
