/* Codex rollouts: response items, in an envelope {timestamp, type, payload} or, in old ones, bare. */
#include "base/buf.h"
#include "transcript/dialect.h"

/* What a search found: tools, and namespaces of tools. */
enum { T_NAME, T_TOOLS, T_COUNT };
static const struct ts_json_want inner_wants[] = { { TS_STR("name"), &ts_json_span } };
static const struct ts_json_shape inner_tool = { inner_wants, 1, NULL };
static const struct ts_json_shape inner_tools = { NULL, 0, &inner_tool };
static const struct ts_json_want tool_wants[] = {
  { TS_STR("name"), &ts_json_span },
  { TS_STR("tools"), &inner_tools },
};
static const struct ts_json_shape tool = { tool_wants, T_COUNT, NULL };
static const struct ts_json_shape tools = { NULL, 0, &tool };

/* The members of an item, which an old record has itself, and of session_meta. */
enum {
  F_TYPE,
  F_NAME,
  F_CALL_ID,
  F_ID,
  F_ARGUMENTS,
  F_INPUT,
  F_ACTION,
  F_OUTPUT,
  F_TOOLS,
  F_FORKED_FROM,
  F_ITEM,
  F_TIMESTAMP = F_ITEM,
  F_PAYLOAD,
  F_RECORD_TYPE,
  F_COUNT
};
/* clang-format off */
#define ITEM_WANTS                                                                      \
  { TS_STR("type"), &ts_json_span }, { TS_STR("name"), &ts_json_span },                 \
  { TS_STR("call_id"), &ts_json_span }, { TS_STR("id"), &ts_json_span },                \
  { TS_STR("arguments"), &ts_json_span }, { TS_STR("input"), &ts_json_span },           \
  { TS_STR("action"), &ts_json_span }, { TS_STR("output"), &ts_json_span },             \
  { TS_STR("tools"), &tools }, { TS_STR("forked_from_id"), &ts_json_span }
