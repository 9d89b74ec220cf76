#include "cli/gate.h"

#include "check/log.h"
#include "report/explain.h"

void ts_gate_options_init(struct ts_gate_options *g) {
  g->mass = TS_DRIFT_MASS;
  ts_threshold_default(&g->threshold);
}

void ts_gate_options_free(struct ts_gate_options *g) {
  ts_policy_free(&g->policy);
  ts_revisions_close(&g->revisions);
}

int ts_gate_option(struct ts_gate_options *g, int key, const char *argument, struct ts_buf *err) {
  if (key < TS_OPT_LINT || key > TS_OPT_TRUST_REPO) return 0;
  g->given |= 1u << (key - TS_OPT_LINT);
  switch (key) {
    case TS_OPT_AGAINST:
      g->baseline.against = argument;
      return 1;
    case TS_OPT_MERGE_BASE:
      g->baseline.merge_base = true;
      return 1;
    case TS_OPT_MISSING_BASE:
      g->baseline.missing_empty = strcmp(argument, "empty") == 0;
      return 1;
    case TS_OPT_MASS:
      return ts_opt_number(argument, 0, UINT32_MAX, &g->mass, err) < 0 ? -1 : 1;
    case TS_OPT_AGAINST_CORPUS:
      g->corpus = argument;
      return 1;
    case TS_OPT_WINDOW:
      g->window = ts_str_z(argument);
      return 1;
    case TS_OPT_ALLOW:
      ts_policy_allow(&g->policy, argument);
      return 1;
    case TS_OPT_DENY:
      ts_policy_deny(&g->policy, argument);
      return 1;
    case TS_OPT_FAIL_ON:
      return ts_threshold_parse(&g->threshold, ts_str_z(argument), err) < 0 ? -1 : 1;
    case TS_OPT_WAIVERS:
      g->waivers = argument;
      return 1;
    case TS_OPT_FORMAT:
      g->reporter = ts_reporter_find(ts_str_z(argument));
      return 1;
    case TS_OPT_EXPLAIN:
      g->explain = argument;
      return 1;
    case TS_OPT_RANGE:
      g->range = ts_str_z(argument);
      return 1;
    case TS_OPT_TRUST_REPO:
      g->revisions.trust = true;
      return 1;
    default: /* flags that ts_gate_given tells */
      return 1;
  }
}

#define BIT(name) (1u << (TS_OPT_##name - TS_OPT_LINT))

/* What says something only together with one of others. */
static const struct {
  unsigned option, companions;
  const char *sentence;
} alone[] = {
  { BIT(MERGE_BASE), BIT(AGAINST), "--merge-base goes with --against only" },
  { BIT(MISSING_BASE), BIT(AGAINST), "--missing-base goes with --against only" },
  { BIT(MASS), BIT(AGAINST), "--mass goes with --against only" },
  { BIT(AGAINST_CORPUS), BIT(AGAINST), "--against-corpus goes with --against only" },
  { BIT(WINDOW), BIT(LINT), "--window goes with --lint only" },
  { BIT(ALLOW), BIT(LINT), "--allow goes with --lint only" },
  { BIT(DENY), BIT(LINT), "--deny goes with --lint only" },
  { BIT(FAIL_ON), BIT(LINT) | BIT(AGAINST), "--fail-on goes with --lint and --against only" },
  { BIT(WAIVERS), BIT(LINT) | BIT(AGAINST), "--waivers goes with --lint and --against only" },
  { BIT(FORMAT), BIT(LINT) | BIT(AGAINST) | BIT(LOG) | BIT(RULES) | BIT(EXPLAIN),
    "--format goes with --lint, --against, --log, --rules and --explain only" },
  { BIT(RANGE), BIT(LOG), "--range goes with --log only" },
};

const char *ts_gate_options_alone(const struct ts_gate_options *g, bool measure) {
  unsigned given = g->given;
  if (measure && !(given & BIT(LINT))) given &= ~BIT(AGAINST);
  for (size_t i = 0; i < TS_COUNT(alone); i++)
    if (given & alone[i].option && !(given & alone[i].companions)) return alone[i].sentence;
  return NULL;
}

/* Text for people, records for programs. */
static const struct ts_reporter *reporter_of(const struct ts_gate_options *g, bool terminal) {
  return g->reporter ? g->reporter : ts_reporter_find(terminal ? TS_STR("text") : TS_STR("jsonl"));
}

static bool is_text(const struct ts_reporter *r) { return strcmp(ts_reporter_name(r), "text") == 0; }

static bool colours(bool terminal) {
  const char *no = getenv("NO_COLOR");
  return terminal && !(no && *no);
}

