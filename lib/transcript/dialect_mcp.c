/* MCP traffic: JSON-RPC messages or batches of them, of both directions in one file. Each side numbers its own
 * requests, so an id alone does not tell what an answer answers: what it looks like does, and else which request of
 * that id came last. */
#include "base/seen.h"
#include "transcript/dialect.h"

enum { P_NAME, P_ARGUMENTS, P_CURSOR, P_COUNT };
static const struct ts_json_want params_wants[] = {
  { TS_STR("name"), &ts_json_span },
  { TS_STR("arguments"), &ts_json_span },
  { TS_STR("cursor"), &ts_json_span },
};
static const struct ts_json_shape params = { params_wants, P_COUNT, NULL };
enum { R_CONTENT, R_IS_ERROR, R_STRUCTURED, R_ROLE, R_TOOLS, R_COUNT };
static const struct ts_json_want result_wants[] = {
  { TS_STR("content"), &ts_json_span },
  { TS_STR("isError"), &ts_json_span },
  { TS_STR("structuredContent"), &ts_json_span },
  { TS_STR("role"), &ts_json_span },
  { TS_STR("tools"), &ts_json_span },
};
static const struct ts_json_shape result = { result_wants, R_COUNT, NULL };
enum { F_JSONRPC, F_ID, F_METHOD, F_PARAMS, F_RESULT, F_ERROR, F_COUNT };
static const struct ts_json_want message_wants[] = {
  { TS_STR("jsonrpc"), &ts_json_span }, { TS_STR("id"), &ts_json_span }, { TS_STR("method"), &ts_json_span },
  { TS_STR("params"), &params },        { TS_STR("result"), &result },   { TS_STR("error"), &ts_json_span },
};
static const struct ts_json_shape message = { message_wants, F_COUNT, NULL };
static const struct ts_json_shape record = { message_wants, F_COUNT, &message };

enum request { NONE, CALL, LIST, NEXT_PAGE, OTHER };

/* Requests that wait; when there are too many the oldest is forgotten. */
enum { WAITING = 1024 };
struct mcp {
  struct {
    struct ts_hash128 id;
    enum request request;
  } waiting[WAITING];
  size_t count;
  struct ts_buf tools; /* the pages of the list so far, as one list */
};

static struct ts_hash128 hash_of(struct ts_str raw) { return ts_hash128(&raw, 1); }

static void wait_for(struct mcp *m, struct ts_str id, enum request request) {
  if (m->count == WAITING) memmove(&m->waiting[0], &m->waiting[1], --m->count * sizeof m->waiting[0]);
  m->waiting[m->count].id = hash_of(id);
  m->waiting[m->count++].request = request;
}

/* Takes out the newest request of this id, if possible one that is a call (or none). */
static enum request answered(struct mcp *m, struct ts_str id, bool looks_like_call, bool looks_like_other) {
  struct ts_hash128 hash = hash_of(id);
  size_t found = WAITING;
  for (size_t i = m->count; i-- > 0;) {
    if (m->waiting[i].id.low != hash.low || m->waiting[i].id.high != hash.high) continue;
    bool is_call = m->waiting[i].request == CALL;
    if (found == WAITING) found = i;
    if (is_call ? looks_like_other : looks_like_call) continue;
    found = i;
    break;
  }
  if (found == WAITING) return NONE;
  enum request request = m->waiting[found].request;
  memmove(&m->waiting[found], &m->waiting[found + 1], (--m->count - found) * sizeof m->waiting[0]);
  return request;
}

/* Of ids the spelling: 1 and "1" are two. Empty: there is none, or an empty one. */
static struct ts_str key_of(const struct ts_json *j, uint32_t id) {
  bool is_id = id && !ts_json_is(j, id, TS_JSON_NULL) && (!ts_json_is(j, id, TS_JSON_STRING) || ts_has_text(j, id));
  return is_id ? ts_json_raw(j, id) : ts_str(NULL, 0);
}

static void take_request(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  static const struct ts_str methods[] = { TS_STR("tools/call"), TS_STR("tools/list"), TS_STR("") };
  uint32_t p[P_COUNT];
  int method = ts_word(&r->json, f[F_METHOD], methods);
  ts_json_fields(&r->json, f[F_PARAMS], &params, p);
  enum request request = method == 0                          ? CALL
                         : method != 1                        ? OTHER
                         : ts_has_text(&r->json, p[P_CURSOR]) ? NEXT_PAGE
                                                              : LIST;
  if (f[F_ID]) wait_for(r->state, ts_json_raw(&r->json, f[F_ID]), request);
  if (request != CALL) return;
  e->kind = TS_EVENT_CALL;
  e->name = ts_slot_text(r, p[P_NAME], TS_SLOT_NAME);
  ts_arguments(r, p[P_ARGUMENTS], e);
  ts_emit(r, e);
}

