#include "transcript/audit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/crc32.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "report/record.h"
#include "transcript/carried.h"
#include "transcript/discovery.h"
#include "transcript/pairing.h"

struct ts_audit {
  const struct ts_audit_rules *rules;
  struct ts_audit_views views;
  struct ts_judge *judge; /* by the given catalog, or by none */
  struct ts_pairing *pairing;
  struct ts_discovery discovery;
  struct ts_carried carried;
  struct ts_ordered ordered;
  struct ts_buf record, message, err;
  uint64_t files;
  /* of the file in hand */
  struct ts_str file;
  const struct ts_read_stats *stats;
  struct ts_summary *sum;
  struct ts_audit_outcome outcome;
  bool broken; /* err says why */
};

struct ts_audit *ts_audit_new(const struct ts_audit_rules *rules, const struct ts_audit_views *views) {
  struct ts_audit *a = ts_xcalloc(1, sizeof *a);
  a->rules = rules;
  a->views = *views;
  a->ordered = (struct ts_ordered){ .out = views->finding, .context = views->context };
  a->judge = ts_judge_new(rules->catalog, rules->surface);
  a->pairing = ts_pairing_new();
  return a;
}

void ts_audit_free(struct ts_audit *a) {
  if (!a) return;
  ts_judge_free(a->judge);
  ts_pairing_free(a->pairing);
  ts_discovery_free(&a->discovery);
  ts_carried_free(&a->carried);
  ts_ordered_free(&a->ordered);
  ts_buf_free(&a->record);
  ts_buf_free(&a->message);
  ts_buf_free(&a->err);
  free(a);
}

static struct ts_judge *judge_for(struct ts_audit *a, struct ts_str session) {
  struct ts_judge *carried = a->rules->catalog ? NULL : ts_carried_judge(&a->carried, session);
  return carried ? carried : a->judge;
}

/* --- findings ------------------------------------------------------------------------------------------- */

/* Is the selection about it? What has no name is about no call. */
static bool is_selected(struct ts_audit *a, const struct ts_finding *f) {
  if (ts_selection_is_all(a->rules->only)) return true;
  if (f->name.len == 0) return false;
  struct ts_route route;
  bool judged = ts_judge_route(judge_for(a, f->session), f->name, &route);
  return ts_selection_has(a->rules->only, f->name, judged, route.state);
}

/* Counts a finding and makes its record; false: it is left out. */
static bool make_record(struct ts_audit *a, struct ts_finding *f) {
  if (!is_selected(a, f)) return false;
  f->place.file = a->file;
  a->sum->by_rule[f->rule][ts_finding_severity(f)]++;
  a->outcome.counts = a->outcome.counts || ts_threshold_counts(a->rules->threshold, f);
  if (!a->views.finding) return false;
  ts_buf_clear(&a->record);
  ts_finding_write(&a->record, f);
  return true;
}

/* A finding about event number `order`, the present one. */
static void say(struct ts_audit *a, uint64_t order, struct ts_finding *f) {
  if (!make_record(a, f)) return;
  const struct ts_placed p = { f->place.line, f->place.column, ts_buf_str(&a->record) };
  if (!ts_ordered_waits(&a->ordered) && ts_pairing_oldest(a->pairing) >= order)
    ts_ordered_now(&a->ordered, &p);
  else
    ts_ordered_put(&a->ordered, order, &p);
}

static struct ts_finding about(const struct ts_event *e, enum ts_rule_id rule, const struct ts_buf *message) {
  return (struct ts_finding){ .rule = rule,
                              .message = ts_buf_str(message),
                              .session = e->session,
                              .agent = e->agent,
                              .id = e->id,
                              .name = e->name,
                              .place = { .line = e->line, .column = e->column } };
}

static void quote(struct ts_buf *out, const char *before, struct ts_str text) {
  ts_buf_addf(out, "%s'", before);
  ts_buf_add(out, text); /* whatever is in it: writers make it visible */
  ts_buf_addc(out, '\'');
}

