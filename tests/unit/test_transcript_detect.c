/* Which format it is: by the first value, by the lines, and what is not enough. */
#include "unit/events.h"
#include "unit/tap.h"

static int ignore(void *context, const struct ts_event *e) {
  (void)context;
  (void)e;
  return 0;
}

static void check(const char *what, struct ts_str text, const char *want) {
  struct ts_input *in = ts_input_memory(text);
  const struct ts_read_options options = { 0 };
  struct ts_read_stats stats;
  struct ts_buf err = { 0 };
  int status = ts_transcript_read(in, TS_STR("file"), &options, ignore, NULL, &stats, &err);
  IS_Z(status > 0 ? ts_format_name(stats.format) : "none", want, "%s", what);
  ts_input_close(in);
  ts_buf_free(&err);
}

static const struct {
  const char *text, *want;
} lines[] = {
  { "{\"schema\":\"codewhale.exec-stream\",\"type\":\"content\"}", "codewhale-exec" },
  { "{\"seq\":1,\"thread_id\":\"t\",\"event\":\"x\",\"payload\":{}}", "codewhale-events" },
  { "{\"type\":\"session_meta\",\"payload\":{}}", "codex" },
  { "{\"type\":\"response_item\",\"payload\":{}}", "codex" },
  { "{\"type\":\"event_msg\",\"payload\":{}}", "codex" },
  { "{\"type\":\"turn_context\",\"payload\":{}}", "codex" },
  { "{\"type\":\"compacted\",\"payload\":{}}", "codex" },
  { "{\"type\":\"compacted\",\"payload\":\"no object\"}", "none" },
  { "{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"createdAt\":1}", "dsh" },
  { "{\"type\":\"session\",\"version\":3,\"timestamp\":\"t\"}", "pi" },
  { "{\"type\":\"session\",\"version\":1}", "pi" },
  { "{\"type\":\"session\"}", "none" },
  { "{\"type\":\"turn/start\",\"data\":{}}", "dsh" },
  { "{\"type\":\"text-chunks\",\"data\":{}}", "dsh" },
  { "{\"type\":\"turn/start\"}", "none" },
  { "{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,\"message\":{\"role\":\"user\"}}", "pi" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "mcp" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{}}}", "mcp" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}", "mcp" },
  { "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}]", "mcp" },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"textDocument/hover\"}", "none" },
  { "{\"$set\":{}}", "gemini" },
  { "{\"$rewindTo\":\"a\"}", "gemini" },
  { "{\"sessionId\":\"a\",\"projectHash\":\"b\"}", "gemini" },
  { "{\"record_type\":\"state\"}", "codex" },
  { "{\"type\":\"function_call\",\"name\":\"a\",\"arguments\":\"{}\",\"call_id\":\"1\"}", "codex" },
  { "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"x\"}]}", "codex" },
  { "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}", "anthropic" },
  { "{\"type\":\"user\",\"message\":{\"role\":\"user\"}}", "claude-code" },
  { "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}", "claude-code" },
  { "{\"type\":\"mode\",\"sessionId\":\"s\"}", "claude-code" },
  { "{\"type\":\"anything\",\"uuid\":\"u\"}", "claude-code" },
  { "{\"type\":\"file-history-snapshot\",\"messageId\":\"m\",\"snapshot\":{}}", "claude-code" },
  { "{\"type\":\"user\",\"message\":\"text\"}", "none" },
  { "{\"role\":\"user\",\"content\":\"x\"}", "openai" },
  { "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]}", "anthropic" },
  { "{\"messages\":[]}", "openai" },
  { "{\"type\":\"call\",\"name\":\"a\"}", "neutral" },
  { "{\"type\":\"result\",\"id\":\"1\"}", "neutral" },
  { "{\"type\":\"route\",\"name\":\"a\"}", "neutral" },
  { "{\"type\":\"message\",\"source\":{\"format\":\"dsh\"}}", "neutral" },
  { "{\"type\":\"message\",\"source\":{}}", "none" },
  { "{\"id\":\"1\",\"timestamp\":\"t\",\"instructions\":null}", "none" },
  { "[]", "none" },
  { "{}", "none" },
  { "null", "none" },
};

