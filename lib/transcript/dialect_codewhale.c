/* The three things that CodeWhale writes: saved sessions (one document), the event files of its threads, and the
 * stream of `exec`. */
#include "base/seen.h"
#include "transcript/blocks.h"

/* --- codewhale-session ---------------------------------------------------------------------------------- */

/* The journal repeats the messages, those of dead branches too: it is not read. */
static const struct ts_json_want session_wants[] = {
  { TS_STR("metadata"), &ts_json_span },
  { TS_STR("messages"), &ts_json_span },
};
static const struct ts_json_shape session_record = { session_wants, TS_COUNT(session_wants), NULL };

enum { M_ROLE, M_CONTENT, M_COUNT };
static const struct ts_json_want message_wants[] = {
  { TS_STR("role"), &ts_json_span },
  { TS_STR("content"), &ts_blocks_shape },
};
static const struct ts_json_shape message = { message_wants, M_COUNT, NULL };

static const struct ts_json_want id_wants[] = { { TS_STR("id"), &ts_json_span } };
static const struct ts_json_shape id_shape = { id_wants, 1, NULL };

struct session {
  struct ts_buf id, turn;
  unsigned long long turns;
};

static void take_metadata(struct ts_reader *r, size_t i, struct ts_str raw) {
  (void)i;
  struct session *s = r->state;
  uint32_t id;
  if (ts_json_scan(&r->json, raw, &id_shape) < 0) return;
  ts_json_root_fields(&r->json, &id_shape, &id);
  ts_buf_set(&s->id, ts_slot_text(r, id, TS_SLOT_ID));
}

static void take_message(struct ts_reader *r) {
  struct session *s = r->state;
  uint32_t m[M_COUNT];
  ts_json_root_fields(&r->json, &message, m);
  struct ts_event like = { .session = ts_buf_str(&s->id) };
  if (m[M_ROLE] && TS_JSON_SAYS(&r->json, m[M_ROLE], "assistant")) {
    ts_buf_clear(&s->turn);
    ts_buf_addf(&s->turn, "%llu", ++s->turns);
    like.turn = ts_buf_str(&s->turn);
    ts_blocks_assistant(r, m[M_CONTENT], &like, NULL);
  } else if (m[M_ROLE]) {
    ts_blocks_user(r, m[M_CONTENT], &like, NULL);
  }
}

static void session_free(void *state) {
  struct session *s = state;
  ts_buf_free(&s->id);
  ts_buf_free(&s->turn);
}

static const struct ts_document_shape session_document = {
  .parts = { TS_STR("metadata"), TS_STR("messages") },
  .heads = 1,
  .count = 2,
  .element = &message,
  .head = take_metadata,
  .take = take_message,
};

const struct ts_format ts_format_codewhale_session = {
  .name = "codewhale-session",
  .shape = &session_record,
  .state_size = sizeof(struct session),
  .record = ts_document_object,
  .document = &session_document,
  .free_state = session_free,
};

/* --- codewhale-events ----------------------------------------------------------------------------------- */

enum { T_ID, T_NAME, T_INPUT, T_COUNT };
static const struct ts_json_want tool_wants[] = {
  { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },
  { TS_STR("input"), &ts_json_span },
};
static const struct ts_json_shape tool = { tool_wants, T_COUNT, NULL };
enum { I_KIND, I_DETAIL, I_SUMMARY, I_COUNT };
static const struct ts_json_want item_wants[] = {
  { TS_STR("kind"), &ts_json_span },
  { TS_STR("detail"), &ts_json_span },
  { TS_STR("summary"), &ts_json_span },
};
static const struct ts_json_shape item = { item_wants, I_COUNT, NULL };
enum { P_TOOL, P_ITEM, P_OUTPUT, P_COUNT };
static const struct ts_json_want payload_wants[] = {
  { TS_STR("tool"), &tool },
  { TS_STR("item"), &item },
  { TS_STR("output"), &ts_json_span },
};
static const struct ts_json_shape payload = { payload_wants, P_COUNT, NULL };
enum { E_EVENT, E_THREAD_ID, E_TURN_ID, E_ITEM_ID, E_TIMESTAMP, E_PAYLOAD, E_COUNT };
static const struct ts_json_want event_wants[] = {
  { TS_STR("event"), &ts_json_span },   { TS_STR("thread_id"), &ts_json_span }, { TS_STR("turn_id"), &ts_json_span },
  { TS_STR("item_id"), &ts_json_span }, { TS_STR("timestamp"), &ts_json_span }, { TS_STR("payload"), &payload },
};
static const struct ts_json_shape event_record = { event_wants, E_COUNT, NULL };

struct events {
  struct ts_seen tools; /* items that began as calls */
};

static struct ts_hash128 item_hash(const struct ts_event *e) {
  const struct ts_str parts[] = { e->session, e->key };
  return ts_hash128(parts, TS_COUNT(parts));
}

/* Items are messages, statuses and calls. What an item is, its kind says; where there is none, how it began. */
static bool is_call(const struct ts_reader *r, uint32_t kind, const struct ts_event *e) {
  static const struct ts_str calls[] = { TS_STR("tool_call"), TS_STR("command_execution"), TS_STR("file_change"),
                                         TS_STR("") };
  const struct events *s = r->state;
  return ts_seen_find(&s->tools, item_hash(e)) || !kind || ts_word(&r->json, kind, calls) >= 0;
}

static bool is_message(const struct ts_reader *r, uint32_t kind) {
  static const struct ts_str messages[] = { TS_STR("agent_message"), TS_STR("user_message"), TS_STR("agent_reasoning"),
                                            TS_STR("") };
  return ts_word(&r->json, kind, messages) >= 0;
}