/* "call 'toolu_1' of 'read'", "result 'toolu_1'" */
static void name_it(struct ts_buf *out, const struct ts_pair_fault *f) {
  ts_buf_addf(out, "%s%s", f->nested ? "nested " : "", f->is_result ? "result" : "call");
  if (f->id.len > 0) quote(out, " ", f->id);
  if (f->name.len > 0) quote(out, " of ", f->name);
}

/* What is wrong with it; goes behind its name. */
static const char *const complaints[TS_RULES] = {
  [TS_RULE_UNANSWERED_CALL] = " has no result, and the conversation went on",
  [TS_RULE_INTERRUPTED_CALL] = " has no result: the conversation was interrupted here, or still goes on",
  [TS_RULE_ORPHAN_RESULT] = " answers no call of its window",
  [TS_RULE_DUPLICATE_RESULT] = " is one too many: its call has its result already",
  [TS_RULE_DUPLICATE_CALL_ID] = " has the id of a call that is still open",
  [TS_RULE_MISSING_CALL_ID] = " has no id",
  [TS_RULE_WEDGED_RECORD] = " does not follow its call at once: something stands before it",
};

static struct ts_finding fault_finding(struct ts_audit *a, const struct ts_pair_fault *f) {
  ts_buf_clear(&a->message);
  name_it(&a->message, f);
  ts_buf_addz(&a->message, complaints[f->rule]);
  if (f->call_line > 0) ts_buf_addf(&a->message, " (call on line %" PRIu64 ")", f->call_line);
  return (struct ts_finding){ .rule = f->rule,
                              .message = ts_buf_str(&a->message),
                              .session = f->session,
                              .agent = f->agent,
                              .id = f->id,
                              .name = f->name,
                              .place = { .line = f->line, .column = f->column } };
}

/* A ts_pair_fn. */
static void take_fault(void *context, const struct ts_pair_fault *f) {
  struct ts_audit *a = context;
  struct ts_finding finding = fault_finding(a, f);
  say(a, f->order, &finding);
}

/* Lets go of what need not wait any longer; the present event is on that line. */
static void settle(struct ts_audit *a, uint64_t line) {
  struct ts_pair_fault f;
  while (!a->broken) {
    uint64_t oldest = ts_pairing_oldest(a->pairing);
    if (ts_ordered_waits(&a->ordered))
      a->broken = ts_ordered_release(&a->ordered, oldest == UINT64_MAX ? oldest : oldest + 1, &a->err) < 0;
    if (oldest == UINT64_MAX && line > a->ordered.line) ts_ordered_end_line(&a->ordered);
    if (!ts_pairing_next(a->pairing, &f)) return;
    struct ts_finding finding = fault_finding(a, &f);
    if (!make_record(a, &finding)) continue;
    const struct ts_placed p = { f.line, f.column, ts_buf_str(&a->record) };
    ts_ordered_now(&a->ordered, &p);
  }
}

/* --- calls ---------------------------------------------------------------------------------------------- */

static void count_call(struct ts_audit *a, const struct ts_event *e, const struct ts_verdict *v) {
  struct ts_summary *s = a->sum;
  struct ts_name_use *u = ts_summary_name(s, e->name);
  s->calls++;
  u->calls++;
  if (u->last_file != a->files) u->files++;
  u->last_file = a->files;
  ts_summary_see(u, ts_when_parse(e->at));
  if (a->rules->crc) s->crc_sum += ts_crc32(ts_crc32(ts_crc32(0, e->name), TS_STR("\0")), e->id);
  if (!v->judged) return;
  s->by_state[v->route.state]++;
  struct ts_str none = { NULL, 0 };
  ts_summary_judge(s, u, v->route.state, v->route.called ? v->route.called->replacement : none);
}

