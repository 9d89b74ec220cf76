#include "catalog/print.h"

#include "base/utf8.h"
#include "base/xalloc.h"

void ts_listing_add(struct ts_listing *l, const struct ts_tool *t) {
  ts_xgrow(&l->tool, &l->cap, l->count + 1, sizeof *l->tool);
  l->tool[l->count++] = t;
}

void ts_listing_free(struct ts_listing *l) {
  free(l->tool);
  *l = (struct ts_listing){ 0 };
}

/* Tools stand in one array in the order read, so their addresses tell twins apart. */
static int tool_order(const void *a, const void *b) {
  const struct ts_tool *x = *(const struct ts_tool *const *)a, *y = *(const struct ts_tool *const *)b;
  int order = ts_str_cmp(x->name, y->name);
  return order != 0 ? order : (x > y) - (x < y);
}

static bool is_wanted(const struct ts_scope *scope, const struct ts_filter *f, const struct ts_tool *t) {
  enum ts_state state = ts_scope_state(scope, t);
  if (!ts_scope_has(scope, t)) return false;
  if (ts_state_row(state)->first_turn && !ts_scope_first_turn(scope, t)) return false;
  return (f->states == 0 || (f->states & 1u << state)) && (f->origins == 0 || (f->origins & 1u << t->origin));
}

static void sort(struct ts_listing *l) {
  if (l->count > 1) qsort(l->tool, l->count, sizeof *l->tool, tool_order);
}

void ts_listing_make(struct ts_listing *l, const struct ts_catalog *c, const struct ts_scope *scope,
                     const struct ts_filter *f) {
  for (size_t i = 0; i < c->tool_count; i++)
    if (is_wanted(scope, f, &c->tool[i])) ts_listing_add(l, &c->tool[i]);
  sort(l);
}

/* --- records -------------------------------------------------------------------------------------------- */

static void put_line(struct ts_buf *out, struct ts_str record) {
  ts_buf_add(out, record);
  ts_buf_addc(out, '\n');
}

static int mode_order(const void *a, const void *b) {
  return ts_str_cmp((*(const struct ts_mode *const *)a)->name, (*(const struct ts_mode *const *)b)->name);
}

/* Those that are declared; in the catalog the defaults come first. */
static void print_modes(const struct ts_catalog *c, struct ts_buf *out) {
  const struct ts_mode **mode = ts_xcalloc(c->mode_count, sizeof *mode);
  for (size_t i = 0; i < c->mode_count; i++) mode[i] = &c->mode[i];
  if (c->mode_count > 1) qsort(mode, c->mode_count, sizeof *mode, mode_order);
  for (size_t i = 0; i < c->mode_count; i++)
    if (mode[i]->record.len > 0) put_line(out, mode[i]->record);
  free(mode);
}

void ts_catalog_print(const struct ts_catalog *c, struct ts_buf *out) {
  struct ts_listing all = { 0 };
  if (c->header.len > 0) put_line(out, c->header);
  for (size_t i = 0; i < c->tool_count; i++) ts_listing_add(&all, &c->tool[i]);
  sort(&all);
  ts_listing_print(&all, out);
  for (size_t i = 0; i < c->profile_count; i++) put_line(out, c->profile[i].record);
  print_modes(c, out);
  ts_listing_free(&all);
}

void ts_listing_print(const struct ts_listing *l, struct ts_buf *out) {
  for (size_t i = 0; i < l->count; i++) put_line(out, l->tool[i]->record);
}

void ts_listing_print_names(const struct ts_listing *l, struct ts_buf *out) {
  for (size_t i = 0; i < l->count; i++) {
    ts_visible(out, l->tool[i]->name);
    ts_buf_addc(out, '\n');
  }
}

/* --- tables --------------------------------------------------------------------------------------------- */

void ts_table_print(const struct ts_str *cell, size_t columns, size_t rows, unsigned right, struct ts_buf *out) {
  size_t *width = ts_xcalloc(columns, sizeof *width);
  struct ts_buf text = { 0 };
  for (size_t pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < columns * rows; i++) {
      size_t column = i % columns;
      ts_buf_clear(&text);
      ts_visible(&text, cell[i]);
      size_t wide = ts_utf8_width(ts_buf_str(&text));
      if (pass == 0 && wide > width[column]) width[column] = wide;
      if (pass == 0) continue;
      bool is_last = column + 1 == columns, is_right = right & 1u << column;
      if (is_right) ts_buf_addf(out, "%*s", (int)(width[column] - wide), "");
      ts_buf_add(out, ts_buf_str(&text));
      if (!is_right && !is_last) ts_buf_addf(out, "%*s", (int)(width[column] - wide), "");
      ts_buf_addz(out, is_last ? "\n" : "  ");
    }
  ts_buf_free(&text);
  free(width);
}

enum { NAME, STATE, ORIGIN, SINCE, REPLACEMENT, COLUMNS };

/* "File read": the replacement, and the action it is called with. */
static struct ts_str replacement_of(const struct ts_tool *t, struct ts_arena *a) {
  struct ts_buf text = { 0 };
  ts_buf_add(&text, t->replacement);
  if (t->action.len > 0) ts_buf_addf(&text, " %.*s", TS_FMT(t->action));
  struct ts_str copy = ts_arena_dup(a, ts_buf_str(&text));
  ts_buf_free(&text);
  return copy;
}

void ts_listing_print_table(const struct ts_listing *l, const struct ts_scope *scope, struct ts_buf *out) {
  struct ts_arena texts = { 0 };
  struct ts_str *cell = ts_xcalloc((l->count + 1) * COLUMNS, sizeof *cell), *row = cell;
  static const char *const heading[COLUMNS] = { "NAME", "STATE", "ORIGIN", "SINCE", "REPLACEMENT" };
  for (size_t i = 0; i < COLUMNS; i++) row[i] = ts_str_z(heading[i]);
  for (size_t i = 0; i < l->count; i++) {
    const struct ts_tool *t = l->tool[i];
    row += COLUMNS;
    row[NAME] = t->name;
    row[STATE] = ts_str_z(ts_state_row(ts_scope_state(scope, t))->name);
    row[ORIGIN] = ts_str_z(ts_origin_name(t->origin));
    row[SINCE] = t->first_deprecated_version.len > 0 ? t->first_deprecated_version : TS_STR("-");
    row[REPLACEMENT] = t->replacement.len > 0 ? replacement_of(t, &texts) : TS_STR("-");
  }
  ts_table_print(cell, COLUMNS, l->count + 1, 0, out);
  ts_arena_free(&texts);
  free(cell);
}
