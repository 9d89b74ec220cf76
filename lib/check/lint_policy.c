/* --allow and --deny, given to lint: entries that reach nothing, and entries that leave a way around. */
#include "base/xalloc.h"
#include "check/lint_run.h"

struct list {
  const char *option;
  const struct ts_str *entry;
  size_t count;
};

static bool matched(const struct list *list, struct ts_str name) {
  for (size_t i = 0; i < list->count; i++)
    if (ts_pattern_matches(list->entry[i], name)) return true;
  return false;
}

static void check_reach(struct ts_lint_run *l, const struct list *list) {
  for (size_t i = 0; i < list->count; i++) {
    bool reaches = false;
    for (size_t k = 0; k < l->catalog->tool_count && !reaches; k++)
      reaches = ts_pattern_matches(list->entry[i], l->catalog->tool[k].name);
    if (!reaches)
      ts_lint_report(l, TS_RULE_RULE_MATCHES_NOTHING,
                     (struct ts_lint_spot){ .name = list->entry[i], .place = &l->catalog->header_place },
                     "%s '%.*s' names nothing in the catalog", list->option, TS_FMT(list->entry[i]));
  }
}

/* An alias and its tool are one thing under two names: a list that has one of them has to have the other. */
static void check_twins(struct ts_lint_run *l, const struct list *list) {
  for (size_t i = 0; i < l->catalog->tool_count; i++) {
    const struct ts_tool *alias = &l->catalog->tool[i];
    if (!alias->is_alias || alias->replacement.len == 0 || !ts_state_row(alias->state)->dispatches) continue;
    bool has_alias = matched(list, alias->name), has_tool = matched(list, alias->replacement);
    if (has_alias == has_tool) continue;
    struct ts_str reached = has_alias ? alias->name : alias->replacement,
                  missed = has_alias ? alias->replacement : alias->name;
    ts_lint_report(l, TS_RULE_RULE_MISSES_ALIAS, (struct ts_lint_spot){ .tool = alias, .pointer = "/replacement" },
                   "%s reaches '%.*s' but not '%.*s', which runs the same tool", list->option, TS_FMT(reached),
                   TS_FMT(missed));
  }
}

void ts_lint_policy(struct ts_lint_run *l) {
  const struct ts_policy *p = l->options->policy;
  if (!p) return;
  const struct list lists[] = { { "--allow", p->allow, p->allow_count }, { "--deny", p->deny, p->deny_count } };
  for (size_t i = 0; i < TS_COUNT(lists); i++) {
    if (lists[i].count == 0) continue;
    check_reach(l, &lists[i]);
    check_twins(l, &lists[i]);
  }
}