static void write_verdict(struct ts_audit *a, const struct ts_event *e, const struct ts_verdict *v) {
  struct ts_route_record r = {
    .key = { e->session, e->agent, e->id, e->name },
    .canonical = v->route.canonical,
    .unjudged = !v->judged,
    .dispatches = v->route.dispatches,
    .arguments_word = ts_str_z(ts_call_arguments_name(v->arguments)),
    .source = { a->file, e->line, ts_str_z(ts_format_name(a->stats->format)) },
  };
  if (v->judged) r.state = ts_str_z(ts_state_row(v->route.state)->name);
  ts_buf_clear(&a->record);
  ts_verdict_write(&a->record, &r);
  a->views.verdict(a->views.context, ts_buf_str(&a->record));
}

static void say_about(struct ts_audit *a, uint64_t order, const struct ts_event *e, enum ts_rule_id rule) {
  struct ts_finding f = about(e, rule, &a->message);
  say(a, order, &f);
}

static void check_name(struct ts_audit *a, uint64_t order, const struct ts_event *e, const struct ts_verdict *v) {
  const struct ts_tool *called = v->route.called;
  if (!v->judged) return;
  ts_buf_clear(&a->message);
  if (!v->route.dispatches) {
    ts_buf_add(&a->message, ts_judge_explain(judge_for(a, e->session), &v->route));
    say_about(a, order, e, v->route.state == TS_REMOVED ? TS_RULE_REMOVED_CALL : TS_RULE_UNKNOWN_CALL);
  } else if (ts_state_row(v->route.state)->notice) {
    quote(&a->message, "", e->name);
    ts_buf_addz(&a->message, " is deprecated");
    if (called->first_deprecated_version.len > 0) ts_buf_addz(&a->message, " since ");
    ts_buf_add(&a->message, called->first_deprecated_version);
    if (called->replacement.len > 0) quote(&a->message, ": use ", called->replacement);
    if (called->replacement.len > 0) ts_buf_addz(&a->message, " instead");
    say_about(a, order, e, TS_RULE_DEPRECATED_CALL);
  }
}

/* Claude Code writes down what its tool search finds; of the other formats one knows that a session does once it has
 * done so. */
static bool records_discovery(const struct ts_audit *a, struct ts_str session) {
  return ts_str_is(ts_str_z(ts_format_name(a->stats->format)), "claude-code") ||
         ts_discovery_recorded(&a->discovery, session);
}

static void check_discovery(struct ts_audit *a, uint64_t order, const struct ts_event *e, const struct ts_verdict *v) {
  if (!v->judged || v->route.state != TS_DEFERRED || !records_discovery(a, e->session)) return;
  struct ts_window w = ts_pairing_window(a->pairing, e->session, e->agent);
  if (ts_discovery_has(&a->discovery, e->session, w, e->name)) return;
  ts_buf_clear(&a->message);
  quote(&a->message, "deferred tool ", e->name);
  ts_buf_addz(&a->message, " was called before a search or a list had named it");
  say_about(a, order, e, TS_RULE_UNDISCOVERED_CALL);
}

static void check_arguments(struct ts_audit *a, uint64_t order, const struct ts_event *e, const struct ts_verdict *v) {
  struct ts_buf *m = &a->message;
  ts_buf_clear(m);
  if (v->arguments == TS_CALL_MALFORMED) {
    quote(m, "arguments of ", e->name);
    ts_buf_addz(m, " are malformed: ");
    ts_buf_add(m, v->problem);
    say_about(a, order, e, TS_RULE_MALFORMED_ARGUMENTS);
  } else if (v->arguments == TS_CALL_MISFIT) {
    const struct ts_misfit *why = v->misfit;
    ts_misfit_explain(why, e->name, m);
    struct ts_finding f = about(e, TS_RULE_ARGUMENTS_MISFIT, m);
    f.has_pointer = true;
    f.pointer = ts_buf_str(&why->pointer);
    say(a, order, &f);
  }
}

