#include "json/tree.h"

#include <cjson/cJSON.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "json/write.h"

/* struct ts_tree is never defined: it is a cJSON by another name. */
static cJSON *item_of(const struct ts_tree *t) { return (cJSON *)(uintptr_t)t; }
static struct ts_tree *tree_of(const cJSON *item) { return (struct ts_tree *)(uintptr_t)item; }

/* Building */

/* Text in tree spelling, to be given to cJSON, which frees it with cJSON_free. */
static char *tree_text(struct ts_str text) {
  size_t nuls = 0;
  for (const char *p = text.ptr, *end = p + text.len; p < end && (p = memchr(p, '\0', (size_t)(end - p))); p++) nuls++;
  char *copy = cJSON_malloc(text.len + nuls + 1);
  if (!copy) ts_out_of_memory();
  char *to = copy;
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] == '\0') *to++ = '\xc0';
    *to++ = text.ptr[i] ? text.ptr[i] : '\x80';
  }
  *to = '\0';
  return copy;
}

static cJSON *make_item(const struct ts_json *j, uint32_t node, struct ts_buf *scratch) {
  static const int types[] = {
    [TS_JSON_NULL] = cJSON_NULL,     [TS_JSON_FALSE] = cJSON_False,   [TS_JSON_TRUE] = cJSON_True,
    [TS_JSON_NUMBER] = cJSON_Raw,    [TS_JSON_STRING] = cJSON_String, [TS_JSON_ARRAY] = cJSON_Array,
    [TS_JSON_OBJECT] = cJSON_Object,
  };
  cJSON *item = cJSON_CreateNull();
  if (!item) ts_out_of_memory();
  item->type = types[j->node[node].kind];
  if (j->node[node].kind == TS_JSON_NUMBER) item->valuestring = tree_text(ts_json_raw(j, node));
  if (j->node[node].kind == TS_JSON_STRING) item->valuestring = tree_text(ts_json_text(j, node, scratch));
  return item;
}

/* cJSON keeps the last child in the first one's prev. */
static void append(cJSON *parent, cJSON *item) {
  cJSON *first = parent->child;
  if (!first) {
    parent->child = item->prev = item;
    return;
  }
  item->prev = first->prev;
  first->prev->next = item;
  first->prev = item;
}

/* Gives the first of each doubled key the last one's value, and drops the others. */
static void drop_doubles(cJSON *object) {
  struct ts_map first = { 0 };
  for (cJSON *item = object->child, *next; item; item = next) {
    next = item->next;
    cJSON *kept = (cJSON *)*ts_map_at(&first, ts_str_z(item->string), (uintptr_t)item);
    if (kept == item) continue;
    cJSON old = *kept;
    kept->type = item->type;
    kept->valuestring = item->valuestring;
    kept->child = item->child;
    item->type = old.type;
    item->valuestring = old.valuestring;
    item->child = old.child;
    cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
  }
  ts_map_free(&first);
}

/* The containers around the item in hand: all walks are loops, because arguments may be nested as deep as they like. */
struct path {
  struct open {
    cJSON *item;
    uint32_t next; /* while building: the node behind it */
  } * open;
  size_t count, cap;
};

static void enter(struct path *path, cJSON *item, uint32_t next) {
  ts_xgrow(&path->open, &path->cap, path->count + 1, sizeof *path->open);
  path->open[path->count++] = (struct open){ item, next };
}

static cJSON *innermost(const struct path *path) { return path->count ? path->open[path->count - 1].item : NULL; }

/* Leaves the containers that end before node i. */
static void leave(struct path *path, uint32_t i, bool doubles) {
  while (path->count && path->open[path->count - 1].next <= i) {
    cJSON *item = path->open[--path->count].item;
    if (doubles && cJSON_IsObject(item)) drop_doubles(item);
  }
}

static cJSON *build(const struct ts_json *j, uint32_t node, struct path *path, struct ts_buf *scratch) {
  bool doubles = j->issues & 1u << TS_JSON_DUPLICATE_KEY;
  uint32_t end = j->node[node].next;
  cJSON *root = NULL;
  for (uint32_t i = node; i < end; i++) {
    leave(path, i, doubles);
    cJSON *parent = innermost(path);
    char *key = parent && cJSON_IsObject(parent) ? tree_text(ts_json_text(j, i++, scratch)) : NULL;
    cJSON *item = make_item(j, i, scratch);
    item->string = key;
    if (parent)
      append(parent, item);
    else
      root = item;
    if (j->node[i].kind < TS_JSON_ARRAY) continue;
    if (path->count == TS_TREE_DEPTH_MAX) {
      cJSON_Delete(root);
      return NULL;
    }
    enter(path, item, j->node[i].next);
  }
  leave(path, end, doubles);
  return root;
}

