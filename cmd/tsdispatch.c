/* tsdispatch: resolves calls and runs their handlers; one record a call, in the order read. */
#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/opt.h"
#include "cli/source.h"
#include "cli/surface.h"
#include "dispatch/run.h"
#include "dispatch/todo.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

enum {
  OPT_HANDLER = 256,
  OPT_HANDLERS,
  OPT_ROUTES,
  OPT_TIMEOUT,
  OPT_MAX_OUTPUT,
  OPT_MAX_LINE,
  OPT_ALLOW,
  OPT_DENY,
  OPT_VALIDATE,
  OPT_HYDRATE,
  OPT_SESSION,
  OPT_DIALECT,
  OPT_EXIT_ZERO
};

static const struct ts_opt options[] = {
  { 'c', 'c', "catalog", "SOURCE", "read a catalog (builtin:codewhale); repeatable, the later on top", "FILE" },
  TS_SURFACE_OPTIONS,
  { 0, 0, NULL, NULL, "Handlers", NULL },
  { OPT_HANDLER, 0, "handler", "[NAME=]PROGRAM", "run PROGRAM for the tool NAME, or for every tool that has none",
    "FILE" },
  { OPT_HANDLERS, 0, "handlers", "FILE", "read handler records", "FILE" },
  { OPT_ROUTES, 0, "routes", NULL, "write routes, run nothing (the default without handlers)", NULL },
  { OPT_SESSION, 0, "session", "LOG", "serve todo_write from the library, into this session log", "FILE" },
  { OPT_DIALECT, 0, "dialect", "DIALECT", "what a to-do list may say; dsh without this", "dsh|codewhale" },
  { 'j', 'j', "jobs", "N", "run at most N one-shot handlers at once (1: call after call)", NULL },
  { OPT_TIMEOUT, 0, "timeout", "SECONDS", "end a call that takes longer (0: never)", NULL },
  { OPT_MAX_OUTPUT, 0, "max-output", "BYTES", "keep at most this much of a handler's output (16M)", NULL },
  { 0, 0, NULL, NULL, "What may be called", NULL },
  { OPT_ALLOW, 0, "allow", "LIST", "serve only these names, separated by commas; NAME* is a prefix", NULL },
  { OPT_DENY, 0, "deny", "LIST", "never serve these names; wins over --allow", NULL },
  { OPT_VALIDATE, 0, "validate", NULL, "refuse arguments that the schema does not take", NULL },
  { OPT_HYDRATE, 0, "hydrate", NULL, "answer the first call of a deferred tool with its schema", NULL },
  { 0, 0, NULL, NULL, "Other", NULL },
  { OPT_MAX_LINE, 0, "max-line", "BYTES", "longest line that is read (256M)", NULL },
  { OPT_EXIT_ZERO, 0, "exit-zero", NULL, "exit 0 where it would be 1", NULL },
  { 'q', 'q', "quiet", NULL, "no summary on standard error", NULL },
  { 0 },
};

static const struct ts_program program = {
  .name = "tsdispatch",
  .summary = "resolve tool calls and run their handlers",
  .synopsis = "[OPTION]... [FILE]...",
  .opt = options,
  .epilog = "Reads call records (JSONL) and writes one result, or route, for each, in the order read.\n",
};

struct job {
  struct ts_sources sources;
  struct ts_catalog catalog;
  struct ts_surface surface;
  struct ts_handlers handlers;
  struct ts_policy policy;
  struct ts_run run;
  struct ts_todo_service todo;
  bool exit_zero, quiet, failed;
};

static int read_handlers(struct job *job, const char *path, struct ts_buf *err) {
  struct ts_buf text = { 0 };
  struct ts_input *in = ts_input_open(path, err);
  int status = in ? ts_input_all(in, TS_LINE_MAX, &text, err) : -1;
  if (status == 0) status = ts_handlers_read(&job->handlers, ts_str_z(path), ts_buf_str(&text), err);
  ts_input_close(in);
  ts_buf_free(&text);
  return status;
}

static int set_number(int key, const char *argument, struct job *job, struct ts_buf *err) {
  uint64_t n = 0;
  int status = key == 'j'           ? ts_opt_number(argument, 1, 256, &n, err)
               : key == OPT_TIMEOUT ? ts_opt_seconds(argument, 86400 * 365, &n, err)
                                    : ts_opt_size(argument, &n, err);
  if (key == 'j') job->run.jobs = (unsigned)n;
  if (key == OPT_TIMEOUT) job->run.timeout = n;
  if (key == OPT_MAX_OUTPUT) job->run.max_output = n;
  if (key == OPT_MAX_LINE) job->run.max_line = n;
  return status;
}

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  if (ts_surface_option(&job->surface, key, argument)) return 0;
  switch (key) {
    case 'c':
      ts_sources_add(&job->sources, argument);
      return 0;
    case OPT_HANDLER:
      ts_handlers_add(&job->handlers, argument);
      return 0;
    case OPT_HANDLERS:
      return read_handlers(job, argument, err);
    case OPT_ROUTES:
      job->run.routes = true;
      return 0;
    case OPT_ALLOW:
      ts_policy_allow(&job->policy, argument);
      return 0;
    case OPT_DENY:
      ts_policy_deny(&job->policy, argument);
      return 0;
    case OPT_VALIDATE:
      job->run.decider.validate = true;
      return 0;
    case OPT_HYDRATE:
      job->run.decider.hydrate = true;
      return 0;
    case OPT_EXIT_ZERO:
      job->exit_zero = true;
      return 0;
    case OPT_SESSION:
      job->todo.server.path = argument;
      return 0;
    case OPT_DIALECT:
      job->todo.server.dialect = strcmp(argument, "dsh") == 0 ? TS_WRITE_DSH : TS_WRITE_CODEWHALE;
      return 0;
    case 'q':
      job->quiet = true;
      return 0;
    default:
      return set_number(key, argument, job, err);
  }
}

