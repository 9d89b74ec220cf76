/* The options of tscat that check a catalog: --lint, --against and what goes with them, --log, --rules, --explain.
 * Their table, what they set, and what they do. */
#ifndef TS_CLI_GATE_H
#define TS_CLI_GATE_H

#include "check/gate.h"
#include "cli/baseline.h"
#include "cli/opt.h"

enum {
  TS_OPT_LINT = 5100,
  TS_OPT_AGAINST,
  TS_OPT_MERGE_BASE,
  TS_OPT_MISSING_BASE,
  TS_OPT_MASS,
  TS_OPT_AGAINST_CORPUS,
  TS_OPT_WINDOW,
  TS_OPT_ALLOW,
  TS_OPT_DENY,
  TS_OPT_FAIL_ON,
  TS_OPT_WAIVERS,
  TS_OPT_FORMAT,
  TS_OPT_EXIT_ZERO,
  TS_OPT_RULES,
  TS_OPT_EXPLAIN,
  TS_OPT_LOG,
  TS_OPT_RANGE,
  TS_OPT_TRUST_REPO,
};

/* clang-format off */
#define TS_GATE_OPTIONS \
  { 0, 0, NULL, NULL, "Checks", NULL }, \
  { TS_OPT_LINT, 0, "lint", NULL, "check the catalog by itself", NULL }, \
  { TS_OPT_AGAINST, 0, "against", "SOURCE", "check what changed since SOURCE, or since a revision", "FILE" }, \
  { TS_OPT_MERGE_BASE, 0, "merge-base", NULL, "rather since HEAD left the revision of --against", NULL }, \
  { TS_OPT_MISSING_BASE, 0, "missing-base", "HOW", "a revision that lacks the file", "error|empty" }, \
  { TS_OPT_MASS, 0, "mass", "N", "names that may go at once (10)", NULL }, \
  { TS_OPT_AGAINST_CORPUS, 0, "against-corpus", "DIR", "say how many calls of the transcripts in DIR each finding breaks", "DIR" }, \
  { TS_OPT_WINDOW, 0, "window", "VERSIONS", "shortest time to removal: 0.2.0, or a number of minors", NULL }, \
  { TS_OPT_ALLOW, 0, "allow", "LIST", "check a list of allowed names, separated by commas", NULL }, \
  { TS_OPT_DENY, 0, "deny", "LIST", "check a list of denied names", NULL }, \
  { TS_OPT_FAIL_ON, 0, "fail-on", "WHAT=LEVEL,...", "what counts: a rule, an audience, unknown or all", NULL }, \
  { TS_OPT_WAIVERS, 0, "waivers", "FILE", "set the findings that FILE waives aside", "FILE" }, \
  { TS_OPT_FORMAT, 0, "format", "FORMAT", "how to report", TS_REPORT_FORMATS }, \
  { TS_OPT_EXIT_ZERO, 0, "exit-zero", NULL, "exit 0 where it would be 1", NULL }, \
  { TS_OPT_RULES, 0, "rules", NULL, "list the rules and exit", NULL }, \
  { TS_OPT_EXPLAIN, 0, "explain", "RULE", "explain a rule and exit", NULL }, \
  { 0, 0, NULL, NULL, "History", NULL }, \
  { TS_OPT_LOG, 0, "log", NULL, "tell the life of every name in the history of a file", NULL }, \
  { TS_OPT_RANGE, 0, "range", "A..B", "with --log: only these commits", NULL }, \
  { TS_OPT_TRUST_REPO, 0, "trust-repo", NULL, "read a repository that belongs to somebody else", NULL }
/* clang-format on */

/* {0}, then ts_gate_options_init. Arguments are borrowed. */
struct ts_gate_options {
  unsigned given; /* bit 1 << key - TS_OPT_LINT of each option */
  struct ts_baseline baseline;
  struct ts_revisions revisions;
  struct ts_policy policy;
  struct ts_threshold threshold;
  uint64_t mass;
  struct ts_str window, range;
  const char *waivers, *explain, *corpus;
  const struct ts_reporter *reporter; /* NULL: text for a terminal, else JSONL */
};

void ts_gate_options_init(struct ts_gate_options *g);
void ts_gate_options_free(struct ts_gate_options *g);
/* 1: the option is one of these and was taken; 0: it is not; -1: its argument is wrong. */
int ts_gate_option(struct ts_gate_options *g, int key, const char *argument, struct ts_buf *err);
static inline bool ts_gate_given(const struct ts_gate_options *g, int key) {
  return g->given & 1u << (key - TS_OPT_LINT);
}
/* Options that say something only together with another: the first that stands alone, or NULL. `measure`: --against
 * belongs to --measure. */
const char *ts_gate_options_alone(const struct ts_gate_options *g, bool measure);

/* For each: 0 in order, 1 a finding counts, -1 *err says what could not be done. What goes to standard output is
 * appended to *out, a line about it to *summary. `terminal`: standard output is one. */
int ts_gate_check(struct ts_gate_options *g, const struct ts_sources *sources, const struct ts_catalog *c,
                  enum ts_api api, bool terminal, struct ts_buf *out, struct ts_buf *summary, struct ts_buf *err);
int ts_gate_log(struct ts_gate_options *g, const char *path, bool terminal, struct ts_buf *out, struct ts_buf *summary,
                struct ts_buf *err);
int ts_gate_rules(const struct ts_gate_options *g, bool terminal, struct ts_buf *out, struct ts_buf *err);

#endif