struct ts_tree *ts_tree_of(const struct ts_json *j, uint32_t node, struct ts_buf *err) {
  struct path path = { 0 };
  struct ts_buf scratch = { 0 };
  cJSON *root = build(j, node, &path, &scratch);
  ts_buf_free(&scratch);
  free(path.open);
  if (!root) (void)ts_fail(err, "nested deeper than %d", TS_TREE_DEPTH_MAX);
  return tree_of(root);
}

/* Are there too many values for a tree? Each but the first has a comma or a bracket before it. Looked at before the
 * text is indexed, which costs memory too. */
static bool has_too_many(struct ts_str text) {
  size_t values = 0;
  bool quoted = false;
  if (text.len < TS_TREE_VALUES_MAX) return false;
  for (size_t i = 0; i < text.len && values <= TS_TREE_VALUES_MAX; i++) {
    char c = text.ptr[i];
    if (quoted && c == '\\')
      i++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted)
      values += c == ',' || c == '[' || c == '{';
  }
  return values > TS_TREE_VALUES_MAX;
}

struct ts_tree *ts_tree_parse(struct ts_str text, struct ts_buf *err) {
  if (has_too_many(text)) {
    (void)ts_fail(err, "more than %d values", TS_TREE_VALUES_MAX);
    return NULL;
  }
  struct ts_json j = { 0 };
  struct ts_tree *t = NULL;
  if (ts_json_scan(&j, text, NULL) < 0)
    (void)ts_fail(err, "not JSON at byte %zu: %s", j.at + 1, j.reason);
  else
    t = ts_tree_of(&j, 0, err);
  ts_json_free(&j);
  return t;
}

void ts_tree_free(struct ts_tree *t) { cJSON_Delete(item_of(t)); }

/* Looking */

enum ts_json_kind ts_tree_kind(const struct ts_tree *t) {
  switch (item_of(t)->type & 0xff) { /* the bits above are cJSON's notes about who owns what */
    case cJSON_False:
      return TS_JSON_FALSE;
    case cJSON_True:
      return TS_JSON_TRUE;
    case cJSON_Raw:
      return TS_JSON_NUMBER;
    case cJSON_String:
      return TS_JSON_STRING;
    case cJSON_Array:
      return TS_JSON_ARRAY;
    case cJSON_Object:
      return TS_JSON_OBJECT;
    default:
      return TS_JSON_NULL;
  }
}

const struct ts_tree *ts_tree_first(const struct ts_tree *t) { return tree_of(item_of(t)->child); }
const struct ts_tree *ts_tree_after(const struct ts_tree *t) { return tree_of(item_of(t)->next); }

size_t ts_tree_count(const struct ts_tree *t) {
  size_t count = 0;
  const cJSON *child;
  cJSON_ArrayForEach(child, item_of(t)) count++;
  return count;
}

struct ts_str ts_tree_key(const struct ts_tree *t) {
  return ts_str_z(item_of(t)->string);
}

const struct ts_tree *ts_tree_get(const struct ts_tree *t, const char *key) {
  if (!cJSON_IsObject(item_of(t))) return NULL;
  return tree_of(cJSON_GetObjectItemCaseSensitive(item_of(t), key));
}

struct ts_str ts_tree_text(const struct ts_tree *t) {
  return ts_str_z(item_of(t)->valuestring);
}

double ts_tree_number(const struct ts_tree *t) {
  return cJSON_IsRaw(item_of(t)) ? strtod(item_of(t)->valuestring, NULL) : 0;
}

/* Comparing: pairs that are still to be compared wait in a list. */

struct pairs {
  struct pair {
    const cJSON *a, *b;
  } * pair;
  size_t count, cap;
};

static void add_pair(struct pairs *todo, const cJSON *a, const cJSON *b) {
  ts_xgrow(&todo->pair, &todo->cap, todo->count + 1, sizeof *todo->pair);
  todo->pair[todo->count++] = (struct pair){ a, b };
}

static bool pair_elements(struct pairs *todo, const cJSON *a, const cJSON *b) {
  const cJSON *other = b->child, *one;
  cJSON_ArrayForEach(one, a) {
    if (!other) return false;
    add_pair(todo, one, other);
    other = other->next;
  }
  return !other;
}

