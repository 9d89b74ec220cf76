/* tsreplay: audits transcripts against a catalog: which calls would still dispatch, which not and why, and what in
 * the file is broken. */
#include "cli/baseline.h"
#include "cli/opt.h"
#include "cli/surface.h"
#include "report/explain.h"
#include "transcript/show.h"

#include <stdlib.h>
#include <unistd.h>

enum { OPT_VERDICTS = 256, OPT_CALLS, OPT_RESULTS, OPT_EVENTS, OPT_NAMES, OPT_PARTIAL, OPT_MERGE };
enum { OPT_COMPARE = OPT_MERGE + 1, OPT_FIRST_BREAK, OPT_IGNORE, OPT_TRUST_REPO, OPT_ONLY_STATE, OPT_ONLY_NAME };
enum { OPT_FILES0_FROM = OPT_ONLY_NAME + 1, OPT_FROM, OPT_MAX_LINE, OPT_FAIL_ON, OPT_EXIT_ZERO, OPT_FORMAT };
enum { OPT_CRC = OPT_FORMAT + 1, OPT_RULES, OPT_EXPLAIN };

static const struct ts_opt options[] = {
  { 0, 0, NULL, NULL, "Views (default: findings, then the summary)", NULL },
  { OPT_VERDICTS, 0, "verdicts", NULL, "one verdict a call, then the summary", NULL },
  { 'l', 'l', "list", NULL, "names of files with a call that does not dispatch, or that --only-... selects", NULL },
  { OPT_CALLS, 0, "calls", NULL, "the calls, as neutral records", NULL },
  { OPT_RESULTS, 0, "results", NULL, "the results, as neutral records", NULL },
  { OPT_EVENTS, 0, "events", NULL, "all events, as neutral records", NULL },
  { OPT_NAMES, 0, "names", NULL, "per called name: calls, files, first and last time, state, replacement", NULL },
  { OPT_PARTIAL, 0, "partial", NULL, "findings and summary of a share of the files, for --merge", NULL },
  { OPT_MERGE, 0, "merge", NULL, "read what --partial wrote, pass findings on, add the summaries up", NULL },
  { OPT_COMPARE, 0, "compare", "RESULTS", "the results that are not as in RESULTS, pair by pair", "FILE" },
  { OPT_FIRST_BREAK, 0, "first-break", "RANGE", "the first revision of the catalog that broke a call, of A..B", NULL },
  { 0, 0, NULL, NULL, "What is read", NULL },
  { 'c', 'c', "catalog", "SOURCE", "read a catalog; repeatable, the later on top", "FILE" },
  TS_SURFACE_OPTIONS,
  { OPT_TRUST_REPO, 0, "trust-repo", NULL, "read a repository that belongs to somebody else", NULL },
  { OPT_FROM, 0, "from", "FORMAT", "take the files for this format", TS_FORMATS },
  { OPT_FILES0_FROM, 0, "files0-from", "FILE", "read also the files that FILE names, each ended by a NUL", "FILE" },
  { OPT_MAX_LINE, 0, "max-line", "BYTES", "longest line that is read (256M)", NULL },
  { 'j', 'j', "jobs", "N", "read N files at a time (1)", NULL },
  { 0, 0, NULL, NULL, "What is shown", NULL },
  { OPT_ONLY_STATE, 0, "only-state", "STATE,...", "only calls of names in these states",
    "active|deferred|hidden-compatibility|deprecated|removed|unknown" },
  { OPT_ONLY_NAME, 0, "only-name", "NAME,...", "only calls of these names", NULL },
  { OPT_IGNORE, 0, "ignore", "POINTER", "with --compare: the value there does not count; repeatable", NULL },
  { '0', '0', "null", NULL, "end the names of -l with a NUL", NULL },
  { OPT_CRC, 0, "crc", NULL, "add crc_sum to the summary: of name and id of every call", NULL },
  { OPT_FORMAT, 0, "format", "FORMAT", "of the report (text on a terminal, else jsonl)", TS_REPORT_FORMATS },
  { OPT_FAIL_ON, 0, "fail-on", "WHAT=LEVEL,...", "which findings count for exit status 1 (all=error)", NULL },
  { OPT_EXIT_ZERO, 0, "exit-zero", NULL, "exit 0 where it would be 1", NULL },
  { OPT_RULES, 0, "rules", NULL, "list the rules and exit", NULL },
  { OPT_EXPLAIN, 0, "explain", "RULE", "explain a rule and exit", NULL },
  { 'q', 'q', "quiet", NULL, "no summary line and no progress bar on standard error", NULL },
  { 0 },
};

