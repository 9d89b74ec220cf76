#include "schema/candidates.h"

#include "schema/sample.h"

enum {
  WORK_MOST = 4000,    /* candidates made for one witness */
  LENGTH_MOST = 70000, /* of a text or list that is made to be too long */
};

/* Pools */

static bool is_kept(const struct ts_pool *pool, struct ts_str json) {
  for (size_t i = 0; i < pool->count; i++)
    if (ts_str_eq(pool->item[i], json)) return true;
  return pool->count == TS_POOL_MOST;
}

static bool belongs(const struct ts_pool *pool, const struct ts_tree *value) {
  if (ts_view_check(pool->view, value) != 1) return false;
  if (pool->condition && ts_sub_check(pool->condition, value) != 0) return false;
  for (const struct ts_spot *s = pool->spot; s && s->kind == TS_AT_CHOICE; s = s->up)
    if (ts_sub_check(s->beside, value) != 0) return false;
  return true;
}

void ts_offer(struct ts_maker *m, struct ts_pool *pool, struct ts_str json) {
  if (is_kept(pool, json) || m->work++ > WORK_MOST) return;
  struct ts_tree *value = ts_tree_parse(json, NULL);
  if (!value) return;
  bool good = belongs(pool, value);
  ts_tree_free(value);
  if (good) pool->item[pool->count++] = ts_arena_dup(&m->c->arena, json);
}

static void offer_buf(struct ts_maker *m, struct ts_pool *pool, struct ts_buf *json) {
  ts_offer(m, pool, ts_buf_str(json));
  ts_buf_free(json);
}

static void offer_tree(struct ts_maker *m, struct ts_pool *pool, const struct ts_tree *value) {
  struct ts_buf json = { 0 };
  ts_tree_write(value, &json);
  offer_buf(m, pool, &json);
}

/* Of two that are as long, texts go as they were thought of, which is the simpler one first; others by their bytes. */
static bool comes_after(struct ts_str x, struct ts_str y) {
  bool text = x.ptr[0] == '"', other = y.ptr[0] == '"';
  if (x.len != y.len) return x.len > y.len;
  return text == other ? !text && ts_str_cmp(x, y) > 0 : other;
}

void ts_pool_sort(struct ts_pool *pool, size_t from) {
  for (size_t i = from + 1; i < pool->count; i++) {
    struct ts_str one = pool->item[i];
    size_t k = i;
    for (; k > from && comes_after(pool->item[k - 1], one); k--) pool->item[k] = pool->item[k - 1];
    pool->item[k] = one;
  }
}

static struct ts_pool refused_values(struct ts_maker *m, const struct ts_view *v, struct ts_sub *condition,
                                     unsigned depth) {
  struct ts_pool pool = { .view = v, .condition = condition };
  struct ts_sub *hint = m->hint;
  m->hint = &m->blank;
  if (depth > 0) ts_make(m, v, &pool, depth - 1);
  m->hint = hint;
  return pool;
}

struct ts_pool ts_values_of(struct ts_maker *m, const struct ts_view *v, unsigned depth) {
  return refused_values(m, v, NULL, depth);
}

static bool is_thorough(const struct ts_maker *m) { return m->hint != &m->blank; }

/* Numbers */

/* An integer of any size, one more or less. */
static void add_next_integer(struct ts_buf *out, struct ts_str n, bool up) {
  bool minus = n.ptr[0] == '-', grow = up != minus;
  struct ts_buf digits = { 0 };
  ts_buf_add(&digits, ts_str_sub(n, minus, n.len));
  size_t i = digits.len;
  while (i > 0 && digits.ptr[i - 1] == (grow ? '9' : '0')) digits.ptr[--i] = grow ? '0' : '9';
  if (i > 0) digits.ptr[i - 1] = (char)(digits.ptr[i - 1] + (grow ? 1 : -1));
  size_t from = 0;
  while (from + 1 < digits.len && digits.ptr[from] == '0') from++;
  struct ts_str rest = ts_str_sub(ts_buf_str(&digits), from, digits.len);
  if (i == 0 && !grow)
    ts_buf_addz(out, up ? "1" : "-1"); /* below zero */
  else
    ts_buf_addf(out, "%s%s%.*s", minus && !ts_str_is(rest, "0") ? "-" : "", i == 0 ? "1" : "", TS_FMT(rest));
  ts_buf_free(&digits);
}

