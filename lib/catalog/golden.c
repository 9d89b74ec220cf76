#include "catalog/golden.h"

#include "base/xalloc.h"
#include "catalog/measure.h"
#include "json/scan.h"
#include "json/write.h"

static void write_label(const struct ts_head *h, const struct ts_surface *s, enum ts_api api, struct ts_buf *out) {
  struct ts_measure m;
  struct ts_jw w = ts_jw(out);
  ts_measure_take(&m, h);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("golden"));
  ts_jw_member(&w, "api", ts_str_z(ts_api_name(api)));
  ts_jw_member(&w, "mode", s->mode);
  ts_jw_member_if(&w, "profile", s->profile);
  ts_jw_member_u64(&w, "active", m.active);
  ts_jw_member_u64(&w, "bytes", m.bytes);
  ts_jw_member(&w, "sha256", ts_str_z(m.sha256));
  ts_jw_close(&w, '}');
}

/* Builds the block of one surface of the catalog, which has its mode and profile. */
static void build(struct ts_head *h, const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api) {
  struct ts_scope scope;
  if (ts_scope_open(&scope, c, s, NULL) == 0) ts_head_build(h, c, &scope, api);
  ts_scope_close(&scope);
}

void ts_golden_write(const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api, struct ts_buf *out) {
  struct ts_surface each = *s;
  struct ts_head head = { 0 };
  for (size_t at = 0; ts_surface_next(c, &each, &at);) {
    build(&head, c, &each, api);
    write_label(&head, &each, api, out);
    ts_buf_addc(out, '\n');
    ts_buf_add(out, ts_buf_str(&head.bytes));
    ts_buf_addc(out, '\n');
  }
  ts_head_free(&head);
}

/* --- reading a golden file ------------------------------------------------------------------------------ */

struct block {
  struct ts_str mode, profile, sha256; /* decoded, in the arena */
  struct ts_str bytes;                 /* borrowed from the text */
  uint64_t line;                       /* of the bytes */
  bool met;                            /* the catalog has this mode and profile */
};

struct golden {
  struct ts_str file, rest; /* what is still to be read */
  uint64_t line;
  enum ts_api api;
  struct block *block;
  size_t count, cap;
  struct ts_arena arena;
  struct ts_json index;
  struct ts_buf scratch;
};

static void golden_free(struct golden *g) {
  free(g->block);
  ts_arena_free(&g->arena);
  ts_json_free(&g->index);
  ts_buf_free(&g->scratch);
}

static bool next_line(struct golden *g, struct ts_str *line) {
  if (g->rest.len == 0) return false;
  const char *feed = memchr(g->rest.ptr, '\n', g->rest.len);
  size_t len = feed ? (size_t)(feed - g->rest.ptr) : g->rest.len;
  *line = ts_str_sub(g->rest, 0, len);
  if (len > 0 && line->ptr[len - 1] == '\r') line->len--; /* git may have changed the line ends; no block ends in CR */
  g->rest = ts_str_sub(g->rest, len + 1, SIZE_MAX);
  g->line++;
  return true;
}

static int refuse(const struct golden *g, struct ts_buf *err, const char *why) {
  return ts_fail(err, "%.*s:%llu: not a golden file: %s", TS_FMT(g->file), (unsigned long long)g->line, why);
}

static struct ts_str member(struct golden *g, struct ts_str key) {
  uint32_t node = ts_json_get(&g->index, 0, key);
  return node ? ts_arena_dup(&g->arena, ts_json_text(&g->index, node, &g->scratch)) : ts_str(NULL, 0);
}

static int read_block(struct golden *g, struct ts_str label, struct ts_buf *err) {
  struct block b = { 0 };
  char sha256[TS_SHA256_HEX];
  if (ts_json_scan(&g->index, label, NULL) < 0 || !TS_JSON_SAYS(&g->index, TS_JSON_GET(&g->index, 0, "type"), "golden"))
    return refuse(g, err, "a record of type golden was to stand here");
  struct ts_str api = member(g, TS_STR("api"));
  if (!ts_str_is(api, ts_api_name(g->api)))
    return ts_fail(err, "%.*s:%llu: this golden file is for api %.*s, not %s", TS_FMT(g->file),
                   (unsigned long long)g->line, TS_FMT(api), ts_api_name(g->api));
  b.mode = member(g, TS_STR("mode"));
  b.profile = member(g, TS_STR("profile"));
  b.sha256 = member(g, TS_STR("sha256"));
  if (!next_line(g, &b.bytes)) return refuse(g, err, "the block is missing");
  b.line = g->line;
  ts_sha256(&b.bytes, 1, -1, sha256);
  if (!ts_str_is(b.sha256, sha256)) return refuse(g, err, "the block's bytes do not have the SHA-256 before them");
  ts_xgrow(&g->block, &g->cap, g->count + 1, sizeof *g->block);
  g->block[g->count++] = b;
  return 0;
}

static int read_blocks(struct golden *g, struct ts_buf *err) {
  struct ts_str label;
  while (next_line(g, &label))
    if (read_block(g, label, err) < 0) return -1;
  return g->count > 0 ? 0 : refuse(g, err, "it is empty");
}

static struct block *find_block(struct golden *g, const struct ts_surface *s) {
  for (size_t i = 0; i < g->count; i++)
    if (ts_str_eq(g->block[i].mode, s->mode) && ts_str_eq(g->block[i].profile, s->profile)) return &g->block[i];
  return NULL;
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static size_t first_difference(struct ts_str a, struct ts_str b) {
  size_t i = 0;
  while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i]) i++;
  return i;
}

