/* Messages as the chat APIs take them: formats openai and anthropic. A file holds one message a line, or one
 * conversation or request a line, or is a document: a conversation, a list of messages, or a list of
 * conversations. Both dialects of messages are understood whichever name the format goes by: the name comes from
 * what the beginning of the file showed. */
#include "transcript/blocks.h"
#include "transcript/walk.h"

enum { N_NAME, N_ARGUMENTS, N_INPUT, N_COUNT };
static const struct ts_json_want function_wants[] = {
  { TS_STR("name"), &ts_json_span },
  { TS_STR("arguments"), &ts_json_span },
  { TS_STR("input"), &ts_json_span },
};
static const struct ts_json_shape function = { function_wants, N_COUNT, NULL };
enum { C_ID, C_FUNCTION, C_CUSTOM, C_COUNT };
static const struct ts_json_want call_wants[] = {
  { TS_STR("id"), &ts_json_span },
  { TS_STR("function"), &function },
  { TS_STR("custom"), &function },
};
static const struct ts_json_shape call = { call_wants, C_COUNT, NULL };
static const struct ts_json_shape calls = { NULL, 0, &call };
static const struct ts_json_shape ids = { NULL, 0, &ts_json_span };

/* Of a message, and of the object that may stand in its place: a conversation. */
enum {
  F_ROLE,
  F_CONTENT,
  F_TOOL_CALLS,
  F_FUNCTION_CALL,
  F_TOOL_CALL_ID,
  F_TOOL_CALL_IDS,
  F_NAME,
  F_ID,
  F_MESSAGE_COUNT,
  F_TOOLS = F_MESSAGE_COUNT,
  F_FUNCTIONS,
  F_MESSAGES,
  F_HISTORY,
  F_TRAJ,
  F_COUNT
};
/* clang-format off */
#define MESSAGE_WANTS                                                                   \
  { TS_STR("role"), &ts_json_span }, { TS_STR("content"), &ts_blocks_shape },           \
  { TS_STR("tool_calls"), &calls }, { TS_STR("function_call"), &function },             \
  { TS_STR("tool_call_id"), &ts_json_span }, { TS_STR("tool_call_ids"), &ids },         \
  { TS_STR("name"), &ts_json_span }, { TS_STR("id"), &ts_json_span }
