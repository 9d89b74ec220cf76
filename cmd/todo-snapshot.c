/* todo-snapshot: renders the current to-do list of a session, within bounds. */
#include "base/diag.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "cli/opt.h"
#include "cli/source.h"
#include "io/out.h"
#include "todo/input.h"
#include "todo/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum {
  OPT_DIALECT = 256,
  OPT_FRAME,
  OPT_TAG,
  OPT_JSON,
  OPT_MAX_ITEMS,
  OPT_MAX_CHARS,
  OPT_MAX_ITEM_CHARS,
  OPT_AGENT,
  OPT_AGENTS,
  OPT_AT,
  OPT_STANDING,
  OPT_PLAN,
  OPT_GRAPH,
  OPT_FROM,
  OPT_MAX_LINE,
};

static const struct ts_opt options[] = {
  { 0, 0, NULL, NULL, "What it looks like", NULL },
  { OPT_DIALECT, 0, "dialect", "DIALECT", "how items are made safe (strict)", "strict|codewhale" },
  { OPT_FRAME, 0, "frame", "FRAME", "what stands around the list (body)", "body|fork-state|relay|card" },
  { OPT_TAG, 0, "tag", "NAME", "guard this tag name too; repeatable", NULL },
  { OPT_JSON, 0, "json", NULL, "the rendering and the raw list as JSON", NULL },
  { OPT_MAX_ITEMS, 0, "max-items", "N", "at most N rows (24)", NULL },
  { OPT_MAX_CHARS, 0, "max-chars", "N", "at most N characters (2000)", NULL },
  { OPT_MAX_ITEM_CHARS, 0, "max-item-chars", "N", "at most N characters of an item's text (160)", NULL },
  { 0, 0, NULL, NULL, "Which list", NULL },
  { OPT_AGENT, 0, "agent", "ID", "the list of this agent or session (that of the top level)", NULL },
  { OPT_AGENTS, 0, "agents", NULL, "say whose lists there are, one record a line", NULL },
  { OPT_AT, 0, "at", "N", "as of line N of the input", NULL },
  { OPT_STANDING, 0, "standing", NULL, "session logs: a new turn clears the list", NULL },
  { OPT_PLAN, 0, "plan", NULL, "update_plan counts as a to-do list too", NULL },
  { OPT_GRAPH, 0, "graph", "FILE", "a work graph, which is right about the list it owns", "FILE" },
  { 0, 0, NULL, NULL, "Other", NULL },
  { OPT_FROM, 0, "from", "FORMAT", "the transcript's format (detected)", NULL },
  { 'c', 'c', "catalog", "SOURCE", "which names mean todo_write (builtin:codewhale); repeatable", "FILE" },
  { OPT_MAX_LINE, 0, "max-line", "BYTES", "longest line that is read (256M)", NULL },
  { 'q', 'q', "quiet", NULL, "no remarks about lines that were not used", NULL },
  { 0 },
};

static const struct ts_program program = {
  .name = "todo-snapshot",
  .summary = "render a to-do list within bounds",
  .synopsis = "[OPTION]... [FILE]",
  .opt = options,
  .epilog =
      "FILE is a session log, a transcript, a bare list or a snapshot. An empty list prints nothing.\n"
      "The list is bounded and framed; what an item says is not vetted.\n",
};

struct job {
  struct ts_todo_query query;
  struct ts_todo_view view;
  struct ts_sources sources;
  struct ts_catalog catalog;
  const char *graph;
  struct ts_todo_tag *tag; /* owned */
  size_t tag_cap;
  bool quiet, json;
};

/* Indexed as the words in the option table. */
static const char *const frames[] = {
  [TS_FRAME_BODY] = "body", [TS_FRAME_FORK_STATE] = "fork-state", [TS_FRAME_RELAY] = "relay", [TS_FRAME_CARD] = "card"
};

static int set_frame(struct job *job, const char *word) {
  for (size_t i = 0; i < TS_COUNT(frames); i++)
    if (strcmp(frames[i], word) == 0) job->view.frame = (enum ts_todo_frame)i;
  return 0;
}

static int add_tag(struct job *job, const char *name, struct ts_buf *err) {
  struct ts_str tag = ts_str_z(name);
  if (tag.len == 0 || ts_utf8_valid(tag) < tag.len) return ts_fail(err, "'%s' is no tag name", name);
  ts_xgrow(&job->tag, &job->tag_cap, job->view.tag_count + 1, sizeof *job->tag);
  job->tag[job->view.tag_count++] = (struct ts_todo_tag){ tag, false };
  job->view.tag = job->tag;
  return 0;
}

static int set_format(struct job *job, const char *name, struct ts_buf *err) {
  struct ts_buf known = { 0 };
  job->query.format = ts_format_find(ts_str_z(name));
  if (job->query.format) return 0;
  for (size_t i = 0; ts_format_at(i); i++) ts_buf_addf(&known, "%s%s", i ? ", " : "", ts_format_name(ts_format_at(i)));
  (void)ts_fail(err, "unknown format '%s': known are %s", name, ts_buf_z(&known));
  ts_buf_free(&known);
  return -1;
}

static int set_bound(const char *argument, size_t *bound, struct ts_buf *err) {
  uint64_t n;
  if (ts_opt_number(argument, 1, UINT32_MAX, &n, err) < 0) return -1;
  *bound = (size_t)n;
  return 0;
}

