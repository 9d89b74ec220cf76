/* Local references: "#", "#/pointer", "#anchor", and the same behind an $id of the document. */
#include "schema/schema.h"

struct links {
  struct ts_schema *schema;
  bool named;             /* the two maps below are made */
  struct ts_map resource; /* absolute $id -> address of its subschema */
  struct ts_map anchor;   /* address of a resource and the anchor's name -> address of its subschema */
  struct ts_map known;    /* references of the root resource that were followed already */
};

/* Looking things up by address and name. */

static struct ts_str anchor_key(struct links *l, const struct ts_sub *resource, struct ts_str name) {
  char *key = ts_arena_alloc(&l->schema->arena, sizeof resource + name.len);
  memcpy(key, &resource, sizeof resource);
  if (name.len > 0) memcpy(key + sizeof resource, name.ptr, name.len);
  return ts_str(key, sizeof resource + name.len);
}

/* What a reference means from `base` (RFC 3986, without dot segments), in the arena. */
static struct ts_str absolute(struct links *l, struct ts_str base, struct ts_str ref) {
  size_t colon = ts_str_find(ref, TS_STR(":")), slash = ts_str_find(ref, TS_STR("/"));
  if (base.len == 0 || (colon != SIZE_MAX && (slash == SIZE_MAX || colon < slash))) return ref;
  size_t keep = base.len;
  if (slash == 0) {
    size_t authority = ts_str_find(base, TS_STR("://"));
    struct ts_str behind = ts_str_sub(base, authority == SIZE_MAX ? 0 : authority + 3, base.len);
    size_t path = ts_str_find(behind, TS_STR("/"));
    keep = path == SIZE_MAX ? base.len : (size_t)(behind.ptr + path - base.ptr);
  } else {
    while (keep > 0 && base.ptr[keep - 1] != '/') keep--;
  }
  struct ts_buf whole = { 0 };
  ts_buf_add(&whole, ts_str_sub(base, 0, keep));
  ts_buf_add(&whole, ref);
  struct ts_str kept = ts_arena_dup(&l->schema->arena, ts_buf_str(&whole));
  ts_buf_free(&whole);
  return kept;
}

static struct ts_str text_of(const struct ts_sub *sub, const char *key) {
  const struct ts_tree *v = sub->tree ? ts_tree_get(sub->tree, key) : NULL;
  return v && ts_tree_kind(v) == TS_JSON_STRING ? ts_tree_text(v) : TS_STR("");
}

static struct ts_str without_fragment(struct ts_str uri) { return ts_str_sub(uri, 0, ts_str_find(uri, TS_STR("#"))); }

static struct ts_str uri_of(struct links *l, const struct ts_sub *resource) {
  struct ts_str base = without_fragment(text_of(l->schema->root, "$id"));
  return absolute(l, base, without_fragment(text_of(resource, "$id")));
}

static void name_all(struct links *l) {
  static const char *const anchors[] = { "$anchor", "$dynamicAnchor", "$id" };
  l->named = true;
  for (struct ts_sub *sub = l->schema->all; sub; sub = sub->next) {
    if (sub->resource == sub && text_of(sub, "$id").len > 0)
      *ts_map_at(&l->resource, uri_of(l, sub), 0) = (uintptr_t)sub;
    for (size_t i = 0; i < TS_COUNT(anchors); i++) {
      struct ts_str name = text_of(sub, anchors[i]);
      bool draft7 = i == 2;
      if (draft7 && !ts_str_starts(name, TS_STR("#"))) continue;
      if (draft7) name = ts_str_sub(name, 1, name.len);
      if (name.len > 0) *ts_map_at(&l->anchor, anchor_key(l, sub->resource, name), 0) = (uintptr_t)sub;
    }
  }
}

static struct ts_sub *lookup(const struct ts_map *m, struct ts_str key) {
  size_t found = ts_map_get(m, key);
  return found == TS_MAP_NONE ? NULL : (struct ts_sub *)found;
}

/* Pointers. */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void decode_percent(struct ts_buf *out, struct ts_str text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    int high = c == '%' && i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
    int low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;
    if (low >= 0) {
      c = (char)(high * 16 + low);
      i += 2;
    }
    ts_buf_add(out, c ? ts_str(&c, 1) : TS_STR("\xc0\x80")); /* tree spelling */
  }
}