static bool is_plain_integer(struct ts_str n) {
  size_t from = n.len > 0 && n.ptr[0] == '-';
  for (size_t i = from; i < n.len; i++)
    if (n.ptr[i] < '0' || n.ptr[i] > '9') return false;
  return n.len > from;
}

static double number_of(struct ts_str n) {
  struct ts_buf text = { 0 };
  ts_buf_add(&text, n);
  double x = strtod(ts_buf_z(&text), NULL);
  ts_buf_free(&text);
  return x;
}

/* The next integer, for what a double says exactly; the library of C's mathematics is not needed for more. */
static double whole(double x, bool up) {
  if (!(x > -9e15 && x < 9e15)) return x;
  double cut = (double)(int64_t)x;
  if (up) return cut < x ? cut + 1 : cut;
  return cut > x ? cut - 1 : cut;
}

static void offer_double(struct ts_maker *m, struct ts_pool *pool, double x) {
  struct ts_buf json = { 0 };
  if (!(x - x == 0)) return;                     /* not a number, or beyond all of them */
  for (int digits = 6; digits <= 15; digits++) { /* no more: 0.3, not 0.30000000000000004 */
    ts_buf_clear(&json);
    ts_buf_addf(&json, "%.*g", digits, x == 0 ? 0.0 : x);
    if (strtod(json.ptr, NULL) == x) break;
  }
  offer_buf(m, pool, &json);
}

static void offer_around(struct ts_maker *m, struct ts_pool *pool, struct ts_str n) {
  if (n.len == 0) return;
  ts_offer(m, pool, n);
  for (int up = 0; up < 2 && is_plain_integer(n); up++) {
    struct ts_buf json = { 0 };
    add_next_integer(&json, n, up);
    offer_buf(m, pool, &json);
  }
  double x = number_of(n);
  const double steps[] = { whole(x, true) - x, whole(x, false) - x, 1, -1, 0.5, -0.5, 0.1, -0.1 };
  for (size_t i = 0; i < TS_COUNT(steps); i++) offer_double(m, pool, x + steps[i]);
}

static void offer_multiples(struct ts_maker *m, struct ts_pool *pool, const struct ts_facts *f, struct ts_str of) {
  if (of.len == 0) return;
  ts_offer(m, pool, of);
  double step = number_of(of), from = f->lower.number.len ? number_of(f->lower.number) : 0;
  if (!f->lower.number.len && f->upper.number.len) from = number_of(f->upper.number) - 4 * step;
  double first = whole(from / step, true);
  for (int i = 0; i < 6; i++) offer_double(m, pool, (first + i) * step);
  offer_double(m, pool, (first + 0.5) * step);
}

static void make_numbers(struct ts_maker *m, const struct ts_view *v, const struct ts_facts *f, struct ts_pool *pool) {
  static const char *const small[] = { "0", "1", "2", "-1", "0.5" };
  for (size_t i = 0; i < TS_COUNT(small); i++) ts_offer(m, pool, ts_str_z(small[i]));
  const struct ts_str bounds[] = { m->hint->minimum, m->hint->maximum, m->hint->above,
                                   m->hint->below,   f->lower.number,  f->upper.number };
  for (size_t i = 0; i < TS_COUNT(bounds); i++) offer_around(m, pool, bounds[i]);
  for (size_t i = 0; i < v->count; i++) offer_multiples(m, pool, f, v->part[i]->multiple_of);
  offer_multiples(m, pool, f, m->hint->multiple_of);
}

/* Texts */

static void offer_text(struct ts_maker *m, struct ts_pool *pool, struct ts_str text) {
  struct ts_buf json = { 0 };
  ts_tree_quote(&json, text, SIZE_MAX);
  offer_buf(m, pool, &json);
}

static void offer_length(struct ts_maker *m, struct ts_pool *pool, uint64_t length) {
  struct ts_buf text = { 0 };
  if (length > LENGTH_MOST) return;
  memset(ts_buf_reserve(&text, (size_t)length), 'a', (size_t)length);
  ts_buf_cut(&text, (size_t)length);
  offer_text(m, pool, ts_buf_str(&text));
  ts_buf_free(&text);
}