/* The tool whose bytes hold byte `at`, or the next one; NULL behind the last. */
static const struct ts_tool *tool_at(const struct ts_head *h, size_t at) {
  for (size_t i = 0; i < h->count; i++)
    if (at < h->tool[i].end) return h->tool[i].tool;
  return NULL;
}

/* Its name in the golden block, made visible; false when there is none. */
static bool golden_tool_at(struct golden *g, struct ts_str bytes, size_t at, struct ts_buf *name) {
  struct ts_json *j = &g->index;
  if (ts_json_scan(j, bytes, NULL) < 0) return false;
  uint32_t list = 0, first = ts_json_first(j, 0), inner = first ? TS_JSON_GET(j, first, "functionDeclarations") : 0;
  if (inner) list = inner;
  for (uint32_t e = ts_json_first(j, list); e; e = ts_json_after(j, list, e)) {
    if (at >= j->node[e].end) continue;
    uint32_t function = TS_JSON_GET(j, e, "function");
    ts_buf_clear(name);
    ts_visible(name, ts_json_text(j, ts_json_get(j, function ? function : e, TS_STR("name")), &g->scratch));
    return true;
  }
  return false;
}

static void describe_difference(struct golden *g, const struct block *b, const struct ts_head *h, size_t at,
                                struct ts_buf *out) {
  const struct ts_tool *now = tool_at(h, at);
  struct ts_buf was = { 0 };
  bool had = golden_tool_at(g, b->bytes, at, &was);
  if (now)
    ts_buf_addf(out, "differs first in tool '%.*s' at byte %zu", TS_FMT(now->name), at);
  else
    ts_buf_addf(out, "ends at byte %zu", at);
  if (had && !(now && ts_str_eq(now->name, ts_buf_str(&was))))
    ts_buf_addf(out, ", where the golden block has tool '%s'", ts_buf_z(&was));
  else if (!had)
    ts_buf_addz(out, ", where the golden block ends");
  ts_buf_addf(out, "; %zu of %zu bytes lie behind it", h->bytes.len - at, h->bytes.len);
  ts_buf_free(&was);
}

static void quote_sha(struct ts_str sha256, struct ts_buf *out) {
  ts_buf_clear(out);
  ts_json_quote(out, sha256);
}

struct check {
  struct golden *g;
  ts_finding_fn *report;
  void *context;
};

static void report(const struct check *k, const struct ts_surface *s, const struct ts_tool *tool, const struct block *b,
                   struct ts_str now, struct ts_str what) {
  struct ts_buf message = { 0 }, old_sha = { 0 }, new_sha = { 0 };
  ts_buf_addf(&message, "mode %.*s", TS_FMT(s->mode));
  if (s->profile.len > 0) ts_buf_addf(&message, ", profile %.*s", TS_FMT(s->profile));
  ts_buf_addf(&message, ": the first-turn block %.*s", TS_FMT(what));
  if (b) quote_sha(b->sha256, &old_sha);
  if (now.len > 0) quote_sha(now, &new_sha);
  struct ts_finding f = { .rule = TS_RULE_GOLDEN_STALE,
                          .message = ts_buf_str(&message),
                          .name = tool ? tool->name : TS_STR(""),
                          .old_value = ts_buf_str(&old_sha),
                          .new_value = ts_buf_str(&new_sha),
                          .place = { .file = k->g->file, .line = b ? b->line : 0 } };
  k->report(k->context, &f);
  ts_buf_free(&message);
  ts_buf_free(&old_sha);
  ts_buf_free(&new_sha);
}

static void check_surface(const struct check *k, const struct ts_surface *s, const struct ts_head *h) {
  struct block *b = find_block(k->g, s);
  struct ts_str bytes = ts_buf_str(&h->bytes);
  struct ts_measure m;
  ts_measure_take(&m, h);
  if (!b) {
    report(k, s, NULL, NULL, ts_str_z(m.sha256), TS_STR("is not in the golden file"));
    return;
  }
  b->met = true;
  if (ts_str_eq(b->bytes, bytes)) return;
  struct ts_buf what = { 0 };
  size_t at = first_difference(b->bytes, bytes);
  describe_difference(k->g, b, h, at, &what);
  report(k, s, tool_at(h, at), b, ts_str_z(m.sha256), ts_buf_str(&what));
  ts_buf_free(&what);
}

int ts_golden_check(const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api, struct ts_str file,
                    struct ts_str text, ts_finding_fn *report_to, void *context, struct ts_buf *err) {
  struct golden g = { .file = file, .rest = text, .api = api };
  struct check k = { &g, report_to, context };
  struct ts_surface each = *s;
  struct ts_head head = { 0 };
  int result = read_blocks(&g, err);
  for (size_t at = 0; result == 0 && ts_surface_next(c, &each, &at);) {
    build(&head, c, &each, api);
    check_surface(&k, &each, &head);
  }
  for (size_t i = 0; result == 0 && i < g.count; i++) {
    struct ts_surface gone = { .mode = g.block[i].mode, .profile = g.block[i].profile };
    if (!g.block[i].met)
      report(&k, &gone, NULL, &g.block[i], TS_STR(""), TS_STR("is in the golden file, but not in the catalog"));
  }
  ts_head_free(&head);
  golden_free(&g);
  return result;
}
