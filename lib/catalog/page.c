/* MCP servers answer tools/list in pages; a page that has a nextCursor is followed by another one. */
#include "base/digest.h"
#include "base/xalloc.h"
#include "catalog/load.h"
#include "json/write.h"

/* Two pages are the same when their tools are, whatever their cursors and ids. */
static struct ts_str digest_of(struct ts_loader *l, uint32_t tools) {
  char hex[TS_SHA256_HEX];
  struct ts_buf text = { 0 };
  ts_json_minify(&text, ts_json_raw(&l->json, tools));
  struct ts_str bytes = ts_buf_str(&text);
  ts_sha256(&bytes, 1, -1, hex);
  ts_buf_free(&text);
  return ts_arena_dup(&l->c->arena, ts_str_z(hex));
}

static void find_repeated(struct ts_loader *l, size_t number, size_t first, struct ts_place place) {
  struct ts_place earlier = ts_loading(l->c)->page[first];
  struct ts_str cursor = ts_loading(l->c)->cursor;
  struct ts_buf message = { 0 };
  ts_buf_addf(&message, "page %zu of the list is page %zu again (%.*s:%llu) and is dropped", number, first + 1,
              TS_FMT(earlier.file), (unsigned long long)earlier.line);
  ts_load_find(
      l->c, &(struct ts_finding){
                .rule = TS_RULE_PAGE_REPEATED, .message = ts_buf_str(&message), .new_value = cursor, .place = place });
  ts_buf_free(&message);
}

int ts_page_open(struct ts_loader *l, uint32_t tools, uint32_t cursor) {
  struct ts_loading *loading = ts_loading(l->c);
  const struct ts_json *j = &l->json;
  struct ts_place place = ts_load_place(l, j->node[tools].start);
  bool more = cursor && !ts_json_is(j, cursor, TS_JSON_NULL), continued = loading->cursor.len > 0;
  size_t number = loading->page_count;
  loading->cursor = more ? ts_arena_dup(&l->c->arena, ts_json_raw(j, cursor)) : ts_str(NULL, 0);
  ts_xgrow(&loading->page, &loading->page_cap, number + 1, sizeof *loading->page);
  loading->page[loading->page_count++] = place;
  if (!ts_json_first(j, tools) && !(more && continued)) return 1; /* empty lists of two servers are alike */
  size_t first = *ts_map_at(&loading->pages, digest_of(l, tools), number);
  if (first == number) return 1;
  find_repeated(l, number + 1, first, place);
  return 0;
}

void ts_page_end(struct ts_catalog *c) {
  const struct ts_loading *loading = c->loading;
  if (!loading || loading->cursor.len == 0) return;
  struct ts_buf message = { 0 };
  ts_buf_addf(&message, "the list is incomplete: nextCursor %.*s is present and no page follows",
              TS_FMT(loading->cursor));
  c->incomplete = true;
  ts_load_find(c, &(struct ts_finding){ .rule = TS_RULE_PAGES_INCOMPLETE,
                                        .message = ts_buf_str(&message),
                                        .new_value = loading->cursor,
                                        .place = loading->page[loading->page_count - 1] });
  ts_buf_free(&message);
}