/* Keys are unique in a tree: as many members, each of a found in b, is all of them. */
static bool pair_members(struct pairs *todo, const cJSON *a, const cJSON *b) {
  struct ts_map members = { 0 };
  const cJSON *member;
  bool same = ts_tree_count(tree_of(a)) == ts_tree_count(tree_of(b));
  if (same) cJSON_ArrayForEach(member, b) * ts_map_at(&members, ts_str_z(member->string), 0) = (uintptr_t)member;
  if (same) cJSON_ArrayForEach(member, a) {
      size_t other = ts_map_get(&members, ts_str_z(member->string));
      same = other != TS_MAP_NONE;
      if (!same) break;
      add_pair(todo, member, (const cJSON *)other);
    }
  ts_map_free(&members);
  return same;
}

static bool compare_pair(struct pairs *todo, const cJSON *a, const cJSON *b) {
  enum ts_json_kind kind = ts_tree_kind(tree_of(a));
  if (ts_tree_kind(tree_of(b)) != kind) return false;
  switch (kind) {
    case TS_JSON_NUMBER:
      return ts_number_cmp(ts_str_z(a->valuestring), ts_str_z(b->valuestring)) == 0;
    case TS_JSON_STRING:
      return ts_str_is(ts_str_z(a->valuestring), b->valuestring);
    case TS_JSON_ARRAY:
      return pair_elements(todo, a, b);
    case TS_JSON_OBJECT:
      return pair_members(todo, a, b);
    default:
      return true;
  }
}

bool ts_tree_equal(const struct ts_tree *a, const struct ts_tree *b) {
  struct pairs todo = { 0 };
  bool equal = true;
  add_pair(&todo, item_of(a), item_of(b));
  while (equal && todo.count) {
    struct pair pair = todo.pair[--todo.count];
    equal = compare_pair(&todo, pair.a, pair.b);
  }
  free(todo.pair);
  return equal;
}

/* Writing */

/* A string of the tree, its C0 80 an U+0000 again. */
static struct ts_str plain_text(const char *z, struct ts_buf *scratch) {
  struct ts_str nul = TS_STR("\xc0\x80"), left = ts_str_z(z);
  size_t hit = ts_str_find(left, nul);
  if (hit == SIZE_MAX) return left;
  ts_buf_clear(scratch);
  for (; hit != SIZE_MAX; hit = ts_str_find(left, nul)) {
    ts_buf_add(scratch, ts_str_sub(left, 0, hit));
    ts_buf_addc(scratch, '\0');
    left = ts_str_sub(left, hit + nul.len, left.len);
  }
  ts_buf_add(scratch, left);
  return ts_buf_str(scratch);
}

/* Opens a container, writes anything else whole. */
static void write_item(struct ts_jw *w, const cJSON *item, struct ts_buf *scratch) {
  switch (ts_tree_kind(tree_of(item))) {
    case TS_JSON_NULL:
      ts_jw_null(w);
      break;
    case TS_JSON_FALSE:
      ts_jw_bool(w, false);
      break;
    case TS_JSON_TRUE:
      ts_jw_bool(w, true);
      break;
    case TS_JSON_NUMBER:
      ts_jw_raw(w, ts_str_z(item->valuestring));
      break;
    case TS_JSON_STRING:
      ts_jw_str(w, plain_text(item->valuestring, scratch));
      break;
    case TS_JSON_ARRAY:
      ts_jw_open(w, '[');
      break;
    case TS_JSON_OBJECT:
      ts_jw_open(w, '{');
      break;
  }
}

static bool is_container(const cJSON *item) { return cJSON_IsArray(item) || cJSON_IsObject(item); }

void ts_tree_write(const struct ts_tree *t, struct ts_buf *out) {
  struct ts_jw w = ts_jw(out);
  struct ts_buf scratch = { 0 };
  struct path path = { 0 };
  cJSON *item = item_of(t);
  while (item) {
    if (path.count && cJSON_IsObject(innermost(&path))) ts_jw_key_str(&w, plain_text(item->string, &scratch));
    write_item(&w, item, &scratch);
    if (is_container(item)) {
      enter(&path, item, 0);
      item = item->child;
    } else {
      item = path.count ? item->next : NULL;
    }
    while (!item && path.count) {
      cJSON *done = path.open[--path.count].item;
      ts_jw_close(&w, cJSON_IsArray(done) ? ']' : '}');
      item = path.count ? done->next : NULL;
    }
  }
  free(path.open);
  ts_buf_free(&scratch);
}
