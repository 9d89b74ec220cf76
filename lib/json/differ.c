#include "json/differ.h"

#include "base/xalloc.h"
#include "json/write.h"

enum { OLD, NEW, SIDES };

/* Two containers at one place, and how far they are compared. */
struct level {
  uint32_t container[SIDES], child[SIDES]; /* child: the next element, or key of the next member; 0: none */
  size_t index[SIDES];                     /* of an array's next element */
  size_t pointer;                          /* length of the containers' own */
};

struct walk {
  struct ts_differ *d;
  struct ts_json json[SIDES];
  struct level *level;
  size_t count, cap;
  struct ts_buf text[SIDES], key[SIDES]; /* decoded strings */
};

/* --- what is told ------------------------------------------------------------------------------------------- */

/* The values of nodes; UINT32_MAX: there is none. */
static bool tell(struct walk *w, uint32_t old_node, uint32_t new_node) {
  struct ts_buf *const values[] = { &w->d->old_value, &w->d->new_value };
  const uint32_t nodes[] = { old_node, new_node };
  for (size_t i = 0; i < SIDES; i++) {
    ts_buf_clear(values[i]);
    if (nodes[i] != UINT32_MAX) ts_json_minify(values[i], ts_json_raw(&w->json[i], nodes[i]));
  }
  return true;
}

static void point_at(struct ts_buf *pointer, struct ts_str key) {
  ts_buf_addc(pointer, '/');
  for (size_t i = 0; i < key.len; i++)
    if (key.ptr[i] == '~' || key.ptr[i] == '/')
      ts_buf_addz(pointer, key.ptr[i] == '~' ? "~0" : "~1");
    else
      ts_buf_addc(pointer, key.ptr[i]);
}

/* Makes the pointer that of the next child of one side. */
static void point_at_child(struct walk *w, const struct level *l, int side) {
  const struct ts_json *j = &w->json[side];
  ts_buf_cut(&w->d->pointer, l->pointer);
  if (j->node[l->container[side]].kind == TS_JSON_ARRAY)
    ts_buf_addf(&w->d->pointer, "/%zu", l->index[side]);
  else
    point_at(&w->d->pointer, ts_json_text(j, l->child[side], &w->key[side]));
}

/* --- what does not count ------------------------------------------------------------------------------------ */

static bool is_ignored(const struct ts_differ *d) {
  for (size_t i = 0; i < d->ignore_count; i++)
    if (ts_str_eq(d->ignore[i], ts_buf_str(&d->pointer))) return true;
  return false;
}

/* Does anything that is ignored lie below this place? */
static bool has_ignored_below(const struct ts_differ *d) {
  for (size_t i = 0; i < d->ignore_count; i++)
    if (d->ignore[i].len > d->pointer.len && ts_str_starts(d->ignore[i], ts_buf_str(&d->pointer)) &&
        d->ignore[i].ptr[d->pointer.len] == '/')
      return true;
  return false;
}

static void advance(struct walk *w, struct level *l, int side) {
  l->child[side] = ts_json_after(&w->json[side], l->container[side], l->child[side]);
  l->index[side]++;
}

static void pass_ignored(struct walk *w, struct level *l) {
  if (w->d->ignore_count == 0) return;
  for (int side = 0; side < SIDES; side++)
    for (; l->child[side]; advance(w, l, side)) {
      point_at_child(w, l, side);
      if (!is_ignored(w->d)) break;
    }
}

/* --- values ------------------------------------------------------------------------------------------------- */

static bool holds_container(struct ts_str text) {
  struct ts_json j = { 0 };
  bool holds = ts_json_scan(&j, text, &ts_json_span) == 0 && j.node[0].kind >= TS_JSON_ARRAY;
  ts_json_free(&j);
  return holds;
}

static size_t common_bytes(struct ts_str a, struct ts_str b) {
  size_t n = 0;
  while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) n++;
  while (n > 0 && n < a.len && ((unsigned char)a.ptr[n] & 0xc0) == 0x80) n--;
  return n;
}

