/* todo-write: replaces the to-do list of a session, durably; one result record a call. */
#include "base/diag.h"
#include "cli/opt.h"
#include "cli/source.h"
#include "dispatch/decide.h"
#include "io/lines.h"
#include "io/out.h"
#include "todo/call.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

enum { OPT_INIT = 256, OPT_CALLS, OPT_DIALECT, OPT_SINGLE, OPT_SESSION_ID, OPT_DRY_RUN, OPT_MAX_LINE, OPT_EXIT_ZERO };

/* An argument text is at most 1 GiB: the event that it becomes has to go out in one write(2), which takes 2 GiB. */
#define TEXT_MAX (1u << 30)

static const struct ts_opt options[] = {
  { 's', 's', "session", "SESSION", "the session log that the list is written to", "FILE" },
  { OPT_INIT, 0, "init", "ID", "create SESSION for the session ID, and read nothing", NULL },
  { OPT_SESSION_ID, 0, "session-id", "ID", "refuse to write unless the log is that of session ID", NULL },
  { OPT_CALLS, 0, "calls", NULL, "standard input is call records, one a line", NULL },
  { OPT_DIALECT, 0, "dialect", "DIALECT", "what a list may say, and how it is answered (dsh)", "dsh|codewhale" },
  { OPT_SINGLE, 0, "single", NULL, "dialect dsh: refuse more than one item in progress", NULL },
  { OPT_DRY_RUN, 0, "dry-run", NULL, "answer, but write nothing to the log", NULL },
  { 'c', 'c', "catalog", "SOURCE", "which names mean todo_write (builtin:codewhale); repeatable", "FILE" },
  { OPT_MAX_LINE, 0, "max-line", "BYTES", "longest call record that is read (256M)", NULL },
  { OPT_EXIT_ZERO, 0, "exit-zero", NULL, "exit 0 where it would be 1", NULL },
  { 'q', 'q', "quiet", NULL, "no summary on standard error", NULL },
  { 0 },
};

static const struct ts_program program = {
  .name = "todo-write",
  .summary = "replace the to-do list of a session",
  .synopsis = "[-s SESSION] [OPTION]...\n--init ID -s SESSION",
  .opt = options,
  .epilog =
      "Reads {\"todos\":[{\"content\":\"...\",\"status\":\"pending\"}, ...]} on standard input, or, with\n"
      "--calls, call records; writes one result record for each call.\n",
};

struct job {
  struct ts_todo_server server;
  const char *init;
  bool calls, exit_zero, quiet, failed;
  uint64_t max_line;
  uint64_t count, errors;
  struct ts_sources sources;
  struct ts_catalog catalog;
  struct ts_surface surface;
  struct ts_out out;
  struct sigaction pipe; /* what SIGPIPE did before */
};

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  switch (key) {
    case 's':
      job->server.path = argument;
      break;
    case 'c':
      ts_sources_add(&job->sources, argument);
      break;
    case 'q':
      job->quiet = true;
      break;
    case OPT_INIT:
      job->init = argument;
      break;
    case OPT_CALLS:
      job->calls = true;
      break;
    case OPT_SINGLE:
      job->server.single = true;
      break;
    case OPT_DRY_RUN:
      job->server.dry_run = true;
      break;
    case OPT_EXIT_ZERO:
      job->exit_zero = true;
      break;
    case OPT_SESSION_ID:
      job->server.session_id = ts_str_z(argument);
      break;
    case OPT_MAX_LINE:
      return ts_opt_size(argument, &job->max_line, err);
    case OPT_DIALECT:
      job->server.dialect = strcmp(argument, "dsh") == 0 ? TS_WRITE_DSH : TS_WRITE_CODEWHALE;
      break;
    default:
      break;
  }
  return 0;
}

static void check_usage(const struct job *job, int argc, char **argv, int first) {
  if (first < argc) ts_opt_usage(&program, "unexpected operand '%s': a session log is named with -s", argv[first]);
  if (job->init && !job->server.path) ts_opt_usage(&program, "--init needs -s SESSION");
  if (job->init && (job->calls || job->server.dry_run)) ts_opt_usage(&program, "--init goes with -s alone");
  if (job->server.single && job->server.dialect != TS_WRITE_DSH)
    ts_opt_usage(&program, "--single belongs to dialect dsh");
}

static void complain(struct job *job, struct ts_buf *err) {
  job->failed = true;
  ts_diag("%s", ts_buf_z(err));
  ts_buf_clear(err);
}

static void print_note(void *context, struct ts_str sentence) {
  (void)context;
  ts_diag("%.*s", TS_FMT(sentence));
}

/* Answering */