static const struct ts_program program = {
  .name = "tsreplay",
  .summary = "audit transcripts of tool calls against a catalog",
  .synopsis = "[VIEW] [-c SOURCE]... [OPTION]... [FILE|DIRECTORY]...",
  .opt = options,
  .epilog =
      "Without -c: $TSCATALOG, else ./tscatalog.jsonl, else the tool lists that a transcript carries.\n"
      "Exit status: 0 in order, 1 findings that count, 2 something could not be read or written.\n",
};

struct job {
  struct ts_show show;
  struct ts_sources sources;
  struct ts_revisions revisions;
  struct ts_buf path; /* of the catalog in the repository */
  struct ts_catalog catalog;
  struct ts_surface surface;
  struct ts_selection only;
  struct ts_threshold threshold;
  struct ts_files files;
  struct ts_out out;
  const char *explain, *names_from;
  bool rules, exit_zero, failed;
};

static void say(struct ts_str sentence) { ts_diag("%.*s", TS_FMT(sentence)); }

static void fail(void *job, struct ts_str sentence) {
  ((struct job *)job)->failed = true;
  say(sentence);
}

static void begin(struct job *job) {
  job->sources = (struct ts_sources){ .revision = ts_revisions_read, .revision_context = &job->revisions };
  const char *no_colour = getenv("NO_COLOR");
  struct ts_show *s = &job->show;
  s->files = &job->files;
  s->replay.threads = 1;
  s->replay.list_end = '\n';
  s->replay.audit.surface = &job->surface;
  s->replay.audit.only = &job->only;
  s->replay.audit.threshold = &job->threshold;
  s->spec = (struct ts_report_spec){ .program = program.name, .version = TS_VERSION, .parts = 1u << TS_AUDIT };
  s->spec.colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
  s->out = &job->out;
  ts_out_open(&job->out, STDOUT_FILENO);
  ts_threshold_default(&job->threshold);
}

/* --- options -------------------------------------------------------------------------------------------- */

/* The view that has this key; NULL: none. */
static const struct ts_view_row *view_of(int key) {
  const struct ts_opt *o = options;
  while (o->key != key) o++;
  return ts_view_find(o->name);
}

static int set_view(struct job *job, const struct ts_view_row *view, struct ts_buf *err) {
  const char *before = job->show.view->option;
  if (before && view != job->show.view)
    return ts_fail(err, "--%s and --%s are two views: choose one", before, view->option);
  job->show.view = view;
  return 0;
}

static int set_jobs(struct job *job, const char *argument, struct ts_buf *err) {
  uint64_t n = 1;
  int status = ts_opt_number(argument, 1, 256, &n, err);
  job->show.replay.threads = (unsigned)n;
  return status;
}

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  struct ts_str text = ts_str_z(argument);
  const struct ts_view_row *view = view_of(key);
  if (key == OPT_COMPARE) job->show.results = argument;
  if (key == OPT_FIRST_BREAK) job->show.first_break.range = text;
  if (view) return set_view(job, view, err);
  if (key == 'c') ts_sources_add(&job->sources, argument);
  if (key == '0') job->show.replay.list_end = '\0';
  if (key == 'q') job->show.quiet = true;
  if (key == 'j') return set_jobs(job, argument, err);
  if (key == OPT_TRUST_REPO) job->revisions.trust = true;
  if (key == OPT_CRC) job->show.replay.audit.crc = true;
  if (key == OPT_EXIT_ZERO) job->exit_zero = true;
  if (key == OPT_RULES) job->rules = true;
  if (key == OPT_EXPLAIN) job->explain = argument;
  if (key == OPT_FILES0_FROM) job->names_from = argument;
  if (key == OPT_FROM) job->show.replay.read.format = ts_format_find(text);
  if (key == OPT_FORMAT) job->show.reporter = ts_reporter_find(text);
  if (key == OPT_MAX_LINE) return ts_opt_size(argument, &job->show.replay.read.max_line, err);
  if (key == OPT_IGNORE) return ts_compare_ignore(&job->show.compare, argument, err);
  if (key == OPT_ONLY_STATE) return ts_selection_states(&job->only, text, err);
  if (key == OPT_ONLY_NAME) return ts_selection_names(&job->only, text, err);
  if (key == OPT_FAIL_ON) return ts_threshold_parse(&job->threshold, text, err);
  (void)ts_surface_option(&job->surface, key, argument);
  return 0;
}

