#include "transcript/look.h"

enum { RECORDS_MAX = 200 };

/* --- documents ------------------------------------------------------------------------------------------ */

static const struct ts_json_want block_wants[] = { { TS_STR("type"), &ts_json_span } };
static const struct ts_json_shape block = { block_wants, 1, NULL };
static const struct ts_json_shape blocks = { NULL, 0, &block };

/* Members that tell documents apart, and their elements. */
enum {
  D_MESSAGES,
  D_HISTORY,
  D_TRAJ,
  D_LISTS,
  D_ROLE = D_LISTS,
  D_CONTENT,
  D_TOOLS,
  D_INPUT_SCHEMA,
  D_SESSION_ID,
  D_PROJECT_HASH,
  D_METADATA,
  D_SCHEMA_VERSION,
  D_JOURNAL,
  D_COUNT
};
static const struct ts_json_want document_wants[] = {
  { TS_STR("messages"), &ts_json_span },
  { TS_STR("history"), &ts_json_span },
  { TS_STR("traj"), &ts_json_span },
  { TS_STR("role"), &ts_json_span },
  { TS_STR("content"), &blocks },
  { TS_STR("tools"), &ts_json_span },
  { TS_STR("input_schema"), &ts_json_span },
  { TS_STR("sessionId"), &ts_json_span },
  { TS_STR("projectHash"), &ts_json_span },
  { TS_STR("metadata"), &ts_json_span },
  { TS_STR("schema_version"), &ts_json_span },
  { TS_STR("journal"), &ts_json_span },
};
static const struct ts_json_shape document = { document_wants, D_COUNT, NULL };

/* Blocks that only Anthropic's API knows, among the content of a message. */
static bool has_blocks(const struct ts_json *j, uint32_t content) {
  static const struct ts_str words[] = { TS_STR("tool_use"), TS_STR("tool_result"), TS_STR("") };
  for (uint32_t b = content ? ts_json_first(j, content) : 0; b; b = ts_json_after(j, content, b)) {
    uint32_t type;
    ts_json_fields(j, b, &block, &type);
    if (ts_word(j, type, words) >= 0) return true;
  }
  return false;
}

/* Does anything in this list (of messages, of conversations, of tools) speak Anthropic's dialect? */
static bool list_is_anthropic(struct ts_look *l, size_t at, bool nested) {
  struct ts_walk w = ts_walk(l->bytes, at);
  uint32_t f[D_COUNT];
  while (ts_walk_element(&w, &l->json, &document) > 0) {
    size_t lists[D_LISTS], count = 0;
    ts_json_root_fields(&l->json, &document, f);
    if (f[D_INPUT_SCHEMA] || has_blocks(&l->json, f[D_CONTENT])) return true;
    for (size_t i = 0; i < D_LISTS; i++)
      if (!nested && ts_json_is(&l->json, f[i], TS_JSON_ARRAY)) lists[count++] = l->json.node[f[i]].start;
    for (size_t i = 0; i < count; i++)
      if (list_is_anthropic(l, lists[i], true)) return true;
  }
  return false;
}

/* Where the members of the object at `at` begin, as far as it goes; 0: absent. */
static void find_members(struct ts_look *l, size_t at, size_t found[D_COUNT]) {
  struct ts_walk w = ts_walk(l->bytes, at);
  struct ts_str key;
  memset(found, 0, D_COUNT * sizeof *found);
  while (ts_walk_member(&w, &l->json, &key) > 0) {
    for (size_t i = 0; i < D_COUNT; i++)
      if (ts_str_eq(key, document_wants[i].key)) found[i] = w.at;
    if (ts_walk_over(&w, &l->json) < 0) return;
  }
}