/* Texts that match, of a given length if possible. */
static void offer_matching(struct ts_maker *m, struct ts_pool *pool, struct ts_str pattern, uint64_t length) {
  for (unsigned variant = 0; variant < 6; variant++) {
    struct ts_buf text = { 0 };
    bool good = ts_pattern_sample(pattern, (struct ts_sample){ variant, 0, 0 }, &text);
    size_t more = good && length > text.len && length < LENGTH_MOST ? (size_t)length - text.len : 1;
    if (good) offer_text(m, pool, ts_buf_str(&text));
    for (unsigned which = 0; good && which < 3; which++) {
      ts_buf_clear(&text);
      good = ts_pattern_sample(pattern, (struct ts_sample){ variant, more, which }, &text);
      if (good) offer_text(m, pool, ts_buf_str(&text));
    }
    ts_buf_free(&text);
  }
}

static void make_texts(struct ts_maker *m, const struct ts_view *v, const struct ts_facts *f, struct ts_pool *pool) {
  static const char *const usual[] = { "",  "a",   "b",   "A",        "0",        "1",          " ", "-",
                                       "_", "a b", "a.b", "\xc3\xa9", "http://a", "2000-01-01", "/", "a@b.c" };
  const struct ts_limits *now = &m->hint->length;
  size_t from = pool->count;
  const uint64_t lengths[] = { now->min ? now->min - 1 : 0, now->max != UINT64_MAX ? now->max + 1 : 0, f->length.min,
                               f->length.max };
  for (size_t i = 0; i < TS_COUNT(lengths); i++) offer_length(m, pool, lengths[i]);
  for (size_t i = 0; i < TS_COUNT(usual); i++) offer_text(m, pool, ts_str_z(usual[i]));
  for (size_t i = 0; i < v->count; i++) {
    const struct ts_pattern *p = v->part[i]->pattern;
    for (size_t k = 0; p && k < TS_COUNT(lengths); k++) offer_matching(m, pool, p->text, lengths[k]);
  }
  ts_pool_sort(pool, from);
}

/* Lists */

static void offer_list(struct ts_maker *m, struct ts_pool *pool, const struct ts_view *v, size_t length, unsigned depth,
                       size_t first, size_t step) {
  struct ts_buf json = { 0 };
  struct ts_view item = { .types = TS_T_ALL };
  struct ts_pool items = { 0 };
  ts_buf_addc(&json, '[');
  for (size_t i = 0; i < length; i++) {
    if (i < 8) { /* behind the prefix all are alike */
      item = ts_view_element(m->c, v, i);
      items = ts_values_of(m, &item, depth);
    }
    if (items.count == 0) break;
    if (i > 0) ts_buf_addc(&json, ',');
    ts_buf_add(&json, items.item[(first + i * step) % items.count]);
  }
  ts_buf_addc(&json, ']');
  if (items.count > 0 || length == 0) ts_offer(m, pool, ts_buf_str(&json));
  ts_buf_free(&json);
}

/* As many items as `contains` of a part asks for, and one more: alike, and each another. */
static void offer_containing(struct ts_maker *m, struct ts_pool *pool, const struct ts_view *v,
                             const struct ts_sub *part, unsigned depth) {
  struct ts_view item = ts_view_element(m->c, v, 0);
  item = ts_view_with(m->c, &item, part->contains);
  struct ts_pool items = { 0 };
  if (m->hint->contains) items = refused_values(m, &item, m->hint->contains, depth);
  if (items.count == 0) items = ts_values_of(m, &item, depth);
  for (size_t try = 0; try < 2 * items.count + 2 && items.count > 0 && try < 12; try++) {
    struct ts_buf json = { 0 };
    uint64_t count = part->contained.min + try % 2;
    for (size_t i = 0; i < count && i < TS_COUNT_MOST; i++)
      ts_buf_addf(&json, "%s%.*s", i ? "," : "[", TS_FMT(items.item[(try / 2 + (try < 2 ? i : 0)) % items.count]));
    if (json.len > 0) ts_buf_addc(&json, ']');
    offer_buf(m, pool, &json);
  }
}

