/* tsrecord(5): what `tsreplay --calls`, `--results` and `--events` write, and what people write by hand. */
#include "transcript/dialect.h"
#include "transcript/neutral.h"

enum { S_FILE, S_FORMAT, S_COUNT };
static const struct ts_json_want source_wants[] = { { TS_STR("file"), &ts_json_span },
                                                    { TS_STR("format"), &ts_json_span } };
static const struct ts_json_shape source = { source_wants, S_COUNT, NULL };
static const struct ts_json_want vector_wants[] = {
  { TS_STR("R"), &ts_json_span }, { TS_STR("S"), &ts_json_span }, { TS_STR("C"), &ts_json_span },
  { TS_STR("M"), &ts_json_span }, { TS_STR("P"), &ts_json_span },
};
static const struct ts_json_shape vector = { vector_wants, TS_AUDIENCES, NULL };

enum {
  F_TYPE,
  F_SESSION,
  F_AGENT,
  F_ID,
  F_NAME,
  F_ARGUMENTS,
  F_INPUT,
  F_IS_ERROR,
  F_CONTENT,
  F_AT,
  F_SOURCE,
  F_TURN,
  F_KEY,
  F_SUB,
  F_NO_IDS,
  F_SELF_ANSWERED,
  F_MISPLACED,
  F_TOOLS,
  F_DATA,
  F_RULE,
  F_MESSAGE,
  F_VECTOR,
  F_COUNT
};
static const struct ts_json_want record_wants[] = {
  { TS_STR("type"), &ts_json_span },      { TS_STR("session"), &ts_json_span },
  { TS_STR("agent"), &ts_json_span },     { TS_STR("id"), &ts_json_span },
  { TS_STR("name"), &ts_json_span },      { TS_STR("arguments"), &ts_json_span },
  { TS_STR("input"), &ts_json_span },     { TS_STR("is_error"), &ts_json_span },
  { TS_STR("content"), &ts_json_span },   { TS_STR("at"), &ts_json_span },
  { TS_STR("source"), &source },          { TS_STR("turn"), &ts_json_span },
  { TS_STR("key"), &ts_json_span },       { TS_STR("sub"), &ts_json_span },
  { TS_STR("no_ids"), &ts_json_span },    { TS_STR("self_answered"), &ts_json_span },
  { TS_STR("misplaced"), &ts_json_span }, { TS_STR("tools"), &ts_json_span },
  { TS_STR("data"), &ts_json_span },      { TS_STR("rule"), &ts_json_span },
  { TS_STR("message"), &ts_json_span },   { TS_STR("vector"), &vector },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

struct neutral {
  struct ts_buf file; /* that the records before came from */
};

/* A stream of several files is several transcripts. */
static void note_file(struct ts_reader *r, uint32_t node) {
  struct neutral *n = r->state;
  uint32_t s[S_COUNT];
  ts_json_fields(&r->json, node, &source, s);
  struct ts_str file = ts_slot_text(r, s[S_FILE], TS_SLOT_OTHER);
  struct ts_event end = { .kind = TS_EVENT_END };
  if (file.len == 0 || ts_str_eq(file, ts_buf_str(&n->file))) return;
  if (n->file.len > 0) ts_emit(r, &end);
  ts_buf_set(&n->file, file);
}

static void take_call(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  e->kind = ts_is_true(&r->json, f[F_SUB]) ? TS_EVENT_SUB_CALL : TS_EVENT_CALL;
  e->self_answered = ts_is_true(&r->json, f[F_SELF_ANSWERED]);
  ts_arguments(r, f[F_ARGUMENTS], e);
  if (!ts_json_is(&r->json, f[F_INPUT], TS_JSON_STRING)) return;
  ts_arguments(r, f[F_INPUT], e);
  e->form = TS_ARGUMENTS_INPUT;
}

static void take_result(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  e->kind = ts_is_true(&r->json, f[F_SUB]) ? TS_EVENT_SUB_RESULT : TS_EVENT_RESULT;
  e->is_error = ts_is_true(&r->json, f[F_IS_ERROR]);
  e->misplaced = ts_is_true(&r->json, f[F_MISPLACED]);
  e->content = ts_raw(&r->json, f[F_CONTENT]);
}

static void take_finding(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  uint32_t v[TS_AUDIENCES];
  e->kind = TS_EVENT_FINDING;
  e->rule = ts_rule_find(ts_slot_text(r, f[F_RULE], TS_SLOT_OTHER));
  ts_json_fields(&r->json, f[F_VECTOR], &vector, v);
  for (size_t a = 0; a < TS_AUDIENCES; a++) {
    enum ts_level level = ts_level_find(ts_slot_text(r, v[a], TS_SLOT_OTHER));
    if (v[a] && level <= TS_ERROR) e->vector.level[a] = (uint8_t)level;
  }
  e->message = ts_slot_text(r, f[F_MESSAGE], TS_SLOT_ARGUMENTS);
}

static void take_other(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  static const enum ts_event_kind kinds[] = { TS_EVENT_MESSAGE, TS_EVENT_WINDOW,    TS_EVENT_END,
                                              TS_EVENT_CATALOG, TS_EVENT_DISCOVERY, TS_EVENT_TODO };
  size_t i = 0;
  while (i < TS_COUNT(kinds) && !ts_json_says(&r->json, f[F_TYPE], ts_neutral_word(kinds[i]))) i++;
  if (i == TS_COUNT(kinds)) return;
  e->kind = kinds[i];
  if (e->kind == TS_EVENT_TODO) e->content = ts_raw(&r->json, f[F_DATA]);
  if (e->kind == TS_EVENT_CATALOG) e->tools = ts_raw(&r->json, f[F_TOOLS]);
  ts_emit(r, e);
}

static void neutral_record(struct ts_reader *r) {
  enum { CALL, RESULT, FINDING };
  static const struct ts_str types[] = { TS_STR("call"), TS_STR("result"), TS_STR("finding"), TS_STR("") };
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  if (!f[F_TYPE] && !f[F_NAME]) return;
  int type = f[F_TYPE] ? ts_word(&r->json, f[F_TYPE], types) : CALL;
  note_file(r, f[F_SOURCE]);
  struct ts_event e = { .session = ts_slot_text(r, f[F_SESSION], TS_SLOT_SESSION),
                        .agent = ts_slot_text(r, f[F_AGENT], TS_SLOT_AGENT),
                        .id = ts_slot_text(r, f[F_ID], TS_SLOT_ID),
                        .key = ts_slot_text(r, f[F_KEY], TS_SLOT_KEY),
                        .name = ts_slot_text(r, f[F_NAME], TS_SLOT_NAME),
                        .turn = ts_slot_text(r, f[F_TURN], TS_SLOT_TURN),
                        .no_ids = ts_is_true(&r->json, f[F_NO_IDS]),
                        .at = ts_raw(&r->json, f[F_AT]) };
  if (type == CALL)
    take_call(r, f, &e);
  else if (type == RESULT)
    take_result(r, f, &e);
  else if (type == FINDING)
    take_finding(r, f, &e);
  if (type < 0)
    take_other(r, f, &e);
  else if (type != FINDING || e.rule < TS_RULES)
    ts_emit(r, &e);
}

static bool neutral_is_record(const struct ts_reader *r) {
  static const struct ts_str words[] = { TS_STR("call"),      TS_STR("result"), TS_STR("finding"), TS_STR("message"),
                                         TS_STR("window"),    TS_STR("end"),    TS_STR("tools"),   TS_STR("route"),
                                         TS_STR("discovery"), TS_STR("todo"),   TS_STR("summary"), TS_STR("") };
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  return f[F_TYPE] ? ts_word(&r->json, f[F_TYPE], words) >= 0 : ts_has_text(&r->json, f[F_NAME]);
}

/* NULs and halves of surrogate pairs that another transcript had are still there, and its findings are too. */
static bool neutral_is_copy(const struct ts_reader *r) {
  uint32_t f[F_COUNT], s[S_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  ts_json_fields(&r->json, f[F_SOURCE], &source, s);
  return ts_has_text(&r->json, s[S_FORMAT]);
}

static void neutral_free(void *state) {
  struct neutral *n = state;
  ts_buf_free(&n->file);
}

const struct ts_format ts_format_neutral = {
  .name = "neutral",
  .shape = &record,
  .state_size = sizeof(struct neutral),
  .record = neutral_record,
  .is_record = neutral_is_record,
  .is_copy = neutral_is_copy,
  .free_state = neutral_free,
};
