/* A transcript as neutral records: what is written of each event, and that reading it gives the same events. */
#include "json/write.h"
#include "transcript/neutral.h"
#include "unit/events.h"
#include "unit/tap.h"

static const struct {
  struct ts_event e;
  const char *want;
} rows[] = {
  { { .kind = TS_EVENT_CALL, .id = TS_STR("1"), .name = TS_STR("a") },
    "{\"type\":\"call\",\"id\":\"1\",\"name\":\"a\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_CALL,
      .session = TS_STR("s"),
      .agent = TS_STR("g"),
      .id = TS_STR("1"),
      .name = TS_STR("a\0b"),
      .form = TS_ARGUMENTS_JSON,
      .arguments = TS_STR("{\"n\" : 1.0,\n\"b\":12345678901234567890}"),
      .at = TS_STR("17"),
      .turn = TS_STR("t") },
    "{\"type\":\"call\",\"session\":\"s\",\"agent\":\"g\",\"id\":\"1\",\"name\":\"a\\u0000b\",\"arguments\":{\"n\":1.0,"
    "\"b\":"
    "12345678901234567890},\"at\":17,\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"},\"turn\":\"t\"}\n" },
  { { .kind = TS_EVENT_CALL, .form = TS_ARGUMENTS_JSON, .arguments = TS_STR("{\"cut"), .arguments_string = true },
    "{\"type\":\"call\",\"arguments\":\"{\\\"cut\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_CALL, .form = TS_ARGUMENTS_JSON, .arguments = TS_STR("{\"a\":\"\xff\"}") },
    "{\"type\":\"call\",\"arguments\":\"{\\\"a\\\":\\\"\xef\xbf\xbd\\\"}\",\"source\":{\"file\":\"f\",\"line\":3,"
    "\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_SUB_CALL,
      .form = TS_ARGUMENTS_INPUT,
      .arguments = TS_STR("{}"),
      .no_ids = true,
      .self_answered = true,
      .key = TS_STR("k") },
    "{\"type\":\"call\",\"input\":\"{}\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"},\"key\":\"k\","
    "\"sub\":true,"
    "\"no_ids\":true,\"self_answered\":true}\n" },
  { { .kind = TS_EVENT_RESULT,
      .id = TS_STR("1"),
      .content = TS_STR("\"A\\u0041\""),
      .is_error = true,
      .misplaced = true },
    "{\"type\":\"result\",\"id\":\"1\",\"is_error\":true,\"content\":\"A\\u0041\",\"misplaced\":true,\"source\":{"
    "\"file\":\"f\","
    "\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_RESULT, .content = TS_STR("[ {\"type\":\"text\", \"text\":\"one\"} ]") },
    "{\"type\":\"result\",\"is_error\":false,\"content\":\"one\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":"
    "\"dsh\"}}\n" },
  { { .kind = TS_EVENT_RESULT,
      .content = TS_STR("[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"two\"}]") },
    "{\"type\":\"result\",\"is_error\":false,\"content\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\","
    "\"text\":\"two\"}],"
    "\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_RESULT, .content = TS_STR("[{\"type\":\"text\",\"text\":\"x\",\"cache\":1}]") },
    "{\"type\":\"result\",\"is_error\":false,\"content\":[{\"type\":\"text\",\"text\":\"x\",\"cache\":1}],"
    "\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_RESULT, .content = TS_STR("\"\xff\"") },
    "{\"type\":\"result\",\"is_error\":false,\"content\":\"/w==\",\"encoding\":\"base64\","
    "\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_SUB_RESULT },
    "{\"type\":\"result\",\"is_error\":false,\"content\":\"\",\"sub\":true,\"source\":{\"file\":\"f\",\"line\":3,"
    "\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_MESSAGE, .session = TS_STR("s"), .agent = TS_STR("g"), .turn = TS_STR("t"), .at = TS_STR("1") },
    "{\"type\":\"message\",\"session\":\"s\",\"agent\":\"g\",\"at\":1,\"source\":{\"file\":\"f\",\"line\":3,\"format\":"
    "\"dsh\"},"
    "\"turn\":\"t\"}\n" },
  { { .kind = TS_EVENT_WINDOW, .session = TS_STR("s") },
    "{\"type\":\"window\",\"session\":\"s\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_END }, "{\"type\":\"end\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_CATALOG, .tools = TS_STR("[ ]") },
    "{\"type\":\"tools\",\"tools\":[],\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_DISCOVERY, .name = TS_STR("n") },
    "{\"type\":\"discovery\",\"name\":\"n\",\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
  { { .kind = TS_EVENT_TODO, .content = TS_STR("{\"todos\":[]}") },
    "{\"type\":\"todo\",\"data\":{\"todos\":[]},\"source\":{\"file\":\"f\",\"line\":3,\"format\":\"dsh\"}}\n" },
};

static void records(void) {
  struct ts_neutral_writer w = { .file = TS_STR("f"), .format = TS_STR("dsh") };
  struct ts_buf out = { 0 };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_event e = rows[i].e;
    e.line = 3;
    ts_buf_clear(&out);
    ts_neutral_write(&w, &e, &out);
    IS(ts_buf_str(&out), ts_str_z(rows[i].want), "row %zu", i);
  }
  ts_neutral_free(&w);
  ts_buf_free(&out);
}