static void make_lists(struct ts_maker *m, const struct ts_view *v, const struct ts_facts *f, struct ts_pool *pool,
                       unsigned depth) {
  const struct ts_limits *now = &m->hint->items_count;
  const uint64_t lengths[] = { f->items.min,
                               f->items.min + 1,
                               0,
                               1,
                               2,
                               now->min ? now->min - 1 : 0,
                               now->max != UINT64_MAX ? now->max + 1 : 2,
                               m->hint->contained.max + 1 };
  size_t tries = is_thorough(m) ? TS_COUNT(lengths) : 2, others = is_thorough(m) ? 3 : 1;
  for (size_t i = 0; i < tries; i++) {
    if (lengths[i] > TS_COUNT_MOST) continue;
    for (size_t first = 0; first < others; first++) offer_list(m, pool, v, (size_t)lengths[i], depth, first, 0);
    if (lengths[i] > 1) offer_list(m, pool, v, (size_t)lengths[i], depth, 0, 1);
  }
  for (size_t i = 0; i < v->count; i++)
    if (v->part[i]->contains) offer_containing(m, pool, v, v->part[i], depth);
  if (m->hint->contains) offer_containing(m, pool, v, m->hint, depth);
}

/* Objects */

static struct ts_member *add_member(struct ts_maker *m, struct ts_members *all, const struct ts_view *v,
                                    struct ts_str key, unsigned depth) {
  for (size_t i = 0; i < all->count; i++)
    if (ts_str_eq(all->item[i].key, key)) return &all->item[i];
  if (all->count == all->cap) {
    size_t cap = all->cap ? all->cap * 2 : 4;
    struct ts_member *more = ts_arena_alloc(&m->c->arena, cap * sizeof *more);
    for (size_t i = 0; i < all->count; i++) more[i] = all->item[i];
    all->item = more;
    all->cap = cap;
  }
  struct ts_view *view = ts_arena_alloc(&m->c->arena, sizeof *view);
  *view = ts_view_member(m->c, v, key);
  struct ts_member *one = &all->item[all->count];
  *one = (struct ts_member){ .key = key, .values = ts_values_of(m, view, depth) };
  if (one->values.count == 0) return NULL;
  all->count++;
  return one;
}

bool ts_add_required(struct ts_maker *m, struct ts_members *all, const struct ts_view *v, unsigned depth) {
  for (size_t k = 0; k < v->count; k++)
    for (size_t i = 0; i < v->part[k]->property_count; i++)
      if (v->part[k]->property[i].required && !add_member(m, all, v, v->part[k]->property[i].name, depth)) return false;
  return true;
}

void ts_fill_up(struct ts_maker *m, struct ts_members *all, const struct ts_view *v, uint64_t n, struct ts_str but,
                unsigned depth) {
  for (size_t k = 0; k < v->count; k++) {
    for (size_t i = 0; i < v->part[k]->property_count && all->count < n; i++) {
      struct ts_str name = v->part[k]->property[i].name;
      if (!but.ptr || !ts_str_eq(name, but)) (void)add_member(m, all, v, name, depth);
    }
  }
  for (size_t i = 0; all->count < n && n <= TS_COUNT_MOST && i < TS_COUNT_MOST; i++) {
    struct ts_buf key = { 0 };
    ts_buf_addf(&key, "x%zu", i);
    bool good = add_member(m, all, v, ts_arena_dup(&m->c->arena, ts_buf_str(&key)), depth) != NULL;
    ts_buf_free(&key);
    if (!good) return;
  }
}

void ts_write_members(struct ts_buf *json, const struct ts_members *all, struct ts_str key, struct ts_str value) {
  bool first = true;
  ts_buf_addc(json, '{');
  for (size_t i = 0; i <= all->count; i++) {
    bool extra = i == all->count;
    if (extra ? !value.ptr : value.ptr && ts_str_eq(all->item[i].key, key)) continue;
    if (!first) ts_buf_addc(json, ',');
    first = false;
    ts_tree_quote(json, extra ? key : all->item[i].key, SIZE_MAX);
    ts_buf_addc(json, ':');
    ts_buf_add(json, extra ? value : all->item[i].values.item[all->item[i].chosen]);
  }
  ts_buf_addc(json, '}');
}

