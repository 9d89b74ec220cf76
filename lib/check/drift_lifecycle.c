/* From one state to another: the table of transitions, and the promises that go with them. */
#include "check/alias_schema.h"
#include "check/drift_run.h"

/* What a transition asks for. Source: the table of transitions in toolsurface(7). */
enum move {
  FINE,
  NEVER,
  BACK,         /* a warning: a retired name is a tool again */
  HIDES,        /* its replacement is usable, and takes what the tool took */
  DEPRECATES,   /* the same, and it is deprecated in the current version */
  ANNOUNCES,    /* hidden to deprecated: in the current version */
  ENDS_HIDDEN,  /* the plan was known, is due, and no replay was promised */
  ENDS_PLANNED, /* the planned version is reached, and the replacement usable */
  UNRELEASED,   /* never, unless the name never was in a release */
};
enum { ABSENT = TS_STATES };
static const uint8_t moves[TS_STATES + 1][TS_STATES] = {
  /*                 active deferred hidden deprecated removed */
  [TS_ACTIVE] = { FINE, FINE, HIDES, DEPRECATES, UNRELEASED },
  [TS_DEFERRED] = { FINE, FINE, HIDES, DEPRECATES, UNRELEASED },
  [TS_HIDDEN] = { BACK, BACK, FINE, ANNOUNCES, ENDS_HIDDEN },
  [TS_DEPRECATED] = { BACK, BACK, NEVER, FINE, ENDS_PLANNED },
  [TS_REMOVED] = { NEVER, NEVER, FINE, FINE, FINE },
  [ABSENT] = { FINE, FINE, FINE, NEVER, FINE },
};

/* How a condition turned out: met, not met, or nobody knows (no version to compare with). */
enum outcome { MET, UNMET, UNKNOWN };

/* Each fills *why with what is missing, and may leave a witness. */
struct judgement {
  struct ts_buf why, witness;
};

static enum outcome fail(struct judgement *j, const char *why) {
  ts_buf_addz(&j->why, why);
  return UNMET;
}

static enum outcome replacement_usable(struct ts_drift_run *d, const struct ts_pair *p, struct judgement *j) {
  const struct ts_tool *before = p->before, *after = p->after;
  if (after->replacement.len == 0) {
    if (after->state == TS_DEPRECATED) return fail(j, "it names no replacement");
    bool fits = ts_alias_schema_fits(NULL, before->input_schema, after, &j->witness) != 0;
    return fits ? MET : fail(j, "its own schema refuses arguments that it took");
  }
  const struct ts_tool *tool = ts_find_visible(d->after, after->replacement);
  if (!tool) return fail(j, "its replacement is not there");
  if (ts_alias_schema_fits(NULL, before->input_schema, after, &j->witness) == 0)
    return fail(j, "its own schema refuses arguments that it took");
  if (ts_alias_schema_fits(after, before->input_schema, tool, &j->witness) == 0)
    return fail(j, "its replacement refuses arguments that it took");
  return MET;
}

static enum outcome first_is_now(struct ts_drift_run *d, const struct ts_pair *p, struct judgement *j) {
  struct ts_version first;
  if (!d->has_now) {
    ts_buf_addz(&j->why, "the catalog has no version");
    return UNKNOWN;
  }
  bool now = ts_version_parse(p->after->first_deprecated_version, &first) == 0 && ts_version_cmp(&first, &d->now) == 0;
  return now ? MET : fail(j, "its first_deprecated_version is not the catalog's version");
}

/* Was the planned version, as the old catalog had it, reached? */
static enum outcome plan_is_due(struct ts_drift_run *d, const struct ts_pair *p, struct judgement *j) {
  struct ts_version planned, floor;
  if (ts_version_parse(p->before->planned_removal_version, &planned) != 0)
    return fail(j, "its removal had not been planned");
  if (!d->has_now) {
    ts_buf_addz(&j->why, "the catalog has no version");
    return UNKNOWN;
  }
  if (ts_version_cmp(&planned, &d->now) > 0) return fail(j, "its planned removal is not reached");
  if (ts_version_parse(p->before->not_before, &floor) == 0 && ts_version_cmp(&floor, &d->now) > 0)
    return fail(j, "it was promised to stay longer");
  return MET;
}

static bool replay_promised(const struct ts_tool *t) {
  return t->has_replay_supported ? t->replay_supported : t->state != TS_REMOVED;
}