/* clang-format on */
static const struct ts_json_want message_wants[] = { MESSAGE_WANTS };
static const struct ts_json_shape message = { message_wants, F_MESSAGE_COUNT, NULL };
static const struct ts_json_want record_wants[] = {
  MESSAGE_WANTS,
  { TS_STR("tools"), &ts_json_span },
  { TS_STR("functions"), &ts_json_span },
  { TS_STR("messages"), &ts_json_span },
  { TS_STR("history"), &ts_json_span },
  { TS_STR("traj"), &ts_json_span },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct chat {
  enum { NOTHING, MESSAGES, CONVERSATION } last; /* what was read last, at the top of the file */
  bool has_conversations;
  unsigned long long turns; /* assistant messages so far: what a turn is named by when its message has no id */
  struct ts_buf turn;
  struct ts_wedge wedge;
};

static struct ts_str begin_turn(struct ts_reader *r, uint32_t id) {
  struct chat *c = r->state;
  ts_buf_clear(&c->turn);
  ts_buf_addf(&c->turn, "%llu", ++c->turns);
  return ts_has_text(&r->json, id) ? ts_slot_text(r, id, TS_SLOT_TURN) : ts_buf_str(&c->turn);
}

static void emit_call(struct ts_reader *r, struct ts_event e, uint32_t at, uint32_t id, const uint32_t n[N_COUNT]) {
  e.kind = TS_EVENT_CALL;
  e.id = ts_slot_text(r, id, TS_SLOT_ID);
  e.name = ts_slot_text(r, n[N_NAME], TS_SLOT_NAME);
  ts_arguments(r, n[N_ARGUMENTS], &e);
  if (n[N_INPUT]) {
    ts_arguments(r, n[N_INPUT], &e);
    e.form = TS_ARGUMENTS_INPUT;
  }
  ts_emit_part(r, &e, at);
}

static void take_calls(struct ts_reader *r, const uint32_t *f, struct ts_event e) {
  const struct ts_json *j = &r->json;
  uint32_t c[C_COUNT], n[N_COUNT];
  for (uint32_t at = f[F_TOOL_CALLS] ? ts_json_first(j, f[F_TOOL_CALLS]) : 0; at;
       at = ts_json_after(j, f[F_TOOL_CALLS], at)) {
    ts_json_fields(j, at, &call, c);
    ts_json_fields(j, c[C_FUNCTION] ? c[C_FUNCTION] : c[C_CUSTOM], &function, n);
    emit_call(r, e, at, c[C_ID], n);
  }
  ts_json_fields(j, f[F_FUNCTION_CALL], &function, n);
  e.no_ids = true;
  if (ts_json_is(j, f[F_FUNCTION_CALL], TS_JSON_OBJECT)) emit_call(r, e, f[F_FUNCTION_CALL], 0, n);
}

static void emit_result(struct ts_reader *r, const uint32_t *f, uint32_t id, bool no_ids) {
  struct ts_event e = { .kind = TS_EVENT_RESULT, .no_ids = no_ids };
  e.id = ts_slot_text(r, id, TS_SLOT_ID);
  e.name = ts_slot_text(r, f[F_NAME], TS_SLOT_NAME);
  e.content = ts_raw(&r->json, f[F_CONTENT]);
  ts_emit(r, &e);
}

static void take_tool(struct ts_reader *r, const uint32_t *f) {
  const struct ts_json *j = &r->json;
  bool list = !f[F_TOOL_CALL_ID] && ts_json_is(j, f[F_TOOL_CALL_IDS], TS_JSON_ARRAY);
  if (!list) emit_result(r, f, f[F_TOOL_CALL_ID], false);
  for (uint32_t at = list ? ts_json_first(j, f[F_TOOL_CALL_IDS]) : 0; at; at = ts_json_after(j, f[F_TOOL_CALL_IDS], at))
    emit_result(r, f, at, false);
}

static void take_message(struct ts_reader *r) {
  enum { ASSISTANT, USER, TOOL, FUNCTION };
  static const struct ts_str roles[] = { TS_STR("assistant"), TS_STR("user"), TS_STR("tool"), TS_STR("function"),
                                         TS_STR("") };
  struct chat *c = r->state;
  struct ts_event like = { 0 };
  uint32_t f[F_MESSAGE_COUNT];
  ts_json_root_fields(&r->json, &message, f);
  switch (ts_word(&r->json, f[F_ROLE], roles)) {
    case ASSISTANT:
      like.turn = begin_turn(r, f[F_ID]);
      ts_blocks_assistant(r, f[F_CONTENT], &like, &c->wedge);
      take_calls(r, f, (struct ts_event){ .turn = like.turn });
      break;
    case USER:
      ts_blocks_user(r, f[F_CONTENT], &like, &c->wedge);
      break;
    case TOOL:
      take_tool(r, f);
      break;
    case FUNCTION:
      emit_result(r, f, 0, true);
      break;
    default: /* system, developer, … */
      if (ts_has_text(&r->json, f[F_ROLE])) ts_emit_message(r, &like);
  }
}

/* The conversation before this one, if any, is over. */
static void begin_conversation(struct ts_reader *r) {
  struct chat *c = r->state;
  struct ts_event e = { .kind = TS_EVENT_END };
  if (c->last != NOTHING) ts_emit(r, &e);
  c->last = CONVERSATION;
  c->has_conversations = true;
  c->wedge = (struct ts_wedge){ false, false };
}

static void take_tools(struct ts_reader *r, size_t i, struct ts_str raw) {
  (void)i;
  struct ts_event e = { .kind = TS_EVENT_CATALOG, .tools = raw };
  if (raw.ptr[0] == '[') ts_emit(r, &e);
}

/* A list in the place of a record: a conversation, when there is a message in it. */
static void take_list(struct ts_reader *r) {
  struct ts_str text = r->json.text;
  size_t start = r->json.node[0].start;
  struct ts_walk w = ts_walk(text, start);
  uint32_t f[F_MESSAGE_COUNT];
  while (ts_walk_element(&w, &r->json, &message) > 0) {
    ts_json_root_fields(&r->json, &message, f);
    if (!ts_has_text(&r->json, f[F_ROLE])) continue;
    ts_document_list(r, start);
    return;
  }
}

static void chat_record(struct ts_reader *r) {
  struct chat *c = r->state;
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  bool is_list = ts_json_root_is(&r->json, TS_JSON_ARRAY), is_conversation = false;
  for (size_t i = F_MESSAGES; i < F_COUNT; i++) is_conversation |= ts_json_is(&r->json, f[i], TS_JSON_ARRAY);
  if (is_conversation) ts_document_object(r);
  if (is_list) take_list(r);
  if (is_conversation || is_list) return;
  if (c->last == CONVERSATION) begin_conversation(r);
  c->last = MESSAGES;
  take_message(r);
}

/* A message may be an element of a torn conversation, and so may a list. */
static bool chat_is_record(const struct ts_reader *r) {
  const struct chat *c = r->state;
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  for (size_t i = F_MESSAGES; i < F_COUNT; i++)
    if (ts_json_is(&r->json, f[i], TS_JSON_ARRAY)) return true;
  return !c->has_conversations && ts_has_text(&r->json, f[F_ROLE]);
}

static void chat_free(void *state) {
  struct chat *c = state;
  ts_buf_free(&c->turn);
}

static const struct ts_document_shape conversation = {
  .parts = { TS_STR("tools"), TS_STR("functions"), TS_STR("messages"), TS_STR("history"), TS_STR("traj") },
  .heads = 2,
  .count = 5,
  .element = &message,
  .begin = begin_conversation,
  .head = take_tools,
  .take = take_message,
};

/* clang-format off */
#define CHAT(format_name) {                                                                            \
    .name = (format_name), .shape = &record, .state_size = sizeof(struct chat), .record = chat_record, \
    .is_record = chat_is_record, .document = &conversation, .free_state = chat_free }
/* clang-format on */
const struct ts_format ts_format_openai = CHAT("openai");
const struct ts_format ts_format_anthropic = CHAT("anthropic");
