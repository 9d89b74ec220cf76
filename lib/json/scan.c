#include "json/scan.h"

#include "base/map.h"
#include "base/xalloc.h"
#include "json/engine.h"

const struct ts_json_shape ts_json_span = { NULL, 0, NULL };
const struct ts_json_shape ts_json_unwanted = { NULL, 0, NULL };

/* Refusals */

static int refuse(struct ts_json *j, size_t at, const char *reason, bool cut) {
  j->at = at;
  j->reason = reason;
  j->cut = cut;
  return -1;
}

int ts_json_refuse(struct ts_json *j, size_t at, const char *reason) { return refuse(j, at, reason, false); }

int ts_json_refuse_byte(struct ts_json *j, size_t at) {
  unsigned byte = (unsigned char)j->text.ptr[at];
  (void)snprintf(j->reason_text, sizeof j->reason_text, "unexpected byte 0x%02x", byte);
  return refuse(j, at, j->reason_text, false);
}

int ts_json_refuse_cut(struct ts_json *j, const char *what) {
  (void)snprintf(j->reason_text, sizeof j->reason_text, "text ends inside %s", what);
  return refuse(j, j->text.len, j->reason_text, true);
}

void ts_json_note_issue(struct ts_json *j, enum ts_json_issue issue, size_t at) {
  unsigned bit = 1u << issue;
  if ((j->issues & bit) && j->issue_at[issue] <= at) return;
  j->issues |= bit;
  j->issue_at[issue] = at;
}

/* Room */

/* The filter over an object's wanted keys: most keys of a record are not wanted, and one bit says so. */
static uint64_t wanted_filter(const struct ts_json_shape *shape) {
  uint64_t filter = 0;
  for (size_t i = 0; i < shape->count; i++) {
    struct ts_str key = shape->wants[i].key;
    filter |= ts_json_key_bit(key.len, key.len ? (unsigned char)key.ptr[0] : 0);
  }
  return filter;
}

struct ts_json_frame *ts_json_bottom(struct ts_json *j) {
  if (j->frame_cap == 0) ts_xgrow(&j->frame, &j->frame_cap, 1, sizeof *j->frame);
  j->frame[0] = (struct ts_json_frame){ .node = TS_JSON_NO_NODE };
  return j->frame;
}

struct ts_json_frame *ts_json_open(struct ts_json *j, size_t at, const struct ts_json_shape *shape) {
  if (j->depth_now >= TS_JSON_DEPTH_MAX) {
    (void)ts_json_refuse(j, at, "nested deeper than 65536");
    return NULL;
  }
  if (++j->depth_now > j->depth) j->depth = j->depth_now;
  if (j->depth_now >= j->frame_cap) ts_xgrow(&j->frame, &j->frame_cap, j->depth_now + 1, sizeof *j->frame);
  struct ts_json_frame *f = &j->frame[j->depth_now];
  f->node = shape == &ts_json_unwanted ? TS_JSON_NO_NODE : j->count - 1;
  if (j->text.ptr[at] == '{') {
    f->close = '}';
    f->shape = shape;
    f->wanted = shape ? wanted_filter(shape) : ~(uint64_t)0;
    f->seen = 0;
    f->stray = false;
    f->first_key = j->key_count;
  } else {
    f->close = ']';
    f->shape = !shape || shape->element ? (shape ? shape->element : NULL) : &ts_json_unwanted;
  }
  return f;
}

void ts_json_grow_nodes(struct ts_json *j) { ts_xgrow(&j->node, &j->node_cap, (size_t)j->count + 2, sizeof *j->node); }

void ts_json_free(struct ts_json *j) {
  free(j->node);
  free(j->frame);
  free(j->key);
  ts_buf_free(&j->scratch);
  *j = (struct ts_json){ 0 };
}

/* Scanning */

const struct ts_json_engine_row *ts_json_engines(void) {
  static const struct ts_json_engine_row all[] = {
#if TS_JSON_X86
    { "avx2", ts_json_engine_avx2 },
    { "sse2", ts_json_engine_sse2 },
#endif
    { "portable", ts_json_engine_portable },
    { NULL, NULL },
  };
#if TS_JSON_X86
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return avx2 ? all : all + 1;
#else
  return all;
#endif
}

