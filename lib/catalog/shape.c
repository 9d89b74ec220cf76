#include "catalog/record.h"
#include "json/write.h"

enum { DEPTH_MAX = 8 }; /* of lists in lists: an answer in a batch, declarations in a tool, with room to spare */

/* --- what the shapes have ------------------------------------------------------------------------------- */

static bool has(const struct ts_json *j, uint32_t node, struct ts_str key, enum ts_json_kind kind) {
  return ts_json_is(j, ts_json_get(j, node, key), kind);
}
static bool is_typed(const struct ts_json *j, uint32_t node, const char *type) {
  return ts_json_says(j, TS_JSON_GET(j, node, "type"), ts_str_z(type));
}

static bool is_record(const struct ts_json *j, uint32_t node) {
  struct ts_buf scratch = { 0 };
  struct ts_str type = ts_json_text(j, TS_JSON_GET(j, node, "type"), &scratch);
  bool is = has(j, node, TS_STR("type"), TS_JSON_STRING) && ts_record_kind(type) != TS_RECORDS;
  ts_buf_free(&scratch);
  return is;
}
static bool is_answer(const struct ts_json *j, uint32_t node) {
  uint32_t result = TS_JSON_GET(j, node, "result");
  return ts_json_is(j, result, TS_JSON_OBJECT) && has(j, result, TS_STR("tools"), TS_JSON_ARRAY);
}
static bool is_message(const struct ts_json *j, uint32_t node) { return TS_JSON_GET(j, node, "jsonrpc") != 0; }
static bool is_chat_tool(const struct ts_json *j, uint32_t node) {
  return has(j, node, TS_STR("function"), TS_JSON_OBJECT) &&
         (is_typed(j, node, "function") || !TS_JSON_GET(j, node, "name"));
}
static bool is_declarations(const struct ts_json *j, uint32_t node) {
  return has(j, node, TS_STR("functionDeclarations"), TS_JSON_ARRAY) ||
         has(j, node, TS_STR("function_declarations"), TS_JSON_ARRAY);
}
static bool has_schema(const struct ts_json *j, uint32_t node) {
  return TS_JSON_GET(j, node, "input_schema") || TS_JSON_GET(j, node, "inputSchema") ||
         TS_JSON_GET(j, node, "parameters");
}
static bool is_page(const struct ts_json *j, uint32_t node) {
  return has(j, node, TS_STR("tools"), TS_JSON_ARRAY) && !has_schema(j, node);
}
static bool is_functions(const struct ts_json *j, uint32_t node) {
  return has(j, node, TS_STR("functions"), TS_JSON_ARRAY) && !has_schema(j, node);
}
static bool is_typed_tool(const struct ts_json *j, uint32_t node) {
  bool is_tool = is_typed(j, node, "function") || (is_typed(j, node, "custom") && has_schema(j, node));
  return is_tool && has(j, node, TS_STR("name"), TS_JSON_STRING);
}
static bool is_untyped_tool(const struct ts_json *j, uint32_t node) {
  return !TS_JSON_GET(j, node, "type") && has(j, node, TS_STR("name"), TS_JSON_STRING);
}
static bool is_provider_tool(const struct ts_json *j, uint32_t node) {
  return has(j, node, TS_STR("type"), TS_JSON_STRING);
}

/* --- how they are read ---------------------------------------------------------------------------------- */

static int read_list(struct ts_loader *l, uint32_t list) {
  const struct ts_json *j = &l->json;
  bool listed = l->listed;
  int result = 0;
  l->listed = true;
  for (uint32_t e = ts_json_first(j, list); e && result == 0; e = ts_json_after(j, list, e))
    result = ts_shape_read(l, e);
  l->listed = listed;
  return result;
}

/* What a record says must be certain down to the bottom. */
static int check_all_keys(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  for (uint32_t n = node; n < j->node[node].next; n++)
    if (j->node[n].kind == TS_JSON_OBJECT && ts_load_check_keys(l, n) < 0) return -1;
  return 0;
}

static int read_record(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  struct ts_record_form form = { .kind = ts_record_kind(ts_json_text(j, TS_JSON_GET(j, node, "type"), &l->scratch)) };
  return check_all_keys(l, node) < 0 ? -1 : ts_record_take(l, node, &form);
}

static int read_page(struct ts_loader *l, uint32_t node) {
  uint32_t tools = TS_JSON_GET(&l->json, node, "tools");
  int opened = ts_page_open(l, tools, TS_JSON_GET(&l->json, node, "nextCursor"));
  return opened == 1 ? read_list(l, tools) : opened;
}

static int read_answer(struct ts_loader *l, uint32_t node) {
  uint32_t result = TS_JSON_GET(&l->json, node, "result");
  return ts_load_check_keys(l, result) < 0 ? -1 : read_page(l, result);
}

static int refuse_message(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  uint32_t error = TS_JSON_GET(j, node, "error"), message = error ? TS_JSON_GET(j, error, "message") : 0;
  if (ts_json_is(j, message, TS_JSON_STRING))
    return ts_load_fail(l, j->node[node].start, "the server answered with an error: %.*s",
                        TS_FMT(ts_json_text(j, message, &l->scratch)));
  return ts_load_fail(l, j->node[node].start, "a JSON-RPC message that answers no tools/list");
}