/* Reads the saved calls and holds them against both catalogs; what was passed over goes into the summary. */
static int load_corpus(const struct ts_gate_options *g, const struct ts_catalog *before, const struct ts_catalog *c,
                       struct ts_corpus *corpus, struct ts_buf *summary, struct ts_buf *err) {
  struct ts_buf why = { 0 };
  int status = ts_corpus_load(corpus, g->corpus, before, c, &why);
  if (status < 0) (void)ts_fail(err, "--against-corpus: %s", ts_buf_z(&why));
  if (status == 0) ts_corpus_summary(corpus, summary);
  if (status == 0) ts_buf_addz(summary, "; ");
  ts_buf_free(&why);
  return status;
}

static int load_baseline(struct ts_gate_options *g, const struct ts_sources *sources, struct ts_catalog *before,
                         struct ts_buf *err) {
  struct ts_buf why = { 0 };
  int loaded = ts_baseline_load(&g->baseline, &g->revisions, sources, before, &why);
  if (loaded < 0) (void)ts_fail(err, "baseline-unreadable: %s", ts_buf_z(&why));
  ts_buf_free(&why);
  return loaded < 0 ? -1 : 0;
}

int ts_gate_check(struct ts_gate_options *g, const struct ts_sources *sources, const struct ts_catalog *c,
                  enum ts_api api, bool terminal, struct ts_buf *out, struct ts_buf *summary, struct ts_buf *err) {
  struct ts_catalog before = { 0 };
  struct ts_waivers waivers = { 0 };
  struct ts_corpus corpus = { 0 };
  struct ts_gate gate = {
    .catalog = c,
    .before = ts_gate_given(g, TS_OPT_AGAINST) ? &before : NULL,
    .lint = ts_gate_given(g, TS_OPT_LINT),
    .lint_options = { .api = api, .window = g->window, .policy = &g->policy },
    .drift_options = { .api = api, .mass = g->mass },
    .waivers = g->waivers ? &waivers : NULL,
    .corpus = g->corpus ? &corpus : NULL,
    .reporter = reporter_of(g, terminal),
    .spec = { .program = "tscat", .version = TS_VERSION, .threshold = g->threshold, .colour = colours(terminal) },
  };
  int status = gate.before ? load_baseline(g, sources, &before, err) : 0;
  if (status == 0 && g->waivers) status = ts_waivers_load(&waivers, g->waivers, c->version, err);
  if (status == 0 && g->corpus) status = load_corpus(g, &before, c, &corpus, summary, err);
  if (status == 0) status = ts_gate_run(&gate, out, summary, err);
  if (status == 1 && ts_gate_given(g, TS_OPT_EXIT_ZERO)) status = 0;
  ts_corpus_free(&corpus);
  ts_waivers_free(&waivers);
  ts_catalog_free(&before);
  return status;
}

static void keep_note(void *context, struct ts_str sentence) {
  struct ts_buf *notes = context;
  if (notes->len > 0) ts_buf_addz(notes, "; ");
  ts_buf_add(notes, sentence);
}

int ts_gate_log(struct ts_gate_options *g, const char *path, bool terminal, struct ts_buf *out, struct ts_buf *summary,
                struct ts_buf *err) {
  struct ts_buf rooted = { 0 }, remarks = { 0 };
  struct ts_notes notes = { keep_note, &remarks };
  struct ts_repo *repo = ts_revisions_path(&g->revisions, path, &rooted, err);
  struct ts_log *log = NULL;
  if (repo) log = ts_log_read(repo, g->range.len > 0 ? g->range : TS_STR("HEAD"), ts_buf_str(&rooted), &notes, err);
  if (log && is_text(reporter_of(g, terminal)))
    ts_log_timeline(log, colours(terminal), out);
  else if (log)
    ts_log_records(log, out);
  if (log) ts_log_summary(log, summary);
  if (log && remarks.len > 0) ts_buf_addf(summary, "; %s", ts_buf_z(&remarks));
  int status = log ? 0 : -1;
  ts_log_free(log);
  ts_buf_free(&rooted);
  ts_buf_free(&remarks);
  return status;
}

int ts_gate_rules(const struct ts_gate_options *g, bool terminal, struct ts_buf *out, struct ts_buf *err) {
  bool jsonl = g->reporter ? !is_text(g->reporter) : !terminal;
  if (g->explain) return ts_rules_explain(out, ts_str_z(g->explain), jsonl && g->reporter != NULL, err);
  ts_rules_list(out, 1u << TS_LINT | 1u << TS_DRIFT | 1u << TS_INTEGRITY, jsonl && g->reporter != NULL);
  return 0;
}
