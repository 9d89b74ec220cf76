/* Findings of a comparison: collected while it runs, each once, then sorted and given out in words. */
#include <inttypes.h>

#include "base/xalloc.h"
#include "json/write.h"
#include "schema/compare.h"

#define CHECKS_MOST 30000000 /* steps, a second or two: only hostile schemas need so many */

/* What a change is called when A is the new side: what narrows there widens here. */
static const struct {
  enum ts_rule_id rule, mirror;
} mirrors[] = {
  { TS_RULE_PARAM_ADDED_REQUIRED, TS_RULE_PARAM_REMOVED_OPEN },
  { TS_RULE_PARAM_NOW_REQUIRED, TS_RULE_PARAM_NOW_OPTIONAL },
  { TS_RULE_PARAM_REMOVED_CLOSED, TS_RULE_PARAM_ADDED_OPTIONAL },
  { TS_RULE_PARAM_ADDED_OPTIONAL, TS_RULE_PARAM_REMOVED_OPEN },
  { TS_RULE_PARAM_REMOVED_OPEN, TS_RULE_PARAM_ADDED_OPTIONAL },
  { TS_RULE_TYPE_NARROWED, TS_RULE_TYPE_WIDENED },
  { TS_RULE_ENUM_VALUE_REMOVED, TS_RULE_ENUM_VALUE_ADDED },
  { TS_RULE_ENUM_INTRODUCED, TS_RULE_ENUM_DROPPED },
  { TS_RULE_BOUND_TIGHTENED, TS_RULE_BOUND_LOOSENED },
  { TS_RULE_PATTERN_ADDED, TS_RULE_PATTERN_REMOVED },
  { TS_RULE_OBJECT_CLOSED, TS_RULE_OBJECT_OPENED },
  { TS_RULE_ANYOF_BRANCH_REMOVED, TS_RULE_ANYOF_BRANCH_ADDED },
  { TS_RULE_ITEMS_INTRODUCED, TS_RULE_TYPE_WIDENED },
  { TS_RULE_ALLOF_ADDED, TS_RULE_TYPE_WIDENED },
  { TS_RULE_PARAM_NOW_OPTIONAL, TS_RULE_PARAM_NOW_REQUIRED },
  { TS_RULE_TYPE_WIDENED, TS_RULE_TYPE_NARROWED },
  { TS_RULE_ENUM_VALUE_ADDED, TS_RULE_ENUM_VALUE_REMOVED },
  { TS_RULE_ENUM_DROPPED, TS_RULE_ENUM_INTRODUCED },
  { TS_RULE_BOUND_LOOSENED, TS_RULE_BOUND_TIGHTENED },
  { TS_RULE_PATTERN_REMOVED, TS_RULE_PATTERN_ADDED },
  { TS_RULE_OBJECT_OPENED, TS_RULE_OBJECT_CLOSED },
  { TS_RULE_ANYOF_BRANCH_ADDED, TS_RULE_ANYOF_BRANCH_REMOVED },
};

static enum ts_rule_id name_of(const struct ts_compare *c, enum ts_rule_id rule) {
  for (size_t i = 0; c->flipped && i < TS_COUNT(mirrors); i++)
    if (mirrors[i].rule == rule) return mirrors[i].mirror;
  return rule;
}

/* Where we are */

size_t ts_enter(struct ts_compare *c, const char *keyword, struct ts_str token) {
  size_t mark = c->pointer.len;
  struct ts_buf plain = { 0 };
  ts_buf_addf(&c->pointer, "/%s", keyword);
  if (token.ptr) ts_buf_addc(&c->pointer, '/');
  ts_tree_plain(&plain, token);
  for (size_t i = 0; i < plain.len; i++) {
    bool escape = plain.ptr[i] == '~' || plain.ptr[i] == '/';
    ts_buf_add(&c->pointer, !escape ? ts_str(plain.ptr + i, 1) : plain.ptr[i] == '~' ? TS_STR("~0") : TS_STR("~1"));
  }
  ts_buf_free(&plain);
  return mark;
}

size_t ts_enter_index(struct ts_compare *c, const char *keyword, size_t index) {
  size_t mark = c->pointer.len;
  ts_buf_addf(&c->pointer, "/%s/%zu", keyword, index);
  return mark;
}

void ts_leave(struct ts_compare *c, size_t mark) { ts_buf_cut(&c->pointer, mark); }

static struct ts_str keep_json(struct ts_compare *c, struct ts_buf *json) {
  struct ts_str kept = ts_arena_dup(&c->arena, ts_buf_str(json));
  ts_buf_free(json);
  return kept;
}

struct ts_str ts_json_of(struct ts_compare *c, const struct ts_tree *tree) {
  if (!tree || c->quiet) return TS_ABSENT;
  struct ts_buf json = { 0 };
  ts_tree_write(tree, &json);
  return keep_json(c, &json);
}