/* {"type":"function","function":{…}}: the tool is inside; what else stands outside goes into `served`. */
static int read_chat_tool(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  uint32_t function = TS_JSON_GET(j, node, "function");
  struct ts_record_form form = { .kind = TS_RECORD_TOOL, .foreign = true, .served = true };
  struct ts_buf outer = { 0 };
  if (ts_load_check_keys(l, function) < 0) return -1;
  for (uint32_t k = ts_json_first(j, node); k; k = ts_json_after(j, node, k)) {
    struct ts_str key = ts_json_text(j, k, &l->scratch);
    if (ts_str_is(key, "type") || ts_str_is(key, "function")) continue;
    if (ts_json_get(j, function, key)) {
      ts_buf_free(&outer);
      return ts_load_fail(l, j->node[k].start, "member '%.*s' stands beside 'function' and inside it", TS_FMT(key));
    }
    if (outer.len > 0) ts_buf_addc(&outer, ',');
    ts_buf_add(&outer, ts_json_raw(j, k));
    ts_buf_addc(&outer, ':');
    ts_json_minify(&outer, ts_json_raw(j, k + 1));
  }
  form.outer = ts_buf_str(&outer);
  int result = ts_record_take(l, function, &form);
  ts_buf_free(&outer);
  return result;
}

static int read_declarations(struct ts_loader *l, uint32_t node) {
  uint32_t list = TS_JSON_GET(&l->json, node, "functionDeclarations");
  return read_list(l, list ? list : TS_JSON_GET(&l->json, node, "function_declarations"));
}

static int read_functions(struct ts_loader *l, uint32_t node) {
  return read_list(l, TS_JSON_GET(&l->json, node, "functions"));
}

static int read_typed_tool(struct ts_loader *l, uint32_t node) {
  struct ts_record_form form = { .kind = TS_RECORD_TOOL, .foreign = true, .served = true, .typed_function = true };
  return ts_record_take(l, node, &form);
}

/* In a list it is a tool of that list; for itself a record whose state says whether it is a tool or an alias. */
static int read_untyped_tool(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  enum ts_state state = ts_state_find(ts_json_text(j, TS_JSON_GET(j, node, "state"), &l->scratch));
  struct ts_record_form form = { .kind = TS_RECORD_TOOL, .foreign = true, .served = l->listed };
  if (!l->listed && check_all_keys(l, node) < 0) return -1;
  if (!l->listed && state != TS_STATES && ts_state_row(state)->alias) form.kind = TS_RECORD_ALIAS;
  return ts_record_take(l, node, &form);
}

/* A tool that the provider runs itself, {"type":"web_search_20250305","name":"web_search"}; without a name it
 * goes by its type. */
static int read_provider_tool(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  struct ts_record_form form = { .kind = TS_RECORD_TOOL, .foreign = true, .served = true };
  struct ts_str type = ts_json_raw(j, TS_JSON_GET(j, node, "type"));
  if (!l->listed) return ts_load_fail(l, j->node[node].start, "type %.*s is no catalog record", TS_FMT(type));
  if (!TS_JSON_GET(j, node, "name")) form.name = type;
  return ts_record_take(l, node, &form);
}

/* The first row that fits tells what an object is. */
static const struct shape {
  bool (*fits)(const struct ts_json *j, uint32_t node);
  int (*read)(struct ts_loader *l, uint32_t node);
} shapes[] = {
  { is_record, read_record },               /* tscatalog(5) */
  { is_answer, read_answer },               /* MCP, in its JSON-RPC envelope */
  { is_message, refuse_message },           /* JSON-RPC, but something else */
  { is_chat_tool, read_chat_tool },         /* OpenAI Chat */
  { is_declarations, read_declarations },   /* Gemini */
  { is_page, read_page },                   /* MCP bare, or any request with `tools` */
  { is_functions, read_functions },         /* OpenAI Chat of old */
  { is_typed_tool, read_typed_tool },       /* OpenAI Responses; Anthropic with a type */
  { is_untyped_tool, read_untyped_tool },   /* Anthropic, MCP, Gemini; a record without a type */
  { is_provider_tool, read_provider_tool }, /* a tool of the provider's own */
};

static int read_object(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  size_t i = 0;
  if (ts_load_check_keys(l, node) < 0) return -1;
  while (i < TS_COUNT(shapes) && !shapes[i].fits(j, node)) i++;
  if (i == TS_COUNT(shapes))
    return ts_load_fail(l, j->node[node].start,
                        "neither a catalog record nor a list of tools: no 'type', 'name' or 'tools'");
  return shapes[i].read(l, node);
}

int ts_shape_read(struct ts_loader *l, uint32_t node) {
  const struct ts_json *j = &l->json;
  int result = -1;
  if (l->depth == DEPTH_MAX) return ts_load_fail(l, j->node[node].start, "lists in lists, too deep for tools");
  l->depth++;
  if (j->node[node].kind == TS_JSON_OBJECT)
    result = read_object(l, node);
  else if (j->node[node].kind == TS_JSON_ARRAY)
    result = read_list(l, node);
  else
    (void)ts_load_fail(l, j->node[node].start, "a catalog record is an object");
  l->depth--;
  return result;
}
