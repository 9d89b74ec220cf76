#include "todo/snapshot.h"

#include "base/diag.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "json/write.h"
#include "todo/text.h"

/* A row that was taken: its line is text[start..end) of the rendering's. */
struct row {
  struct ts_todo_item item;
  size_t start, content, end, chars;
};

struct rendering {
  const struct ts_todo_view *view;
  const struct ts_todo_list *list;
  struct ts_todo_cleaner cleaner;
  struct ts_buf header, text;
  struct row *row;
  size_t count, cap, used; /* rows taken; scalars used */
  size_t max_items, max_chars, max_item_chars;
  size_t active; /* dialects with one active item: its index, or SIZE_MAX */
  bool full;
};

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Header */

static uint64_t percent_of(const struct ts_todo_dialect *d, const struct ts_todo_list *l) {
  size_t settled = ts_todo_settled(l);
  if (l->has_percent && !d->own_percent) return l->percent;
  unsigned percent = ts_todo_percent(settled, l->count);
  bool open = settled < l->count;
  return open && d->own_percent && percent > 99 ? 99 : percent;
}

static void write_header(struct rendering *r) {
  const struct ts_todo_list *l = r->list;
  ts_buf_addz(&r->header, "To-do ");
  if (r->view->frame == TS_FRAME_CARD)
    ts_buf_addf(&r->header, "%zu/%zu \u00b7 ", ts_todo_settled(l), l->count);
  else
    ts_buf_addc(&r->header, '(');
  ts_buf_addf(&r->header, "%llu%% settled", (unsigned long long)percent_of(r->view->dialect, l));
  if (r->view->frame != TS_FRAME_CARD) ts_buf_addc(&r->header, ')');
}

/* Which items come first */

/* The item that in_progress_id names, whatever its status, else the first in progress. */
static size_t find_active(const struct ts_todo_list *l) {
  struct ts_todo_walk w = { .list = l };
  struct ts_todo_item item;
  size_t first = SIZE_MAX, named = SIZE_MAX;
  while (named == SIZE_MAX && ts_todo_next(&w, &item)) {
    if (l->has_current && item.id == l->current) named = item.index;
    if (first == SIZE_MAX && item.status == TS_TODO_IN_PROGRESS) first = item.index;
    if (first != SIZE_MAX && !l->has_current) break;
  }
  ts_todo_walk_free(&w);
  return named != SIZE_MAX ? named : first;
}

static bool is_active(const struct rendering *r, const struct ts_todo_item *item) {
  return r->view->dialect->all_active ? item->status == TS_TODO_IN_PROGRESS : item->index == r->active;
}

static size_t active_count(const struct rendering *r) {
  return r->view->dialect->all_active ? r->list->by_status[TS_TODO_IN_PROGRESS] : r->active != SIZE_MAX;
}

/* Rows */

static bool has_dash(const struct rendering *r) { return r->view->frame != TS_FRAME_CARD; }

/* Writes the item's line behind the text; the row is not taken yet. */
static struct row write_row(struct rendering *r, struct ts_todo_walk *w, const struct ts_todo_item *item) {
  struct row row = { .item = *item, .start = r->text.len };
  ts_buf_addf(&r->text, "%s%s #%llu ", has_dash(r) ? "- " : "", ts_todo_status_row(item->status)->mark,
              (unsigned long long)item->id);
  row.content = r->text.len;
  ts_todo_clean(&r->cleaner, ts_todo_content(w), r->max_item_chars, &r->text);
  row.end = r->text.len;
  row.chars = ts_utf8_count(ts_str_sub(ts_buf_str(&r->text), row.start, row.end - row.start));
  return row;
}

static void take(struct rendering *r, struct ts_todo_walk *w, const struct ts_todo_item *item) {
  struct row row = write_row(r, w, item);
  if (r->used + 1 + row.chars > r->max_chars) {
    r->full = true;
    if (r->count > 0) {
      ts_buf_cut(&r->text, row.start);
      return;
    }
  }
  r->used += 1 + row.chars;
  ts_xgrow(&r->row, &r->cap, r->count + 1, sizeof *r->row);
  r->row[r->count++] = row;
  if (r->count >= r->max_items) r->full = true;
}

/* Takes rows in document order, of active items or of the others, until one does not fit. */
static void take_all(struct rendering *r, bool active) {
  struct ts_todo_walk w = { .list = r->list };
  struct ts_todo_item item;
  size_t left = active ? active_count(r) : r->list->count - active_count(r);
  while (left > 0 && !r->full && ts_todo_next(&w, &item)) {
    if (is_active(r, &item) != active) continue;
    left--;
    take(r, &w, &item);
  }
  ts_todo_walk_free(&w);
}

static void write_omission(const struct rendering *r, struct ts_buf *out) {
  size_t omitted = r->list->count - r->count;
  if (omitted == 0) return;
  if (r->view->frame == TS_FRAME_CARD)
    ts_buf_addf(out, "\u2026 +%zu more", omitted);
  else
    ts_buf_addf(out, "- \u2026 +%zu more To-do items omitted", omitted);
}

static size_t omission_chars(const struct rendering *r) {
  struct ts_buf line = { 0 };
  write_omission(r, &line);
  size_t chars = line.len == 0 ? 0 : 1 + ts_utf8_count(ts_buf_str(&line));
  ts_buf_free(&line);
  return chars;
}