static void take_call(struct ts_audit *a, uint64_t order, const struct ts_event *e) {
  struct ts_verdict v;
  ts_judge_call(judge_for(a, e->session), e, &v);
  count_call(a, e, &v);
  const struct ts_selection *only = a->rules->only;
  bool selected = ts_selection_has(only, e->name, v.judged, v.route.state);
  if (ts_selection_is_all(only) ? v.judged && !v.route.dispatches : selected) a->outcome.selected = true;
  if (selected && a->views.verdict) write_verdict(a, e, &v);
  check_name(a, order, e, &v);
  check_discovery(a, order, e, &v);
  check_arguments(a, order, e, &v);
}

/* --- the file ------------------------------------------------------------------------------------------- */

static void take_finding(struct ts_audit *a, uint64_t order, const struct ts_event *e) {
  struct ts_finding f = about(e, e->rule, &a->message);
  f.message = e->message;
  f.vector = e->vector;
  say(a, order, &f);
}

static void take_catalog(struct ts_audit *a, const struct ts_event *e) {
  ts_discovery_event(&a->discovery, e, ts_pairing_window(a->pairing, e->session, e->agent));
  /* A list that cannot be read leaves the one before in force: the calls are judged by what is known. */
  if (!a->rules->catalog) (void)ts_carried_take(&a->carried, a->file, e, a->rules->surface, &a->message);
}

void ts_audit_begin(struct ts_audit *a, struct ts_str file, const struct ts_read_stats *stats, struct ts_summary *sum) {
  a->file = file;
  a->stats = stats;
  a->sum = sum;
  a->files++;
  sum->has_crc |= a->rules->crc;
  a->outcome = (struct ts_audit_outcome){ 0 };
  a->broken = false;
}

int ts_audit_event(void *audit, const struct ts_event *e) {
  struct ts_audit *a = audit;
  uint64_t order = ts_pairing_event(a->pairing, e, take_fault, a);
  switch (e->kind) {
    case TS_EVENT_CALL:
      take_call(a, order, e);
      break;
    case TS_EVENT_RESULT:
      a->sum->results++;
      break;
    case TS_EVENT_SUB_CALL:
      a->sum->sub_calls++;
      break;
    case TS_EVENT_CATALOG:
      take_catalog(a, e);
      break;
    case TS_EVENT_DISCOVERY:
      ts_discovery_event(&a->discovery, e, ts_pairing_window(a->pairing, e->session, e->agent));
      break;
    case TS_EVENT_END:
      settle(a, e->line); /* with the lists still in force */
      ts_discovery_forget(&a->discovery);
      ts_carried_forget(&a->carried);
      break;
    case TS_EVENT_FINDING:
      take_finding(a, order, e);
      break;
    case TS_EVENT_SUB_RESULT:
    case TS_EVENT_MESSAGE:
    case TS_EVENT_WINDOW:
    case TS_EVENT_TODO:
      break;
  }
  settle(a, e->line);
  return a->broken ? -1 : 0;
}

static void count_file(struct ts_audit *a) {
  a->sum->files++;
  a->sum->lines += a->stats->lines;
  a->sum->bad_lines += a->stats->bad_lines;
  a->sum->bytes += a->stats->bytes;
}

int ts_audit_end(struct ts_audit *a, struct ts_audit_outcome *outcome, struct ts_buf *err) {
  ts_pairing_end(a->pairing);
  settle(a, UINT64_MAX);
  if (a->stats->format) count_file(a);
  a->sum->answered += ts_pairing_answered(a->pairing);
  ts_pairing_reset(a->pairing);
  ts_discovery_forget(&a->discovery);
  ts_carried_forget(&a->carried);
  ts_ordered_free(&a->ordered);
  *outcome = a->outcome;
  return a->broken ? ts_fail(err, "%.*s: %s", TS_FMT(a->file), ts_buf_z(&a->err)) : 0;
}
