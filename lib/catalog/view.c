#include "catalog/view.h"

#include "catalog/golden.h"
#include "catalog/measure.h"
#include "catalog/resolve.h"
#include "io/lines.h"
#include "io/replace.h"
#include "json/write.h"
#include "report/record.h"

/* What a view is given, and where it writes. */
struct show {
  const struct ts_view *v;
  const struct ts_catalog *c;
  struct ts_buf *out, *summary, *err;
};

static void print_list(const struct show *s, const struct ts_scope *scope, const struct ts_listing *list) {
  switch (s->v->form) {
    case TS_FORM_NAMES:
      ts_listing_print_names(list, s->out);
      break;
    case TS_FORM_TABLE:
      ts_listing_print_table(list, scope, s->out);
      break;
    case TS_FORM_RECORDS:
      if (s->v->whole)
        ts_catalog_print(s->c, s->out);
      else
        ts_listing_print(list, s->out);
  }
}

static int show_list(const struct show *s) {
  const struct ts_view *v = s->v;
  struct ts_scope scope;
  struct ts_listing list = { 0 };
  int result = ts_scope_open(&scope, s->c, &v->surface, s->err);
  if (result == 0 && v->query)
    result = ts_search(s->c, &scope, v->match, ts_str_z(v->query), v->limit, &list, s->err);
  else if (result == 0)
    ts_listing_make(&list, s->c, &scope, &v->filter);
  if (result == 0) print_list(s, &scope, &list);
  ts_listing_free(&list);
  ts_scope_close(&scope);
  return result;
}

static int show_first_turn(const struct show *s) {
  struct ts_scope scope;
  struct ts_head head = { 0 };
  int result = ts_scope_open(&scope, s->c, &s->v->surface, s->err);
  if (result == 0) {
    ts_head_build(&head, s->c, &scope, s->v->api);
    ts_buf_add(s->out, ts_buf_str(&head.bytes));
    ts_buf_addc(s->out, '\n');
  }
  ts_head_free(&head);
  ts_scope_close(&scope);
  return result;
}

static int show_routes(const struct show *s) {
  struct ts_scope scope;
  struct ts_buf more = { 0 };
  int result = ts_scope_open(&scope, s->c, &s->v->surface, s->err);
  for (size_t i = 0; result >= 0 && i < s->v->name_count; i++) {
    struct ts_route r;
    ts_resolve(s->c, &s->v->surface, s->v->name[i], &r);
    ts_buf_clear(&more);
    if (!r.dispatches) ts_route_members(s->c, &s->v->surface, &r, &more);
    if (!r.dispatches) result = 1;
    ts_route_write(s->out, &(struct ts_route_record){ .key.name = r.name,
                                                      .canonical = r.canonical,
                                                      .state = ts_str_z(ts_state_row(r.state)->name),
                                                      .dispatches = r.dispatches,
                                                      .more_json = ts_buf_str(&more) });
  }
  ts_buf_free(&more);
  ts_scope_close(&scope);
  return result;
}

/* --- golden files --------------------------------------------------------------------------------------- */

/* What is not whole can't be held against anything. */
static int check_whole(const struct show *s) {
  return s->c->incomplete ? ts_fail(s->err, "an incomplete list of tools can be no golden catalog") : 0;
}

static size_t block_count(const struct ts_catalog *c) { return c->mode_count * (c->profile_count + 1); }

struct found {
  struct ts_buf *out;
  size_t count;
};

static void write_finding(void *context, const struct ts_finding *f) {
  struct found *found = context;
  ts_finding_write(found->out, f);
  found->count++;
}

static int show_golden(const struct show *s) {
  const char *path = s->v->golden;
  struct ts_buf text = { 0 };
  struct found found = { .out = s->out };
  if (check_whole(s) < 0) return -1;
  struct ts_input *in = ts_input_open(path, s->err);
  int result = in ? ts_input_all(in, UINT32_MAX, &text, s->err) : -1;
  ts_input_close(in);
  if (result == 0)
    result = ts_golden_check(s->c, &s->v->surface, s->v->api, ts_str_z(path), ts_buf_str(&text), write_finding, &found,
                             s->err);
  ts_buf_free(&text);
  if (result < 0) return -1;
  ts_buf_addf(s->summary, "%s: %zu of %zu blocks differ", path, found.count, block_count(s->c));
  return found.count > 0;
}

static int show_update(const struct show *s) {
  const char *path = s->v->golden;
  struct ts_buf text = { 0 };
  if (check_whole(s) < 0) return -1;
  if (s->c->tool_count == 0) return ts_fail(s->err, "%s: not written: the catalog has no tools", path);
  ts_golden_write(s->c, &s->v->surface, s->v->api, &text);
  int result = ts_file_replace(path, ts_buf_str(&text), s->err);
  ts_buf_free(&text);
  if (result == 0) ts_buf_addf(s->summary, "%s: %zu blocks written", path, block_count(s->c));
  return result;
}

static int show_measure(const struct show *s) {
  ts_measure_print(s->v->before, s->c, &s->v->surface, s->v->api, s->v->form == TS_FORM_TABLE, s->out);
  return 0;
}

int ts_view_show(const struct ts_view *v, const struct ts_catalog *c, struct ts_buf *out, struct ts_buf *summary,
                 struct ts_buf *err) {
  static int (*const show[TS_VIEWS])(const struct show *s) = {
    [TS_VIEW_LIST] = show_list,     [TS_VIEW_ROUTES] = show_routes, [TS_VIEW_FIRST_TURN] = show_first_turn,
    [TS_VIEW_GOLDEN] = show_golden, [TS_VIEW_UPDATE] = show_update, [TS_VIEW_MEASURE] = show_measure,
  };
  return show[v->kind](&(struct show){ v, c, out, summary, err });
}