static void print_note(void *context, struct ts_str sentence) {
  struct job *job = context;
  job->failed = true;
  ts_diag("%.*s", TS_FMT(sentence));
}

static void print_remark(void *context, struct ts_str sentence) {
  (void)context;
  ts_diag("%.*s", TS_FMT(sentence));
}

static void fail(struct job *job, struct ts_buf *err) {
  job->failed = true;
  ts_diag("%s", ts_buf_z(err));
  ts_buf_clear(err);
}

static void serve(struct job *job, int count, char **operands) {
  static char *standard_input[] = { "-" };
  struct ts_buf err = { 0 };
  struct ts_run_loop *loop = ts_run_open(&job->run, &err);
  if (!loop) fail(job, &err);
  if (count == 0) operands = standard_input;
  for (int i = 0; loop && i < (count ? count : 1); i++)
    if (ts_run_file(loop, operands[i], &err) < 0) fail(job, &err);
  ts_run_close(loop);
  ts_buf_free(&err);
}

/* Standard input can be read once only. */
static void check_input(const struct job *job, int count, char **operands) {
  int readers = count == 0 ? 1 : 0;
  for (int i = 0; i < count; i++) readers += strcmp(operands[i], "-") == 0 ? 1 : 0;
  for (size_t i = 0; i < job->sources.count; i++) readers += strcmp(job->sources.name[i], "-") == 0 ? 1 : 0;
  if (readers > 1) ts_opt_usage(&program, "standard input is given twice, and can be read once only");
}

static int load(struct job *job, struct ts_buf *err) {
  if (ts_sources_load(&job->sources, TS_SOURCE_CODEWHALE, &job->catalog, err) < 0) return -1;
  return ts_surface_check(&job->surface, &job->catalog, err);
}

/* When the results did not go out: which of the two happened to the to-do list. */
static void tell_what_stays(const struct job *job) {
  if (job->todo.replaced > 0)
    ts_diag("%s: the list was replaced %" PRIu64 " times, but not all of the results could be written",
            job->todo.server.path, job->todo.replaced);
}

/* The summary, and how the run ends: a signal that stopped it, and a reader that went away, end it by signal. */
static int finish(struct job *job, struct ts_out *out) {
  struct ts_buf err = { 0 };
  int why = ts_out_close(out, &err) == 0 ? 0 : out->error;
  int status = job->failed || why != 0                  ? TS_EXIT_FAILED
               : job->run.errors > 0 && !job->exit_zero ? TS_EXIT_FINDINGS
                                                        : TS_EXIT_OK;
  if (why != 0) tell_what_stays(job);
  if (job->run.stopped_by != 0) (void)raise(job->run.stopped_by);
  if (why == EPIPE) (void)raise(SIGPIPE);
  if (why != 0) ts_diag("%s", ts_buf_z(&err));
  if (!job->quiet && why == 0)
    ts_diag("%" PRIu64 " call%s, %" PRIu64 " %s", job->run.calls, job->run.calls == 1 ? "" : "s", job->run.errors,
            job->run.routes        ? "not dispatching"
            : job->run.errors == 1 ? "error"
                                   : "errors");
  ts_buf_free(&err);
  return status;
}

static void release(struct job *job) {
  ts_todo_server_close(&job->todo.server);
  ts_handlers_free(&job->handlers);
  ts_policy_free(&job->policy);
  ts_surface_free(&job->surface);
  ts_catalog_free(&job->catalog);
  ts_sources_free(&job->sources);
}

int main(int argc, char **argv) {
  struct job job = { .run = { .jobs = 1, .max_output = 16u << 20, .max_line = TS_LINE_MAX } };
  struct ts_notes notes = { print_note, &job }, remarks = { print_remark, NULL };
  struct ts_buf err = { 0 };
  struct ts_out out;

  ts_standard_descriptors();
  ts_diag_program(program.name);
  int first = ts_opt_parse(&program, argc, argv, set_option, &job);
  check_input(&job, argc - first, argv + first);
  if (job.handlers.count == 0 && !job.todo.server.path) job.run.routes = true;
  job.todo.server.notes = &remarks;
  job.todo.failures = &notes;
  if (job.todo.server.path) ts_dispatch_serve_todo(&job.run.decider, &job.todo);
  ts_out_open(&out, STDOUT_FILENO);
  job.run.out = &out;
  job.run.notes = &notes;
  job.run.decider.catalog = &job.catalog;
  job.run.decider.surface = &job.surface;
  job.run.decider.handlers = &job.handlers;
  job.run.decider.policy = &job.policy;
  if (load(&job, &err) == 0)
    serve(&job, argc - first, argv + first);
  else
    fail(&job, &err);
  int status = finish(&job, &out);
  release(&job);
  ts_buf_free(&err);
  return status;
}
