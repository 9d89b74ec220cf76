#include "catalog/firstturn.h"

#include "base/xalloc.h"
#include "json/scan.h"

/* --- the APIs ------------------------------------------------------------------------------------------- */

struct field {
  const char *member; /* of the catalog record */
  const char *key;    /* as the API calls it */
};

static const struct api {
  const char *name;
  const char *list[2]; /* before and behind the tools; an empty list is [] for all */
  const char *tool[2];
  struct field field[10];
} apis[TS_APIS] = {
  [TS_API_ANTHROPIC] = { "anthropic",
                         { "[", "]" },
                         { "{", "}" },
                         { { "name", "name" },
                           { "description", "description" },
                           { "input_schema", "input_schema" },
                           { "strict", "strict" } } },
  [TS_API_OPENAI] = { "openai",
                      { "[", "]" },
                      { "{\"type\":\"function\",\"function\":{", "}}" },
                      { { "name", "name" },
                        { "description", "description" },
                        { "input_schema", "parameters" },
                        { "strict", "strict" } } },
  [TS_API_RESPONSES] = { "responses",
                         { "[", "]" },
                         { "{\"type\":\"function\",", "}" },
                         { { "name", "name" },
                           { "description", "description" },
                           { "input_schema", "parameters" },
                           { "strict", "strict" } } },
  [TS_API_GEMINI] = { "gemini",
                      { "[{\"functionDeclarations\":[", "]}]" },
                      { "{", "}" },
                      { { "name", "name" }, { "description", "description" }, { "input_schema", "parameters" } } },
  [TS_API_MCP] = { "mcp",
                   { "[", "]" },
                   { "{", "}" },
                   { { "name", "name" },
                     { "title", "title" },
                     { "description", "description" },
                     { "icons", "icons" },
                     { "input_schema", "inputSchema" },
                     { "output_schema", "outputSchema" },
                     { "annotations", "annotations" },
                     { "execution", "execution" },
                     { "_meta", "_meta" } } },
};

const char *ts_api_name(enum ts_api api) { return apis[api].name; }

enum ts_api ts_api_find(struct ts_str word) {
  for (unsigned a = 0; a < TS_APIS; a++)
    if (ts_str_is(word, apis[a].name)) return (enum ts_api)a;
  return TS_APIS;
}

/* --- actions -------------------------------------------------------------------------------------------- */

static bool is_usable(const struct ts_scope *scope, const struct ts_action *a) {
  if (!ts_surface_has(scope->surface, a->feature)) return false;
  for (size_t i = 0; i < a->mode_count; i++)
    if (ts_str_eq(a->mode[i], scope->mode->name)) return true;
  return !a->some_modes;
}

/* A value of the enum goes when the tool declares it as an action and none of that name is to be had. */
static bool is_pruned(const struct ts_scope *scope, const struct ts_tool *t, const struct ts_json *j, uint32_t value) {
  bool declared = false;
  for (size_t i = 0; i < t->action_count; i++) {
    if (!ts_json_says(j, value, t->action_list[i].name)) continue;
    if (is_usable(scope, &t->action_list[i])) return false;
    declared = true;
  }
  return declared;
}

static bool has_unusable(const struct ts_scope *scope, const struct ts_tool *t) {
  for (size_t i = 0; i < t->action_count; i++)
    if (!is_usable(scope, &t->action_list[i])) return true;
  return false;
}

/* properties.action.enum of the schema, or 0. */
static uint32_t find_enum(const struct ts_json *j) {
  uint32_t properties = TS_JSON_GET(j, 0, "properties");
  uint32_t action = properties ? TS_JSON_GET(j, properties, "action") : 0;
  uint32_t values = action ? TS_JSON_GET(j, action, "enum") : 0;
  return ts_json_is(j, values, TS_JSON_ARRAY) ? values : 0;
}

int ts_tool_schema(const struct ts_scope *scope, const struct ts_tool *t, struct ts_buf *out) {
  struct ts_json j = { 0 };
  struct ts_str text = t->input_schema;
  size_t total = 0, kept = 0;
  uint32_t values = 0;
  if (text.len > 0 && has_unusable(scope, t) && ts_json_scan(&j, text, NULL) == 0) values = find_enum(&j);
  struct ts_buf list = { 0 };
  for (uint32_t v = values ? ts_json_first(&j, values) : 0; v; v = ts_json_after(&j, values, v), total++) {
    if (is_pruned(scope, t, &j, v)) continue;
    if (kept++ > 0) ts_buf_addc(&list, ',');
    ts_buf_add(&list, ts_json_raw(&j, v));
  }
  if (kept == total) {
    ts_buf_add(out, text);
  } else {
    ts_buf_add(out, ts_str_sub(text, 0, j.node[values].start + 1));
    ts_buf_add(out, ts_buf_str(&list));
    ts_buf_add(out, ts_str_sub(text, j.node[values].end - 1, SIZE_MAX));
  }
  ts_buf_free(&list);
  ts_json_free(&j);
  return kept == 0 && total > 0 ? -1 : 0;
}