static void take_tools(struct ts_reader *r, struct ts_str page, bool is_next) {
  struct mcp *m = r->state;
  if (is_next && m->tools.len > 2) {
    ts_buf_cut(&m->tools, m->tools.len - 1);
    if (ts_str_trim(ts_str_sub(page, 1, page.len - 2), " \t\r\n").len > 0) ts_buf_addc(&m->tools, ',');
    ts_buf_add(&m->tools, ts_str_sub(page, 1, page.len));
  } else {
    ts_buf_set(&m->tools, page);
  }
  struct ts_event e = { .kind = TS_EVENT_CATALOG, .tools = ts_buf_str(&m->tools) };
  ts_emit(r, &e);
}

static void take_answer(struct ts_reader *r, const uint32_t f[F_COUNT], struct ts_event *e) {
  uint32_t a[R_COUNT];
  ts_json_fields(&r->json, f[F_RESULT], &result, a);
  bool tools = ts_json_is(&r->json, a[R_TOOLS], TS_JSON_ARRAY);
  bool like_call =
      !a[R_ROLE] && (ts_json_is(&r->json, a[R_CONTENT], TS_JSON_ARRAY) || a[R_IS_ERROR] || a[R_STRUCTURED]);
  bool like_other = f[F_RESULT] && !like_call && ts_str_trim(ts_raw(&r->json, f[F_RESULT]), "{} \t").len > 0;
  enum request request = answered(r->state, ts_json_raw(&r->json, f[F_ID]), like_call, like_other);
  if (tools && request != CALL) {
    take_tools(r, ts_json_raw(&r->json, a[R_TOOLS]), request == NEXT_PAGE);
    return;
  }
  if (request != CALL && !(request == NONE && like_call)) return;
  e->kind = TS_EVENT_RESULT;
  e->is_error = f[F_ERROR] || ts_is_true(&r->json, a[R_IS_ERROR]);
  e->content = ts_raw(&r->json, f[F_ERROR] ? f[F_ERROR] : a[R_CONTENT] ? a[R_CONTENT] : f[F_RESULT]);
  ts_emit(r, e);
}

static void take_message(struct ts_reader *r, const uint32_t f[F_COUNT]) {
  struct ts_event e = { .key = key_of(&r->json, f[F_ID]) };
  bool has_id = f[F_ID] && !ts_json_is(&r->json, f[F_ID], TS_JSON_NULL);
  e.id = ts_json_is(&r->json, f[F_ID], TS_JSON_STRING) ? ts_slot_text(r, f[F_ID], TS_SLOT_ID) : e.key;
  if (f[F_METHOD])
    take_request(r, f, &e);
  else if (has_id && (f[F_RESULT] || f[F_ERROR]))
    take_answer(r, f, &e);
}

static void mcp_record(struct ts_reader *r) {
  uint32_t f[F_COUNT];
  if (!ts_json_root_is(&r->json, TS_JSON_ARRAY)) {
    ts_json_root_fields(&r->json, &message, f);
    take_message(r, f);
    return;
  }
  for (uint32_t n = ts_json_first(&r->json, 0); n; n = ts_json_after(&r->json, 0, n)) {
    ts_json_fields(&r->json, n, &message, f);
    take_message(r, f);
  }
}

static bool mcp_is_record(const struct ts_reader *r) {
  uint32_t f[F_COUNT];
  if (ts_json_root_is(&r->json, TS_JSON_ARRAY))
    ts_json_fields(&r->json, ts_json_first(&r->json, 0), &message, f);
  else
    ts_json_root_fields(&r->json, &message, f);
  return f[F_JSONRPC] != 0;
}

static void mcp_free(void *state) {
  struct mcp *m = state;
  ts_buf_free(&m->tools);
}

const struct ts_format ts_format_mcp = {
  .name = "mcp",
  .shape = &record,
  .state_size = sizeof(struct mcp),
  .record = mcp_record,
  .is_record = mcp_is_record,
  .free_state = mcp_free,
};
