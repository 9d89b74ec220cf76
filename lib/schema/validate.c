#include "schema/validate.h"

#include "base/xalloc.h"
#include "schema/check.h"

enum {
  STEPS_LEAST = 10000000, /* subschemas and values looked at in one check, … */
  STEPS_PER_VALUE = 200,  /* … and so many more for each value of a large one: only hostile schemas need more */
  STACK_MOST = 5 << 20,   /* bytes of stack, of the usual 8 MiB */
};

/* Blame */

int ts_blame_order(const size_t *a, size_t a_depth, const size_t *b, size_t b_depth) {
  size_t shorter = a_depth < b_depth ? a_depth : b_depth;
  for (size_t i = 0; i < shorter; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return (a_depth > b_depth) - (a_depth < b_depth);
}

void ts_misfit_free(struct ts_misfit *m) {
  ts_buf_free(&m->pointer);
  ts_buf_free(&m->expected);
  ts_buf_free(&m->came);
}

void ts_blame_free(struct ts_blame *b) {
  ts_misfit_free(&b->misfit);
  free(b->at);
  *b = (struct ts_blame){ 0 };
}

static bool is_earlier(const struct ts_why *w) {
  if (!w->blame.found) return true;
  for (size_t i = 0; i < w->depth && i < w->blame.depth; i++)
    if (w->path[i].index != w->blame.at[i]) return w->path[i].index < w->blame.at[i];
  return w->depth < w->blame.depth;
}

static void add_token(struct ts_buf *out, struct ts_str key) {
  struct ts_buf plain = { 0 };
  ts_tree_plain(&plain, key);
  for (size_t i = 0; i < plain.len; i++) {
    if (plain.ptr[i] == '~' || plain.ptr[i] == '/')
      ts_buf_addz(out, plain.ptr[i] == '~' ? "~0" : "~1");
    else
      ts_buf_addc(out, plain.ptr[i]);
  }
  ts_buf_free(&plain);
}

static void keep_place(struct ts_why *w) {
  struct ts_blame *b = &w->blame;
  b->at = ts_xrealloc(b->at, w->depth, sizeof *b->at);
  b->depth = w->depth;
  ts_buf_clear(&b->misfit.pointer);
  for (size_t i = 0; i < w->depth; i++) {
    b->at[i] = w->path[i].index;
    ts_buf_addc(&b->misfit.pointer, '/');
    if (w->path[i].is_member)
      add_token(&b->misfit.pointer, w->path[i].key);
    else
      ts_buf_addf(&b->misfit.pointer, "%zu", w->path[i].index);
  }
}

int ts_check_blame(struct ts_check *c, enum ts_fault fault, const struct ts_sub *sub, const struct ts_tree *v,
                   const struct ts_fault_detail *detail) {
  struct ts_why *w = c->why;
  if (!w || !is_earlier(w)) return 0;
  struct ts_misfit *m = &w->blame.misfit;
  struct ts_fault_detail member = { .name = w->depth > 0 ? w->path[w->depth - 1].key : TS_STR("") };
  keep_place(w);
  w->blame.found = true;
  w->blame.fault = fault;
  ts_buf_clear(&m->expected);
  ts_buf_clear(&m->came);
  ts_fault_expected(&m->expected, fault, sub, detail);
  ts_fault_came(&m->came, w->naming ? TS_FAULT_NAME : fault, sub, v, w->naming ? &member : detail);
  return 0;
}

static int blame(struct ts_check *c, enum ts_fault fault, const struct ts_sub *sub, const struct ts_tree *v) {
  return ts_check_blame(c, fault, sub, v, NULL);
}

/* One step down */

int ts_check_quiet(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  struct ts_why *why = c->why;
  c->why = NULL;
  int answer = ts_check(c, sub, v);
  c->why = why;
  return answer;
}

static TS_ASIDE int ask_child(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *child, size_t index,
                              bool is_member) {
  struct ts_why *w = c->why;
  ts_xgrow(&w->path, &w->cap, w->depth + 1, sizeof *w->path);
  w->path[w->depth++] = (struct ts_step){ ts_tree_key(child), index, is_member };
  struct ts_fault_detail detail = { .name = ts_tree_key(child) };
  bool undeclared = is_member && sub->never;
  int answer = undeclared ? ts_check_blame(c, TS_FAULT_UNDECLARED, sub, child, &detail) : ts_check(c, sub, child);
  w->depth--;
  return answer;
}

int ts_check_child(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *child, size_t index, bool is_member) {
  return c->why ? ask_child(c, sub, child, index, is_member) : ts_check(c, sub, child);
}

/* Values of any type */

static int check_type(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  return ts_value_type(v) & sub->types ? 1 : blame(c, TS_FAULT_TYPE, sub, v);
}

static bool is_word(const struct ts_sub *sub, struct ts_str text) {
  size_t low = 0, high = sub->words.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = ts_str_cmp(text, sub->words.item[middle]);
    if (order == 0) return true;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return false;
}

static bool is_listed(struct ts_check *c, const struct ts_sub *sub, const struct ts_tree *v) {
  if (ts_tree_kind(v) == TS_JSON_STRING) return is_word(sub, ts_tree_text(v));
  if (!sub->other_values) return false;
  for (const struct ts_tree *one = ts_tree_first(sub->values); one; one = ts_tree_after(one), c->steps++)
    if (ts_tree_equal(one, v)) return true;
  return false;
}

static int check_values(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  if (sub->constant && !ts_tree_equal(sub->constant, v)) return blame(c, TS_FAULT_CONST, sub, v);
  return !sub->values || is_listed(c, sub, v) ? 1 : blame(c, TS_FAULT_ENUM, sub, v);
}

/* Numbers and strings */

static TS_ASIDE int check_number(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  struct ts_str n = ts_tree_text(v);
  const struct {
    struct ts_str bound;
    int sign;
    bool equal;
    enum ts_fault fault;
  } table[] = {
    { sub->minimum, 1, true, TS_FAULT_MINIMUM },
    { sub->above, 1, false, TS_FAULT_ABOVE },
    { sub->maximum, -1, true, TS_FAULT_MAXIMUM },
    { sub->below, -1, false, TS_FAULT_BELOW },
  };
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    if (table[i].bound.len == 0) continue;
    int order = ts_number_cmp(n, table[i].bound) * table[i].sign;
    if (order < 0 || (order == 0 && !table[i].equal)) return blame(c, table[i].fault, sub, v);
  }
  int multiple = sub->multiple_of.len > 0 ? ts_number_is_multiple(n, sub->multiple_of) : 1;
  return multiple ? multiple : blame(c, TS_FAULT_MULTIPLE, sub, v);
}