/* What does not go together, beyond what the view knows itself. */
static int check_options(struct job *job, int operands, char **operand, struct ts_buf *err) {
  const struct ts_view_row *v = job->show.view;
  bool reads_input = operands == 0 && !job->names_from;
  for (int i = 0; i < operands; i++) reads_input |= strcmp(operand[i], "-") == 0;
  for (size_t i = 0; i < job->sources.count; i++)
    if (reads_input && strcmp(job->sources.name[i], "-") == 0)
      return ts_fail(err, "the catalog and a transcript cannot both be standard input");
  if (v->kind != TS_SHOW_COMPARE && job->show.compare.ignore_count > 0)
    return ts_fail(err, "--ignore goes with --compare only");
  if (v->kind == TS_SHOW_COMPARE && reads_input && strcmp(job->show.results, "-") == 0)
    return ts_fail(err, "the results and a transcript cannot both be standard input");
  if (job->show.replay.list_end == '\0' && v->records != TS_REPLAY_FILES) return ts_fail(err, "-0 goes with -l only");
  if (v->kind == TS_SHOW_MERGE && job->sources.count > 0) return ts_fail(err, "--merge takes no catalog");
  if (v->kind == TS_SHOW_FIRST_BREAK && job->sources.count != 1)
    return ts_fail(err, "--first-break needs one -c, with the path of the catalog in the repository");
  return ts_show_check(&job->show, err);
}

/* --- the work ------------------------------------------------------------------------------------------- */

static int print_rules(struct job *job, struct ts_buf *err) {
  struct ts_buf text = { 0 };
  bool jsonl = !isatty(STDOUT_FILENO) && !job->show.reporter;
  int status = 0;
  if (job->rules) ts_rules_list(&text, 1u << TS_AUDIT, jsonl);
  if (job->explain) status = ts_rules_explain(&text, ts_str_z(job->explain), jsonl, err);
  ts_out_add(&job->out, ts_buf_str(&text));
  ts_buf_free(&text);
  return status;
}

/* --first-break looks at every version of one file. */
static int find_history(struct job *job, struct ts_buf *err) {
  struct ts_first_break *b = &job->show.first_break;
  b->repo = ts_revisions_path(&job->revisions, job->sources.name[0], &job->path, err);
  b->path = ts_buf_str(&job->path);
  return b->repo ? 0 : -1;
}

static int load_catalog(struct job *job, struct ts_buf *err) {
  struct ts_catalog *c = &job->catalog;
  if (job->show.view->kind == TS_SHOW_MERGE) return 0;
  if (job->show.view->kind == TS_SHOW_FIRST_BREAK) return find_history(job, err);
  int status = ts_sources_load(&job->sources, TS_SOURCE_NONE, c, err);
  if (status <= 0) return status;
  if (c->incomplete) return ts_fail(err, "the catalog ends with a nextCursor: more of its pages are needed");
  if (c->tool_count == 0) return ts_fail(err, "the catalog has no tools: there is nothing to check against");
  job->show.replay.audit.catalog = c;
  return ts_surface_check(&job->surface, c, err);
}

static int run(struct job *job, int operands, char **operand, struct ts_buf *err) {
  const struct ts_notes failed = { fail, job };
  if (job->rules || job->explain) return print_rules(job, err);
  if (load_catalog(job, err) < 0) return -1;
  if (ts_files_gather(&job->files, operands, operand, job->names_from, &failed, err) < 0) return -1;
  ts_show(&job->show);
  return 0;
}

static void job_free(struct job *job) {
  ts_files_free(&job->files);
  ts_selection_free(&job->only);
  ts_surface_free(&job->surface);
  ts_sources_free(&job->sources);
  ts_revisions_close(&job->revisions);
  ts_buf_free(&job->path);
  ts_compare_free(&job->show.compare);
  ts_catalog_free(&job->catalog);
}

int main(int argc, char **argv) {
  struct job job = { .show.view = ts_view_find(NULL), .show.say = say };
  struct ts_buf err = { 0 };
  ts_standard_descriptors();
  ts_diag_program(program.name);
  begin(&job);
  int first = ts_opt_parse(&program, argc, argv, set_option, &job);
  job.show.spec.threshold = job.threshold;
  if (check_options(&job, argc - first, argv + first, &err) < 0) ts_opt_usage(&program, "%s", ts_buf_z(&err));
  if (run(&job, argc - first, argv + first, &err) < 0) fail(&job, ts_buf_str(&err));
  if (ts_out_close(&job.out, &err) < 0) fail(&job, ts_buf_str(&err));
  bool failed = job.failed || job.show.failed, counts = job.show.counts && !job.exit_zero;
  job_free(&job);
  ts_buf_free(&err);
  return failed ? TS_EXIT_FAILED : counts ? TS_EXIT_FINDINGS : TS_EXIT_OK;
}