/* Is it a list, and is the first of its elements a message? An empty list may be one of messages. */
static bool list_has_roles(struct ts_look *l, size_t at) {
  if (at == 0 || l->bytes.ptr[at] != '[') return false;
  struct ts_walk w = ts_walk(l->bytes, at);
  int status = ts_walk_element(&w, &l->json, &document);
  return status == 0 || (status > 0 && TS_JSON_GET(&l->json, 0, "role") != 0);
}

static const struct ts_format *chat_format(bool is_anthropic) {
  return is_anthropic ? &ts_format_anthropic : &ts_format_openai;
}

static const struct ts_format *object_format(struct ts_look *l, size_t at) {
  size_t f[D_COUNT];
  find_members(l, at, f);
  if (list_has_roles(l, f[D_HISTORY]) || list_has_roles(l, f[D_TRAJ])) return &ts_format_openai;
  if (f[D_MESSAGES] && (f[D_SESSION_ID] || f[D_PROJECT_HASH])) return &ts_format_gemini;
  if (f[D_MESSAGES] && f[D_METADATA] && (f[D_SCHEMA_VERSION] || f[D_JOURNAL])) return &ts_format_codewhale_session;
  if (!list_has_roles(l, f[D_MESSAGES])) return NULL;
  return chat_format(list_is_anthropic(l, f[D_MESSAGES], false) ||
                     (f[D_TOOLS] && list_is_anthropic(l, f[D_TOOLS], true)));
}

static const struct ts_format *list_format(struct ts_look *l, size_t at) {
  size_t f[D_COUNT], first = ts_skip_blank(l->bytes, at + 1);
  if (ts_byte_at(l->bytes, first) != '{') return NULL;
  find_members(l, first, f);
  if (f[D_TRAJ]) return &ts_format_openai;
  if (!f[D_ROLE] && !list_has_roles(l, f[D_MESSAGES]) && !list_has_roles(l, f[D_HISTORY])) return NULL;
  return chat_format(list_is_anthropic(l, at, false));
}

