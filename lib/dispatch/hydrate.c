#include "dispatch/hydrate.h"

#include "base/xalloc.h"
#include "json/scan.h"

/* --- the cache ------------------------------------------------------------------------------------------- */

static void drop(struct ts_hydrate *h, size_t at) {
  ts_buf_free(&h->entry[at].turn);
  memmove(&h->entry[at], &h->entry[at + 1], (h->count - at - 1) * sizeof h->entry[0]);
  h->count--;
}

void ts_hydrate_free(struct ts_hydrate *h) {
  while (h->count > 0) drop(h, h->count - 1);
}

static size_t find(const struct ts_hydrate *h, struct ts_str name) {
  size_t i = 0;
  while (i < h->count && !ts_str_eq(h->entry[i].name, name)) i++;
  return i;
}

static void refresh(struct ts_hydrate *h, size_t at) {
  struct ts_hydrated used = h->entry[at];
  memmove(&h->entry[at], &h->entry[at + 1], (h->count - at - 1) * sizeof h->entry[0]);
  h->entry[h->count - 1] = used;
}

static size_t bytes_held(const struct ts_hydrate *h) {
  size_t bytes = 0;
  for (size_t i = 0; i < h->count; i++) bytes += h->entry[i].bytes;
  return bytes;
}

static void load(struct ts_hydrate *h, const struct ts_tool *tool, struct ts_str turn) {
  size_t bytes = tool->record.len;
  while (h->count > 0 && (h->count == TS_HYDRATE_NAMES || bytes_held(h) + bytes > TS_HYDRATE_BYTES)) drop(h, 0);
  struct ts_hydrated *e = &h->entry[h->count++];
  *e = (struct ts_hydrated){ .name = tool->name, .bytes = bytes, .has_turn = turn.len > 0 };
  ts_buf_add(&e->turn, turn);
}

bool ts_hydrate_needed(struct ts_hydrate *h, const struct ts_tool *tool, struct ts_str turn) {
  size_t at = find(h, tool->name);
  if (at == h->count) {
    load(h, tool, turn);
    return true;
  }
  struct ts_hydrated *e = &h->entry[at];
  if (e->has_turn && turn.len > 0 && ts_str_eq(ts_buf_str(&e->turn), turn)) return true;
  refresh(h, at);
  return false;
}

/* --- what the caller is told ----------------------------------------------------------------------------- */

struct names {
  struct ts_buf *name;
  size_t count, cap;
};

static struct ts_buf *add_name(struct names *n) {
  ts_xgrow(&n->name, &n->cap, n->count + 1, sizeof *n->name);
  n->name[n->count] = (struct ts_buf){ 0 };
  return &n->name[n->count++];
}

static void names_free(struct names *n) {
  for (size_t i = 0; i < n->count; i++) ts_buf_free(&n->name[i]);
  free(n->name);
}

static int name_order(const void *a, const void *b) { return ts_str_cmp(ts_buf_str(a), ts_buf_str(b)); }

static void names_sort(struct names *n) {
  if (n->count > 0) qsort(n->name, n->count, sizeof *n->name, name_order);
}

static bool names_have(const struct names *n, struct ts_str name) {
  for (size_t i = 0; i < n->count; i++)
    if (ts_str_eq(ts_buf_str(&n->name[i]), name)) return true;
  return false;
}

static void add_keys(const struct ts_json *j, uint32_t object, struct names *out) {
  struct ts_buf scratch = { 0 };
  for (uint32_t k = ts_json_first(j, object); k; k = ts_json_after(j, object, k))
    ts_buf_add(add_name(out), ts_json_text(j, k, &scratch));
  names_sort(out);
  ts_buf_free(&scratch);
}

static void add_strings(const struct ts_json *j, uint32_t array, struct names *out) {
  struct ts_buf scratch = { 0 };
  if (!ts_json_is(j, array, TS_JSON_ARRAY)) return;
  for (uint32_t e = ts_json_first(j, array); e; e = ts_json_after(j, array, e))
    if (ts_json_is(j, e, TS_JSON_STRING)) ts_buf_add(add_name(out), ts_json_text(j, e, &scratch));
  names_sort(out);
  ts_buf_free(&scratch);
}

/* "string", "string | null", or "any" when the schema does not say. */
static void type_label(const struct ts_json *j, uint32_t schema, struct ts_buf *out) {
  struct ts_buf scratch = { 0 };
  uint32_t type = ts_json_is(j, schema, TS_JSON_OBJECT) ? TS_JSON_GET(j, schema, "type") : 0;
  size_t before = out->len;
  if (ts_json_is(j, type, TS_JSON_STRING)) ts_buf_add(out, ts_json_text(j, type, &scratch));
  if (ts_json_is(j, type, TS_JSON_ARRAY)) {
    for (uint32_t e = ts_json_first(j, type); e; e = ts_json_after(j, type, e)) {
      if (out->len > before) ts_buf_addz(out, " | ");
      ts_buf_add(out, ts_json_text(j, e, &scratch));
    }
  }
  if (out->len == before) ts_buf_addz(out, "any");
  ts_buf_free(&scratch);
}