struct ts_str ts_sub_json(struct ts_compare *c, const struct ts_sub *sub) {
  if (!sub) return TS_ABSENT;
  return sub->tree ? ts_json_of(c, sub->tree) : sub->never ? TS_STR("false") : TS_STR("true");
}

struct ts_str ts_keyword_json(struct ts_compare *c, const struct ts_sub *sub, const char *keyword) {
  return sub && sub->tree ? ts_json_of(c, ts_tree_get(sub->tree, keyword)) : TS_ABSENT;
}

struct ts_str ts_types_json(struct ts_compare *c, unsigned types) {
  struct ts_buf json = { 0 };
  if (c->quiet || types == TS_T_ALL) return TS_ABSENT;
  if (types == 0) return TS_STR("false");
  ts_type_json(&json, types);
  return keep_json(c, &json);
}

struct ts_str ts_count_json(struct ts_compare *c, uint64_t n) {
  struct ts_buf json = { 0 };
  if (c->quiet || n == 0 || n == UINT64_MAX) return TS_ABSENT;
  ts_buf_addf(&json, "%" PRIu64, n);
  return keep_json(c, &json);
}

struct ts_str ts_values_json(struct ts_compare *c, const struct ts_tree **value, size_t count) {
  struct ts_buf json = { 0 };
  if (c->quiet) return TS_ABSENT;
  if (count != 1) ts_buf_addc(&json, '[');
  for (size_t i = 0; i < count; i++) {
    if (i > 0) ts_buf_addc(&json, ',');
    ts_tree_write(value[i], &json);
  }
  if (count != 1) ts_buf_addc(&json, ']');
  return keep_json(c, &json);
}

/* Keeping findings */

static struct ts_schema_change *find_change(struct ts_compare *c, enum ts_rule_id rule, struct ts_str pointer) {
  for (size_t i = 0; i < c->change_count; i++)
    if (c->change[i].rule == rule && ts_str_eq(c->change[i].pointer, pointer)) return &c->change[i];
  return NULL;
}

static struct ts_schema_change *add_change(struct ts_compare *c, enum ts_rule_id rule, const char *keyword,
                                           struct ts_str a_json, struct ts_str b_json) {
  size_t mark = c->pointer.len;
  if (keyword) mark = ts_enter(c, keyword, TS_ABSENT);
  struct ts_schema_change *change = find_change(c, rule, ts_buf_str(&c->pointer));
  if (!change) {
    c->steps += c->change_count / 8; /* what looking for it costs */
    ts_xgrow(&c->change, &c->change_cap, c->change_count + 1, sizeof *c->change);
    change = &c->change[c->change_count++];
    *change = (struct ts_schema_change){ .rule = rule, .old_value = c->flipped ? b_json : a_json };
    change->new_value = c->flipped ? a_json : b_json;
    change->pointer = ts_arena_dup(&c->arena, ts_buf_str(&c->pointer));
  }
  ts_leave(c, mark);
  return change;
}

/* An error that stands already needs no other witness. */
static bool has_witness(struct ts_compare *c, enum ts_rule_id rule, const char *keyword) {
  if (c->trial) return false;
  size_t mark = c->pointer.len;
  if (keyword) mark = ts_enter(c, keyword, TS_ABSENT);
  const struct ts_schema_change *change = find_change(c, rule, ts_buf_str(&c->pointer));
  ts_leave(c, mark);
  return change && change->witness.len > 0;
}

static struct ts_vector both(enum ts_level level) {
  struct ts_vector v = { 0 };
  v.level[TS_REPLAY] = v.level[TS_SCHEMA] = (uint8_t)level;
  return v;
}

bool ts_all_fit(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition) {
  struct ts_facts f = ts_view_facts(c, a);
  for (size_t i = 0; i < f.value_count; i++)
    if (ts_sub_check_within(condition, f.value[i], &c->checks_left) != 1) return false;
  return f.finite || f.types == 0;
}

static bool fail_trial(struct ts_trial *trial, struct ts_str witness) {
  trial->faults++;
  bool better = witness.len > 0 && (trial->witness.len == 0 || witness.len < trial->witness.len);
  if (better) trial->witness = witness;
  return false;
}

bool ts_narrowed_by(struct ts_compare *c, struct ts_str witness, enum ts_rule_id rule, const char *keyword,
                    struct ts_str a_json, struct ts_str b_json) {
  if (c->quiet) return false;
  if (c->trial) return fail_trial(c->trial, witness);
  struct ts_schema_change *change = add_change(c, name_of(c, rule), keyword, a_json, b_json);
  if (change->witness.len > 0) return false;
  change->witness = witness;
  change->vector = both(witness.len > 0 ? TS_ERROR : TS_UNKNOWN);
  return false;
}