static int by_index(const void *a, const void *b) {
  size_t x = ((const struct row *)a)->item.index, y = ((const struct row *)b)->item.index;
  return (x > y) - (x < y);
}

static int select_rows(struct rendering *r, struct ts_buf *err) {
  r->used = ts_utf8_count(ts_buf_str(&r->header));
  take_all(r, true);
  take_all(r, false);
  while (r->count > 1 && r->used + omission_chars(r) > r->max_chars) r->used -= 1 + r->row[--r->count].chars;
  size_t need = r->used + omission_chars(r);
  if (need > r->max_chars)
    return ts_fail(err, "%zu characters are too few: the header and one row take %zu", r->max_chars, need);
  qsort(r->row, r->count, sizeof *r->row, by_index);
  return 0;
}

/* Frames */

static struct ts_str row_text(const struct rendering *r, size_t i, size_t from) {
  return ts_str_sub(ts_buf_str(&r->text), from, r->row[i].end - from);
}

/* Header, rows and the line about the omitted ones, without a newline at the end. */
static void write_body(const struct rendering *r, struct ts_buf *out) {
  ts_buf_add(out, ts_buf_str(&r->header));
  for (size_t i = 0; i < r->count; i++) {
    ts_buf_addc(out, '\n');
    ts_buf_add(out, row_text(r, i, r->row[i].start));
  }
  if (r->count == r->list->count) return;
  ts_buf_addc(out, '\n');
  write_omission(r, out);
}

static void write_plain(const struct rendering *r, struct ts_buf *out) {
  write_body(r, out);
  ts_buf_addc(out, '\n');
}

static void write_fork_state(const struct rendering *r, struct ts_buf *out) {
  ts_buf_addz(out, "<codewhale:fork_state>\n### To-do\n\n");
  size_t from = out->len;
  write_body(r, out);
  struct ts_str body = ts_str_sub(ts_buf_str(out), from, out->len);
  if (r->view->dialect->trim_fork) ts_buf_cut(out, from + ts_todo_trim_end(body, TS_CHAR_SPACE_RUST).len);
  ts_buf_addz(out, "\n</codewhale:fork_state>\n");
}

static void write_relay(const struct rendering *r, struct ts_buf *out) {
  ts_buf_addz(out, "\nCurrent To-do:\n");
  write_plain(r, out);
}

/* The items as they came; bytes that are no UTF-8 can't be in JSON. */
static void write_items(struct ts_jw *w, struct ts_str json) {
  struct ts_buf valid = { 0 };
  if (ts_utf8_valid(json) < json.len) {
    ts_todo_add_utf8(&valid, json);
    json = ts_buf_str(&valid);
  }
  ts_jw_member_raw(w, "items", json);
  ts_buf_free(&valid);
}

static void write_json(const struct rendering *r, struct ts_buf *out) {
  struct ts_jw w = ts_jw(out);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "header", ts_buf_str(&r->header));
  ts_jw_member_u64(&w, "percent", percent_of(r->view->dialect, r->list));
  ts_jw_key(&w, "rows");
  ts_jw_open(&w, '[');
  for (size_t i = 0; i < r->count; i++) {
    ts_jw_open(&w, '{');
    ts_jw_member_u64(&w, "id", r->row[i].item.id);
    ts_jw_member(&w, "status", ts_str_z(ts_todo_status_row(r->row[i].item.status)->name));
    ts_jw_member(&w, "text", row_text(r, i, r->row[i].content));
    ts_jw_close(&w, '}');
  }
  ts_jw_close(&w, ']');
  ts_jw_member_u64(&w, "omitted", r->list->count - r->count);
  write_items(&w, r->list->json);
  ts_jw_close(&w, '}');
  ts_buf_addc(out, '\n');
}

static void (*const write_frame[])(const struct rendering *, struct ts_buf *) = {
  [TS_FRAME_BODY] = write_plain,  [TS_FRAME_FORK_STATE] = write_fork_state,
  [TS_FRAME_RELAY] = write_relay, [TS_FRAME_CARD] = write_plain,
  [TS_FRAME_JSON] = write_json,
};

int ts_todo_render(const struct ts_todo_view *v, const struct ts_todo_list *l, struct ts_buf *out, struct ts_buf *err) {
  if (l->count == 0) return 0;
  bool card = v->frame == TS_FRAME_CARD;
  struct rendering r = {
    .view = v,
    .list = l,
    .cleaner = { .dialect = v->dialect, .tag = v->tag, .tag_count = v->tag_count },
    .max_items = card ? least(v->max_items, TS_TODO_CARD_ITEMS) : v->max_items,
    .max_chars = card ? SIZE_MAX : v->max_chars,
    .max_item_chars = card ? least(v->max_item_chars, TS_TODO_CARD_ITEM_CHARS) : v->max_item_chars,
    .active = v->dialect->all_active ? SIZE_MAX : find_active(l),
  };
  write_header(&r);
  int result = select_rows(&r, err);
  if (result == 0) write_frame[v->frame](&r, out);
  free(r.row);
  ts_buf_free(&r.header);
  ts_buf_free(&r.text);
  ts_todo_cleaner_free(&r.cleaner);
  return result;
}