static void offer_members(struct ts_maker *m, struct ts_pool *pool, const struct ts_members *all) {
  struct ts_buf json = { 0 };
  ts_write_members(&json, all, ts_str(NULL, 0), ts_str(NULL, 0));
  offer_buf(m, pool, &json);
}

static void offer_with(struct ts_maker *m, struct ts_pool *pool, const struct ts_view *v,
                       const struct ts_members *required, struct ts_str key, unsigned depth) {
  struct ts_members more = *required;
  more.cap = more.count; /* so that it grows into a copy */
  struct ts_member *one = add_member(m, &more, v, key, depth);
  if (!one || more.count == required->count) return;
  for (one->chosen = 0; one->chosen < one->values.count && one->chosen < 3; one->chosen++)
    offer_members(m, pool, &more);
}

static void offer_counts(struct ts_maker *m, struct ts_pool *pool, const struct ts_view *v, const struct ts_facts *f,
                         const struct ts_members *required, unsigned depth) {
  const struct ts_limits *now = &m->hint->members;
  const uint64_t counts[] = { f->members.min, now->min ? now->min - 1 : 0, now->max != UINT64_MAX ? now->max + 1 : 0 };
  for (size_t i = 0; i < TS_COUNT(counts); i++) {
    struct ts_members full = *required;
    full.cap = full.count;
    if (counts[i] <= full.count) continue;
    ts_fill_up(m, &full, v, counts[i], TS_ABSENT, depth);
    offer_members(m, pool, &full);
  }
}

static void make_objects(struct ts_maker *m, const struct ts_view *v, const struct ts_facts *f, struct ts_pool *pool,
                         unsigned depth) {
  struct ts_members required = { 0 };
  size_t others = is_thorough(m) ? 4 : 2;
  if (!ts_add_required(m, &required, v, depth)) return;
  offer_members(m, pool, &required);
  for (size_t i = 0; i < required.count; i++) {
    struct ts_member *one = &required.item[i];
    for (one->chosen = 1; one->chosen < one->values.count && one->chosen < others; one->chosen++)
      offer_members(m, pool, &required);
    one->chosen = 0;
  }
  offer_counts(m, pool, v, f, &required, depth);
  if (!is_thorough(m)) return;
  for (size_t k = 0; k < v->count; k++)
    for (size_t i = 0; i < v->part[k]->property_count && i < 12; i++)
      offer_with(m, pool, v, &required, v->part[k]->property[i].name, depth);
  for (size_t i = 0; i < m->hint->property_count && i < 12; i++)
    offer_with(m, pool, v, &required, m->hint->property[i].name, depth);
  offer_with(m, pool, v, &required, TS_STR("x"), depth);
}

/* Values of any type */

void ts_make(struct ts_maker *m, const struct ts_view *v, struct ts_pool *pool, unsigned depth) {
  size_t part = ts_view_choice(v);
  if (m->work++ > WORK_MOST) return;
  if (part != SIZE_MAX) {
    const struct ts_subs *branches = ts_branches(v->part[part]);
    for (size_t i = 0; i < branches->count && i < TS_CHOICES_MOST; i++) {
      struct ts_view one = ts_view_choose(m->c, v, part, branches->item[i]);
      ts_make(m, &one, pool, depth);
    }
    return;
  }
  struct ts_facts f = ts_view_facts(m->c, v);
  for (size_t i = 0; i < f.value_count && i < TS_POOL_MOST; i++) offer_tree(m, pool, f.value[i]);
  if (f.finite) {
    ts_pool_sort(pool, 0);
    return;
  }
  static const char *const smallest[] = { "0", "\"\"", "null", "true", "[]", "{}" }; /* one of each type first */
  for (size_t i = 0; i < TS_COUNT(smallest); i++) ts_offer(m, pool, ts_str_z(smallest[i]));
  if (f.types & TS_T_NUMBER) make_numbers(m, v, &f, pool);
  if (f.types & TS_T_STRING) make_texts(m, v, &f, pool);
  if (f.types & TS_T_BOOLEAN) ts_offer(m, pool, TS_STR("false"));
  if (!is_thorough(m) && pool->count > 0) return; /* something small will do */
  if (f.types & TS_T_ARRAY) make_lists(m, v, &f, pool, depth);
  if (f.types & TS_T_OBJECT) make_objects(m, v, &f, pool, depth);
}
