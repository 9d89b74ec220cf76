#include "catalog/search.h"

#include "base/xalloc.h"
#include "catalog/firstturn.h"
#include "schema/regex.h"

struct hit {
  const struct ts_tool *tool;
  size_t score;
};

/* What a tool is searched by. The parts are parted by a line feed, so that no word spans two of them. */
static void text_of(const struct ts_scope *scope, const struct ts_tool *t, struct ts_buf *out) {
  ts_buf_set(out, t->name);
  ts_buf_addc(out, '\n');
  ts_buf_add(out, t->description);
  ts_buf_addc(out, '\n');
  (void)ts_tool_schema(scope, t, out);
}

static void fold(struct ts_buf *b) {
  for (size_t i = 0; i < b->len; i++)
    if (b->ptr[i] >= 'A' && b->ptr[i] <= 'Z') b->ptr[i] = (char)(b->ptr[i] + ('a' - 'A'));
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next word of the query, cut off its front; empty at the end. */
static struct ts_str next_word(struct ts_str *query) {
  size_t from = 0, to;
  while (from < query->len && is_space(query->ptr[from])) from++;
  for (to = from; to < query->len && !is_space(query->ptr[to]);) to++;
  struct ts_str word = ts_str_sub(*query, from, to - from);
  *query = ts_str_sub(*query, to, SIZE_MAX);
  return word;
}

/* Text and query are folded; the text begins with the name. */
static size_t score_of(struct ts_str text, size_t name_len, struct ts_str query) {
  size_t score = 0;
  for (struct ts_str word; (word = next_word(&query)).len > 0;) {
    score += ts_str_has(text, word);
    score += ts_str_has(ts_str_sub(text, 0, name_len), word) ? 2 : 0;
  }
  return score;
}

static int hit_order(const void *a, const void *b) {
  const struct hit *x = a, *y = b;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  int order = ts_str_cmp(x->tool->name, y->tool->name);
  return order != 0 ? order : (x->tool > y->tool) - (x->tool < y->tool);
}

struct search {
  struct ts_regex *regex; /* NULL: terms */
  struct ts_buf query, text;
  struct hit *hit;
  size_t count, cap;
};

/* How well a tool matches; 0: not; -1: *err. */
static int64_t rate(struct search *s, const struct ts_scope *scope, const struct ts_tool *t, struct ts_buf *err) {
  text_of(scope, t, &s->text);
  if (!s->regex) {
    fold(&s->text);
    return (int64_t)score_of(ts_buf_str(&s->text), t->name.len, ts_buf_str(&s->query));
  }
  int found = ts_regex_match(s->regex, ts_buf_str(&s->text));
  if (found < 0) return ts_fail(err, "tool '%.*s': the expression takes too long to match", TS_FMT(t->name));
  return found;
}

static int collect(struct search *s, const struct ts_catalog *c, const struct ts_scope *scope, struct ts_buf *err) {
  for (size_t i = 0; i < c->tool_count; i++) {
    if (!ts_scope_searchable(scope, &c->tool[i])) continue;
    int64_t score = rate(s, scope, &c->tool[i], err);
    if (score < 0) return -1;
    if (score == 0) continue;
    ts_xgrow(&s->hit, &s->cap, s->count + 1, sizeof *s->hit);
    s->hit[s->count++] = (struct hit){ &c->tool[i], (size_t)score };
  }
  if (s->count > 1) qsort(s->hit, s->count, sizeof *s->hit, hit_order);
  return 0;
}

int ts_search(const struct ts_catalog *c, const struct ts_scope *scope, enum ts_match match, struct ts_str query,
              size_t limit, struct ts_listing *found, struct ts_buf *err) {
  struct search s = { 0 };
  int result = 0;
  ts_buf_set(&s.query, query);
  if (match == TS_MATCH_REGEX && !(s.regex = ts_regex_compile(query, true, err))) result = -1;
  fold(&s.query);
  if (result == 0) result = collect(&s, c, scope, err);
  for (size_t i = 0; result == 0 && i < s.count && i < limit; i++) ts_listing_add(found, s.hit[i].tool);
  ts_regex_free(s.regex);
  ts_buf_free(&s.query);
  ts_buf_free(&s.text);
  free(s.hit);
  return result;
}
