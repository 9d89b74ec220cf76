/* The example of every rule is true: what --explain shows as reported is reported, and its twin is not. */
#include "check/drift.h"
#include "check/lint.h"
#include "tap.h"
#include "transcript/audit.h"

/* Whether the rule in question was reported. */
struct watch {
  enum ts_rule_id rule;
  bool is_reported;
};

static void see(void *context, const struct ts_finding *f) {
  struct watch *w = context;
  w->is_reported |= f->rule == w->rule;
}

static bool load(struct ts_catalog *c, const char *text, struct ts_buf *err) {
  return ts_catalog_read(c, TS_STR("example"), ts_str_z(text), err) == 0 && ts_catalog_finish(c, err) == 0;
}

/* The value of an option in a rule's options ("--window 0.2.0"), or NULL. */
static const char *option(const struct ts_rule *rule, const char *name) {
  struct ts_str options = ts_str_z(rule->options), wanted = ts_str_z(name);
  return ts_str_starts(options, wanted) && options.ptr[wanted.len] == ' ' ? options.ptr + wanted.len + 1 : NULL;
}

/* 1: the rule is reported for the catalog; 0: it is not; -1: the catalog can't be checked. */
static int lint(enum ts_rule_id id, const char *text, struct ts_buf *err) {
  const struct ts_rule *rule = ts_rule(id);
  struct ts_catalog c = { 0 };
  struct ts_policy policy = { 0 };
  struct watch watch = { .rule = id };
  struct ts_lint_options options = { .api = TS_API_OPENAI,
                                     .window = ts_str_z(option(rule, "--window")),
                                     .policy = &policy };
  if (option(rule, "--deny")) ts_policy_deny(&policy, option(rule, "--deny"));
  if (option(rule, "--allow")) ts_policy_allow(&policy, option(rule, "--allow"));
  bool is_checked = load(&c, text, err) && ts_lint(&c, &options, see, &watch, err) == 0;
  for (size_t i = 0; i < c.finding_count; i++) see(&watch, &c.finding[i]); /* loading found it */
  ts_policy_free(&policy);
  ts_catalog_free(&c);
  return !is_checked ? -1 : watch.is_reported;
}

/* A record of a catalog, or of a transcript? */
static bool is_of_catalog(struct ts_str line) {
  static const char *const types[] = { "catalog", "tool", "alias", "profile", "mode", "state" };
  for (size_t i = 0; i < TS_COUNT(types); i++) {
    struct ts_buf begin = { 0 };
    ts_buf_addf(&begin, "{\"type\":\"%s\",", types[i]);
    bool is_one = ts_str_starts(line, ts_buf_str(&begin));
    ts_buf_free(&begin);
    if (is_one) return true;
  }
  return false;
}

static void split(const char *example, struct ts_buf *catalog, struct ts_buf *transcript) {
  for (struct ts_str rest = ts_str_z(example); rest.len > 0;) {
    struct ts_str line = ts_str_sub(rest, 0, ts_str_find(rest, TS_STR("\n")) + 1);
    ts_buf_add(is_of_catalog(line) ? catalog : transcript, line);
    rest = ts_str_sub(rest, line.len, SIZE_MAX);
  }
}

static void see_record(void *context, struct ts_str record) {
  struct watch *w = context;
  struct ts_buf member = { 0 };
  ts_buf_addf(&member, "\"rule\":\"%s\"", ts_rule(w->rule)->id);
  w->is_reported |= ts_str_has(record, ts_buf_str(&member));
  ts_buf_free(&member);
}

