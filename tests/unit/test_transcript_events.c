/* Every format's records as events: tests/data/transcripts/NAME and what comes out of it, NAME.events. */
#include "unit/events.h"
#include "unit/tap.h"

static const struct {
  const char *file, *format;
} rows[] = {
  { "claude-code.jsonl", "claude-code" },
  { "claude-code-agents.jsonl", "claude-code" },
  { "claude-code-wedges.jsonl", "claude-code" },
  { "claude-code-stream.jsonl", "claude-code" },
  { "codex.jsonl", "codex" },
  { "codex-old.jsonl", "codex" },
  { "dsh.jsonl", "dsh" },
  { "openai-messages.jsonl", "openai" },
  { "openai-conversations.jsonl", "openai" },
  { "openai-tau.json", "openai" },
  { "openai-swe.json", "openai" },
  { "anthropic.json", "anthropic" },
  { "anthropic-messages.jsonl", "anthropic" },
  { "anthropic-requests.jsonl", "anthropic" },
  { "anthropic-lists.jsonl", "anthropic" },
  { "codewhale-session.json", "codewhale-session" },
  { "codewhale-events.jsonl", "codewhale-events" },
  { "codewhale-exec.jsonl", "codewhale-exec" },
  { "gemini.jsonl", "gemini" },
  { "gemini-set.jsonl", "gemini" },
  { "gemini.json", "gemini" },
  { "pi.jsonl", "pi" },
  { "mcp.jsonl", "mcp" },
  { "neutral.jsonl", "neutral" },
};

static void read_file(const char *path, struct ts_buf *out) {
  struct ts_buf err = { 0 };
  struct ts_input *in = ts_input_open(path, &err);
  ts_buf_clear(out);
  OK(in && ts_input_all(in, 1 << 20, out, &err) == 0, "%s is read", path);
  ts_input_close(in);
  ts_buf_free(&err);
}

/* The first line where they differ, for people. */
static void say_difference(struct ts_str got, struct ts_str want) {
  size_t at = 0, line = 0;
  while (at < got.len && at < want.len && got.ptr[at] == want.ptr[at])
    if (got.ptr[at++] == '\n') line = at;
  const char *got_end = memchr(got.ptr + at, '\n', got.len - at),
             *want_end = memchr(want.ptr + at, '\n', want.len - at);
  tap_show("   got", ts_str(got.ptr + line, (size_t)((got_end ? got_end : got.ptr + got.len) - got.ptr) - line));
  tap_show("wanted", ts_str(want.ptr + line, (size_t)((want_end ? want_end : want.ptr + want.len) - want.ptr) - line));
}

/* Once the format has to be found out, once it is told. */
static void fixture(size_t i, bool told) {
  struct ts_buf path = { 0 }, text = { 0 }, want = { 0 }, got = { 0 };
  struct ts_read_options options = { .format = told ? ts_format_find(ts_str_z(rows[i].format)) : NULL };
  ts_buf_addf(&path, "tests/data/transcripts/%s", rows[i].file);
  read_file(ts_buf_z(&path), &text);
  ts_buf_addz(&path, ".events");
  read_file(ts_buf_z(&path), &want);
  struct ts_input *in = ts_input_memory(ts_buf_str(&text));
  show_transcript(in, &options, &got);
  if (!OK(ts_str_eq(ts_buf_str(&got), ts_buf_str(&want)), "%s: the events%s", rows[i].file,
          told ? ", told the format" : ""))
    say_difference(ts_buf_str(&got), ts_buf_str(&want));
  ts_input_close(in);
  ts_buf_free(&path);
  ts_buf_free(&text);
  ts_buf_free(&want);
  ts_buf_free(&got);
}

/* The table of formats has a fixture for every row. */
static void formats(void) {
  const struct ts_format *f;
  for (size_t i = 0; (f = ts_format_at(i)); i++) {
    size_t row = 0;
    while (row < TS_COUNT(rows) && strcmp(rows[row].format, ts_format_name(f)) != 0) row++;
    OK(row < TS_COUNT(rows), "%s has a fixture", ts_format_name(f));
    OK(ts_format_find(ts_str_z(ts_format_name(f))) == f, "%s is found by its name", ts_format_name(f));
  }
  OK(ts_format_find(TS_STR("clod-code")) == NULL, "no such format");
  OK(ts_format_find(TS_STR("")) == NULL, "no name, no format");
}

static int ignore(void *context, const struct ts_event *e) {
  (void)context;
  (void)e;
  return 0;
}

/* Formats that read the calls of another one's files, and so are no wrong ones. */
static bool reads_too(const char *file, const char *format) {
  static const struct {
    const char *file, *format;
  } pairs[] = { { "openai-", "anthropic" },
                { "anthropic", "openai" },
                { "anthropic.json", "codewhale-session" },
                { "anthropic-requests", "codewhale-session" },
                { "claude-code-stream", "neutral" }, /* its last record is a result */
                { "openai-messages", "neutral" },
                { "codewhale-session", "openai" },
                { "codewhale-session", "anthropic" } };
  for (size_t i = 0; i < TS_COUNT(pairs); i++)
    if (ts_str_starts(ts_str_z(file), ts_str_z(pairs[i].file)) && strcmp(format, pairs[i].format) == 0) return true;
  return false;
}

/* Every fixture, read as every format: what it is not says so, and what it looks like. */
static void wrong_formats(void) {
  const struct ts_format *f;
  for (size_t i = 0; i < TS_COUNT(rows) * 12 && (f = ts_format_at(i % 12)); i++) {
    const char *file = rows[i / 12].file, *own = rows[i / 12].format, *name = ts_format_name(f);
    struct ts_buf path = { 0 }, err = { 0 }, want = { 0 };
    struct ts_read_options options = { .format = f };
    struct ts_read_stats stats;
    ts_buf_addf(&path, "tests/data/transcripts/%s", file);
    ts_buf_addf(&want, "%s: no record of format %s (it looks like %s)", file, name, own);
    struct ts_input *in = ts_input_open(ts_buf_z(&path), &err);
    int status = ts_transcript_read(in, ts_str_z(file), &options, ignore, NULL, &stats, &err);
    if (strcmp(name, own) == 0 || reads_too(file, name))
      OK(status == 1 && stats.format == f, "%s is read as %s", file, name);
    else
      OK(status == 0 && !stats.format && ts_str_eq(ts_buf_str(&err), ts_buf_str(&want)), "%s is not %s", file, name);
    ts_input_close(in);
    ts_buf_free(&path);
    ts_buf_free(&err);
    ts_buf_free(&want);
  }
  OK(ts_format_at(11) && !ts_format_at(12), "there are twelve formats");
}

int main(void) {
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    fixture(i, false);
    fixture(i, true);
  }
  formats();
  wrong_formats();
  return tap_done();
}
