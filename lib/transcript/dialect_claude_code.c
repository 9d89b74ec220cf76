/* Claude Code's session files: one API message block or note a line, sub-agents inline or in files of their own. */
#include "base/arena.h"
#include "base/seen.h"
#include "base/xalloc.h"
#include "transcript/blocks.h"

enum { M_ID, M_CONTENT, M_COUNT };
static const struct ts_json_want message_wants[] = {
  { TS_STR("id"), &ts_json_span },
  { TS_STR("content"), &ts_blocks_shape },
};
static const struct ts_json_shape message = { message_wants, M_COUNT, NULL };

enum { A_TYPE, A_ADDED_NAMES, A_COUNT };
static const struct ts_json_shape names = { NULL, 0, &ts_json_span };
static const struct ts_json_want attachment_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("addedNames"), &names },
};
static const struct ts_json_shape attachment = { attachment_wants, A_COUNT, NULL };

enum {
  F_TYPE,
  F_UUID,
  F_PARENT_UUID,
  F_SESSION_ID,
  F_STREAM_SESSION_ID,
  F_IS_SIDECHAIN,
  F_AGENT_ID,
  F_STREAM_AGENT_ID,
  F_IS_META,
  F_TIMESTAMP,
  F_SUBTYPE,
  F_MESSAGE,
  F_ATTACHMENT,
  F_COUNT
};
static const struct ts_json_want record_wants[] = {
  { TS_STR("type"), &ts_json_span },       { TS_STR("uuid"), &ts_json_span },
  { TS_STR("parentUuid"), &ts_json_span }, { TS_STR("sessionId"), &ts_json_span },
  { TS_STR("session_id"), &ts_json_span }, { TS_STR("isSidechain"), &ts_json_span },
  { TS_STR("agentId"), &ts_json_span },    { TS_STR("parent_tool_use_id"), &ts_json_span },
  { TS_STR("isMeta"), &ts_json_span },     { TS_STR("timestamp"), &ts_json_span },
  { TS_STR("subtype"), &ts_json_span },    { TS_STR("message"), &message },
  { TS_STR("attachment"), &attachment },
};
static const struct ts_json_shape record = { record_wants, F_COUNT, NULL };

/* The wedge of one agent, found by the hash of session and agent. */
struct agent {
  struct ts_hash128 hash;
  struct ts_wedge wedge;
};

/* Most sessions have one agent at a time; of those that talk at the same time the last ones are remembered, and a
 * forgotten one is as if it had said nothing yet. */
enum { AGENTS = 64 };

struct claude {
  struct ts_seen uuids; /* of (session, uuid); the note: which side chain it is in, 0: none */
  struct ts_str *chain; /* uuid of the first record of side chain i + 1 */
  size_t chain_count, chain_cap;
  struct ts_arena arena;      /* the texts of chain */
  struct agent agent[AGENTS]; /* the last one to speak first */
  size_t agents;
};

static struct ts_wedge *wedge_of(struct claude *c, const struct ts_event *like) {
  const struct ts_str parts[] = { like->session, like->agent };
  struct ts_hash128 hash = ts_hash128(parts, TS_COUNT(parts));
  size_t i = 0;
  while (i < c->agents && !(c->agent[i].hash.low == hash.low && c->agent[i].hash.high == hash.high)) i++;
  struct agent mine = { .hash = hash };
  if (i < c->agents) mine = c->agent[i];
  if (i == c->agents && c->agents < AGENTS) c->agents++;
  if (i == AGENTS) i--;
  memmove(&c->agent[1], &c->agent[0], i * sizeof c->agent[0]);
  c->agent[0] = mine;
  return &c->agent[0].wedge;
}

/* The stream that `claude -p` prints has other names for the session, and for the agent that a call started. */
static uint32_t session_of(const uint32_t f[F_COUNT]) {
  return f[F_SESSION_ID] ? f[F_SESSION_ID] : f[F_STREAM_SESSION_ID];
}

static uint32_t agent_of(const uint32_t f[F_COUNT]) { return f[F_AGENT_ID] ? f[F_AGENT_ID] : f[F_STREAM_AGENT_ID]; }

/* A record of a side chain without an agent's id goes with its parent, and else begins a chain. */
static uint32_t chain_of(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_str session, struct ts_str uuid) {
  struct claude *c = r->state;
  if (!ts_is_true(&r->json, f[F_IS_SIDECHAIN]) || ts_has_text(&r->json, agent_of(f))) return 0;
  const struct ts_str parts[] = { session, ts_slot_text(r, f[F_PARENT_UUID], TS_SLOT_OTHER) };
  const uint32_t *parent = ts_seen_find(&c->uuids, ts_hash128(parts, TS_COUNT(parts)));
  if (parent && *parent > 0) return *parent;
  ts_xgrow(&c->chain, &c->chain_cap, c->chain_count + 1, sizeof *c->chain);
  c->chain[c->chain_count++] = ts_arena_dup(&c->arena, uuid);
  return (uint32_t)c->chain_count;
}

