#include "transcript/blocks.h"

enum { R_TYPE, R_TOOL_NAME, R_TOOL_REFERENCES, R_COUNT };
static const struct ts_json_want reference_wants[] = { { TS_STR("tool_name"), &ts_json_span } };
static const struct ts_json_shape reference = { reference_wants, 1, NULL };
static const struct ts_json_shape references = { NULL, 0, &reference };
static const struct ts_json_want part_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("tool_name"), &ts_json_span },
  { TS_STR("tool_references"), &references },
};
static const struct ts_json_shape part = { part_wants, R_COUNT, NULL };
/* A result's content: text, a list of parts, or (of server tools) one object. */
static const struct ts_json_shape result_content = { part_wants, R_COUNT, &part };

enum { B_TYPE, B_ID, B_NAME, B_INPUT, B_TOOL_USE_ID, B_IS_ERROR, B_CONTENT, B_COUNT };
static const struct ts_json_want block_wants[] = {
  { TS_STR("type"), &ts_json_span },        { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },        { TS_STR("input"), &ts_json_span },
  { TS_STR("tool_use_id"), &ts_json_span }, { TS_STR("is_error"), &ts_json_span },
  { TS_STR("content"), &result_content },
};
static const struct ts_json_shape block = { block_wants, B_COUNT, NULL };
const struct ts_json_shape ts_blocks_shape = { NULL, 0, &block };

static struct ts_event begin(enum ts_event_kind kind, const struct ts_event *like) {
  return (struct ts_event){
    .kind = kind, .session = like->session, .agent = like->agent, .turn = like->turn, .at = like->at
  };
}

static void emit_call(struct ts_reader *r, uint32_t at, const uint32_t f[B_COUNT], const struct ts_event *like) {
  struct ts_event e = begin(TS_EVENT_CALL, like);
  e.id = ts_slot_text(r, f[B_ID], TS_SLOT_ID);
  e.name = ts_slot_text(r, f[B_NAME], TS_SLOT_NAME);
  ts_arguments(r, f[B_INPUT], &e);
  ts_emit_part(r, &e, at);
}

static void emit_discovery(struct ts_reader *r, uint32_t name, const struct ts_event *like) {
  struct ts_event e = begin(TS_EVENT_DISCOVERY, like);
  e.name = ts_slot_text(r, name, TS_SLOT_NAME);
  if (e.name.len > 0) ts_emit(r, &e);
}

/* The tools that a part of a search result names. */
static void emit_references(struct ts_reader *r, const uint32_t f[R_COUNT], const struct ts_event *like) {
  const struct ts_json *j = &r->json;
  if (f[R_TYPE] && TS_JSON_SAYS(j, f[R_TYPE], "tool_reference")) emit_discovery(r, f[R_TOOL_NAME], like);
  if (!f[R_TOOL_REFERENCES]) return;
  for (uint32_t n = ts_json_first(j, f[R_TOOL_REFERENCES]); n; n = ts_json_after(j, f[R_TOOL_REFERENCES], n)) {
    uint32_t name;
    ts_json_fields(j, n, &reference, &name);
    emit_discovery(r, name, like);
  }
}

static void emit_discoveries(struct ts_reader *r, uint32_t content, const struct ts_event *like) {
  uint32_t f[R_COUNT];
  if (content == 0) return;
  ts_json_fields(&r->json, content, &part, f);
  emit_references(r, f, like);
  if (!ts_json_is(&r->json, content, TS_JSON_ARRAY)) return;
  for (uint32_t n = ts_json_first(&r->json, content); n; n = ts_json_after(&r->json, content, n)) {
    ts_json_fields(&r->json, n, &part, f);
    emit_references(r, f, like);
  }
}

/* A server tool that failed says so in the type of its content: web_search_tool_result_error. */
static bool is_error_content(const struct ts_json *j, uint32_t content) {
  uint32_t f[R_COUNT];
  ts_json_fields(j, content, &part, f);
  return ts_str_ends(ts_raw(j, f[R_TYPE]), TS_STR("_error\""));
}

static void emit_result(struct ts_reader *r, uint32_t at, const uint32_t f[B_COUNT], const struct ts_event *like,
                        bool misplaced) {
  struct ts_event e = begin(TS_EVENT_RESULT, like);
  e.turn = ts_str(NULL, 0);
  e.id = ts_slot_text(r, f[B_TOOL_USE_ID], TS_SLOT_ID);
  e.is_error = ts_is_true(&r->json, f[B_IS_ERROR]) || is_error_content(&r->json, f[B_CONTENT]);
  e.content = ts_raw(&r->json, f[B_CONTENT]);
  e.misplaced = misplaced;
  ts_emit_part(r, &e, at);
  emit_discoveries(r, f[B_CONTENT], like);
}

void ts_blocks_assistant(struct ts_reader *r, uint32_t content, const struct ts_event *like, struct ts_wedge *w) {
  static const struct ts_str calls[] = { TS_STR("tool_use"), TS_STR("server_tool_use"), TS_STR("mcp_tool_use"),
                                         TS_STR("") };
  const struct ts_json *j = &r->json;
  ts_emit_message(r, like);
  if (!ts_json_is(j, content, TS_JSON_ARRAY)) return;
  for (uint32_t b = ts_json_first(j, content); b; b = ts_json_after(j, content, b)) {
    uint32_t f[B_COUNT];
    ts_json_fields(j, b, &block, f);
    int call = ts_word(j, f[B_TYPE], calls);
    if (call >= 0) {
      if (w) *(call == 0 ? &w->user : &w->server) = false;
      emit_call(r, b, f, like);
    } else if (ts_str_ends(ts_raw(j, f[B_TYPE]), TS_STR("_tool_result\""))) {
      emit_result(r, b, f, like, w && w->server);
    }
  }
}

void ts_blocks_user(struct ts_reader *r, uint32_t content, const struct ts_event *like, struct ts_wedge *w) {
  const struct ts_json *j = &r->json;
  bool said = !ts_json_is(j, content, TS_JSON_ARRAY);
  if (content == 0) return;
  for (uint32_t b = said ? 0 : ts_json_first(j, content); b; b = ts_json_after(j, content, b)) {
    uint32_t f[B_COUNT];
    ts_json_fields(j, b, &block, f);
    if (f[B_TYPE] && TS_JSON_SAYS(j, f[B_TYPE], "tool_result"))
      emit_result(r, b, f, like, w && (w->user || said));
    else
      said = true;
  }
  if (w) w->server = true;
  if (w && said) w->user = true;
  if (said) ts_emit_message(r, like);
}
