/* Gemini CLI's chats: an old document, or lines in which a later one may take back an earlier one: a message that
 * comes again replaces itself, $rewindTo drops a message and all after it, $set.messages replaces all. So what was
 * said is known at the end only; until then the calls of each message are kept, as text. */
#include "base/map.h"
#include "base/xalloc.h"
#include "transcript/dialect.h"

enum { C_ID, C_NAME, C_ARGS, C_STATUS, C_RESULT, C_COUNT };
static const struct ts_json_want call_wants[] = {
  { TS_STR("id"), &ts_json_span },     { TS_STR("name"), &ts_json_span },   { TS_STR("args"), &ts_json_span },
  { TS_STR("status"), &ts_json_span }, { TS_STR("result"), &ts_json_span },
};
static const struct ts_json_shape call = { call_wants, C_COUNT, NULL };
static const struct ts_json_shape calls = { NULL, 0, &call };

enum { M_ID, M_TYPE, M_TIMESTAMP, M_TOOL_CALLS, M_COUNT };
/* clang-format off */
#define MESSAGE_WANTS                                                                   \
  { TS_STR("id"), &ts_json_span }, { TS_STR("type"), &ts_json_span },                   \
  { TS_STR("timestamp"), &ts_json_span }, { TS_STR("toolCalls"), &ts_json_span }
/* clang-format on */
static const struct ts_json_want message_wants[] = { MESSAGE_WANTS };
static const struct ts_json_shape message = { message_wants, M_COUNT, NULL };
static const struct ts_json_shape messages = { NULL, 0, &message };

enum { S_MESSAGES, S_SESSION_ID, S_COUNT };
static const struct ts_json_want set_wants[] = {
  { TS_STR("messages"), &messages },
  { TS_STR("sessionId"), &ts_json_span },
};
static const struct ts_json_shape set = { set_wants, S_COUNT, NULL };

