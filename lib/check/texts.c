#include "check/texts.h"

#include "base/xalloc.h"
#include "json/scan.h"

/* What a value in a schema is, as far as its texts go. */
enum role { SCHEMA, NAMES, PATTERNS, PROSE, DATA, SILENT };

/* Source: JSON Schema 2020-12 and draft 7. Behind any other keyword a schema may follow. */
static const struct {
  const char *keyword;
  enum role role;
} keywords[] = {
  { "properties", NAMES },  { "$defs", NAMES },   { "definitions", NAMES }, { "patternProperties", PATTERNS },
  { "description", PROSE }, { "title", PROSE },   { "enum", DATA },         { "const", DATA },
  { "default", DATA },      { "examples", DATA }, { "required", SILENT },   { "dependentRequired", SILENT },
  { "pattern", SILENT },
};

/* Where a node of the schema is. Links to the parents, since a pointer read from the text costs the whole text. */
struct ts_text_spot {
  uint32_t parent;
  uint32_t step; /* of a member the node of its key, of an element its number */
  uint8_t role;  /* enum role */
};

static enum role role_of_member(const struct ts_json *j, enum role of, uint32_t key) {
  if (of == DATA || of == SILENT) return of;
  if (of == NAMES || of == PATTERNS) return SCHEMA;
  for (size_t i = 0; i < TS_COUNT(keywords); i++)
    if (ts_json_says(j, key, ts_str_z(keywords[i].keyword))) return keywords[i].role;
  return SCHEMA;
}

static enum role role_of_element(enum role of) { return of == DATA || of == SILENT ? of : SCHEMA; }

/* A schema on the way through it. */
struct walk {
  const struct ts_tool *tool;
  struct ts_json json;
  struct ts_text_spot *spot; /* of each node */
  struct ts_buf scratch;
  ts_text_fn *take;
  void *context;
};

static void take(struct walk *w, enum ts_text_kind kind, uint32_t node, bool is_key) {
  const struct ts_text text = {
    .kind = kind,
    .text = ts_json_text(&w->json, node, &w->scratch),
    .is_key = is_key,
    .member = "input_schema",
    .spot = w->spot,
    .json = &w->json,
    .node = is_key ? node + 1 : node,
  };
  w->take(w->context, w->tool, &text);
}

static void take_object(struct walk *w, uint32_t object) {
  const struct ts_json *j = &w->json;
  enum role role = (enum role)w->spot[object].role;
  for (uint32_t key = ts_json_first(j, object); key; key = ts_json_after(j, object, key)) {
    w->spot[key + 1] = (struct ts_text_spot){ object, key, (uint8_t)role_of_member(j, role, key) };
    if (role != SILENT) take(w, role == NAMES ? TS_TEXT_NAME : TS_TEXT_DATA, key, true);
  }
}

static void place_elements(struct walk *w, uint32_t array) {
  const struct ts_json *j = &w->json;
  uint32_t number = 0;
  for (uint32_t e = ts_json_first(j, array); e; e = ts_json_after(j, array, e))
    w->spot[e] = (struct ts_text_spot){ array, number++, (uint8_t)role_of_element((enum role)w->spot[array].role) };
}

/* Keys are taken with their object, so their own nodes have nothing to say. */
static bool is_key(const struct walk *w, uint32_t node) {
  const struct ts_json *j = &w->json;
  return node > 0 && j->node[node].end < j->text.len && j->text.ptr[j->node[node].end] == ':';
}

/* Parents stand before their children in the index: one pass, whatever the depth. */
static void each_schema_text(const struct ts_tool *t, ts_text_fn *fn, void *context) {
  struct walk w = { .tool = t, .take = fn, .context = context };
  struct ts_json *j = &w.json;
  if (t->input_schema.len > 0 && ts_json_scan(j, t->input_schema, NULL) == 0) {
    w.spot = ts_xcalloc(j->count, sizeof *w.spot);
    for (uint32_t i = 0; i < j->count; i++) {
      enum role role = (enum role)w.spot[i].role;
      if (j->node[i].kind == TS_JSON_OBJECT)
        take_object(&w, i);
      else if (j->node[i].kind == TS_JSON_ARRAY)
        place_elements(&w, i);
      else if (j->node[i].kind == TS_JSON_STRING && role != SILENT && !is_key(&w, i))
        take(&w, role == PROSE ? TS_TEXT_PROSE : TS_TEXT_DATA, i, false);
    }
  }
  free(w.spot);
  ts_buf_free(&w.scratch);
  ts_json_free(j);
}

/* A string in raw JSON: the value itself, or the member `name` of it. */
static void take_raw(const struct ts_tool *t, struct ts_str raw, const char *name, const char *member, ts_text_fn *fn,
                     void *context) {
  struct ts_json j = { 0 };
  struct ts_buf scratch = { 0 };
  if (raw.len > 0 && ts_json_scan(&j, raw, NULL) == 0) {
    uint32_t node = name ? ts_json_get(&j, 0, ts_str_z(name)) : 0;
    bool is_there = j.node[node].kind == TS_JSON_STRING && (node != 0 || !name);
    const struct ts_text text = { .kind = TS_TEXT_TITLE, .text = ts_json_text(&j, node, &scratch), .member = member };
    if (is_there) fn(context, t, &text);
  }
  ts_buf_free(&scratch);
  ts_json_free(&j);
}

void ts_each_text(const struct ts_tool *t, ts_text_fn *fn, void *context) {
  fn(context, t, &(struct ts_text){ .kind = TS_TEXT_NAME, .text = t->name, .member = "name" });
  fn(context, t, &(struct ts_text){ .kind = TS_TEXT_PROSE, .text = t->description, .member = "description" });
  take_raw(t, t->title, NULL, "title", fn, context);
  take_raw(t, t->annotations, "title", "annotations/title", fn, context);
  each_schema_text(t, fn, context);
}

/* --- where it is -------------------------------------------------------------------------------------------- */

static void add_step(struct ts_buf *out, const struct ts_text *text, uint32_t node, struct ts_buf *scratch) {
  const struct ts_text_spot *s = &text->spot[node];
  if (text->json->node[s->parent].kind == TS_JSON_ARRAY) {
    ts_buf_addf(out, "/%u", (unsigned)s->step);
    return;
  }
  struct ts_str key = ts_json_text(text->json, s->step, scratch);
  ts_buf_addc(out, '/');
  for (size_t i = 0; i < key.len; i++)
    if (key.ptr[i] == '~' || key.ptr[i] == '/')
      ts_buf_addz(out, key.ptr[i] == '~' ? "~0" : "~1");
    else
      ts_buf_addc(out, key.ptr[i]);
}

void ts_text_pointer(const struct ts_text *text, struct ts_buf *out) {
  uint32_t *path = NULL;
  size_t depth = 0, cap = 0;
  struct ts_buf scratch = { 0 };
  ts_buf_addf(out, "/%s", text->member);
  for (uint32_t n = text->node; n != 0; n = text->spot[n].parent) {
    ts_xgrow(&path, &cap, depth + 1, sizeof *path);
    path[depth++] = n;
  }
  while (depth > 0) add_step(out, text, path[--depth], &scratch);
  free(path);
  ts_buf_free(&scratch);
}