static int check_limits(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v, uint64_t n,
                        struct ts_limits limits, enum ts_fault too_few) {
  if (n < limits.min) return blame(c, too_few, sub, v);
  return n <= limits.max ? 1 : blame(c, too_few + 1, sub, v); /* …_MAX stands behind …_MIN */
}

static TS_ASIDE int check_string(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  struct ts_str text = ts_tree_text(v);
  bool limited = sub->length.min > 0 || sub->length.max != UINT64_MAX;
  if (limited && !check_limits(c, sub, v, ts_tree_length(text), sub->length, TS_FAULT_LENGTH_MIN)) return 0;
  int found = sub->pattern ? ts_pattern_match(sub->pattern, text) : 1;
  return found ? found : blame(c, TS_FAULT_PATTERN, sub, v);
}

/* Arrays */

struct hashed {
  uint64_t hash;
  size_t index;
  const struct ts_tree *item;
};

static int compare_hashes(const void *a, const void *b) {
  const struct hashed *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* Does an item of the same hash before all[i] equal it? Unequal ones of one hash are rare, so few are tried. */
static const struct hashed *twin_of(const struct hashed *all, size_t i) {
  for (size_t k = i, tries = 0; k-- > 0 && all[k].hash == all[i].hash && tries < 16; tries++)
    if (ts_tree_equal(all[k].item, all[i].item)) return &all[k];
  return NULL;
}

/* The first item that has been there before, and which it equals. */
static bool find_twins(struct hashed *all, size_t count, struct ts_fault_detail *twins) {
  bool found = false;
  qsort(all, count, sizeof *all, compare_hashes);
  for (size_t i = 1; i < count; i++) {
    const struct hashed *twin = twin_of(all, i);
    if (!twin || (found && twins->second <= all[i].index)) continue;
    found = true;
    twins->first = twin->index;
    twins->second = all[i].index;
  }
  return found;
}

static TS_ASIDE int check_unique(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  size_t count = ts_tree_count(v), n = 0;
  if (count < 2) return 1;
  struct hashed *all = ts_xcalloc(count, sizeof *all);
  for (const struct ts_tree *item = ts_tree_first(v); item; item = ts_tree_after(item), n++)
    all[n] = (struct hashed){ ts_value_hash(item, &c->steps), n, item };
  struct ts_fault_detail twins = { 0 };
  bool found = find_twins(all, n, &twins);
  free(all);
  return found ? ts_check_blame(c, TS_FAULT_UNIQUE, sub, v, &twins) : 1;
}

static TS_ASIDE int check_contains(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  struct ts_fault_detail detail = { 0 };
  size_t unsure = 0;
  for (const struct ts_tree *item = ts_tree_first(v); item; item = ts_tree_after(item)) {
    int fits = ts_check_quiet(c, sub->contains, item);
    detail.first += fits == 1;
    unsure += fits < 0;
  }
  if (detail.first + unsure < sub->contained.min) return ts_check_blame(c, TS_FAULT_CONTAINS_MIN, sub, v, &detail);
  if (detail.first > sub->contained.max) return ts_check_blame(c, TS_FAULT_CONTAINS_MAX, sub, v, &detail);
  return detail.first >= sub->contained.min && detail.first + unsure <= sub->contained.max ? 1 : -1;
}

static int check_array(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int answer = 1;
  if (sub->items_count.min > 0 || sub->items_count.max != UINT64_MAX)
    answer = check_limits(c, sub, v, ts_tree_count(v), sub->items_count, TS_FAULT_ITEMS_MIN);
  size_t i = 0;
  bool walk = sub->prefix.count > 0 || sub->items;
  for (const struct ts_tree *item = ts_tree_first(v); walk && item; item = ts_tree_after(item), i++) {
    if (answer == 0 && !c->why) return 0;
    struct ts_sub *one = i < sub->prefix.count ? sub->prefix.item[i] : sub->items;
    if (!one) break;
    answer = ts_both(answer, ts_check_child(c, one, item, i, false));
  }
  if (sub->unique && (answer || c->why)) answer = ts_both(answer, check_unique(c, sub, v));
  if (sub->contains && (answer || c->why)) answer = ts_both(answer, check_contains(c, sub, v));
  return answer;
}

/* Objects */

static TS_ASIDE int check_name(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *member, size_t index) {
  struct ts_buf quoted = { 0 };
  ts_tree_quote(&quoted, ts_tree_key(member), SIZE_MAX);
  struct ts_tree *name = ts_tree_parse(ts_buf_str(&quoted), NULL);
  ts_buf_free(&quoted);
  if (!name) return -1;
  struct ts_why *w = c->why;
  if (w) {
    ts_xgrow(&w->path, &w->cap, w->depth + 1, sizeof *w->path);
    w->path[w->depth++] = (struct ts_step){ ts_tree_key(member), index, true };
    w->naming = true;
  }
  int answer = ts_check(c, sub->names, name);
  if (w) {
    w->depth--;
    w->naming = false;
  }
  ts_tree_free(name);
  return answer;
}

static int check_member(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *member, size_t index,
                        const struct ts_property *declared) {
  int answer = 1;
  bool known = declared && declared->schema, unsure = false;
  c->steps += sub->pattern_count;
  if (known) answer = ts_check_child(c, declared->schema, member, index, true);
  for (size_t i = 0; i < sub->pattern_count; i++) {
    int match = ts_pattern_match(&sub->patterns[i], ts_tree_key(member));
    known |= match == 1;
    unsure |= match < 0;
    if (match == 0) continue;
    struct ts_sub *schema = sub->patterns[i].schema;
    int fits = match < 0 ? ts_check_quiet(c, schema, member) : ts_check_child(c, schema, member, index, true);
    answer = ts_both(answer, match < 0 && fits == 0 ? -1 : fits);
  }
  if (sub->names) answer = ts_both(answer, check_name(c, sub, member, index));
  if (known || !sub->additional) return answer;
  if (!unsure) return ts_both(answer, ts_check_child(c, sub->additional, member, index, true));
  return ts_both(answer, ts_check_quiet(c, sub->additional, member) == 1 ? 1 : -1);
}

/* The first of the required names that is not there; only asked when one is missing. */
static TS_ASIDE int blame_required(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  if (!c->why) return 0;
  bool *there = ts_xcalloc(sub->property_count, sizeof *there);
  for (const struct ts_tree *member = ts_tree_first(v); member; member = ts_tree_after(member)) {
    const struct ts_property *p = ts_sub_property(sub, ts_tree_key(member));
    if (p) there[p - sub->property] = true;
  }
  /* in the order in which the schema lists them */
  const struct ts_tree *name = sub->required_tree ? ts_tree_first(sub->required_tree) : NULL;
  for (; name; name = ts_tree_after(name)) {
    const struct ts_property *p = ts_sub_property(sub, ts_tree_text(name));
    if (!p || !p->required || there[p - sub->property]) continue;
    struct ts_fault_detail detail = { .name = p->name };
    (void)ts_check_blame(c, TS_FAULT_REQUIRED, sub, v, &detail);
    break;
  }
  free(there);
  return 0;
}

static TS_ASIDE int check_dependencies(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  int answer = 1;
  size_t members = ts_tree_count(v);
  for (size_t i = 0; i < sub->dependency_count; i++) {
    const struct ts_dependency *d = &sub->dependency[i];
    c->steps += members * (1 + d->required.count);
    if (c->steps > STEPS_LEAST) return ts_both(answer, -1);
    if (!ts_tree_get(v, d->name.ptr)) continue;
    for (size_t k = 0; k < d->required.count; k++) {
      struct ts_fault_detail detail = { .name = d->required.item[k], .other = d->name };
      if (!ts_tree_get(v, detail.name.ptr)) answer = ts_check_blame(c, TS_FAULT_DEPENDENT, sub, v, &detail);
    }
    if (d->schema) answer = ts_both(answer, ts_check(c, d->schema, v));
  }
  return answer;
}

static int check_object(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  size_t index = 0, required = 0;
  int answer = 1;
  if (sub->members.min > 0 || sub->members.max != UINT64_MAX)
    answer = check_limits(c, sub, v, ts_tree_count(v), sub->members, TS_FAULT_MEMBERS_MIN);
  for (const struct ts_tree *member = ts_tree_first(v); member; member = ts_tree_after(member), index++) {
    if (answer == 0 && !c->why) return 0;
    c->steps++;
    const struct ts_property *declared = ts_sub_property(sub, ts_tree_key(member));
    required += declared && declared->required;
    answer = ts_both(answer, check_member(c, sub, member, index, declared));
  }
  if (required < sub->required_count) answer = blame_required(c, sub, v);
  if (sub->dependency_count > 0 && (answer || c->why)) answer = ts_both(answer, check_dependencies(c, sub, v));
  return answer;
}

/* The walk */

/* Not beyond the bounds on steps and stack. */
static bool may_go_on(struct ts_check *c) {
  const char *here = __builtin_frame_address(0);
  size_t used = here < c->stack ? (size_t)(c->stack - here) : (size_t)(here - c->stack);
  return used < STACK_MOST && ++c->steps <= c->steps_max;
}

int ts_check(struct ts_check *c, struct ts_sub *sub, const struct ts_tree *v) {
  static const struct {
    unsigned bit;
    int (*run)(struct ts_check *, struct ts_sub *, const struct ts_tree *);
  } part[] = {
    { TS_USES_TYPE, check_type },      { TS_USES_VALUES, check_values },
    { TS_USES_NUMBER, check_number },  { TS_USES_STRING, check_string },
    { TS_USES_ARRAY, check_array },    { TS_USES_OBJECT, check_object },
    { TS_USES_LOGIC, ts_check_logic }, { TS_USES_UNEVALUATED, ts_check_unevaluated },
  };
  static const unsigned of_kind[] = {
    [TS_JSON_NUMBER] = TS_USES_NUMBER,
    [TS_JSON_STRING] = TS_USES_STRING,
    [TS_JSON_ARRAY] = TS_USES_ARRAY | TS_USES_UNEVALUATED,
    [TS_JSON_OBJECT] = TS_USES_OBJECT | TS_USES_UNEVALUATED,
  };
  if (sub->only_refers) sub = sub->target;
  if (sub->never) return blame(c, TS_FAULT_NEVER, sub, v);
  if (sub->active == v || !may_go_on(c)) return -1;
  unsigned uses = sub->uses & (TS_USES_TYPE | TS_USES_VALUES | TS_USES_LOGIC | of_kind[ts_tree_kind(v)]);
  const struct ts_tree *outer = sub->active;
  int answer = sub->undecided ? -1 : 1;
  sub->active = v;
  for (size_t i = 0; uses >> i && (answer || c->why); i++)
    if (uses & part[i].bit) answer = ts_both(answer, part[i].run(c, sub, v));
  sub->active = outer;
  return answer;
}

static size_t count_values(const struct ts_tree *v) {
  size_t n = 1;
  for (const struct ts_tree *child = ts_tree_first(v); child; child = ts_tree_after(child)) n += count_values(child);
  return n;
}

static int check_whole(struct ts_sub *sub, const struct ts_tree *v, struct ts_why *why) {
  struct ts_check c = { .steps_max = STEPS_LEAST, .stack = __builtin_frame_address(0), .why = why };
  int answer = ts_check(&c, sub, v);
  if (c.steps <= c.steps_max) return answer;
  c.steps = 0; /* a large value deserves more; few are, so only now is it counted */
  c.steps_max = STEPS_LEAST + STEPS_PER_VALUE * count_values(v);
  return c.steps_max > 2 * (size_t)STEPS_LEAST ? ts_check(&c, sub, v) : answer;
}

int ts_sub_check(struct ts_sub *sub, const struct ts_tree *value) { return check_whole(sub, value, NULL); }

int ts_sub_check_within(struct ts_sub *sub, const struct ts_tree *value, size_t *left) {
  size_t most = *left < STEPS_LEAST ? *left : STEPS_LEAST;
  struct ts_check c = { .steps_max = most, .stack = __builtin_frame_address(0) };
  int answer = ts_check(&c, sub, value);
  *left -= c.steps < most ? c.steps : most;
  return answer;
}

int ts_schema_check(struct ts_schema *s, const struct ts_tree *value, struct ts_misfit *why) {
  int answer = check_whole(s->root, value, NULL);
  if (answer != 0 || !why) return answer;
  struct ts_why w = { 0 };
  (void)check_whole(s->root, value, &w);
  ts_misfit_free(why);
  *why = w.blame.misfit;
  w.blame.misfit = (struct ts_misfit){ 0 };
  if (!w.blame.found) ts_buf_addz(&why->expected, "a value that fits the schema");
  if (!w.blame.found) ts_value_brief(&why->came, value);
  ts_blame_free(&w.blame);
  free(w.path);
  return 0;
}