struct round {
  struct ts_neutral_writer writer;
  struct ts_buf records, events;
};

/* Without white space between tokens, when it is JSON. */
static struct ts_str compact(struct ts_str text, struct ts_buf *into) {
  struct ts_json j = { 0 };
  ts_buf_clear(into);
  if (ts_json_scan(&j, text, &ts_json_span) == 0) ts_json_minify(into, text);
  ts_json_free(&j);
  return into->len > 0 ? ts_buf_str(into) : text;
}

/* What survives: all but the place, white space, and whether arguments that are JSON were a string. */
static void show_lasting(struct ts_buf *out, const struct ts_event *e) {
  struct ts_buf arguments = { 0 }, tools = { 0 };
  struct ts_event lasting = *e;
  lasting.arguments = compact(e->arguments, &arguments);
  lasting.tools = compact(e->tools, &tools);
  lasting.line = lasting.column = 0;
  lasting.arguments_string = false;
  if (e->form == TS_ARGUMENTS_NONE) lasting.arguments = ts_str(NULL, 0);
  lasting.content = e->kind == TS_EVENT_RESULT || e->kind == TS_EVENT_SUB_RESULT ? ts_str(NULL, 0) : e->content;
  show_event(out, &lasting);
  ts_buf_free(&arguments);
  ts_buf_free(&tools);
}

static int write_and_show(void *context, const struct ts_event *e) {
  struct round *r = context;
  ts_neutral_write(&r->writer, e, &r->records);
  show_lasting(&r->events, e);
  return 0;
}

static int only_show(void *context, const struct ts_event *e) {
  show_lasting(context, e);
  return 0;
}

static void round_trip(const char *file) {
  struct ts_buf path = { 0 }, err = { 0 }, again = { 0 };
  struct round r = { .writer = { .file = TS_STR("f"), .format = TS_STR("some") } };
  const struct ts_read_options options = { 0 }, neutral = { .format = ts_format_find(TS_STR("neutral")) };
  struct ts_read_stats stats;
  ts_buf_addf(&path, "tests/data/transcripts/%s", file);
  struct ts_input *in = ts_input_open(ts_buf_z(&path), &err);
  OK(in && ts_transcript_read(in, ts_buf_str(&path), &options, write_and_show, &r, &stats, &err) == 1, "%s: read",
     file);
  ts_input_close(in);
  in = ts_input_memory(ts_buf_str(&r.records));
  OK(ts_transcript_read(in, TS_STR("neutral"), &neutral, only_show, &again, &stats, &err) == 1, "%s: read again", file);
  IS(ts_buf_str(&again), ts_buf_str(&r.events), "%s: the same events", file);
  ts_input_close(in);
  ts_neutral_free(&r.writer);
  ts_buf_free(&r.records);
  ts_buf_free(&r.events);
  ts_buf_free(&path);
  ts_buf_free(&err);
  ts_buf_free(&again);
}

int main(void) {
  static const char *const files[] = {
    "claude-code.jsonl",
    "claude-code-agents.jsonl",
    "claude-code-wedges.jsonl",
    "codex.jsonl",
    "codex-old.jsonl",
    "dsh.jsonl",
    "openai-messages.jsonl",
    "openai-conversations.jsonl",
    "openai-tau.json",
    "anthropic.json",
    "anthropic-requests.jsonl",
    "codewhale-session.json",
    "codewhale-exec.jsonl",
    "codewhale-events.jsonl",
    "gemini.jsonl",
    "pi.jsonl",
    "mcp.jsonl",
  };
  records();
  for (size_t i = 0; i < TS_COUNT(files); i++) round_trip(files[i]);
  return tap_done();
}