/* ~1 and ~0 of a pointer's token. */
static void decode_token(struct ts_buf *out, struct ts_str token) {
  ts_buf_clear(out);
  for (size_t i = 0; i < token.len; i++) {
    char next = token.ptr[i] == '~' && i + 1 < token.len ? token.ptr[i + 1] : '\0';
    bool escape = next == '0' || next == '1';
    ts_buf_addc(out, !escape ? token.ptr[i] : next == '1' ? '/' : '~');
    i += escape;
  }
}

static const struct ts_tree *element(const struct ts_tree *array, const char *digits) {
  size_t index = 0;
  if (!*digits) return NULL;
  for (; *digits; digits++) {
    if (*digits < '0' || *digits > '9' || index > 100000000) return NULL;
    index = index * 10 + (size_t)(*digits - '0');
  }
  const struct ts_tree *one = ts_tree_first(array);
  while (one && index-- > 0) one = ts_tree_after(one);
  return one;
}

static const struct ts_tree *follow(const struct ts_tree *t, struct ts_str fragment) {
  struct ts_buf token = { 0 }, decoded = { 0 };
  decode_percent(&decoded, fragment);
  struct ts_str pointer = ts_buf_str(&decoded);
  while (t && pointer.len > 0) {
    pointer = ts_str_sub(pointer, 1, pointer.len);
    size_t end = ts_str_find(pointer, TS_STR("/"));
    decode_token(&token, ts_str_sub(pointer, 0, end));
    bool array = ts_tree_kind(t) == TS_JSON_ARRAY;
    t = array ? element(t, ts_buf_z(&token)) : ts_tree_get(t, ts_buf_z(&token));
    pointer = ts_str_sub(pointer, end, pointer.len);
  }
  ts_buf_free(&token);
  ts_buf_free(&decoded);
  return t;
}

static struct ts_sub *find_target(struct links *l, const struct ts_sub *from) {
  struct ts_str ref = from->reference, uri = without_fragment(ref);
  struct ts_str fragment = ts_str_sub(ref, uri.len + 1, ref.len);
  struct ts_sub *resource = from->resource;
  bool anchor = fragment.len > 0 && fragment.ptr[0] != '/';
  if (!l->named && (uri.len > 0 || anchor)) name_all(l);
  if (uri.len > 0) resource = lookup(&l->resource, absolute(l, uri_of(l, resource), uri));
  if (!resource) return NULL;
  if (fragment.len == 0) return resource;
  if (anchor) return lookup(&l->anchor, anchor_key(l, resource, fragment));
  const struct ts_tree *tree = follow(resource->tree, fragment);
  if (!tree) tree = follow(l->schema->tree, fragment); /* generators that put an $id everywhere mean the document */
  return tree ? ts_schema_read(l->schema, tree, resource) : NULL;
}

static void link_one(struct links *l, struct ts_sub *sub) {
  bool cached = sub->resource == l->schema->root;
  if (cached) sub->target = lookup(&l->known, sub->reference);
  if (!sub->target) sub->target = find_target(l, sub);
  if (!sub->target)
    sub->undecided = true;
  else if (cached)
    *ts_map_at(&l->known, sub->reference, 0) = (uintptr_t)sub->target;
}

static bool is_bare_reference(const struct ts_sub *s) {
  bool combines = s->all.count || s->any.count || s->one.count || s->negated || s->condition;
  return s->target && s->uses == TS_USES_LOGIC && !combines;
}

/* References to references lead straight to the end; one that leads back to itself means nothing. */
static void shorten(struct ts_sub *sub) {
  struct ts_sub *slow = sub->target, *end = slow;
  for (size_t n = 0; end && end->only_refers; n++) {
    end = end->target;
    if (n % 2) slow = slow->target;
    if (end == slow || end == sub) end = NULL;
  }
  sub->target = end;
  if (!end) sub->undecided = true;
}

void ts_schema_link(struct ts_schema *s) {
  struct links l = { .schema = s };
  struct ts_sub *done = NULL;
  while (s->all != done) { /* following one may read more; those stand at the front of the list */
    struct ts_sub *newest = s->all;
    for (struct ts_sub *sub = newest; sub != done; sub = sub->next)
      if (sub->reference.len > 0) link_one(&l, sub);
    done = newest;
  }
  for (struct ts_sub *sub = s->all; sub; sub = sub->next) sub->only_refers = is_bare_reference(sub);
  for (struct ts_sub *sub = s->all; sub; sub = sub->next) {
    if (sub->target) shorten(sub);
    sub->only_refers &= sub->target != NULL;
  }
  ts_map_free(&l.resource);
  ts_map_free(&l.anchor);
  ts_map_free(&l.known);
}