static bool strings_differ(struct walk *w, uint32_t a, uint32_t b) {
  struct ts_str one = ts_json_text(&w->json[OLD], a, &w->text[OLD]);
  struct ts_str other = ts_json_text(&w->json[NEW], b, &w->text[NEW]);
  if (ts_str_eq(one, other)) return false;
  if (has_ignored_below(w->d) && holds_container(one) && holds_container(other)) return ts_differ(w->d, one, other);
  w->d->offset = common_bytes(one, other);
  return tell(w, a, b);
}

/* True: they differ at once. Containers are looked into later. */
static bool values_differ(struct walk *w, uint32_t a, uint32_t b) {
  const struct ts_json *o = &w->json[OLD], *n = &w->json[NEW];
  if (o->node[a].kind != n->node[b].kind) return tell(w, a, b);
  switch (o->node[a].kind) {
    case TS_JSON_STRING:
      return strings_differ(w, a, b);
    case TS_JSON_NUMBER:
      return !ts_str_eq(ts_json_raw(o, a), ts_json_raw(n, b)) && tell(w, a, b);
    case TS_JSON_ARRAY:
    case TS_JSON_OBJECT:
      ts_xgrow(&w->level, &w->cap, w->count + 1, sizeof *w->level);
      w->level[w->count++] = (struct level){ .container = { a, b },
                                             .child = { ts_json_first(o, a), ts_json_first(n, b) },
                                             .pointer = w->d->pointer.len };
      return false;
    default:
      return false;
  }
}

/* The other side has not this member at this place: it has none of that name, or another order. */
static bool members_differ(struct walk *w, const struct level *l) {
  for (int side = 0; side < SIDES; side++) {
    int other = 1 - side;
    if (!l->child[side]) continue;
    struct ts_str key = ts_json_text(&w->json[side], l->child[side], &w->key[side]);
    if (ts_json_get(&w->json[other], l->container[other], key)) continue;
    point_at_child(w, l, side);
    return side == OLD ? tell(w, l->child[OLD] + 1, UINT32_MAX) : tell(w, UINT32_MAX, l->child[NEW] + 1);
  }
  ts_buf_cut(&w->d->pointer, l->pointer);
  return tell(w, l->container[OLD], l->container[NEW]);
}

/* The next children of the innermost containers. */
static bool children_differ(struct walk *w) {
  struct level *l = &w->level[w->count - 1];
  pass_ignored(w, l);
  uint32_t a = l->child[OLD], b = l->child[NEW];
  if (!a && !b) {
    w->count--;
    return false;
  }
  bool is_object = w->json[OLD].node[l->container[OLD]].kind == TS_JSON_OBJECT;
  if (is_object) {
    bool same_key = a && b && ts_json_says(&w->json[NEW], b, ts_json_text(&w->json[OLD], a, &w->key[OLD]));
    if (!same_key) return members_differ(w, l);
  }
  point_at_child(w, l, a ? OLD : NEW);
  if (!a || !b) return tell(w, a ? a : UINT32_MAX, b ? b : UINT32_MAX);
  advance(w, l, OLD);
  advance(w, l, NEW);
  return values_differ(w, a + is_object, b + is_object);
}

bool ts_differ(struct ts_differ *d, struct ts_str old_text, struct ts_str new_text) {
  struct walk w = { .d = d };
  bool differs = false;
  d->offset = 0;
  if (!is_ignored(d) && ts_json_scan(&w.json[OLD], old_text, NULL) == 0 &&
      ts_json_scan(&w.json[NEW], new_text, NULL) == 0) {
    differs = values_differ(&w, 0, 0);
    while (!differs && w.count > 0) differs = children_differ(&w);
  }
  for (size_t side = 0; side < SIDES; side++) {
    ts_json_free(&w.json[side]);
    ts_buf_free(&w.text[side]);
    ts_buf_free(&w.key[side]);
  }
  free(w.level);
  return differs;
}

void ts_differ_free(struct ts_differ *d) {
  ts_buf_free(&d->pointer);
  ts_buf_free(&d->old_value);
  ts_buf_free(&d->new_value);
}