static int set_option(void *context, int key, const char *argument, struct ts_buf *err) {
  struct job *job = context;
  switch (key) {
    case OPT_DIALECT:
      job->view.dialect = *argument == 's' ? &ts_todo_strict : &ts_todo_codewhale;
      return 0;
    case OPT_FRAME:
      return set_frame(job, argument);
    case OPT_TAG:
      return add_tag(job, argument, err);
    case OPT_JSON:
      job->json = true;
      return 0;
    case OPT_MAX_ITEMS:
      return set_bound(argument, &job->view.max_items, err);
    case OPT_MAX_CHARS:
      return set_bound(argument, &job->view.max_chars, err);
    case OPT_MAX_ITEM_CHARS:
      return set_bound(argument, &job->view.max_item_chars, err);
    case OPT_AGENT:
      job->query.agent = ts_str_z(argument);
      return 0;
    case OPT_AGENTS:
      job->query.agents = true;
      return 0;
    case OPT_AT:
      return ts_opt_number(argument, 1, UINT64_MAX, &job->query.at, err);
    case OPT_STANDING:
      job->query.standing = true;
      return 0;
    case OPT_PLAN:
      job->query.plan = true;
      return 0;
    case OPT_GRAPH:
      job->graph = argument;
      return 0;
    case OPT_FROM:
      return set_format(job, argument, err);
    case OPT_MAX_LINE:
      return ts_opt_size(argument, &job->query.max_line, err);
    case 'c':
      ts_sources_add(&job->sources, argument);
      return 0;
    default:
      job->quiet = true;
      return 0;
  }
}

static void check_usage(struct job *job, int operands) {
  if (operands > 1) ts_opt_usage(&program, "more than one file");
  if (job->json && job->view.frame != TS_FRAME_BODY) ts_opt_usage(&program, "--json has no frame");
  if (job->json) job->view.frame = TS_FRAME_JSON;
}

static void print_note(void *context, struct ts_str sentence) {
  const struct job *job = context;
  if (!job->quiet) ts_diag("%.*s", TS_FMT(sentence));
}

/* Finds the list. */
static int load(struct job *job, const char *path, struct ts_todo_found *found, struct ts_buf *err) {
  enum ts_todo_input_kind kind;
  struct ts_input *in = ts_input_open(path, err);
  int result = in ? ts_todo_input_kind(in, &job->query, &kind, err) : -1;
  if (result == 0 && kind == TS_TODO_TRANSCRIPT) {
    result = ts_sources_load(&job->sources, TS_SOURCE_CODEWHALE, &job->catalog, err) < 0 ? -1 : 0;
    job->query.catalog = &job->catalog;
  }
  if (result == 0) result = ts_todo_input_read(in, kind, &job->query, found, err);
  ts_input_close(in);
  return result;
}

/* The list of the graph, if it owns this one. What can't be read is told, and never empties the list. */
static void apply_graph(const struct job *job, struct ts_todo_found *found) {
  struct ts_buf text = { 0 }, err = { 0 };
  struct ts_input *in = ts_input_open(job->graph, &err);
  bool read = in && ts_input_all(in, UINT32_MAX, &text, &err) == 0;
  if (!read || ts_todo_graph_apply(ts_str_z(job->graph), ts_buf_str(&text), found, &err) < 0)
    ts_diag("%s; the list itself is shown", ts_buf_z(&err));
  ts_input_close(in);
  ts_buf_free(&text);
  ts_buf_free(&err);
}

static int render(const struct job *job, const struct ts_todo_found *found, struct ts_buf *text, struct ts_buf *err) {
  struct ts_buf why = { 0 };
  int result = ts_todo_render(&job->view, &found->list, text, &why);
  if (result < 0) (void)ts_fail(err, "--max-chars: %s", ts_buf_z(&why));
  ts_buf_free(&why);
  return result;
}

static int finish(struct ts_out *out, struct ts_buf *err) {
  if (ts_out_close(out, err) == 0) return TS_EXIT_OK;
  if (out->error == EPIPE) (void)raise(SIGPIPE);
  ts_diag("%s", ts_buf_z(err));
  return TS_EXIT_FAILED;
}

int main(int argc, char **argv) {
  struct job job = { .query = { .max_line = TS_LINE_MAX },
                     .view = { .dialect = &ts_todo_strict,
                               .max_items = TS_TODO_MAX_ITEMS,
                               .max_chars = TS_TODO_MAX_CHARS,
                               .max_item_chars = TS_TODO_MAX_ITEM_CHARS } };
  struct ts_notes notes = { print_note, &job };
  struct ts_todo_found found = { 0 };
  struct ts_buf text = { 0 }, err = { 0 };
  struct ts_out out;

  ts_standard_descriptors();
  ts_diag_program(program.name);
  int first = ts_opt_parse(&program, argc, argv, set_option, &job);
  check_usage(&job, argc - first);
  const char *path = first < argc ? argv[first] : "-";
  job.query.file = ts_str_z(strcmp(path, "-") == 0 ? "standard input" : path);
  job.query.notes = &notes;
  ts_out_open(&out, STDOUT_FILENO);

  int result = load(&job, path, &found, &err);
  if (result == 0 && job.graph && !job.query.agents) apply_graph(&job, &found);
  if (result == 0 && !job.query.agents) result = render(&job, &found, &text, &err);
  if (result < 0) ts_diag("%s", ts_buf_z(&err));
  ts_out_add(&out, ts_buf_str(job.query.agents ? &found.agents : &text));
  int status = finish(&out, &err);

  ts_todo_found_free(&found);
  ts_catalog_free(&job.catalog);
  ts_sources_free(&job.sources);
  free(job.tag);
  ts_buf_free(&text);
  ts_buf_free(&err);
  return result < 0 ? TS_EXIT_FAILED : status;
}