/* Notes the record; false: it has been here before. */
static bool note_record(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *like) {
  struct claude *c = r->state;
  struct ts_str uuid = ts_slot_text(r, f[F_UUID], TS_SLOT_KEY);
  uint32_t chain = chain_of(r, f, like->session, uuid);
  const struct ts_str parts[] = { like->session, uuid };
  bool is_new = uuid.len == 0 || ts_seen_add(&c->uuids, ts_hash128(parts, TS_COUNT(parts)), chain);
  like->agent = chain > 0 ? c->chain[chain - 1] : ts_slot_text(r, agent_of(f), TS_SLOT_AGENT);
  if (!is_new)
    ts_remark(r, TS_RULE_REPEATED_RECORD, r->json.node[0].start,
              "the record with uuid %.*s was read before in this session; it is not counted again", TS_FMT(uuid));
  return is_new;
}

static void take_message(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *like, bool by_user) {
  uint32_t m[M_COUNT];
  struct ts_wedge *wedge = wedge_of(r->state, like);
  ts_json_fields(&r->json, f[F_MESSAGE], &message, m);
  if (by_user) {
    if (!ts_is_true(&r->json, f[F_IS_META])) ts_blocks_user(r, m[M_CONTENT], like, wedge);
    return;
  }
  like->turn = ts_slot_text(r, ts_has_text(&r->json, m[M_ID]) ? m[M_ID] : f[F_UUID], TS_SLOT_TURN);
  ts_blocks_assistant(r, m[M_CONTENT], like, wedge);
}

/* The list of tools that can be searched for has grown. */
static void take_attachment(struct ts_reader *r, uint32_t node, const struct ts_event *like) {
  uint32_t a[A_COUNT];
  ts_json_fields(&r->json, node, &attachment, a);
  if (!a[A_TYPE] || !TS_JSON_SAYS(&r->json, a[A_TYPE], "deferred_tools_delta") || !a[A_ADDED_NAMES]) return;
  for (uint32_t n = ts_json_first(&r->json, a[A_ADDED_NAMES]); n; n = ts_json_after(&r->json, a[A_ADDED_NAMES], n)) {
    struct ts_event e = { .kind = TS_EVENT_DISCOVERY, .session = like->session, .agent = like->agent };
    e.name = ts_slot_text(r, n, TS_SLOT_NAME);
    if (e.name.len > 0) ts_emit(r, &e);
  }
}

static void take_system(struct ts_reader *r, uint32_t subtype, struct ts_event *like) {
  if (!subtype || !TS_JSON_SAYS(&r->json, subtype, "compact_boundary")) return;
  *wedge_of(r->state, like) = (struct ts_wedge){ false, false };
  like->kind = TS_EVENT_WINDOW;
  ts_emit(r, like);
}

static void claude_record(struct ts_reader *r) {
  enum { ASSISTANT, USER, SYSTEM, ATTACHMENT };
  static const struct ts_str types[] = { TS_STR("assistant"), TS_STR("user"), TS_STR("system"), TS_STR("attachment"),
                                         TS_STR("") };
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  int type = ts_word(&r->json, f[F_TYPE], types);
  struct ts_event like = { .session = ts_slot_text(r, session_of(f), TS_SLOT_SESSION),
                           .at = ts_raw(&r->json, f[F_TIMESTAMP]) };
  if (!note_record(r, f, &like)) return;
  if (type == ASSISTANT || type == USER)
    take_message(r, f, &like, type == USER);
  else if (type == SYSTEM)
    take_system(r, f[F_SUBTYPE], &like);
  else if (type == ATTACHMENT)
    take_attachment(r, f[F_ATTACHMENT], &like);
}

/* A copy of a sub-agent's record inside another one has no session. */
static bool claude_is_record(const struct ts_reader *r) {
  uint32_t f[F_COUNT];
  ts_json_root_fields(&r->json, &record, f);
  return ts_has_text(&r->json, f[F_TYPE]) && ts_has_text(&r->json, session_of(f));
}

static void claude_free(void *state) {
  struct claude *c = state;
  ts_seen_free(&c->uuids);
  free(c->chain);
  ts_arena_free(&c->arena);
}

const struct ts_format ts_format_claude_code = {
  .name = "claude-code",
  .shape = &record,
  .state_size = sizeof(struct claude),
  .record = claude_record,
  .is_record = claude_is_record,
  .free_state = claude_free,
};