/* --- the block ------------------------------------------------------------------------------------------ */

/* A tool's bytes, before it is known where they go. */
struct piece {
  const struct ts_tool *tool;
  struct ts_str bytes;
};

struct build {
  const struct ts_scope *scope;
  const struct api *api;
  struct ts_json index; /* of the record */
  struct ts_buf schema, bytes;
  struct ts_arena arena; /* the pieces' bytes */
  struct piece *piece;
  size_t count, cap;
};

/* From the record in b->index and the schema in b->schema. */
static void write_tool(struct build *b) {
  bool comma = false;
  ts_buf_clear(&b->bytes);
  ts_buf_addz(&b->bytes, b->api->tool[0]);
  for (const struct field *f = b->api->field; f->member; f++) {
    uint32_t node = ts_json_get(&b->index, 0, ts_str_z(f->member));
    if (!node || ts_json_is(&b->index, node, TS_JSON_NULL)) continue;
    bool is_schema = strcmp(f->member, "input_schema") == 0;
    struct ts_str value = is_schema ? ts_buf_str(&b->schema) : ts_json_raw(&b->index, node);
    ts_buf_addf(&b->bytes, "%s\"%s\":", comma ? "," : "", f->key);
    ts_buf_add(&b->bytes, value);
    comma = true;
  }
  ts_buf_addz(&b->bytes, b->api->tool[1]);
}

static void add_piece(struct build *b, const struct ts_tool *t) {
  ts_buf_clear(&b->schema);
  if (!ts_scope_first_turn(b->scope, t) || ts_tool_schema(b->scope, t, &b->schema) < 0) return;
  if (ts_json_scan(&b->index, t->record, NULL) < 0) return; /* it was made here, so it is JSON */
  write_tool(b);
  ts_xgrow(&b->piece, &b->cap, b->count + 1, sizeof *b->piece);
  b->piece[b->count++] = (struct piece){ t, ts_arena_dup(&b->arena, ts_buf_str(&b->bytes)) };
}

static int piece_order(const void *a, const void *b) {
  const struct piece *x = a, *y = b;
  if (x->tool->origin != y->tool->origin) return x->tool->origin < y->tool->origin ? -1 : 1;
  int order = ts_str_cmp(x->tool->name, y->tool->name);
  return order != 0 ? order : ts_str_cmp(x->bytes, y->bytes);
}

static void join(struct build *b, struct ts_head *h) {
  const char *const *list = b->api->list;
  ts_buf_clear(&h->bytes);
  h->count = 0;
  ts_buf_addz(&h->bytes, b->count > 0 ? list[0] : "[");
  ts_xgrow(&h->tool, &h->cap, b->count, sizeof *h->tool);
  for (size_t i = 0; i < b->count; i++) {
    if (i > 0) ts_buf_addc(&h->bytes, ',');
    size_t start = h->bytes.len;
    ts_buf_add(&h->bytes, b->piece[i].bytes);
    h->tool[h->count++] = (struct ts_head_tool){ b->piece[i].tool, start, h->bytes.len };
  }
  ts_buf_addz(&h->bytes, b->count > 0 ? list[1] : "]");
}

void ts_head_build(struct ts_head *h, const struct ts_catalog *c, const struct ts_scope *scope, enum ts_api api) {
  struct build b = { .scope = scope, .api = &apis[api] };
  for (size_t i = 0; i < c->tool_count; i++) add_piece(&b, &c->tool[i]);
  if (b.count > 1) qsort(b.piece, b.count, sizeof *b.piece, piece_order);
  join(&b, h);
  ts_json_free(&b.index);
  ts_buf_free(&b.schema);
  ts_buf_free(&b.bytes);
  ts_arena_free(&b.arena);
  free(b.piece);
}

void ts_head_free(struct ts_head *h) {
  ts_buf_free(&h->bytes);
  free(h->tool);
  *h = (struct ts_head){ 0 };
}

size_t ts_head_native(const struct ts_head *h) {
  size_t n = 0;
  while (n < h->count && h->tool[n].tool->origin == TS_NATIVE) n++;
  return n;
}
