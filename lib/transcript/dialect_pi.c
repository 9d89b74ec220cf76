/* pi sessions: a tree of entries, one a line; what was said on branches that were left counts too. */
#include "transcript/dialect.h"

enum { B_TYPE, B_ID, B_NAME, B_ARGUMENTS, B_COUNT };
static const struct ts_json_want block_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },
  { TS_STR("arguments"), &ts_json_span },
};
static const struct ts_json_shape block = { block_wants, B_COUNT, NULL };
static const struct ts_json_shape blocks = { NULL, 0, &block };
enum { M_ROLE, M_CONTENT, M_TOOL_CALL_ID, M_TOOL_NAME, M_IS_ERROR, M_COUNT };
static const struct ts_json_want message_wants[] = {
  { TS_STR("role"), &ts_json_span },     { TS_STR("content"), &blocks },       { TS_STR("toolCallId"), &ts_json_span },
  { TS_STR("toolName"), &ts_json_span }, { TS_STR("isError"), &ts_json_span },
};
static const struct ts_json_shape message = { message_wants, M_COUNT, NULL };
enum { F_TYPE, F_ID, F_TIMESTAMP, F_MESSAGE, F_COUNT };
static const struct ts_json_want record_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("id"), &ts_json_span },
  { TS_STR("timestamp"), &ts_json_span },
  { TS_STR("message"), &message },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct pi {
  struct ts_buf session;
};

static void emit_calls(struct ts_reader *r, uint32_t content, struct ts_event e) {
  const struct ts_json *j = &r->json;
  if (!ts_json_is(j, content, TS_JSON_ARRAY)) return;
  e.kind = TS_EVENT_CALL;
  for (uint32_t n = ts_json_first(j, content); n; n = ts_json_after(j, content, n)) {
    uint32_t b[B_COUNT];
    ts_json_fields(j, n, &block, b);
    if (!b[B_TYPE] || !TS_JSON_SAYS(j, b[B_TYPE], "toolCall")) continue;
    e.id = ts_slot_text(r, b[B_ID], TS_SLOT_ID);
    e.name = ts_slot_text(r, b[B_NAME], TS_SLOT_NAME);
    e.arguments_string = false;
    e.arguments = ts_str(NULL, 0);
    ts_arguments(r, b[B_ARGUMENTS], &e);
    ts_emit(r, &e);
  }
}

static void take_message(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  enum { ASSISTANT, TOOL_RESULT };
  static const struct ts_str roles[] = { TS_STR("assistant"), TS_STR("toolResult"), TS_STR("") };
  uint32_t m[M_COUNT];
  ts_json_fields(&r->json, f[F_MESSAGE], &message, m);
  int role = ts_word(&r->json, m[M_ROLE], roles);
  if (role == TOOL_RESULT) {
    e->kind = TS_EVENT_RESULT;
    e->id = ts_slot_text(r, m[M_TOOL_CALL_ID], TS_SLOT_ID);
    e->name = ts_slot_text(r, m[M_TOOL_NAME], TS_SLOT_NAME);
    e->is_error = ts_is_true(&r->json, m[M_IS_ERROR]);
    e->content = ts_raw(&r->json, m[M_CONTENT]);
    ts_emit(r, e);
    return;
  }
  if (role == ASSISTANT) e->turn = ts_slot_text(r, f[F_ID], TS_SLOT_TURN);
  ts_emit_message(r, e);
  if (role == ASSISTANT) emit_calls(r, m[M_CONTENT], *e);
}

static void pi_record(struct ts_reader *r) {
  enum { SESSION, MESSAGE, CUSTOM };
  static const struct ts_str types[] = { TS_STR("session"), TS_STR("message"), TS_STR("custom_message"), TS_STR("") };
  struct pi *p = r->state;
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  int type = ts_word(&r->json, f[F_TYPE], types);
  if (type == SESSION) ts_buf_set(&p->session, ts_slot_text(r, f[F_ID], TS_SLOT_ID));
  struct ts_event e = { .session = ts_buf_str(&p->session), .at = ts_raw(&r->json, f[F_TIMESTAMP]) };
  if (type == MESSAGE) take_message(r, f, &e);
  if (type == CUSTOM) ts_emit_message(r, &e);
}

static bool pi_is_record(const struct ts_reader *r) {
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  return ts_has_text(&r->json, f[F_TYPE]) && f[F_ID] && f[F_TIMESTAMP];
}

static void pi_free(void *state) {
  struct pi *p = state;
  ts_buf_free(&p->session);
}

const struct ts_format ts_format_pi = {
  .name = "pi",
  .shape = &record,
  .state_size = sizeof(struct pi),
  .record = pi_record,
  .is_record = pi_is_record,
  .free_state = pi_free,
};
