/* The example of every rule is true: what --explain shows as reported is reported, and its twin is not. */
#include "check/lint.h"
#include "tap.h"

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
  ts_policy_free(&policy);
  ts_catalog_free(&c);
  return !is_checked ? -1 : watch.is_reported;
}

static void test_lint(void) {
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_rule *rule = ts_rule((enum ts_rule_id)i);
    struct ts_buf err = { 0 };
    if (rule->part != TS_LINT || i == TS_RULE_ALIAS_SCHEMA_GAP) continue; /* that one waits for lib/schema/subset */
    OK(rule->before != NULL, "%s: has an example", rule->id);
    if (!rule->before) continue;
    IS_INT(lint((enum ts_rule_id)i, rule->before, &err), 1, "%s: is reported %s", rule->id, ts_buf_z(&err));
    IS_INT(lint((enum ts_rule_id)i, rule->after, &err), 0, "%s: is not reported of its twin %s", rule->id,
           ts_buf_z(&err));
    ts_buf_free(&err);
  }
}

int main(void) {
  test_lint();
  return tap_done();
}
