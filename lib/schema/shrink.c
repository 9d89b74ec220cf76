/* Making a witness smaller: members, elements and characters are taken out of it one by one, as long as what is left is
 * still a witness of the same thing. */
#include "schema/shrink.h"

enum {
  TRIES_MOST = 300,    /* smaller values tried for one witness */
  BYTES_MOST = 400000, /* written for them, all told */
  NODES_MOST = 500,    /* of a witness that are taken out */
};

struct shrinker {
  const struct ts_target *target;
  struct ts_buf *witness, next;
  struct ts_tree *tree;                   /* of the witness */
  const struct ts_tree *node[NODES_MOST]; /* all but the whole, each before what is in it */
  size_t node_count, tries;
};

/* Is it a witness? */

static bool reaches(const struct ts_target *t, size_t level, const struct ts_tree *value);

static bool name_reaches(const struct ts_target *t, size_t level, struct ts_str key) {
  struct ts_buf quoted = { 0 };
  ts_tree_quote(&quoted, key, SIZE_MAX);
  struct ts_tree *name = ts_tree_parse(ts_buf_str(&quoted), NULL);
  bool good = name && reaches(t, level, name);
  ts_tree_free(name);
  ts_buf_free(&quoted);
  return good;
}

/* Some part of the value, on the way down to the spot, is of the view and refused by the condition. */
static bool reaches(const struct ts_target *t, size_t level, const struct ts_tree *value) {
  if (level == 0) return ts_view_check(t->view, value) == 1 && ts_sub_check(t->condition, value) == 0;
  const struct ts_spot *spot = t->spot;
  for (size_t i = 1; i < level; i++) spot = spot->up;
  if (spot->kind == TS_AT_CHOICE) return ts_sub_check(spot->beside, value) == 0 && reaches(t, level - 1, value);
  bool array = spot->kind == TS_AT_ELEMENT || spot->kind == TS_AT_TAIL;
  if (ts_tree_kind(value) != (array ? TS_JSON_ARRAY : TS_JSON_OBJECT)) return false;
  size_t i = 0;
  for (const struct ts_tree *one = ts_tree_first(value); one; one = ts_tree_after(one), i++) {
    if (spot->kind == TS_AT_NAME && name_reaches(t, level - 1, ts_tree_key(one))) return true;
    if (spot->kind == TS_AT_NAME) continue;
    bool there = array ? ts_spot_has_index(spot, i) : ts_spot_has_name(spot, ts_tree_key(one));
    if (there && reaches(t, level - 1, one)) return true;
  }
  return false;
}

bool ts_is_witness(const struct ts_target *t, const struct ts_tree *value) {
  size_t level = 0;
  for (const struct ts_spot *s = t->spot; s; s = s->up) level++;
  return ts_sub_check(t->accepting, value) == 1 && ts_sub_check(t->refusing, value) == 0 && reaches(t, level, value);
}

/* Smaller values */

/* The value with one of its nodes written otherwise, or (absent) left out. */
static void write_changed(struct ts_buf *out, const struct ts_tree *value, const struct ts_tree *node,
                          struct ts_str by) {
  enum ts_json_kind kind = ts_tree_kind(value);
  bool object = kind == TS_JSON_OBJECT, first = true;
  if (value == node) {
    ts_buf_add(out, by);
    return;
  }
  if (!object && kind != TS_JSON_ARRAY) {
    ts_tree_write(value, out);
    return;
  }
  ts_buf_addc(out, object ? '{' : '[');
  for (const struct ts_tree *one = ts_tree_first(value); one; one = ts_tree_after(one)) {
    if (one == node && !by.ptr) continue;
    if (!first) ts_buf_addc(out, ',');
    first = false;
    if (object) ts_tree_quote(out, ts_tree_key(one), SIZE_MAX);
    if (object) ts_buf_addc(out, ':');
    write_changed(out, one, node, by);
  }
  ts_buf_addc(out, object ? '}' : ']');
}

static void list_nodes(struct shrinker *s, const struct ts_tree *value) {
  if (ts_tree_kind(value) != TS_JSON_OBJECT && ts_tree_kind(value) != TS_JSON_ARRAY) return;
  for (const struct ts_tree *one = ts_tree_first(value); one && s->node_count < NODES_MOST; one = ts_tree_after(one)) {
    s->node[s->node_count++] = one;
    list_nodes(s, one);
  }
}

static void take(struct shrinker *s, struct ts_tree *tree) {
  ts_tree_free(s->tree);
  s->tree = tree;
  s->node_count = 0;
  list_nodes(s, tree);
}

static bool try_changed(struct shrinker *s, const struct ts_tree *node, struct ts_str by) {
  if (s->tries >= TRIES_MOST || s->tries * s->witness->len > BYTES_MOST) return false;
  s->tries++;
  ts_buf_clear(&s->next);
  write_changed(&s->next, s->tree, node, by);
  struct ts_tree *tree = ts_tree_parse(ts_buf_str(&s->next), NULL);
  if (!tree || !ts_is_witness(s->target, tree)) {
    ts_tree_free(tree);
    return false;
  }
  ts_buf_set(s->witness, ts_buf_str(&s->next));
  take(s, tree);
  return true;
}

/* The last ones first: those that were added to make up the number. */
static bool leave_out(struct shrinker *s) {
  for (size_t i = s->node_count; i-- > 0;)
    if (try_changed(s, s->node[i], ts_str(NULL, 0))) return true;
  return false;
}

static bool is_inside(struct ts_str text, size_t at) {
  return at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80; /* a character, too, that is a NUL in a tree */
}

static bool try_text(struct shrinker *s, const struct ts_tree *node, size_t from, size_t to) {
  struct ts_str text = ts_tree_text(node);
  struct ts_buf quoted = { 0 };
  while (from < to && is_inside(text, from)) from++;
  while (to > from && is_inside(text, to)) to--;
  ts_tree_quote(&quoted, ts_str_sub(text, from, to), SIZE_MAX);
  bool good = to - from < text.len && try_changed(s, node, ts_buf_str(&quoted));
  ts_buf_free(&quoted);
  return good;
}

static bool cut_text(struct shrinker *s) {
  for (size_t i = 0; i < s->node_count; i++) {
    const struct ts_tree *one = s->node[i];
    if (ts_tree_kind(one) != TS_JSON_STRING) continue;
    size_t length = ts_tree_text(one).len;
    if (length == 0) continue;
    if (try_text(s, one, 0, 0) || try_text(s, one, 0, length / 2) || try_text(s, one, 0, length - 1) ||
        try_text(s, one, 1, length))
      return true;
  }
  return false;
}

size_t ts_shrink(const struct ts_target *target, struct ts_buf *witness) {
  struct shrinker s = { .target = target, .witness = witness };
  struct ts_tree *tree = ts_tree_parse(ts_buf_str(witness), NULL);
  if (!tree) return 0;
  take(&s, tree);
  if (ts_is_witness(target, tree))
    while (leave_out(&s) || cut_text(&s)) continue;
  ts_tree_free(s.tree);
  ts_buf_free(&s.next);
  return s.tries;
}