bool ts_narrowed(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition, const struct ts_spot *spot,
                 enum ts_rule_id rule, const char *keyword, struct ts_str a_json, struct ts_str b_json) {
  ts_sub_finish(condition);
  if (ts_all_fit(c, a, condition)) return true;
  if (c->quiet) return false;
  if (has_witness(c, name_of(c, rule), keyword)) return false;
  return ts_narrowed_by(c, ts_witness(c, a, condition, spot), rule, keyword, a_json, b_json);
}

bool ts_undecided(struct ts_compare *c, enum ts_rule_id rule, const char *keyword, struct ts_str a_json,
                  struct ts_str b_json) {
  if (c->quiet) return false;
  if (c->trial) return fail_trial(c->trial, TS_ABSENT);
  add_change(c, rule, keyword, a_json, b_json)->vector = both(TS_UNKNOWN);
  return false;
}

void ts_change_note(struct ts_compare *c, enum ts_rule_id rule, const char *keyword, struct ts_str a_json,
                    struct ts_str b_json) {
  if (c->quiet || c->trial) return;
  struct ts_schema_change *change = add_change(c, name_of(c, rule), keyword, a_json, b_json);
  if (change->vector.level[TS_REPLAY] == TS_ERROR || change->vector.level[TS_REPLAY] == TS_UNKNOWN) return;
  const struct ts_vector *meant = &ts_rule(rule)->vector, *named = &ts_rule(change->rule)->vector;
  for (size_t i = 0; i < TS_AUDIENCES; i++)
    change->vector.level[i] = meant->level[i] < named->level[i] ? meant->level[i] : named->level[i];
}

/* The comparison as a whole */

static void open_compare(struct ts_compare *c, struct ts_schema *old, struct ts_schema *new, bool output) {
  *c = (struct ts_compare){ .a = output ? new : old, .b = output ? old : new, .output = output, .flipped = output };
  c->checks_left = CHECKS_MOST;
  c->constants = ts_tree_parse(TS_STR("[null,true,false]"), NULL);
  c->null_value = ts_tree_first(c->constants);
  c->true_value = ts_tree_after(c->null_value);
  c->false_value = ts_tree_after(c->true_value);
  if (ts_tree_equal(old->tree, new->tree)) return;
  struct ts_view a = ts_view_of(c, c->a->root), b = ts_view_of(c, c->b->root);
  b.types = TS_T_OBJECT; /* arguments and results are never anything else */
  if (ts_view_facts(c, &a).types != TS_T_OBJECT)
    a.types = TS_T_OBJECT; /* else the same as where a `$ref` leads to it */
  (void)ts_cover(c, &a, c->b->root, NULL);
  c->steps = 0; /* for what is asked there */
  ts_note_changes(c, &a, &b);
}

static void close_compare(struct ts_compare *c) {
  ts_tree_free(c->constants);
  ts_arena_free(&c->arena);
  ts_buf_free(&c->pointer);
  free(c->change);
}

static int compare_changes(const void *a, const void *b) {
  const struct ts_schema_change *x = a, *y = b;
  int order = ts_str_cmp(x->pointer, y->pointer);
  return order ? order : ts_str_cmp(ts_str_z(ts_rule(x->rule)->id), ts_str_z(ts_rule(y->rule)->id));
}

void ts_schema_compare(struct ts_schema *old, struct ts_schema *new, bool output, ts_schema_change_fn *fn,
                       void *context) {
  struct ts_compare c;
  open_compare(&c, old, new, output);
  if (c.change_count > 1) qsort(c.change, c.change_count, sizeof *c.change, compare_changes);
  struct ts_buf path = { 0 }, message = { 0 };
  for (size_t i = 0; i < c.change_count; i++) {
    struct ts_schema_change *change = &c.change[i];
    ts_change_words(change, output, &path, &message);
    fn(context, change);
  }
  ts_buf_free(&path);
  ts_buf_free(&message);
  close_compare(&c);
}

int ts_schema_fits(struct ts_schema *old, struct ts_schema *new, struct ts_buf *witness) {
  struct ts_compare c;
  open_compare(&c, old, new, false);
  int answer = 1;
  struct ts_str best = { 0 };
  for (size_t i = 0; i < c.change_count; i++) {
    enum ts_level level = c.change[i].vector.level[TS_SCHEMA];
    struct ts_str one = c.change[i].witness;
    if (level == TS_UNKNOWN && answer == 1) answer = -1;
    if (level == TS_ERROR) answer = 0;
    if (level == TS_ERROR && (best.len == 0 || one.len < best.len)) best = one;
  }
  if (answer == 0 && witness) ts_buf_set(witness, best);
  close_compare(&c);
  return answer;
}
