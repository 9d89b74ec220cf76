/* tscat: prints a catalog of tools: its records, its first-turn block, what its names mean. */
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "catalog/view.h"
#include "cli/gate.h"
#include "cli/opt.h"
#include "cli/source.h"
#include "cli/surface.h"
#include "io/out.h"

enum {
  OPT_NAMES = 256,
  OPT_TABLE,
  OPT_STATE,
  OPT_ORIGIN,
  OPT_SEARCH,
  OPT_MATCH,
  OPT_LIMIT,
  OPT_RESOLVE,
  OPT_FIRST_TURN,
  OPT_API,
  OPT_GOLDEN,
  OPT_UPDATE,
  OPT_MEASURE,
};

static const struct ts_opt options[] = {
  { 'c', 'c', "catalog", "SOURCE", "read a catalog before the operands; repeatable, the later on top", "FILE" },
  TS_SURFACE_OPTIONS,
  { 0, 0, NULL, NULL, "Tools and aliases (without a view: the whole catalog, normalised)", NULL },
  { OPT_NAMES, 0, "names", NULL, "print names only", NULL },
  { OPT_TABLE, 0, "table", NULL, "print a table for people", NULL },
  { OPT_STATE, 0, "state", "STATE,...", "only those in these states",
    "active|deferred|hidden-compatibility|deprecated|removed" },
  { OPT_ORIGIN, 0, "origin", "ORIGIN,...", "only those of these origins", "native|mcp|synthetic" },
  { OPT_SEARCH, 0, "search", "QUERY", "only what tool search finds, the best first", NULL },
  { OPT_MATCH, 0, "match", "HOW", "how QUERY is meant", "terms|regex" },
  { OPT_LIMIT, 0, "limit", "N", "find at most N (8)", NULL },
  { 0, 0, NULL, NULL, "Calls", NULL },
  { OPT_RESOLVE, 0, "resolve", "NAME", "print where a call of NAME goes; repeatable", NULL },
  { 0, 0, NULL, NULL, "The first-turn block", NULL },
  { OPT_FIRST_TURN, 0, "first-turn", NULL, "print the exact tools array", NULL },
  { OPT_API, 0, "api", "API", "whose array: anthropic without this", TS_API_VALUES },
  { OPT_GOLDEN, 0, "golden", "FILE", "compare the block of every mode and profile with FILE", "FILE" },
  { OPT_UPDATE, 0, "update", NULL, "write the golden FILE instead; refused when $CI is set", NULL },
  { OPT_MEASURE, 0, "measure", NULL, "print size and digest of the block per mode and profile", NULL },
  TS_GATE_OPTIONS,
  { 0, 0, NULL, NULL, "Other", NULL },
  { 'q', 'q', "quiet", NULL, "no summary on standard error", NULL },
  { 0 },
};

static const struct ts_program program = {
  .name = "tscat",
  .summary = "print and check catalogs of tools",
  .synopsis = "[VIEW] [OPTION]... [SOURCE]...\n--log [--range A..B] PATH",
  .opt = options,
  .epilog = "SOURCE is a file, -, builtin:NAME or REV:PATH. Without one, standard input is read, unless -c is given.\n",
};

struct job {
  struct ts_sources sources;
  struct ts_catalog catalog, before;
  struct ts_view view;
  struct ts_gate_options gate;
  size_t name_cap;
  unsigned given; /* bit 1 << key - OPT_NAMES of each option */
  bool quiet;
};

static bool is_given(const struct job *job, int key) { return job->given & 1u << (key - OPT_NAMES); }

/* What says something only together with something else. */
static const struct companion {
  int key;
  const char *name;
  unsigned views;     /* bit 1 << enum ts_view_kind */
  const char *others; /* how the user chooses them */
} companions[] = {
#define VIEW(name) (1u << TS_VIEW_##name)
  { OPT_NAMES, "--names", VIEW(LIST), "--state, --origin and --search" },
  { OPT_TABLE, "--table", VIEW(LIST) | VIEW(MEASURE), "--state, --origin, --search and --measure" },
  { OPT_STATE, "--state", VIEW(LIST), "--origin, --names and --table" },
  { OPT_ORIGIN, "--origin", VIEW(LIST), "--state, --names and --table" },
  { OPT_SEARCH, "--search", VIEW(LIST), "--match, --limit, --names and --table" },
  { OPT_API, "--api", VIEW(LIST) | VIEW(FIRST_TURN) | VIEW(GOLDEN) | VIEW(UPDATE) | VIEW(MEASURE),
    "--first-turn, --golden and --measure" },
  { OPT_UPDATE, "--update", VIEW(GOLDEN) | VIEW(UPDATE), "--golden" },
};

static const struct choice {
  int key;
  enum ts_view_kind kind;
} views[] = {
  { OPT_RESOLVE, TS_VIEW_ROUTES },
  { OPT_FIRST_TURN, TS_VIEW_FIRST_TURN },
  { OPT_GOLDEN, TS_VIEW_GOLDEN },
  { OPT_MEASURE, TS_VIEW_MEASURE },
};