/* Writes the result; -1: it could not be, and standard error says what became of the list. */
static int put_result(struct job *job, const struct ts_call_key *key, const struct ts_todo_reply *reply,
                      struct ts_str notice) {
  struct ts_buf record = { 0 };
  job->count++;
  job->errors += reply->is_error;
  ts_todo_result_write(&job->server, key, reply, notice, &record);
  ts_out_add(&job->out, ts_buf_str(&record));
  ts_buf_free(&record);
  if (reply->unusable) job->failed = true;
  if (reply->unusable) ts_diag("%s", ts_buf_z(&reply->content) + strlen(ts_todo_error_prefix(job->server.dialect)));
  if (ts_out_flush(&job->out) == 0) return 0;
  job->failed = true;
  if (reply->replaced)
    ts_diag("the list was replaced, but its result could not be written: %s", strerror(job->out.error));
  else if (job->out.error != EPIPE || job->pipe.sa_handler == SIG_IGN)
    ts_diag("standard output: %s", strerror(job->out.error));
  if (!reply->replaced && job->out.error == EPIPE && job->pipe.sa_handler != SIG_IGN) {
    (void)sigaction(SIGPIPE, &job->pipe, NULL);
    (void)raise(SIGPIPE);
  }
  return -1;
}

static int serve_record(struct job *job, struct ts_json *j, const struct ts_call *record, struct ts_todo_reply *reply) {
  struct ts_route route;
  struct ts_answer notice = { 0 };
  ts_resolve(&job->catalog, &job->surface, record->key.name, &route);
  ts_todo_serve_record(&job->server, &job->catalog, &route, j, record, reply);
  if (!reply->is_error) ts_decide_notice(&route, &notice);
  int result = put_result(job, &record->key, reply, ts_buf_str(&notice.metadata));
  ts_answer_free(&notice);
  return result;
}

static void serve_calls(struct job *job, struct ts_input *in, struct ts_buf *err) {
  static const struct ts_str file = TS_STR("standard input");
  struct ts_call record = { 0 };
  struct ts_todo_reply reply = { 0 };
  struct ts_json json = { 0 };
  struct ts_line line;
  int got;
  while ((got = ts_input_line(in, job->max_line, &line, err)) == 1) {
    if (ts_str_trim(line.text, " \t\r").len == 0) continue;
    int read = line.too_long ? ts_fail(err, "%.*s:%" PRIu64 ": longer than --max-line", TS_FMT(file), line.number)
                             : ts_todo_call_read(&record, &json, file, line.number, line.text, err);
    if (read < 0) complain(job, err);
    if (read == 1 && serve_record(job, &json, &record, &reply) < 0) break;
  }
  if (got < 0) complain(job, err);
  ts_call_free(&record);
  ts_todo_reply_free(&reply);
  ts_json_free(&json);
}

static void serve_text(struct job *job, struct ts_buf *err) {
  struct ts_call_key key = { .name = TS_STR("todo_write") };
  struct ts_todo_reply reply = { 0 };
  struct ts_buf text = { 0 };
  if (ts_todo_text_read(STDIN_FILENO, TEXT_MAX, &text, err) < 0) {
    complain(job, err);
  } else {
    ts_todo_serve(&job->server, &(struct ts_todo_call){ .arguments = ts_buf_str(&text) }, &reply);
    ts_buf_free(&text); /* before the answer needs as much */
    (void)put_result(job, &key, &reply, TS_STR(""));
  }
  ts_buf_free(&text);
  ts_todo_reply_free(&reply);
}

static void serve(struct job *job, struct ts_buf *err) {
  struct ts_input *in = NULL;
  if (!job->calls)
    serve_text(job, err);
  else if (ts_sources_load(&job->sources, TS_SOURCE_CODEWHALE, &job->catalog, err) < 0 ||
           !(in = ts_input_open("-", err)))
    complain(job, err);
  else
    serve_calls(job, in, err);
  ts_input_close(in);
}

static int finish(struct job *job, struct ts_buf *err) {
  bool told = job->out.error != 0;
  if (ts_out_close(&job->out, err) < 0 && !told) complain(job, err);
  if (job->calls && !job->quiet && !job->failed)
    ts_diag("%" PRIu64 " call%s, %" PRIu64 " error%s", job->count, job->count == 1 ? "" : "s", job->errors,
            job->errors == 1 ? "" : "s");
  if (job->failed) return TS_EXIT_FAILED;
  return job->errors > 0 && !job->exit_zero ? TS_EXIT_FINDINGS : TS_EXIT_OK;
}

/* A write that goes too far, or to nobody, is an error to be told, not a signal. */
static void mind_signals(struct job *job) {
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  (void)sigaction(SIGXFSZ, &ignore, NULL);
  (void)sigaction(SIGPIPE, &ignore, &job->pipe);
}

int main(int argc, char **argv) {
  struct job job = { .max_line = TS_LINE_MAX };
  struct ts_notes notes = { print_note, NULL };
  struct ts_buf err = { 0 };

  ts_standard_descriptors();
  ts_diag_program(program.name);
  check_usage(&job, argc, argv, ts_opt_parse(&program, argc, argv, set_option, &job));
  mind_signals(&job);
  job.server.notes = &notes;
  ts_out_open(&job.out, STDOUT_FILENO);
  if (!job.init)
    serve(&job, &err);
  else if (ts_todo_log_create(job.server.path, ts_str_z(job.init), &err) < 0)
    complain(&job, &err);
  int status = finish(&job, &err);
  ts_todo_server_close(&job.server);
  ts_catalog_free(&job.catalog);
  ts_sources_free(&job.sources);
  ts_buf_free(&err);
  return status;
}