static void take_started(struct ts_reader *r, uint32_t node, struct ts_event *e) {
  struct events *s = r->state;
  uint32_t t[T_COUNT];
  ts_json_fields(&r->json, node, &tool, t);
  e->kind = TS_EVENT_CALL;
  e->id = ts_slot_text(r, t[T_ID], TS_SLOT_ID);
  e->name = ts_slot_text(r, t[T_NAME], TS_SLOT_NAME);
  ts_arguments(r, t[T_INPUT], e);
  (void)ts_seen_add(&s->tools, item_hash(e), 0);
  ts_emit(r, e);
}

static void take_ended(struct ts_reader *r, const uint32_t p[P_COUNT], const uint32_t i[I_COUNT], bool failed,
                       struct ts_event *e) {
  uint32_t t[T_COUNT];
  ts_json_fields(&r->json, p[P_TOOL], &tool, t);
  e->kind = TS_EVENT_RESULT;
  e->turn = ts_str(NULL, 0);
  e->id = ts_slot_text(r, t[T_ID], TS_SLOT_ID);
  e->name = ts_slot_text(r, t[T_NAME], TS_SLOT_NAME);
  e->is_error = failed;
  e->content = ts_raw(&r->json, p[P_OUTPUT] ? p[P_OUTPUT] : i[I_DETAIL] ? i[I_DETAIL] : i[I_SUMMARY]);
  ts_emit(r, e);
}

static void event_take(struct ts_reader *r) {
  enum { STARTED, COMPLETED };
  static const struct ts_str words[] = { TS_STR("item.started"),     TS_STR("item.completed"), TS_STR("item.failed"),
                                         TS_STR("item.interrupted"), TS_STR("item.canceled"),  TS_STR("") };
  uint32_t f[E_COUNT], p[P_COUNT], i[I_COUNT];
  ts_json_root_fields(&r->json, &event_record, f);
  ts_json_fields(&r->json, f[E_PAYLOAD], &payload, p);
  ts_json_fields(&r->json, p[P_ITEM], &item, i);
  int word = ts_word(&r->json, f[E_EVENT], words);
  struct ts_event e = { .session = ts_slot_text(r, f[E_THREAD_ID], TS_SLOT_SESSION),
                        .key = ts_slot_text(r, f[E_ITEM_ID], TS_SLOT_KEY),
                        .turn = ts_slot_text(r, f[E_TURN_ID], TS_SLOT_TURN),
                        .at = ts_raw(&r->json, f[E_TIMESTAMP]) };
  if (word == STARTED && ts_json_is(&r->json, p[P_TOOL], TS_JSON_OBJECT))
    take_started(r, p[P_TOOL], &e);
  else if (word >= STARTED && is_message(r, i[I_KIND]))
    ts_emit_message(r, &e);
  else if (word >= COMPLETED && is_call(r, i[I_KIND], &e))
    take_ended(r, p, i, word > COMPLETED, &e);
}

static bool event_is_record(const struct ts_reader *r) {
  uint32_t f[E_COUNT];
  ts_json_root_fields(&r->json, &event_record, f);
  return f[E_EVENT] && f[E_THREAD_ID] && f[E_PAYLOAD];
}

static void events_free(void *state) {
  struct events *s = state;
  ts_seen_free(&s->tools);
}

const struct ts_format ts_format_codewhale_events = {
  .name = "codewhale-events",
  .shape = &event_record,
  .state_size = sizeof(struct events),
  .record = event_take,
  .is_record = event_is_record,
  .free_state = events_free,
};

/* --- codewhale-exec ------------------------------------------------------------------------------------- */

enum { X_TYPE, X_SCHEMA, X_ID, X_NAME, X_INPUT, X_OUTPUT, X_STATUS, X_STARTED_AT, X_COUNT };
static const struct ts_json_want exec_wants[] = {
  { TS_STR("type"), &ts_json_span },   { TS_STR("schema"), &ts_json_span },     { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },   { TS_STR("input"), &ts_json_span },      { TS_STR("output"), &ts_json_span },
  { TS_STR("status"), &ts_json_span }, { TS_STR("started_at"), &ts_json_span },
};
static const struct ts_json_shape exec_record = { exec_wants, X_COUNT, NULL };

static void exec_take(struct ts_reader *r) {
  enum { USE, RESULT, CONTENT };
  static const struct ts_str types[] = { TS_STR("tool_use"), TS_STR("tool_result"), TS_STR("content"), TS_STR("") };
  uint32_t f[X_COUNT];
  ts_json_root_fields(&r->json, &exec_record, f);
  int type = ts_word(&r->json, f[X_TYPE], types);
  struct ts_event e = { .kind = TS_EVENT_CALL,
                        .id = ts_slot_text(r, f[X_ID], TS_SLOT_ID),
                        .name = ts_slot_text(r, f[X_NAME], TS_SLOT_NAME),
                        .at = ts_raw(&r->json, f[X_STARTED_AT]) };
  if (type == USE) {
    ts_arguments(r, f[X_INPUT], &e);
    ts_emit(r, &e);
  } else if (type == RESULT) {
    e.kind = TS_EVENT_RESULT;
    e.is_error = f[X_STATUS] && TS_JSON_SAYS(&r->json, f[X_STATUS], "error");
    e.content = ts_raw(&r->json, f[X_OUTPUT]);
    ts_emit(r, &e);
  } else if (type == CONTENT) {
    ts_emit_message(r, &e);
  }
}

static bool exec_is_record(const struct ts_reader *r) {
  uint32_t f[X_COUNT];
  ts_json_root_fields(&r->json, &exec_record, f);
  return f[X_TYPE] && f[X_SCHEMA];
}

const struct ts_format ts_format_codewhale_exec = {
  .name = "codewhale-exec",
  .shape = &exec_record,
  .record = exec_take,
  .is_record = exec_is_record,
};