static void choose_view(struct job *job) {
  struct ts_view *v = &job->view;
  size_t count = 0;
  for (size_t i = 0; i < TS_COUNT(views); i++)
    if (is_given(job, views[i].key)) {
      v->kind = views[i].kind;
      count++;
    }
  if (count > 1) ts_opt_usage(&program, "only one of --resolve, --first-turn, --golden and --measure at a time");
  for (size_t i = 0; i < TS_COUNT(companions); i++)
    if (is_given(job, companions[i].key) && !(companions[i].views & 1u << v->kind))
      ts_opt_usage(&program, "%s goes with %s only", companions[i].name, companions[i].others);
}

/* Is the catalog to be checked? --against with --measure shows sizes instead. */
static bool checks(const struct job *job) {
  bool against = ts_gate_given(&job->gate, TS_OPT_AGAINST) && job->view.kind != TS_VIEW_MEASURE;
  return against || ts_gate_given(&job->gate, TS_OPT_LINT);
}

static void check_gate(const struct job *job) {
  bool lists = job->view.kind == TS_VIEW_LIST;
  const char *alone = ts_gate_options_alone(&job->gate, job->view.kind == TS_VIEW_MEASURE);
  if (alone) ts_opt_usage(&program, "%s", alone);
  if (ts_gate_given(&job->gate, TS_OPT_LOG) && (!lists || !job->view.whole || checks(job)))
    ts_opt_usage(&program, "--log is a view of its own");
  bool goes = job->view.kind == TS_VIEW_GOLDEN || job->view.kind == TS_VIEW_MEASURE ||
              (lists && (job->given & ~(1u << (OPT_API - OPT_NAMES))) == 0);
  if (checks(job) && !goes) ts_opt_usage(&program, "--lint and --against go with no view but --golden and --measure");
}

static void check_options(struct job *job) {
  struct ts_view *v = &job->view;
  bool selects = is_given(job, OPT_STATE) || is_given(job, OPT_ORIGIN);
  choose_view(job);
  bool is_every = v->kind == TS_VIEW_GOLDEN || v->kind == TS_VIEW_MEASURE;
  if (is_every && v->surface.mode.len + v->surface.profile.len > 0)
    ts_opt_usage(&program, "--golden and --measure look at every mode and profile");
  if (is_given(job, OPT_NAMES) && is_given(job, OPT_TABLE)) ts_opt_usage(&program, "either --names or --table");
  if ((is_given(job, OPT_MATCH) || is_given(job, OPT_LIMIT)) && !v->query)
    ts_opt_usage(&program, "--match and --limit go with --search only");
  if (v->query && selects)
    ts_opt_usage(&program, "--search looks through deferred tools, and takes no --state or --origin");
  v->whole =
      !selects && !v->query && v->surface.mode.len == 0 && v->surface.profile.len == 0 && !v->surface.some_features;
  check_gate(job);
  if (!is_given(job, OPT_UPDATE)) return;
  v->kind = TS_VIEW_UPDATE;
  const char *ci = getenv("CI");
  if (ci && *ci)
    ts_opt_usage(&program, "--update is refused where $CI is set: what writes its own golden file checks nothing");
}

static unsigned find_state(struct ts_str word) { return ts_state_find(word); }
static unsigned find_origin(struct ts_str word) { return ts_origin_find(word); }

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  struct ts_view *v = &job->view;
  uint64_t n = v->limit;
  if (key >= OPT_NAMES && key <= OPT_MEASURE) job->given |= 1u << (key - OPT_NAMES);
  int taken = ts_gate_option(&job->gate, key, argument, err);
  if (taken != 0) return taken < 0 ? -1 : 0;
  if (ts_surface_option(&v->surface, key, argument)) return 0;
  if (key == OPT_LIMIT && ts_opt_number(argument, 1, UINT32_MAX, &n, err) < 0) return -1;
  v->limit = (size_t)n;
  if (key == 'c') ts_sources_add(&job->sources, argument);
  if (key == 'q') job->quiet = true;
  if (key == OPT_NAMES) v->form = TS_FORM_NAMES;
  if (key == OPT_TABLE) v->form = TS_FORM_TABLE;
  if (key == OPT_STATE) v->filter.states |= ts_opt_bits(argument, find_state);
  if (key == OPT_ORIGIN) v->filter.origins |= ts_opt_bits(argument, find_origin);
  if (key == OPT_SEARCH) v->query = argument;
  if (key == OPT_MATCH) v->match = strcmp(argument, "regex") == 0 ? TS_MATCH_REGEX : TS_MATCH_TERMS;
  if (key == OPT_API) v->api = ts_api_find(ts_str_z(argument));
  if (key == OPT_GOLDEN) v->golden = argument;
  if (key != OPT_RESOLVE) return 0;
  ts_xgrow(&v->name, &job->name_cap, v->name_count + 1, sizeof *v->name);
  v->name[v->name_count++] = ts_str_z(argument);
  return 0;
}

