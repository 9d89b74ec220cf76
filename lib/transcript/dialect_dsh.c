/* dsh session logs: one event a line, {type, seq, time, data}. The call is what tool/call says; what the model said
 * of it in assistant/message and the chunks is an echo. */
#include "transcript/dialect.h"

enum { B_TYPE, B_CALL_ID, B_IS_ERROR, B_CONTENT, B_COUNT };
static const struct ts_json_want block_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("toolCallId"), &ts_json_span },
  { TS_STR("isError"), &ts_json_span },
  { TS_STR("content"), &ts_json_span },
};
static const struct ts_json_shape block = { block_wants, B_COUNT, NULL };
static const struct ts_json_shape blocks = { NULL, 0, &block };
static const struct ts_json_want message_wants[] = { { TS_STR("content"), &blocks } };
static const struct ts_json_shape message = { message_wants, 1, NULL };
static const struct ts_json_want header_wants[] = { { TS_STR("tools"), &ts_json_span } };
static const struct ts_json_shape header = { header_wants, 1, NULL };

enum {
  D_TURN,
  D_STEP,
  D_CALL_ID,
  D_NAME,
  D_ARGUMENTS,
  D_MESSAGE,
  D_CONTENT,
  D_IS_ERROR,
  D_SUB_CALL_ID,
  D_HEADER,
  D_COUNT
};
static const struct ts_json_want data_wants[] = {
  { TS_STR("turn"), &ts_json_span },    { TS_STR("step"), &ts_json_span },      { TS_STR("callId"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },    { TS_STR("arguments"), &ts_json_span }, { TS_STR("message"), &message },
  { TS_STR("content"), &ts_json_span }, { TS_STR("isError"), &ts_json_span },   { TS_STR("subCallId"), &ts_json_span },
  { TS_STR("header"), &header },
};
static const struct ts_json_shape data = { data_wants, D_COUNT, NULL };

enum { F_TYPE, F_TIME, F_ID, F_DATA, F_CREATED_AT, F_COUNT };
static const struct ts_json_want record_wants[] = {
  { TS_STR("type"), &ts_json_span }, { TS_STR("time"), &ts_json_span },      { TS_STR("id"), &ts_json_span },
  { TS_STR("data"), &data },         { TS_STR("createdAt"), &ts_json_span },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct dsh {
  struct ts_buf session, turn;
};

static void take_call(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  e->kind = TS_EVENT_CALL;
  e->id = ts_slot_text(r, d[D_CALL_ID], TS_SLOT_ID);
  e->name = ts_slot_text(r, d[D_NAME], TS_SLOT_NAME);
  ts_arguments(r, d[D_ARGUMENTS], e);
  ts_emit(r, e);
}

static void take_sub_call(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  e->kind = TS_EVENT_SUB_CALL;
  e->id = ts_slot_text(r, d[D_SUB_CALL_ID], TS_SLOT_ID);
  e->name = ts_slot_text(r, d[D_NAME], TS_SLOT_NAME);
  ts_arguments(r, d[D_ARGUMENTS], e);
  ts_emit(r, e);
}

static void emit_result(struct ts_reader *r, uint32_t id, uint32_t is_error, uint32_t content, struct ts_event *e) {
  e->turn = ts_str(NULL, 0);
  e->id = ts_slot_text(r, id, TS_SLOT_ID);
  e->is_error = ts_is_true(&r->json, is_error);
  e->content = ts_raw(&r->json, content);
  ts_emit(r, e);
}

/* In the older layout the result is the data itself. */
static void take_result(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  uint32_t content, b[B_COUNT];
  e->kind = TS_EVENT_RESULT;
  ts_json_fields(&r->json, d[D_MESSAGE], &message, &content);
  if (!d[D_MESSAGE]) emit_result(r, d[D_CALL_ID], d[D_IS_ERROR], d[D_CONTENT], e);
  for (uint32_t n = content ? ts_json_first(&r->json, content) : 0; n; n = ts_json_after(&r->json, content, n)) {
    ts_json_fields(&r->json, n, &block, b);
    if (b[B_TYPE] && TS_JSON_SAYS(&r->json, b[B_TYPE], "tool-result"))
      emit_result(r, b[B_CALL_ID], b[B_IS_ERROR], b[B_CONTENT], e);
  }
}

static void take_sub_result(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  e->kind = TS_EVENT_SUB_RESULT;
  e->name = ts_slot_text(r, d[D_NAME], TS_SLOT_NAME);
  emit_result(r, d[D_SUB_CALL_ID], d[D_IS_ERROR], d[D_CONTENT], e);
}

static void take_message(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  (void)d;
  ts_emit_message(r, e);
}

/* Recordings write "{{tools}}" where the list was: then nothing is known. */
static void take_header(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e) {
  uint32_t tools;
  ts_json_fields(&r->json, d[D_HEADER], &header, &tools);
  if (!ts_json_is(&r->json, tools, TS_JSON_ARRAY)) return;
  e->kind = TS_EVENT_CATALOG;
  e->tools = ts_json_raw(&r->json, tools);
  ts_emit(r, e);
}

/* The types that matter, by the event they make. */
static const struct {
  struct ts_str type;
  void (*take)(struct ts_reader *r, const uint32_t d[D_COUNT], struct ts_event *e);
} kinds[] = {
  { TS_STR("tool/call"), take_call },
  { TS_STR("tool/result"), take_result },
  { TS_STR("tool/code-dispatch-start"), take_sub_call },
  { TS_STR("tool/code-dispatch"), take_sub_result },
  { TS_STR("assistant/message"), take_message },
  { TS_STR("user/message"), take_message },
  { TS_STR("request/header"), take_header },
};

/* A step is one answer of the model: "turn.step". */
static struct ts_str turn_of(struct ts_reader *r, const uint32_t d[D_COUNT]) {
  struct dsh *s = r->state;
  if (!d[D_TURN] || !d[D_STEP]) return ts_str(NULL, 0);
  ts_buf_set(&s->turn, ts_raw(&r->json, d[D_TURN]));
  ts_buf_addc(&s->turn, '.');
  ts_buf_add(&s->turn, ts_raw(&r->json, d[D_STEP]));
  return ts_buf_str(&s->turn);
}

static void dsh_record(struct ts_reader *r) {
  struct dsh *s = r->state;
  uint32_t f[F_COUNT], d[D_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  if (!f[F_TYPE]) return;
  if (TS_JSON_SAYS(&r->json, f[F_TYPE], "session")) ts_buf_set(&s->session, ts_slot_text(r, f[F_ID], TS_SLOT_ID));
  struct ts_event e = { .session = ts_buf_str(&s->session), .at = ts_raw(&r->json, f[F_TIME]) };
  if (TS_JSON_SAYS(&r->json, f[F_TYPE], "todo/write")) {
    e.kind = TS_EVENT_TODO;
    e.content = ts_raw(&r->json, f[F_DATA]);
    ts_emit(r, &e);
    return;
  }
  for (size_t i = 0; i < TS_COUNT(kinds); i++) {
    if (!ts_json_says(&r->json, f[F_TYPE], kinds[i].type)) continue;
    ts_json_fields(&r->json, f[F_DATA], &data, d);
    e.turn = turn_of(r, d);
    kinds[i].take(r, d, &e);
    return;
  }
}

static bool dsh_is_record(const struct ts_reader *r) {
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  if (!f[F_TYPE]) return false;
  if (TS_JSON_SAYS(&r->json, f[F_TYPE], "session")) return f[F_CREATED_AT] != 0;
  struct ts_str type = ts_raw(&r->json, f[F_TYPE]);
  return f[F_DATA] && (ts_str_has(type, TS_STR("/")) || ts_str_ends(type, TS_STR("-chunks\"")));
}

static void dsh_free(void *state) {
  struct dsh *s = state;
  ts_buf_free(&s->session);
  ts_buf_free(&s->turn);
}

const struct ts_format ts_format_dsh = {
  .name = "dsh",
  .shape = &record,
  .state_size = sizeof(struct dsh),
  .record = dsh_record,
  .is_record = dsh_is_record,
  .free_state = dsh_free,
};