/* clang-format on */
static const struct ts_json_want item_wants[] = { ITEM_WANTS };
static const struct ts_json_shape item = { item_wants, F_ITEM, NULL };
static const struct ts_json_want record_wants[] = {
  ITEM_WANTS,
  { TS_STR("timestamp"), &ts_json_span },
  { TS_STR("payload"), &item },
  { TS_STR("record_type"), &ts_json_span },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct codex {
  struct ts_buf session;
  struct ts_buf forked_from; /* the session whose records are copied into this one */
  struct ts_buf turn;
  unsigned long long turns;
  bool envelopes; /* the file has them */
  bool between;   /* something came since the last call: the next one is of another turn */
};

/* What items are, by type. A turn's calls follow each other; rollouts do not number turns. */
enum role { MESSAGE, CALL, RESULT, ALONE /* a call that never has a result record */ };
static const struct item_kind {
  struct ts_str type;
  enum role role;
  int arguments;               /* which member has them */
  enum ts_arguments_form form; /* TS_ARGUMENTS_INPUT: raw text */
  struct ts_str name;          /* when the item has none */
} kinds[] = {
  { TS_STR("function_call"), CALL, F_ARGUMENTS, TS_ARGUMENTS_JSON, TS_STR("") },
  { TS_STR("function_call_output"), RESULT, F_OUTPUT, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("custom_tool_call"), CALL, F_INPUT, TS_ARGUMENTS_INPUT, TS_STR("") },
  { TS_STR("custom_tool_call_output"), RESULT, F_OUTPUT, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("local_shell_call"), CALL, F_ACTION, TS_ARGUMENTS_JSON, TS_STR("local_shell") },
  { TS_STR("local_shell_call_output"), RESULT, F_OUTPUT, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("tool_search_call"), CALL, F_ARGUMENTS, TS_ARGUMENTS_JSON, TS_STR("tool_search") },
  { TS_STR("tool_search_output"), RESULT, F_TOOLS, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("mcp_tool_call_output"), RESULT, F_OUTPUT, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("web_search_call"), ALONE, F_ACTION, TS_ARGUMENTS_JSON, TS_STR("web_search") },
  { TS_STR("image_generation_call"), ALONE, F_ARGUMENTS, TS_ARGUMENTS_JSON, TS_STR("image_generation") },
  { TS_STR("message"), MESSAGE, 0, TS_ARGUMENTS_NONE, TS_STR("") },
  { TS_STR("reasoning"), MESSAGE, 0, TS_ARGUMENTS_NONE, TS_STR("") },
};

static const struct item_kind *kind_of(const struct ts_json *j, uint32_t type) {
  for (size_t i = 0; type && i < TS_COUNT(kinds); i++)
    if (ts_json_says(j, type, kinds[i].type)) return &kinds[i];
  return NULL;
}

static void emit_call(struct ts_reader *r, const struct item_kind *k, const uint32_t *f, struct ts_event *e) {
  struct codex *c = r->state;
  if (c->between || c->turns == 0) {
    c->between = false;
    ts_buf_clear(&c->turn);
    ts_buf_addf(&c->turn, "%llu", ++c->turns);
  }
  e->kind = TS_EVENT_CALL;
  e->turn = ts_buf_str(&c->turn);
  e->name = ts_has_text(&r->json, f[F_NAME]) ? ts_slot_text(r, f[F_NAME], TS_SLOT_NAME) : k->name;
  e->self_answered = k->role == ALONE;
  ts_arguments(r, f[k->arguments], e);
  if (k->form == TS_ARGUMENTS_INPUT) e->form = TS_ARGUMENTS_INPUT;
  ts_emit(r, e);
}

/* A tool that a search found; t[T_TOOLS]: a namespace of several. */
static void emit_tool(struct ts_reader *r, uint32_t node, uint32_t t[T_COUNT], const struct ts_event *like) {
  ts_json_fields(&r->json, node, &tool, t);
  struct ts_event e = { .kind = TS_EVENT_DISCOVERY, .session = like->session };
  e.name = ts_slot_text(r, t[T_NAME], TS_SLOT_NAME);
  if (e.name.len > 0) ts_emit(r, &e);
}

static void emit_found(struct ts_reader *r, uint32_t list, const struct ts_event *like) {
  if (!ts_json_is(&r->json, list, TS_JSON_ARRAY)) return;
  for (uint32_t n = ts_json_first(&r->json, list); n; n = ts_json_after(&r->json, list, n)) {
    uint32_t t[T_COUNT], inner[T_COUNT];
    emit_tool(r, n, t, like);
    if (!ts_json_is(&r->json, t[T_TOOLS], TS_JSON_ARRAY)) continue;
    for (uint32_t m = ts_json_first(&r->json, t[T_TOOLS]); m; m = ts_json_after(&r->json, t[T_TOOLS], m))
      emit_tool(r, m, inner, like);
  }
}

static void take_item(struct ts_reader *r, const uint32_t *f, struct ts_event *e) {
  struct codex *c = r->state;
  const struct item_kind *k = kind_of(&r->json, f[F_TYPE]);
  if (!k) return;
  bool has_call_id = f[F_CALL_ID] && !ts_json_is(&r->json, f[F_CALL_ID], TS_JSON_NULL);
  e->id = ts_slot_text(r, has_call_id ? f[F_CALL_ID] : f[F_ID], TS_SLOT_ID);
  switch (k->role) {
    case CALL:
    case ALONE:
      emit_call(r, k, f, e);
      break;
    case RESULT:
      c->between = true;
      e->kind = TS_EVENT_RESULT;
      e->content = ts_raw(&r->json, f[k->arguments]);
      ts_emit(r, e);
      emit_found(r, f[F_TOOLS], e);
      break;
    case MESSAGE:
      c->between = true;
      ts_emit_message(r, e);
      break;
  }
}

/* A fork begins with the records of the session it was forked from, that session's meta record included: it is all
 * one session, the fork's. */
static void take_meta(struct ts_reader *r, const uint32_t *f) {
  struct codex *c = r->state;
  struct ts_str id = ts_slot_text(r, f[F_ID], TS_SLOT_ID);
  if (id.len == 0) return;
  bool copied = c->forked_from.len > 0 && ts_str_eq(id, ts_buf_str(&c->forked_from));
  if (!copied) ts_buf_set(&c->session, id);
  ts_buf_set(&c->forked_from, ts_slot_text(r, f[F_FORKED_FROM], TS_SLOT_OTHER));
}

static void codex_record(struct ts_reader *r) {
  enum { ITEM, META, COMPACTED };
  static const struct ts_str types[] = { TS_STR("response_item"), TS_STR("session_meta"), TS_STR("compacted"),
                                         TS_STR("") };
  struct codex *c = r->state;
  uint32_t f[F_COUNT], p[F_ITEM];
  ts_json_root_fields(&r->json, &record, f);
  ts_json_fields(&r->json, f[F_PAYLOAD], &item, p);
  int type = ts_word(&r->json, f[F_TYPE], types);
  c->envelopes |= f[F_PAYLOAD] != 0;
  struct ts_event e = { .session = ts_buf_str(&c->session), .at = ts_raw(&r->json, f[F_TIMESTAMP]) };
  if (type == META) {
    take_meta(r, p);
  } else if (type == COMPACTED) {
    c->between = true;
    e.kind = TS_EVENT_WINDOW;
    ts_emit(r, &e);
  } else if (type == ITEM) {
    take_item(r, p, &e);
  } else if (!f[F_PAYLOAD] && !f[F_RECORD_TYPE]) { /* an old one */
    if (f[F_TYPE])
      take_item(r, f, &e);
    else if (f[F_TIMESTAMP])
      take_meta(r, f);
  }
}

/* An envelope, or an old record: the payload of an envelope alone is none when the file has envelopes. */
static bool codex_is_record(const struct ts_reader *r) {
  const struct codex *c = r->state;
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  if (f[F_PAYLOAD]) return f[F_TYPE] && ts_json_is(&r->json, f[F_PAYLOAD], TS_JSON_OBJECT);
  return !c->envelopes && (f[F_RECORD_TYPE] || kind_of(&r->json, f[F_TYPE]));
}

static void codex_free(void *state) {
  struct codex *c = state;
  ts_buf_free(&c->session);
  ts_buf_free(&c->forked_from);
  ts_buf_free(&c->turn);
}

const struct ts_format ts_format_codex = {
  .name = "codex",
  .shape = &record,
  .state_size = sizeof(struct codex),
  .record = codex_record,
  .is_record = codex_is_record,
  .free_state = codex_free,
};