static int load(struct job *job, char **operand, struct ts_buf *err) {
  for (; *operand; operand++) ts_sources_add(&job->sources, *operand);
  if (job->sources.count == 0 && !isatty(STDIN_FILENO)) ts_sources_add(&job->sources, "-");
  int loaded = ts_sources_load(&job->sources, TS_SOURCE_NONE, &job->catalog, err);
  if (loaded == 0) ts_opt_usage(&program, "no catalog: give a SOURCE");
  bool compares = job->view.kind == TS_VIEW_MEASURE && ts_gate_given(&job->gate, TS_OPT_AGAINST);
  if (loaded < 0 || !compares) return loaded < 0 ? -1 : 0;
  job->view.before = &job->before;
  return ts_baseline_load(&job->gate.baseline, &job->gate.revisions, &job->sources, &job->before, err) < 0 ? -1 : 0;
}

/* What loading has found; the worst of it is the status. */
static int print_load_findings(const struct ts_catalog *c) {
  int status = TS_EXIT_OK;
  for (size_t i = 0; i < c->finding_count; i++) {
    const struct ts_finding *f = &c->finding[i];
    struct ts_vector vector = ts_finding_vector(f);
    ts_diag("%.*s:%llu:%llu: %s: %.*s", TS_FMT(f->place.file), (unsigned long long)f->place.line,
            (unsigned long long)f->place.column, ts_rule(f->rule)->id, TS_FMT(f->message));
    if (ts_vector_worst(&vector) == TS_ERROR) status = TS_EXIT_FINDINGS;
  }
  return status;
}

static int worse(int a, int b) { return a < 0 || b < 0 ? -1 : a > b ? a : b; }

/* What there is to show of a catalog, to check of it, or both: 0, 1, or -1 with a sentence. */
static int show(struct job *job, char **operands, struct ts_buf *text, struct ts_buf *summary, struct ts_buf *err) {
  struct ts_gate_options *gate = &job->gate;
  bool terminal = isatty(STDOUT_FILENO), lint = ts_gate_given(gate, TS_OPT_LINT);
  if (ts_gate_given(gate, TS_OPT_RULES) || gate->explain) return ts_gate_rules(gate, terminal, text, err);
  if (ts_gate_given(gate, TS_OPT_LOG)) {
    if (!operands[0] || operands[1]) ts_opt_usage(&program, "--log takes one PATH");
    return ts_gate_log(gate, operands[0], terminal, text, summary, err);
  }
  if (load(job, operands, err) < 0) return -1;
  int status = lint ? 0 : print_load_findings(&job->catalog);
  if (!checks(job) || job->view.kind != TS_VIEW_LIST)
    status = worse(status, ts_view_show(&job->view, &job->catalog, text, summary, err));
  if (!checks(job) || status < 0) return status;
  if (summary->len > 0) ts_buf_addz(summary, "; ");
  enum ts_api api = is_given(job, OPT_API) ? job->view.api : TS_API_OPENAI;
  return worse(status, ts_gate_check(gate, &job->sources, &job->catalog, api, terminal, text, summary, err));
}

static int run(struct job *job, char **operands, struct ts_out *out, struct ts_buf *err) {
  struct ts_buf text = { 0 }, summary = { 0 };
  int status = show(job, operands, &text, &summary, err);
  if (status >= 0) ts_out_add(out, ts_buf_str(&text));
  if (summary.len > 0 && !job->quiet) ts_diag("%s", ts_buf_z(&summary));
  ts_buf_free(&text);
  ts_buf_free(&summary);
  return status < 0 ? TS_EXIT_FAILED : status;
}

int main(int argc, char **argv) {
  struct job job = { .view.limit = 8 };
  job.sources = (struct ts_sources){ .revision = ts_revisions_read, .revision_context = &job.gate.revisions };
  struct ts_buf err = { 0 };
  struct ts_out out;
  ts_standard_descriptors();
  ts_gate_options_init(&job.gate);
  int first = ts_opt_parse(&program, argc, argv, set_option, &job);
  check_options(&job);
  ts_out_open(&out, STDOUT_FILENO);
  int status = run(&job, argv + first, &out, &err);
  if (err.len > 0) ts_diag("%s", ts_buf_z(&err));
  ts_buf_clear(&err);
  if (ts_out_close(&out, &err) < 0) {
    ts_diag("%s", ts_buf_z(&err));
    status = TS_EXIT_FAILED;
  }
  ts_catalog_free(&job.catalog);
  ts_catalog_free(&job.before);
  ts_sources_free(&job.sources);
  ts_gate_options_free(&job.gate);
  ts_surface_free(&job.view.surface);
  free(job.view.name);
  ts_buf_free(&err);
  return status;
}