/* 1: the rule is reported for the transcript; 0: it is not; -1: it can't be read. */
static int audit(enum ts_rule_id id, const char *example, struct ts_buf *err) {
  struct ts_buf catalog_text = { 0 }, transcript = { 0 };
  struct ts_catalog catalog = { 0 };
  struct ts_surface surface = { 0 };
  struct ts_selection only = { 0 };
  struct ts_threshold threshold;
  struct watch watch = { .rule = id };
  struct ts_read_options options = { 0 };
  struct ts_read_stats stats = { 0 };
  struct ts_summary sum = { 0 };
  struct ts_audit_outcome outcome;
  ts_threshold_default(&threshold);
  split(example, &catalog_text, &transcript);
  bool is_read = load(&catalog, ts_buf_z(&catalog_text), err);
  struct ts_audit_rules rules = { .catalog = &catalog, .surface = &surface, .only = &only, .threshold = &threshold };
  struct ts_audit_views views = { .finding = see_record, .context = &watch };
  struct ts_audit *a = ts_audit_new(&rules, &views);
  struct ts_input *in = ts_input_memory(ts_buf_str(&transcript));
  ts_audit_begin(a, TS_STR("example"), &stats, &sum);
  is_read = ts_transcript_read(in, TS_STR("example"), &options, ts_audit_event, a, &stats, err) == 1 && is_read;
  is_read = ts_audit_end(a, &outcome, err) == 0 && is_read;
  ts_input_close(in);
  ts_audit_free(a);
  ts_summary_free(&sum);
  ts_catalog_free(&catalog);
  ts_buf_free(&catalog_text);
  ts_buf_free(&transcript);
  return !is_read ? -1 : watch.is_reported;
}

typedef int check_fn(enum ts_rule_id id, const char *example, struct ts_buf *err);

static void test_part(enum ts_part part, check_fn *check) {
  for (int i = 0; i < TS_RULES; i++) {
    enum ts_rule_id id = (enum ts_rule_id)i;
    const struct ts_rule *rule = ts_rule(id);
    struct ts_buf err = { 0 };
    if (rule->part != part) continue;
    OK(rule->before != NULL, "%s: has an example", rule->id);
    if (!rule->before) continue;
    IS_INT(check(id, rule->before, &err), 1, "%s: is reported %s", rule->id, ts_buf_z(&err));
    IS_INT(check(id, rule->after, &err), 0, "%s: is not reported of its twin %s", rule->id, ts_buf_z(&err));
    ts_buf_free(&err);
  }
}

/* 1: the rule is reported for the change from one catalog to the other; 0: it is not; -1: they can't be read. */
static int drift(enum ts_rule_id id, const char *before, const char *after, struct ts_buf *err) {
  const struct ts_rule *rule = ts_rule(id);
  struct ts_catalog old = { 0 }, new = { 0 };
  struct watch watch = { .rule = id };
  struct ts_drift_options options = { .mass = option(rule, "--mass") ? strtoul(option(rule, "--mass"), NULL, 10)
                                                                     : TS_DRIFT_MASS };
  bool is_read = load(&old, before, err) && load(&new, after, err);
  if (is_read) ts_drift(&old, &new, &options, see, &watch);
  ts_catalog_free(&old);
  ts_catalog_free(&new);
  return !is_read ? -1 : watch.is_reported;
}

static void test_drift(void) {
  for (int i = 0; i < TS_RULES; i++) {
    enum ts_rule_id id = (enum ts_rule_id)i;
    const struct ts_rule *rule = ts_rule(id);
    struct ts_buf err = { 0 };
    if (rule->part != TS_DRIFT) continue;
    OK(rule->before != NULL, "%s: has an example", rule->id);
    if (!rule->before) continue;
    IS_INT(drift(id, rule->before, rule->after, &err), 1, "%s: is reported %s", rule->id, ts_buf_z(&err));
    IS_INT(drift(id, rule->before, rule->before, &err), 0, "%s: not of the old catalog alone %s", rule->id,
           ts_buf_z(&err));
    IS_INT(drift(id, rule->after, rule->after, &err), 0, "%s: not of the new catalog alone %s", rule->id,
           ts_buf_z(&err));
    ts_buf_free(&err);
  }
}

int main(void) {
  test_drift();
  test_part(TS_LINT, lint);
  test_part(TS_AUDIT, audit);
  return tap_done();
}