const struct ts_format *ts_look_document(struct ts_look *l, size_t at) {
  char bracket = ts_byte_at(l->bytes, at);
  return bracket == '{' ? object_format(l, at) : bracket == '[' ? list_format(l, at) : NULL;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

enum {
  L_TYPE,
  L_SCHEMA,
  L_SEQ,
  L_THREAD_ID,
  L_EVENT,
  L_PAYLOAD,
  L_CREATED_AT,
  L_TIMESTAMP,
  L_VERSION,
  L_DATA,
  L_JSONRPC,
  L_METHOD,
  L_RESULT,
  L_SET,
  L_REWIND_TO,
  L_SESSION_ID,
  L_PROJECT_HASH,
  L_RECORD_TYPE,
  L_MESSAGE,
  L_UUID,
  L_LEAF_UUID,
  L_SNAPSHOT,
  L_PARENT_ID,
  L_MESSAGES,
  L_HISTORY,
  L_TRAJ,
  L_ROLE,
  L_CONTENT,
  L_TOOLS,
  L_SOURCE,
  L_NAME,
  L_ARGUMENTS,
  L_INPUT,
  L_COUNT
};
static const struct ts_json_want result_wants[] = { { TS_STR("serverInfo"), &ts_json_span },
                                                    { TS_STR("tools"), &ts_json_span } };
static const struct ts_json_shape result = { result_wants, TS_COUNT(result_wants), NULL };
static const struct ts_json_want source_wants[] = { { TS_STR("format"), &ts_json_span } };
static const struct ts_json_shape source = { source_wants, TS_COUNT(source_wants), NULL };
static const struct ts_json_want line_wants[] = {
  { TS_STR("type"), &ts_json_span },
  { TS_STR("schema"), &ts_json_span },
  { TS_STR("seq"), &ts_json_span },
  { TS_STR("thread_id"), &ts_json_span },
  { TS_STR("event"), &ts_json_span },
  { TS_STR("payload"), &ts_json_span },
  { TS_STR("createdAt"), &ts_json_span },
  { TS_STR("timestamp"), &ts_json_span },
  { TS_STR("version"), &ts_json_span },
  { TS_STR("data"), &ts_json_span },
  { TS_STR("jsonrpc"), &ts_json_span },
  { TS_STR("method"), &ts_json_span },
  { TS_STR("result"), &result },
  { TS_STR("$set"), &ts_json_span },
  { TS_STR("$rewindTo"), &ts_json_span },
  { TS_STR("sessionId"), &ts_json_span },
  { TS_STR("projectHash"), &ts_json_span },
  { TS_STR("record_type"), &ts_json_span },
  { TS_STR("message"), &ts_json_span },
  { TS_STR("uuid"), &ts_json_span },
  { TS_STR("leafUuid"), &ts_json_span },
  { TS_STR("snapshot"), &ts_json_span },
  { TS_STR("parentId"), &ts_json_span },
  { TS_STR("messages"), &ts_json_span },
  { TS_STR("history"), &ts_json_span },
  { TS_STR("traj"), &ts_json_span },
  { TS_STR("role"), &ts_json_span },
  { TS_STR("content"), &blocks },
  { TS_STR("tools"), &ts_json_span },
  { TS_STR("source"), &source },
  { TS_STR("name"), &ts_json_span },
  { TS_STR("arguments"), &ts_json_span },
  { TS_STR("input"), &ts_json_span },
};
static const struct ts_json_shape line_record = { line_wants, L_COUNT, NULL };
/* A batch of JSON-RPC messages, or a document that is a list of records. */
static const struct ts_json_shape line_shape = { line_wants, L_COUNT, &line_record };

struct line {
  const struct ts_json *j;
  uint32_t f[L_COUNT];
};

static bool is_object(const struct line *l, int field) { return ts_json_is(l->j, l->f[field], TS_JSON_OBJECT); }
static bool is_list(const struct line *l, int field) { return ts_json_is(l->j, l->f[field], TS_JSON_ARRAY); }
static bool is_text(const struct line *l, int field) { return ts_json_is(l->j, l->f[field], TS_JSON_STRING); }
static bool says(const struct line *l, int field, struct ts_str word) {
  return l->f[field] && ts_json_says(l->j, l->f[field], word);
}
static bool says_one_of(const struct line *l, int field, const struct ts_str *words) {
  return ts_word(l->j, l->f[field], words) >= 0;
}
/* The text of a field, quotes included and escapes as they are: good enough for how a word begins or ends. */
static struct ts_str raw(const struct line *l, int field) { return ts_raw(l->j, l->f[field]); }

static bool is_codewhale_exec(const struct line *l) { return says(l, L_SCHEMA, TS_STR("codewhale.exec-stream")); }

static bool is_codewhale_events(const struct line *l) {
  return l->f[L_SEQ] && l->f[L_THREAD_ID] && l->f[L_EVENT] && l->f[L_PAYLOAD];
}

static bool is_codex(const struct line *l) {
  static const struct ts_str words[] = { TS_STR("session_meta"), TS_STR("response_item"), TS_STR("event_msg"),
                                         TS_STR("turn_context"), TS_STR("compacted"),     TS_STR("") };
  return is_object(l, L_PAYLOAD) && says_one_of(l, L_TYPE, words);
}

static bool is_dsh(const struct line *l) {
  if (says(l, L_TYPE, TS_STR("session"))) return l->f[L_CREATED_AT] != 0;
  return l->f[L_DATA] && is_text(l, L_TYPE) &&
         (ts_str_has(raw(l, L_TYPE), TS_STR("/")) || ts_str_ends(raw(l, L_TYPE), TS_STR("-chunks\"")));
}

static bool is_pi(const struct line *l) {
  if (says(l, L_TYPE, TS_STR("session"))) return l->f[L_TIMESTAMP] || l->f[L_VERSION];
  return says(l, L_TYPE, TS_STR("message")) && is_object(l, L_MESSAGE) && l->f[L_PARENT_ID];
}

static bool is_mcp(const struct line *l) {
  uint32_t r[2];
  ts_json_fields(l->j, l->f[L_RESULT], &result, r);
  return says(l, L_JSONRPC, TS_STR("2.0")) &&
         (ts_str_starts(raw(l, L_METHOD), TS_STR("\"tools/")) || r[0] || ts_json_is(l->j, r[1], TS_JSON_ARRAY));
}

static bool is_gemini(const struct line *l) {
  return l->f[L_SET] || l->f[L_REWIND_TO] || (l->f[L_SESSION_ID] && l->f[L_PROJECT_HASH]);
}

static bool is_old_codex(const struct line *l) {
  static const struct ts_str items[] = {
    TS_STR("function_call"),
    TS_STR("function_call_output"),
    TS_STR("custom_tool_call"),
    TS_STR("custom_tool_call_output"),
    TS_STR("local_shell_call"),
    TS_STR("local_shell_call_output"),
    TS_STR("web_search_call"),
    TS_STR("reasoning"),
    TS_STR(""),
  };
  if (is_text(l, L_RECORD_TYPE)) return true;
  if (l->f[L_MESSAGE] || l->f[L_UUID] || l->f[L_SESSION_ID] || l->f[L_DATA]) return false;
  if (says_one_of(l, L_TYPE, items)) return true;
  if (!says(l, L_TYPE, TS_STR("message")) || !is_list(l, L_CONTENT)) return false;
  /* Anthropic's answers are messages too, but their blocks are of other types. */
  uint32_t first = ts_json_first(l->j, l->f[L_CONTENT]), type;
  ts_json_fields(l->j, first, &block, &type);
  struct ts_str word = ts_raw(l->j, type);
  return ts_str_starts(word, TS_STR("\"input_")) || ts_str_starts(word, TS_STR("\"output_"));
}

static bool is_claude_code(const struct line *l) {
  static const struct ts_str words[] = { TS_STR("user"), TS_STR("assistant"), TS_STR("system"), TS_STR("progress"),
                                         TS_STR("") };
  if (!is_text(l, L_TYPE)) return false;
  if (is_text(l, L_UUID) || is_text(l, L_SESSION_ID) || is_text(l, L_LEAF_UUID)) return true;
  if (is_object(l, L_MESSAGE) && says_one_of(l, L_TYPE, words)) return true;
  return says(l, L_TYPE, TS_STR("file-history-snapshot")) && is_object(l, L_SNAPSHOT);
}

static bool is_chat(const struct line *l) {
  return is_list(l, L_MESSAGES) || is_list(l, L_HISTORY) || is_list(l, L_TRAJ) || is_text(l, L_ROLE);
}

/* A record without a type but with a name is a call, when it has something to call with. */
static bool is_neutral(const struct line *l) {
  static const struct ts_str words[] = { TS_STR("call"), TS_STR("result"), TS_STR("route"), TS_STR("") };
  uint32_t format;
  ts_json_fields(l->j, l->f[L_SOURCE], &source, &format);
  if (!l->f[L_TYPE] && is_text(l, L_NAME)) return l->f[L_ARGUMENTS] || l->f[L_INPUT];
  return says_one_of(l, L_TYPE, words) || (is_text(l, L_TYPE) && format);
}

/* In this order: the first one that says yes. */
static const struct {
  bool (*is)(const struct line *l);
  const struct ts_format *format;
} rules[] = {
  { is_codewhale_exec, &ts_format_codewhale_exec },
  { is_codewhale_events, &ts_format_codewhale_events },
  { is_codex, &ts_format_codex },
  { is_dsh, &ts_format_dsh },
  { is_pi, &ts_format_pi },
  { is_mcp, &ts_format_mcp },
  { is_gemini, &ts_format_gemini },
  { is_old_codex, &ts_format_codex },
  { is_claude_code, &ts_format_claude_code },
  { is_chat, &ts_format_openai },
  { is_neutral, &ts_format_neutral },
};

/* The format that the record in l->json (of a line, or the first of a list) shows, or NULL. */
static const struct ts_format *record_format(const struct ts_look *l, struct line *out) {
  out->j = &l->json;
  if (ts_json_root_is(out->j, TS_JSON_ARRAY))
    ts_json_fields(out->j, ts_json_first(out->j, 0), &line_record, out->f);
  else
    ts_json_root_fields(out->j, &line_record, out->f);
  for (size_t i = 0; i < TS_COUNT(rules); i++)
    if (rules[i].is(out)) return rules[i].format;
  return NULL;
}

/* The line that begins at `at`, indexed in l->json, has messages: is that so, and do they speak Anthropic's dialect? */
static const struct ts_format *chat_line_format(struct ts_look *l, const struct line *line, size_t at) {
  static const int fields[] = { L_MESSAGES, L_HISTORY, L_TRAJ, L_TOOLS };
  size_t lists[TS_COUNT(fields) + 1], count = 0, messages = 0;
  bool anthropic = has_blocks(line->j, line->f[L_CONTENT]), roles = is_text(line, L_ROLE);
  for (size_t i = 0; i < TS_COUNT(fields); i++) {
    if (!is_list(line, fields[i])) continue;
    lists[count++] = at + line->j->node[line->f[fields[i]]].start;
    if (fields[i] != L_TOOLS) messages = count;
  }
  if (ts_json_root_is(line->j, TS_JSON_ARRAY)) lists[count++] = at + line->j->node[0].start; /* itself a list */
  for (size_t i = 0; i < messages; i++) roles |= list_has_roles(l, lists[i]);
  for (size_t i = 0; i < count; i++) anthropic |= list_is_anthropic(l, lists[i], true);
  return roles ? chat_format(anthropic) : NULL;
}

static bool is_there(struct ts_look *l, size_t at, uint64_t limit) {
  return at < l->bytes.len || (ts_look_further(l, limit) && at < l->bytes.len);
}

const struct ts_format *ts_look_lines(struct ts_look *l, size_t first, size_t *records) {
  const struct ts_format *found = NULL;
  uint64_t limit = ts_look_line_end(l, first, l->max + TS_LOOK_BEYOND) + (uint64_t)TS_LOOK_BEYOND;
  struct line line;
  *records = 0;
  for (size_t at = first, end; *records < RECORDS_MAX && is_there(l, at, limit); at = end + 1) {
    end = ts_look_line_end(l, at, limit);
    if (ts_json_scan_at(&l->json, ts_str_sub(l->bytes, at, end - at), 0, &line_shape) < 0) continue;
    ++*records;
    const struct ts_format *f = record_format(l, &line);
    if (f == &ts_format_openai) f = chat_line_format(l, &line, at);
    if (f == &ts_format_anthropic || !found) found = f;
    if (found && found != &ts_format_openai) return found;
  }
  return found;
}

const struct ts_format *ts_look_record(struct ts_look *l, size_t first, size_t *records) {
  struct line record;
  *records = ts_json_scan_at(&l->json, l->bytes, first, &line_shape) == 0;
  const struct ts_format *f = *records ? record_format(l, &record) : NULL;
  return f == &ts_format_openai ? chat_line_format(l, &record, 0) : f;
}

const struct ts_format *ts_look_value(struct ts_str value) {
  struct ts_look l = { .bytes = value };
  size_t records;
  const struct ts_format *f = ts_look_document(&l, 0);
  if (!f) f = ts_look_record(&l, 0, &records);
  ts_json_free(&l.json);
  return f;
}

bool ts_look_alike(const struct ts_format *a, const struct ts_format *b) {
  return a == b || (a && b && a->document && a->document == b->document);
}