static void reset(struct ts_json *j, struct ts_str text) {
  j->text = text.ptr ? text : TS_STR("");
  j->count = 0;
  j->end = j->at = 0;
  j->reason = NULL;
  j->cut = j->stray = false;
  j->depth = j->depth_now = 0;
  j->issues = 0;
  j->key_count = 0;
  if (j->seed == 0) j->seed = ts_hash(TS_STR("keys")) | 1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int ts_json_scan_by(ts_json_engine *run, struct ts_json *j, struct ts_str text, size_t from, bool whole,
                    const struct ts_json_shape *shape) {
  reset(j, text);
  if (text.len >= UINT32_MAX) return refuse(j, 0, "text of 4 GiB or more", false);
  if (run(j, from < text.len ? from : text.len, shape) < 0) return -1;
  if (!whole) return 0;
  while (j->end < text.len && is_blank(text.ptr[j->end])) j->end++;
  if (j->end < text.len) return refuse(j, j->end, "bytes after the value", false);
  return 0;
}

int ts_json_scan(struct ts_json *j, struct ts_str text, const struct ts_json_shape *shape) {
  return ts_json_scan_by(ts_json_engines()->run, j, text, 0, true, shape);
}

int ts_json_scan_at(struct ts_json *j, struct ts_str text, size_t from, const struct ts_json_shape *shape) {
  return ts_json_scan_by(ts_json_engines()->run, j, text, from, false, shape);
}

/* Reading the index */

static struct ts_str body_of(const struct ts_json *j, uint32_t node) {
  const struct ts_json_node *n = &j->node[node];
  return ts_str(j->text.ptr + n->start + 1, n->end - n->start - 2);
}

uint32_t ts_json_first(const struct ts_json *j, uint32_t container) {
  const struct ts_json_node *n = &j->node[container];
  return n->kind >= TS_JSON_ARRAY && n->next > container + 1 ? container + 1 : 0;
}

uint32_t ts_json_after(const struct ts_json *j, uint32_t container, uint32_t child) {
  const struct ts_json_node *n = &j->node[container];
  if (n->kind < TS_JSON_ARRAY || child == 0) return 0;
  uint32_t next = j->node[n->kind == TS_JSON_OBJECT ? child + 1 : child].next;
  return next < n->next ? next : 0;
}

uint32_t ts_json_get(const struct ts_json *j, uint32_t object, struct ts_str key) {
  uint32_t found = 0;
  if (j->node[object].kind != TS_JSON_OBJECT) return 0;
  for (uint32_t k = ts_json_first(j, object); k; k = ts_json_after(j, object, k))
    if (ts_json_says(j, k, key)) found = k + 1;
  return found;
}

/* Which of the wants a key is; shape->count: none. */
static size_t want_of(const struct ts_json *j, uint32_t key, const struct ts_json_shape *shape) {
  size_t i = j->node[key].want;
  if (i < shape->count && ts_json_says(j, key, shape->wants[i].key)) return i;
  for (i = 0; i < shape->count && !ts_json_says(j, key, shape->wants[i].key);) i++;
  return i;
}

static void fields(const struct ts_json *j, uint32_t object, const struct ts_json_shape *shape, uint32_t *out) {
  for (uint32_t key = ts_json_first(j, object); key; key = ts_json_after(j, object, key)) {
    size_t i = want_of(j, key, shape);
    if (i < shape->count) out[i] = key + 1;
  }
}

void ts_json_root_fields(const struct ts_json *j, const struct ts_json_shape *shape, uint32_t *out) {
  memset(out, 0, shape->count * sizeof *out);
  if (ts_json_root_is(j, TS_JSON_OBJECT)) fields(j, 0, shape, out);
}

void ts_json_fields(const struct ts_json *j, uint32_t node, const struct ts_json_shape *shape, uint32_t *out) {
  memset(out, 0, shape->count * sizeof *out);
  if (ts_json_is(j, node, TS_JSON_OBJECT)) fields(j, node, shape, out);
}

struct ts_str ts_json_text(const struct ts_json *j, uint32_t node, struct ts_buf *scratch) {
  if (j->node[node].kind != TS_JSON_STRING) return TS_STR("");
  if (!j->node[node].escaped) return body_of(j, node);
  ts_buf_clear(scratch);
  ts_json_decode(body_of(j, node), scratch);
  return ts_buf_str(scratch);
}

bool ts_json_says(const struct ts_json *j, uint32_t node, struct ts_str text) {
  const struct ts_json_node *n = &j->node[node];
  if (n->kind != TS_JSON_STRING) return false;
  return n->escaped ? ts_json_body_is(body_of(j, node), text) : ts_str_eq(body_of(j, node), text);
}

bool ts_json_u64(const struct ts_json *j, uint32_t node, uint64_t *value) {
  if (j->node[node].kind != TS_JSON_NUMBER) return false;
  struct ts_str digits = ts_json_raw(j, node);
  uint64_t n = 0;
  for (size_t i = 0; i < digits.len; i++) {
    unsigned digit = (unsigned char)digits.ptr[i] - (unsigned)'0';
    if (digit > 9 || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, digit, &n)) return false;
  }
  *value = n;
  return true;
}
