#include "base/diag.h"
#include "report/finding.h"

void ts_threshold_default(struct ts_threshold *t) {
  memset(t->rule, TS_UNSET, sizeof t->rule);
  memset(t->audience, TS_UNSET, sizeof t->audience);
  t->unknown = TS_UNSET;
  t->all = TS_ERROR;
}

/* What a word stands for: where its setting is kept, and the worst that it can be. */
struct target {
  uint8_t *setting;
  enum ts_level worst;
  const struct ts_rule *rule; /* NULL: not a rule */
};

static int find_target(struct ts_threshold *t, struct ts_str what, struct target *out, struct ts_buf *err) {
  *out = (struct target){ .worst = TS_ERROR };
  enum ts_audience audience = ts_audience_find(what);
  enum ts_rule_id rule = ts_rule_find(what);
  if (rule != TS_RULES) {
    out->rule = ts_rule(rule);
    out->setting = &t->rule[rule];
    out->worst = ts_vector_worst(&out->rule->vector);
  } else if (audience != TS_AUDIENCES) {
    out->setting = &t->audience[audience];
  } else if (ts_str_is(what, "unknown")) {
    out->setting = &t->unknown;
    out->worst = TS_WARNING;
  } else if (ts_str_is(what, "all")) {
    out->setting = &t->all;
  } else {
    enum ts_rule_id near = ts_rule_nearest(what);
    if (near != TS_RULES) return ts_fail(err, "no rule '%.*s': did you mean '%s'?", TS_FMT(what), ts_rule(near)->id);
    return ts_fail(err, "no rule '%.*s': give a rule of --rules, an audience (R, S, C, M, P), unknown or all",
                   TS_FMT(what));
  }
  return 0;
}

/* One WHAT=LEVEL. */
static int parse_item(struct ts_threshold *t, struct ts_str item, struct ts_buf *err) {
  size_t equals = ts_str_find(item, TS_STR("="));
  bool bare = equals == SIZE_MAX;
  struct ts_str what = ts_str_trim(ts_str_sub(item, 0, equals), " \t");
  struct ts_str word = bare ? TS_STR("error") : ts_str_trim(ts_str_sub(item, equals + 1, SIZE_MAX), " \t");
  struct target target;
  if (what.len == 0) return ts_fail(err, "no rule before '%.*s'", TS_FMT(item));
  if (find_target(t, what, &target, err) < 0) return -1;
  enum ts_level level = ts_level_find(word);
  if (level == TS_LEVELS || level == TS_UNKNOWN)
    return ts_fail(err, "no level '%.*s' for '%.*s': use error, warning, note or off", TS_FMT(word), TS_FMT(what));
  if (bare && target.worst < TS_ERROR)
    return ts_fail(err, "'%.*s' is never an error: write '%.*s=%s'", TS_FMT(what), TS_FMT(what),
                   target.worst == TS_NOTE ? "note" : "warning");
  if (target.rule && target.rule->part == TS_INTEGRITY && target.worst == TS_ERROR && level != TS_ERROR)
    return ts_fail(err, "'%s' is an integrity rule: it always counts", target.rule->id);
  *target.setting = (uint8_t)level;
  return 0;
}

int ts_threshold_parse(struct ts_threshold *t, struct ts_str spec, struct ts_buf *err) {
  struct ts_threshold next = *t;
  for (size_t at = 0; at <= spec.len;) {
    struct ts_str rest = ts_str_sub(spec, at, SIZE_MAX);
    size_t comma = ts_str_find(rest, TS_STR(","));
    struct ts_str item = ts_str_trim(ts_str_sub(rest, 0, comma), " \t");
    if (item.len == 0) return ts_fail(err, "nothing between the commas of '%.*s'", TS_FMT(spec));
    if (parse_item(&next, item, err) < 0) return -1;
    at += comma == SIZE_MAX ? rest.len + 1 : comma + 1;
  }
  *t = next;
  return 0;
}

/* The setting that decides over a rule's level for one audience. */
static uint8_t setting_for(const struct ts_threshold *t, enum ts_rule_id rule, int audience, uint8_t level) {
  if (t->rule[rule] != TS_UNSET) return t->rule[rule];
  if (t->audience[audience] != TS_UNSET) return t->audience[audience];
  if (level == TS_UNKNOWN && t->unknown != TS_UNSET) return t->unknown;
  return t->all;
}

bool ts_threshold_counts(const struct ts_threshold *t, const struct ts_finding *f) {
  struct ts_vector v = ts_finding_vector(f);
  if (ts_rule(f->rule)->part == TS_INTEGRITY && ts_vector_worst(&v) == TS_ERROR) return true;
  for (int a = 0; a < TS_AUDIENCES; a++) {
    uint8_t level = v.level[a];
    if (level == TS_OFF) continue;
    uint8_t setting = setting_for(t, f->rule, a, level);
    uint8_t weight = level == TS_UNKNOWN ? TS_WARNING : level;
    if (setting != TS_OFF && weight >= setting) return true;
  }
  return false;
}