static enum outcome judge(struct ts_drift_run *d, const struct ts_pair *p, enum move move, struct judgement *j) {
  enum outcome first = MET;
  switch (move) {
    case FINE:
    case BACK:
      return MET;
    case NEVER:
      return fail(j, "that step is never allowed");
    case HIDES:
      return replacement_usable(d, p, j);
    case DEPRECATES:
      first = replacement_usable(d, p, j);
      return first != MET ? first : first_is_now(d, p, j);
    case ANNOUNCES:
      return first_is_now(d, p, j);
    case ENDS_HIDDEN:
      first = plan_is_due(d, p, j);
      return first == MET && replay_promised(p->before) ? fail(j, "its replay was still promised") : first;
    case ENDS_PLANNED:
      first = plan_is_due(d, p, j);
      if (first == MET && !ts_find_visible(d->after, p->after->replacement))
        return fail(j, "its replacement is not there");
      return first;
    case UNRELEASED:
      if (d->options->tagged && !d->options->tagged(d->options->tagged_context, p->before->name)) return MET;
      return fail(j, "it has to be hidden or deprecated first");
  }
  return MET;
}

static void check_transition(struct ts_drift_run *d, struct ts_pair *p) {
  int from = p->before ? (int)p->before->state : ABSENT, to = (int)p->after->state;
  const char *from_name = p->before ? ts_state_row(p->before->state)->name : "absent",
             *to_name = ts_state_row(p->after->state)->name;
  struct judgement j = { { 0 }, { 0 } };
  enum move move = moves[from][to];
  enum outcome outcome = judge(d, p, move, &j);
  struct ts_drift_spot spot = { .pair = p, .pointer = "/state", .witness = ts_buf_str(&j.witness) };
  if (move == BACK)
    ts_drift_report(
        d, TS_RULE_RESURRECTED, spot, "'%.*s' was %s and is a tool again: %s", TS_FMT(p->after->name), from_name,
        from == TS_HIDDEN ? "clear the fields of its time as an alias" : "its window starts again from the beginning");
  if (outcome == UNKNOWN) spot.vector.level[TS_POLICY] = TS_UNKNOWN;
  if (outcome != MET)
    ts_drift_report(d, TS_RULE_ILLEGAL_TRANSITION, spot, "'%.*s' went from %s to %s: %s", TS_FMT(p->after->name),
                    from_name, to_name, ts_buf_z(&j.why));
  ts_buf_free(&j.why);
  ts_buf_free(&j.witness);
}

/* --- promises ------------------------------------------------------------------------------------------------ */

static void check_first(struct ts_drift_run *d, struct ts_pair *p) {
  struct ts_str before = p->before->first_deprecated_version, after = p->after->first_deprecated_version;
  bool announced = p->before->state == TS_HIDDEN && p->after->state == TS_DEPRECATED; /* then it is the current one */
  if (!p->after->is_alias || before.len == 0 || announced || ts_str_eq(before, after)) return;
  ts_drift_report(d, TS_RULE_FIRST_DEPRECATED_CHANGED,
                  (struct ts_drift_spot){ .pair = p, .pointer = "/first_deprecated_version" },
                  "'%.*s' was deprecated since %.*s, and now that says %.*s", TS_FMT(p->after->name), TS_FMT(before),
                  TS_FMT(after.len > 0 ? after : TS_STR("nothing")));
}

static void check_planned(struct ts_drift_run *d, struct ts_pair *p) {
  struct ts_version before, after;
  if (ts_version_parse(p->before->planned_removal_version, &before) != 0 ||
      ts_version_parse(p->after->planned_removal_version, &after) != 0 || ts_version_cmp(&after, &before) >= 0)
    return;
  ts_drift_report(d, TS_RULE_REMOVAL_MOVED_EARLIER,
                  (struct ts_drift_spot){ .pair = p, .pointer = "/planned_removal_version" },
                  "'%.*s' was to be removed in %.*s, and now in %.*s", TS_FMT(p->after->name),
                  TS_FMT(p->before->planned_removal_version), TS_FMT(p->after->planned_removal_version));
}

static void check_promises(struct ts_drift_run *d, struct ts_pair *p) {
  check_first(d, p);
  check_planned(d, p);
  if (p->before->state == TS_DEPRECATED && p->after->state == TS_HIDDEN)
    ts_drift_report(d, TS_RULE_NOTICE_DROPPED, (struct ts_drift_spot){ .pair = p, .pointer = "/state" },
                    "'%.*s' was deprecated and is hidden now: its callers are no longer told", TS_FMT(p->after->name));
  if (replay_promised(p->before) && !replay_promised(p->after) && ts_pair_gone(p))
    ts_drift_report(
        d, TS_RULE_REPLAY_PROMISE_DROPPED, (struct ts_drift_spot){ .pair = p, .pointer = "/replay_supported" },
        "the replay of '%.*s' was promised until now, and it is gone in the same step", TS_FMT(p->after->name));
}

void ts_drift_lifecycle(struct ts_drift_run *d) {
  for (size_t i = 0; i < d->pair_count; i++) {
    struct ts_pair *p = &d->pair[i];
    if (!p->after) continue;
    check_transition(d, p);
    if (p->before) check_promises(d, p);
  }
}
