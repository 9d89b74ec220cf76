#include "catalog/catalog.h"

#include "base/xalloc.h"
#include "catalog/record.h"

static const char *const origins[] = { [TS_NATIVE] = "native", [TS_MCP] = "mcp", [TS_SYNTHETIC] = "synthetic" };

const char *ts_origin_name(enum ts_origin origin) { return origins[origin]; }

enum ts_origin ts_origin_find(struct ts_str word) {
  for (unsigned o = 0; o < TS_ORIGINS; o++)
    if (ts_str_is(word, origins[o])) return (enum ts_origin)o;
  return TS_ORIGINS;
}

/* The modes that are there without being declared. */
static const struct ts_mode default_modes[] = {
  { .name = { "plan", 4 } },
  { .name = { "agent", 5 } },
  { .name = { "yolo", 4 }, .mcp = { "active", 6 }, .mcp_active = true },
};

static size_t default_rank(struct ts_str name) {
  size_t i = 0;
  while (i < TS_COUNT(default_modes) && !ts_str_eq(default_modes[i].name, name)) i++;
  return i;
}

static int mode_order(const void *a, const void *b) {
  const struct ts_mode *x = a, *y = b;
  size_t x_rank = default_rank(x->name), y_rank = default_rank(y->name);
  return x_rank != y_rank ? (x_rank < y_rank ? -1 : 1) : ts_str_cmp(x->name, y->name);
}

static void finish_modes(struct ts_catalog *c) {
  bool declared[TS_COUNT(default_modes) + 1] = { 0 };
  for (size_t i = 0; i < c->mode_count; i++) declared[default_rank(c->mode[i].name)] = true;
  ts_xgrow(&c->mode, &c->mode_cap, c->mode_count + TS_COUNT(default_modes), sizeof *c->mode);
  for (size_t i = 0; i < TS_COUNT(default_modes); i++)
    if (!declared[i]) c->mode[c->mode_count++] = default_modes[i];
  qsort(c->mode, c->mode_count, sizeof *c->mode, mode_order);
}

static int profile_order(const void *a, const void *b) {
  return ts_str_cmp(((const struct ts_profile *)a)->name, ((const struct ts_profile *)b)->name);
}

static void finish_names(struct ts_catalog *c) {
  for (size_t i = c->tool_count; i-- > 0;) {
    size_t *first = ts_map_at(&c->by_name, c->tool[i].name, SIZE_MAX);
    c->tool[i].twin = *first;
    *first = i;
  }
}

/* Writes the record anew, with another state. */
static void set_state(struct ts_catalog *c, struct ts_tool *t, enum ts_state state, struct ts_json *index,
                      struct ts_buf *made) {
  struct ts_record_form form = { .kind = TS_RECORD_TOOL, .state = ts_str_z(ts_state_row(state)->name) };
  t->state = state;
  ts_buf_clear(made);
  if (ts_json_scan(index, t->record, NULL) < 0) return; /* it was made here, so it is JSON */
  ts_record_write(index, 0, &form, made);
  t->record = ts_arena_dup(&c->arena, ts_buf_str(made));
}

static int finish_states(struct ts_catalog *c, struct ts_buf *err) {
  struct ts_json index = { 0 };
  struct ts_buf made = { 0 };
  int result = 0;
  for (size_t i = 0; result == 0 && i < c->loading->state_count; i++) {
    const struct ts_pending_state *p = &c->loading->state[i];
    size_t found = 0;
    for (size_t t = ts_map_get(&c->by_name, p->name); t != SIZE_MAX; t = c->tool[t].twin) {
      if (c->tool[t].is_alias) continue;
      set_state(c, &c->tool[t], p->state, &index, &made);
      found++;
    }
    if (found == 0)
      result = ts_fail(err, "%.*s:%llu:%llu: state '%.*s': no tool has this name", TS_FMT(p->place.file),
                       (unsigned long long)p->place.line, (unsigned long long)p->place.column, TS_FMT(p->name));
  }
  ts_json_free(&index);
  ts_buf_free(&made);
  return result;
}

static void free_loading(struct ts_catalog *c) {
  if (!c->loading) return;
  free(c->loading->state);
  free(c->loading->page);
  ts_map_free(&c->loading->pages);
  ts_map_free(&c->loading->profiles);
  ts_map_free(&c->loading->modes);
  free(c->loading);
  c->loading = NULL;
}

int ts_catalog_finish(struct ts_catalog *c, struct ts_buf *err) {
  finish_names(c);
  finish_modes(c);
  if (c->profile_count > 1) qsort(c->profile, c->profile_count, sizeof *c->profile, profile_order);
  ts_page_end(c);
  int result = c->loading ? finish_states(c, err) : 0;
  free_loading(c);
  return result;
}

void ts_catalog_free(struct ts_catalog *c) {
  free_loading(c);
  free(c->tool);
  free(c->profile);
  free(c->mode);
  free(c->finding);
  ts_map_free(&c->by_name);
  ts_arena_free(&c->arena);
  *c = (struct ts_catalog){ 0 };
}

const struct ts_tool *ts_catalog_find(const struct ts_catalog *c, struct ts_str name) {
  size_t i = ts_map_get(&c->by_name, name);
  return i == TS_MAP_NONE ? NULL : &c->tool[i];
}

const struct ts_tool *ts_catalog_twin(const struct ts_catalog *c, const struct ts_tool *t) {
  return t->twin == SIZE_MAX ? NULL : &c->tool[t->twin];
}