enum { F_SESSION_ID = M_COUNT, F_MESSAGES, F_SET, F_REWIND_TO, F_COUNT };
static const struct ts_json_want record_wants[] = {
  MESSAGE_WANTS,
  { TS_STR("sessionId"), &ts_json_span },
  { TS_STR("messages"), &ts_json_span },
  { TS_STR("$set"), &set },
  { TS_STR("$rewindTo"), &ts_json_span },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct said {
  char *id; /* the map's keys point at it */
  size_t id_len;
  bool by_model;
  struct ts_buf calls, at; /* raw JSON */
  uint64_t line, column;
};

struct gemini {
  struct ts_buf session;
  struct said *said;
  size_t count, cap;
  struct ts_map by_id; /* where in said; TS_MAP_NONE: it was taken back */
  char **ids;          /* all of them, for the map */
  size_t id_count, id_cap;
};

static struct ts_str id_of(const struct said *s) { return ts_str(s->id, s->id_len); }

static void forget_from(struct gemini *g, size_t first) {
  for (size_t i = first; i < g->count; i++) {
    *ts_map_at(&g->by_id, id_of(&g->said[i]), TS_MAP_NONE) = TS_MAP_NONE;
    ts_buf_free(&g->said[i].calls);
    ts_buf_free(&g->said[i].at);
  }
  if (first < g->count) g->count = first;
}

static char *keep_id(struct gemini *g, struct ts_str id) {
  ts_xgrow(&g->ids, &g->id_cap, g->id_count + 1, sizeof *g->ids);
  char *copy = ts_xmalloc(id.len + 1);
  if (id.len > 0) memcpy(copy, id.ptr, id.len);
  return g->ids[g->id_count++] = copy;
}

/* The place of the message with this id: its old one, or a new one at the end. */
static struct said *place_of(struct gemini *g, struct ts_str id) {
  size_t at = ts_map_get(&g->by_id, id);
  if (at != TS_MAP_NONE) return &g->said[at];
  ts_xgrow(&g->said, &g->cap, g->count + 1, sizeof *g->said);
  struct said *s = &g->said[g->count];
  *s = (struct said){ .id = keep_id(g, id), .id_len = id.len };
  *ts_map_at(&g->by_id, id_of(s), TS_MAP_NONE) = g->count++;
  return s;
}

static void note_message(struct ts_reader *r, const uint32_t m[M_COUNT]) {
  if (!ts_json_is(&r->json, m[M_ID], TS_JSON_STRING)) return;
  struct said *s = place_of(r->state, ts_slot_text(r, m[M_ID], TS_SLOT_ID));
  s->by_model = m[M_TYPE] && TS_JSON_SAYS(&r->json, m[M_TYPE], "gemini");
  s->line = r->line;
  s->column = r->column;
  ts_buf_set(&s->calls, ts_raw(&r->json, m[M_TOOL_CALLS]));
  ts_buf_set(&s->at, ts_raw(&r->json, m[M_TIMESTAMP]));
}

static void take_set(struct ts_reader *r, uint32_t node) {
  struct gemini *g = r->state;
  uint32_t s[S_COUNT], m[M_COUNT];
  ts_json_fields(&r->json, node, &set, s);
  if (ts_has_text(&r->json, s[S_SESSION_ID])) ts_buf_set(&g->session, ts_slot_text(r, s[S_SESSION_ID], TS_SLOT_OTHER));
  if (!ts_json_is(&r->json, s[S_MESSAGES], TS_JSON_ARRAY)) return;
  forget_from(g, 0);
  for (uint32_t n = ts_json_first(&r->json, s[S_MESSAGES]); n; n = ts_json_after(&r->json, s[S_MESSAGES], n)) {
    ts_json_fields(&r->json, n, &message, m);
    note_message(r, m);
  }
}

/* To a message that is not there: to the beginning. */
static void rewind_to(struct ts_reader *r, uint32_t node) {
  struct gemini *g = r->state;
  size_t at = ts_map_get(&g->by_id, ts_slot_text(r, node, TS_SLOT_OTHER));
  forget_from(g, at != TS_MAP_NONE ? at : 0);
}

static void gemini_record(struct ts_reader *r) {
  struct gemini *g = r->state;
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  if (ts_has_text(&r->json, f[F_SESSION_ID]) && !f[M_ID])
    ts_buf_set(&g->session, ts_slot_text(r, f[F_SESSION_ID], TS_SLOT_OTHER));
  if (ts_json_is(&r->json, f[F_MESSAGES], TS_JSON_ARRAY))
    ts_document_object(r);
  else if (ts_json_is(&r->json, f[F_REWIND_TO], TS_JSON_STRING))
    rewind_to(r, f[F_REWIND_TO]);
  else if (f[F_SET])
    take_set(r, f[F_SET]);
  else
    note_message(r, f);
}

/* --- at the end ----------------------------------------------------------------------------------------- */

/* A call carries its own result. */
static void emit_call(struct ts_reader *r, const uint32_t c[C_COUNT], struct ts_event e) {
  static const struct ts_str errors[] = { TS_STR("error"), TS_STR("cancelled"), TS_STR("") };
  e.kind = TS_EVENT_CALL;
  e.id = ts_slot_text(r, c[C_ID], TS_SLOT_ID);
  e.name = ts_slot_text(r, c[C_NAME], TS_SLOT_NAME);
  struct ts_event result = e;
  ts_arguments(r, c[C_ARGS], &e);
  ts_emit(r, &e);
  if (!c[C_RESULT] || ts_json_is(&r->json, c[C_RESULT], TS_JSON_NULL)) return;
  result.kind = TS_EVENT_RESULT;
  result.turn = ts_str(NULL, 0);
  result.is_error = ts_word(&r->json, c[C_STATUS], errors) >= 0;
  result.content = ts_json_raw(&r->json, c[C_RESULT]);
  ts_emit(r, &result);
}

static void gemini_finish(struct ts_reader *r) {
  struct gemini *g = r->state;
  for (size_t i = 0; i < g->count && !r->stopped; i++) {
    const struct said *s = &g->said[i];
    struct ts_event like = { .session = ts_buf_str(&g->session), .at = ts_buf_str(&s->at) };
    r->line = s->line;
    r->column = s->column;
    if (s->by_model) like.turn = id_of(s);
    ts_emit_message(r, &like);
    if (s->calls.len == 0 || ts_json_scan(&r->json, ts_buf_str(&s->calls), &calls) < 0) continue;
    if (!ts_json_root_is(&r->json, TS_JSON_ARRAY)) continue;
    for (uint32_t n = ts_json_first(&r->json, 0); n; n = ts_json_after(&r->json, 0, n)) {
      uint32_t c[C_COUNT];
      ts_json_fields(&r->json, n, &call, c);
      emit_call(r, c, like);
    }
  }
}

static void gemini_free(void *state) {
  struct gemini *g = state;
  forget_from(g, 0);
  for (size_t i = 0; i < g->id_count; i++) free(g->ids[i]);
  free((void *)g->ids);
  free(g->said);
  ts_map_free(&g->by_id);
  ts_buf_free(&g->session);
}

static bool gemini_is_record(const struct ts_reader *r) {
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  return f[F_SET] || f[F_REWIND_TO] || f[F_SESSION_ID] || (f[M_ID] && ts_has_text(&r->json, f[M_TYPE]));
}

static void take_session(struct ts_reader *r, size_t i, struct ts_str raw) {
  (void)i;
  struct gemini *g = r->state;
  if (ts_json_scan(&r->json, raw, &ts_json_span) == 0 && ts_json_root_is(&r->json, TS_JSON_STRING))
    ts_buf_set(&g->session, ts_json_text(&r->json, 0, &r->slot[TS_SLOT_OTHER]));
}

static void take_message(struct ts_reader *r) {
  uint32_t m[M_COUNT];
  ts_json_root_fields(&r->json, &message, m);
  note_message(r, m);
}

static const struct ts_document_shape document = {
  .parts = { TS_STR("sessionId"), TS_STR("messages") },
  .heads = 1,
  .count = 2,
  .element = &message,
  .head = take_session,
  .take = take_message,
};

const struct ts_format ts_format_gemini = {
  .name = "gemini",
  .shape = &record,
  .state_size = sizeof(struct gemini),
  .record = gemini_record,
  .is_record = gemini_is_record,
  .document = &document,
  .finish = gemini_finish,
  .free_state = gemini_free,
};
