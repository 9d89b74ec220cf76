/* tscat: prints a catalog of tools: its records, its first-turn block, what its names mean. */
#include <unistd.h>

#include "base/diag.h"
#include "cli/gate.h"
#include "cli/opt.h"
#include "cli/source.h"
#include "cli/surface.h"
#include "cli/view.h"
#include "io/out.h"

static const struct ts_opt options[] = {
  { 'c', 'c', "catalog", "SOURCE", "read a catalog before the operands; repeatable, the later on top", "FILE" },
  TS_SURFACE_OPTIONS,
  TS_VIEW_OPTIONS,
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
  struct ts_view_options shown;
  struct ts_gate_options gate;
  bool quiet;
};

/* Is the catalog to be checked? --against with --measure shows sizes instead. */
static bool checks(const struct job *job) {
  bool against = ts_gate_given(&job->gate, TS_OPT_AGAINST) && job->shown.view.kind != TS_VIEW_MEASURE;
  return against || ts_gate_given(&job->gate, TS_OPT_LINT);
}

/* What does not go together. */
static void check_options(struct job *job, struct ts_buf *err) {
  const struct ts_view *v = &job->shown.view;
  if (ts_view_options_settle(&job->shown, err) < 0) ts_opt_usage(&program, "%s", ts_buf_z(err));
  const char *alone = ts_gate_options_alone(&job->gate, v->kind == TS_VIEW_MEASURE);
  if (alone) ts_opt_usage(&program, "%s", alone);
  if (ts_gate_given(&job->gate, TS_OPT_LOG) && (v->kind != TS_VIEW_LIST || !v->whole || checks(job)))
    ts_opt_usage(&program, "--log is a view of its own");
  if (ts_view_given(&job->shown, TS_OPT_API) && v->kind == TS_VIEW_LIST && !checks(job))
    ts_opt_usage(&program, "--api goes with --first-turn, --golden, --measure, --lint and --against only");
  bool goes = v->kind == TS_VIEW_GOLDEN || v->kind == TS_VIEW_MEASURE || ts_view_options_plain(&job->shown);
  if (checks(job) && !goes) ts_opt_usage(&program, "--lint and --against go with no view but --golden and --measure");
}

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  int taken = ts_gate_option(&job->gate, key, argument, err);
  if (taken == 0) taken = ts_view_option(&job->shown, key, argument, err);
  if (key == 'c') ts_sources_add(&job->sources, argument);
  if (key == 'q') job->quiet = true;
  return taken < 0 ? -1 : 0;
}

static int load(struct job *job, char **operand, struct ts_buf *err) {
  for (; *operand; operand++) ts_sources_add(&job->sources, *operand);
  if (job->sources.count == 0 && !isatty(STDIN_FILENO)) ts_sources_add(&job->sources, "-");
  int loaded = ts_sources_load(&job->sources, TS_SOURCE_NONE, &job->catalog, err);
  if (loaded == 0) ts_opt_usage(&program, "no catalog: give a SOURCE");
  bool compares = job->shown.view.kind == TS_VIEW_MEASURE && ts_gate_given(&job->gate, TS_OPT_AGAINST);
  if (loaded < 0 || !compares) return loaded < 0 ? -1 : 0;
  job->shown.view.before = &job->before;
  return ts_baseline_load(&job->gate.baseline, &job->gate.revisions, &job->sources, &job->before, err) < 0 ? -1 : 0;
}

/* What loading has found; the worst of it is the status. */
static int print_load_findings(const struct ts_catalog *c, bool exit_zero) {
  int status = TS_EXIT_OK;
  for (size_t i = 0; i < c->finding_count; i++) {
    const struct ts_finding *f = &c->finding[i];
    struct ts_vector vector = ts_finding_vector(f);
    ts_diag("%.*s:%llu:%llu: %s: %.*s", TS_FMT(f->place.file), (unsigned long long)f->place.line,
            (unsigned long long)f->place.column, ts_rule(f->rule)->id, TS_FMT(f->message));
    if (ts_vector_worst(&vector) == TS_ERROR) status = TS_EXIT_FINDINGS;
  }
  return exit_zero ? TS_EXIT_OK : status;
}

static int worse(int a, int b) { return a < 0 || b < 0 ? -1 : a > b ? a : b; }

/* What there is to show of a catalog, to check of it, or both: 0, 1, or -1 with a sentence. */
static int show(struct job *job, char **operands, struct ts_buf *text, struct ts_buf *summary, struct ts_buf *err) {
  struct ts_gate_options *gate = &job->gate;
  bool terminal = isatty(STDOUT_FILENO);
  if (ts_gate_given(gate, TS_OPT_RULES) || gate->explain) return ts_gate_rules(gate, terminal, text, err);
  if (ts_gate_given(gate, TS_OPT_LOG)) {
    if (!operands[0] || operands[1]) ts_opt_usage(&program, "--log takes one PATH");
    return ts_gate_log(gate, operands[0], terminal, text, summary, err);
  }
  if (load(job, operands, err) < 0) return -1;
  int status = checks(job) ? TS_EXIT_OK : print_load_findings(&job->catalog, ts_gate_given(gate, TS_OPT_EXIT_ZERO));
  if (!checks(job) || job->shown.view.kind != TS_VIEW_LIST)
    status = worse(status, ts_view_show(&job->shown.view, &job->catalog, text, summary, err));
  if (!checks(job) || status < 0) return status;
  if (summary->len > 0) ts_buf_addz(summary, "; ");
  enum ts_api api = ts_view_given(&job->shown, TS_OPT_API) ? job->shown.view.api : TS_API_OPENAI;
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
  struct job job = { .shown.view.limit = 8 };
  job.sources = (struct ts_sources){ .revision = ts_revisions_read, .revision_context = &job.gate.revisions };
  struct ts_buf err = { 0 };
  struct ts_out out;
  ts_standard_descriptors();
  ts_gate_options_init(&job.gate);
  int first = ts_opt_parse(&program, argc, argv, set_option, &job);
  check_options(&job, &err);
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
  ts_view_options_free(&job.shown);
  ts_buf_free(&err);
  return status;
}
