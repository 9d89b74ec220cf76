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

int main(void) {
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    fixture(i, false);
    fixture(i, true);
  }
  formats();
  return tap_done();
}