/* " (a | b)" for an enum of strings. */
static void enum_label(const struct ts_json *j, uint32_t schema, struct ts_buf *out) {
  struct ts_buf scratch = { 0 };
  uint32_t values = ts_json_is(j, schema, TS_JSON_OBJECT) ? TS_JSON_GET(j, schema, "enum") : 0;
  const char *before = " (";
  for (uint32_t e = values ? ts_json_first(j, values) : 0; e; e = ts_json_after(j, values, e)) {
    ts_buf_addz(out, before);
    ts_buf_add(out, ts_json_is(j, e, TS_JSON_STRING) ? ts_json_text(j, e, &scratch) : ts_json_raw(j, e));
    before = " | ";
  }
  if (before[1] == '|') ts_buf_addc(out, ')');
  ts_buf_free(&scratch);
}

struct fields {
  struct names expected, label, required, received; /* label[i] describes a field; sorted like expected */
};

static void read_fields(const struct ts_tool *tool, struct ts_str arguments, struct fields *f) {
  struct ts_json j = { 0 };
  struct ts_buf scratch = { 0 };
  *f = (struct fields){ 0 };
  if (tool->input_schema.len > 0 && ts_json_scan(&j, tool->input_schema, NULL) == 0 &&
      ts_json_root_is(&j, TS_JSON_OBJECT)) {
    uint32_t properties = TS_JSON_GET(&j, 0, "properties");
    add_strings(&j, TS_JSON_GET(&j, 0, "required"), &f->required);
    if (ts_json_is(&j, properties, TS_JSON_OBJECT)) add_keys(&j, properties, &f->expected);
    for (size_t i = 0; i < f->expected.count; i++) {
      struct ts_buf *label = add_name(&f->label);
      struct ts_str name = ts_buf_str(&f->expected.name[i]);
      uint32_t schema = ts_json_get(&j, properties, name);
      ts_buf_addf(label, "%.*s: ", TS_FMT(name));
      type_label(&j, schema, label);
      enum_label(&j, schema, label);
      if (names_have(&f->required, name)) ts_buf_addz(label, " required");
    }
  }
  if (arguments.len > 0 && ts_json_scan(&j, arguments, NULL) == 0 && ts_json_root_is(&j, TS_JSON_OBJECT))
    add_keys(&j, 0, &f->received);
  ts_buf_free(&scratch);
  ts_json_free(&j);
}

static void fields_free(struct fields *f) {
  names_free(&f->expected);
  names_free(&f->label);
  names_free(&f->required);
  names_free(&f->received);
}

static void list_lines(struct ts_buf *out, const char *heading, const struct names *names, const struct names *except) {
  size_t listed = 0;
  for (size_t i = 0; i < names->count; i++) {
    if (except && names_have(except, ts_buf_str(&names->name[i]))) continue;
    if (listed++ == 0) ts_buf_addf(out, "\n%s:\n", heading);
    ts_buf_addf(out, "  %s\n", ts_buf_z(&names->name[i]));
  }
  if (listed == 0 && !except) ts_buf_addf(out, "\n%s:\n  (none)\n", heading);
}

void ts_hydrate_content(const struct ts_tool *tool, struct ts_str arguments, struct ts_buf *out) {
  struct fields f;
  read_fields(tool, arguments, &f);
  ts_buf_addf(out, "The schema of '%.*s' has just been loaded; the tool was not run. Call it again.\n",
              TS_FMT(tool->name));
  list_lines(out, "Expected fields", &f.label, NULL);
  list_lines(out, "Received fields", &f.received, NULL);
  list_lines(out, "Missing required fields", &f.required, &f.received);
  list_lines(out, "Unexpected fields", &f.received, &f.expected);
  fields_free(&f);
}

static void list_member(struct ts_jw *w, const char *key, const struct names *names, const struct names *except) {
  ts_jw_key(w, key);
  ts_jw_open(w, '[');
  for (size_t i = 0; i < names->count; i++)
    if (!except || !names_have(except, ts_buf_str(&names->name[i]))) ts_jw_str(w, ts_buf_str(&names->name[i]));
  ts_jw_close(w, ']');
}

void ts_hydrate_metadata(const struct ts_tool *tool, struct ts_str arguments, struct ts_jw *w) {
  struct fields f;
  read_fields(tool, arguments, &f);
  ts_jw_member(w, "event", TS_STR("tool.schema_hydrated"));
  ts_jw_member(w, "tool", tool->name);
  ts_jw_member_bool(w, "executed", false);
  ts_jw_member_bool(w, "retry_required", true);
  ts_jw_member(w, "reason", TS_STR("deferred_tool_first_use"));
  list_member(w, "expected_fields", &f.label, NULL);
  list_member(w, "received_fields", &f.received, NULL);
  list_member(w, "missing_required_fields", &f.required, &f.received);
  list_member(w, "unexpected_fields", &f.received, &f.expected);
  fields_free(&f);
}