static const struct {
  const char *what, *text, *want;
} files[] = {
  { "the first line that tells something tells it",
    "{\"type\":\"x\"}\nnot JSON\n\n[1]\n{\"type\":\"a/b\",\"data\":{}}\n", "dsh" },
  { "the first rule wins on one line", "{\"schema\":\"codewhale.exec-stream\",\"role\":\"user\",\"uuid\":\"u\"}\n",
    "codewhale-exec" },
  { "messages wait for a block",
    "{\"role\":\"user\",\"content\":\"x\"}\n{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}\n",
    "anthropic" },
  { "messages without one", "{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}\n{\"role\":\"tool\"}\n", "openai" },
  { "a block in a conversation",
    "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n"
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]}]}\n",
    "anthropic" },
  { "a schema in the tools",
    "{\"tools\":[{\"name\":\"a\",\"input_schema\":{}}],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n"
    "{\"messages\":[]}\n",
    "anthropic" },
  { "glued records", "{\"type\":\"a/b\",\"data\":{}}{\"type\":\"a/b\",\"data\":{}}", "dsh" },
  { "a document: history with roles", "{\"history\":[{\"role\":\"user\"}],\"messages\":[],\"sessionId\":\"s\"}",
    "openai" },
  { "a document: trajectories", "[\n{\"traj\":[{\"role\":\"user\"}]}\n]", "openai" },
  { "a document: messages and sessionId", "{\n\"messages\":[],\n\"sessionId\":\"s\"}", "gemini" },
  { "a document: messages and projectHash", "{\"projectHash\":\"p\",\"messages\":[{\"role\":\"x\"}]}", "gemini" },
  { "a document: messages, metadata, schema_version", "{\"schema_version\":1,\"metadata\":{},\"messages\":[]}",
    "codewhale-session" },
  { "a document: messages, metadata, journal", "{\"metadata\":{},\"messages\":[],\"journal\":[]}",
    "codewhale-session" },
  { "a document: messages and metadata", "{\"metadata\":{},\"messages\":[{\"role\":\"user\"}]}", "openai" },
  { "a document: a list of messages", "[{\"role\":\"user\",\"content\":\"x\"}]", "openai" },
  { "a document: with a block", "[{\"role\":\"user\"},\n{\"role\":\"user\",\"content\":[{\"type\":\"tool_use\"}]}]",
    "anthropic" },
  { "a document: a list of conversations",
    "[{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_use\"}]}]}]", "anthropic" },
  { "a document: with a schema", "{\"messages\":[{\"role\":\"user\"}],\n\"tools\":[{\"input_schema\":{}}]}",
    "anthropic" },
  { "a document that is one record", "{\n\"type\":\"a/b\",\n\"data\":{}\n}", "dsh" },
  { "a document that is a list of records", "[\n{\"type\":\"a/b\",\"data\":{}},\n{\"type\":\"a/b\",\"data\":{}}\n]",
    "dsh" },
  { "a document of something else", "{\n\"name\":\"x\"\n}", "none" },
  { "messages that are no list", "{\"messages\":3}", "none" },
  { "messages without roles", "{\n\"messages\":[{\"text\":\"x\"}]}", "none" },
};

/* A message a line: the first block comes late, but not too late. */
static void late_block(size_t before, const char *want) {
  struct ts_buf text = { 0 };
  for (size_t i = 0; i < before; i++) ts_buf_addz(&text, "{\"role\":\"user\",\"content\":\"x\"}\n");
  ts_buf_addz(&text, "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}\n");
  char what[64];
  (void)snprintf(what, sizeof what, "a block after %zu lines", before);
  check(what, ts_buf_str(&text), want);
  ts_buf_free(&text);
}

/* A first line of 9 MB, and one of any length when lines are capped. */
static void long_first_line(void) {
  struct ts_buf text = { 0 };
  ts_buf_addz(&text, "{\"type\":\"x\",\"text\":\"");
  for (int i = 0; i < 900000; i++) ts_buf_addz(&text, "0123456789");
  ts_buf_addz(&text, "\"}\n{\"type\":\"a/b\",\"data\":{}}\n");
  check("behind a line of 9 MB", ts_buf_str(&text), "dsh");
  struct ts_input *in = ts_input_memory(ts_str_sub(ts_buf_str(&text), 4000000, SIZE_MAX));
  const struct ts_read_options options = { .max_line = 1000 };
  struct ts_read_stats stats;
  struct ts_buf err = { 0 };
  IS_INT(ts_transcript_read(in, TS_STR("file"), &options, ignore, NULL, &stats, &err), 1,
         "behind a line above the cap");
  IS_U64(stats.bad_lines, 1, "which is bad");
  ts_input_close(in);
  ts_buf_free(&err);
  ts_buf_free(&text);
}

int main(void) {
  for (size_t i = 0; i < TS_COUNT(lines); i++) check(lines[i].text, ts_str_z(lines[i].text), lines[i].want);
  for (size_t i = 0; i < TS_COUNT(files); i++) check(files[i].what, ts_str_z(files[i].text), files[i].want);
  late_block(0, "anthropic");
  late_block(199, "anthropic");
  late_block(200, "openai");
  long_first_line();
  return tap_done();
}
