#include "transcript/compare.h"

#include <inttypes.h>

#include "base/diag.h"
#include "base/seen.h"
#include "base/xalloc.h"
#include "json/differ.h"
#include "json/write.h"

enum { RECORDED, RESULTS, SIDES };

/* A result whose counterpart has not come yet. */
struct item {
  struct item *next; /* in its bucket: the later one */
  struct ts_hash128 key;
  int side;
  uint64_t number; /* in its side's order */
  uint64_t line;   /* in RESULTS */
  struct ts_buf record;
};

struct bucket {
  struct item *first, *last;
};

struct ts_compare_state {
  struct bucket *bucket;
  size_t buckets, count;
  uint64_t numbers[SIDES];
  bool ended; /* RESULTS is */
  struct ts_json json[SIDES];
  struct ts_differ differ;
  struct ts_buf record, scratch;
};

enum { F_TYPE, F_SESSION, F_AGENT, F_ID, F_NAME, F_IS_ERROR, F_CONTENT, F_SOURCE, F_COUNT };
static const struct ts_json_want wants[] = {
  { TS_STR("type"), &ts_json_span },    { TS_STR("session"), &ts_json_span }, { TS_STR("agent"), &ts_json_span },
  { TS_STR("id"), &ts_json_span },      { TS_STR("name"), &ts_json_span },    { TS_STR("is_error"), &ts_json_span },
  { TS_STR("content"), &ts_json_span }, { TS_STR("source"), &ts_json_span },
};
static const struct ts_json_shape shape = { wants, F_COUNT, NULL };

static struct ts_compare_state *state_of(struct ts_compare *c) {
  if (!c->state) c->state = ts_xcalloc(1, sizeof *c->state);
  return c->state;
}

static uint32_t field(const struct ts_json *j, size_t f) { return ts_json_get(j, 0, wants[f].key); }

/* A string's text, a number's spelling. */
static struct ts_str text_of(const struct ts_json *j, uint32_t node, struct ts_buf *scratch) {
  return ts_json_is(j, node, TS_JSON_NUMBER) ? ts_json_raw(j, node) : ts_json_text(j, node, scratch);
}

/* --- what has no counterpart yet ------------------------------------------------------------------------------ */

static struct ts_hash128 key_of(const struct ts_json *j) {
  struct ts_buf own[3] = { { 0 } };
  struct ts_str parts[3];
  for (size_t i = 0; i < TS_COUNT(parts); i++) parts[i] = text_of(j, field(j, F_SESSION + i), &own[i]);
  struct ts_hash128 hash = ts_hash128(parts, TS_COUNT(parts));
  for (size_t i = 0; i < TS_COUNT(own); i++) ts_buf_free(&own[i]);
  return hash;
}

static void append(struct bucket *b, struct item *item) {
  *(b->first ? &b->last->next : &b->first) = item;
  b->last = item;
  item->next = NULL;
}

/* Those of one key stay in their order. */
static void grow(struct ts_compare_state *s) {
  size_t buckets = s->buckets ? s->buckets * 2 : 64;
  struct bucket *bigger = ts_xcalloc(buckets, sizeof *bigger);
  for (size_t i = 0; i < s->buckets; i++) {
    for (struct item *item = s->bucket[i].first, *next; item; item = next) {
      next = item->next;
      append(&bigger[item->key.low % buckets], item);
    }
  }
  free(s->bucket);
  s->bucket = bigger;
  s->buckets = buckets;
}

static void keep(struct ts_compare_state *s, struct item item, struct ts_str record) {
  struct item *kept = ts_xcalloc(1, sizeof *kept);
  *kept = item;
  ts_buf_add(&kept->record, record);
  if (s->count >= s->buckets) grow(s);
  append(&s->bucket[item.key.low % s->buckets], kept);
  s->count++;
}

static void item_free(struct item *item) {
  if (item) ts_buf_free(&item->record);
  free(item);
}

/* The oldest one of the key on that side, taken out; NULL: there is none. All that wait of one key are of one side. */
static struct item *take_out(struct ts_compare_state *s, struct ts_hash128 key, int side) {
  struct bucket *b = s->buckets ? &s->bucket[key.low % s->buckets] : NULL;
  struct item *before = NULL, *item = b ? b->first : NULL;
  while (item && (item->key.low != key.low || item->key.high != key.high)) {
    before = item;
    item = item->next;
  }
  if (!item || item->side != side) return NULL;
  *(before ? &before->next : &b->first) = item->next;
  if (b->last == item) b->last = before;
  s->count--;
  return item;
}

/* --- what is told --------------------------------------------------------------------------------------------- */

static struct ts_jw begin(struct ts_compare_state *s, const struct ts_json *j, const struct ts_json *other,
                          const char *outcome) {
  static const char *const names[] = { "session", "agent", "id", "name" };
  ts_buf_clear(&s->record);
  struct ts_jw w = ts_jw(&s->record);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("comparison"));
  for (size_t i = 0; i < TS_COUNT(names); i++) {
    struct ts_str text = text_of(j, field(j, F_SESSION + i), &s->scratch);
    if (text.len == 0 && other) text = text_of(other, field(other, F_SESSION + i), &s->scratch);
    ts_jw_member_if(&w, names[i], text);
  }
  ts_jw_member(&w, "outcome", ts_str_z(outcome));
  return w;
}

static void end(struct ts_compare *c, struct ts_jw *w) {
  ts_jw_close(w, '}');
  ts_buf_addc(w->out, '\n');
  c->out(c->context, ts_buf_str(w->out));
}

/* At most TS_COMPARE_SHOWN bytes, whole characters; bytes that are not UTF-8 do not stand in JSON. */
static struct ts_str shown(struct ts_str text, size_t from) {
  text = ts_str_sub(text, from, TS_COMPARE_SHOWN + 1);
  if (text.len <= TS_COMPARE_SHOWN) return text;
  text.len--;
  while (text.len > 0 && ((unsigned char)text.ptr[text.len] & 0xc0) == 0x80) text.len--;
  return text;
}

static void put_value(struct ts_jw *w, const char *key, struct ts_str value, bool is_cut, size_t offset) {
  struct ts_buf text = { 0 };
  if (value.len > 0 && is_cut && value.ptr[0] == '"') {
    ts_json_decode(ts_str_sub(value, 1, value.len - 2), &text);
    ts_jw_member(w, key, shown(ts_buf_str(&text), offset));
  } else if (value.len > 0 && is_cut) {
    ts_jw_member(w, key, shown(value, 0));
  } else {
    ts_jw_member_raw_if(w, key, value);
  }
  ts_buf_free(&text);
}

/* Long values are cut to what is of interest: of two strings, from where they differ on. */
static void put_difference(struct ts_jw *w, const struct ts_differ *d) {
  struct ts_str old_value = ts_buf_str(&d->old_value), new_value = ts_buf_str(&d->new_value);
  bool is_cut = old_value.len > TS_COMPARE_SHOWN || new_value.len > TS_COMPARE_SHOWN;
  ts_jw_member(w, "pointer", ts_buf_str(&d->pointer));
  put_value(w, "old", old_value, is_cut, d->offset);
  put_value(w, "new", new_value, is_cut, d->offset);
  if (is_cut) ts_jw_member_u64(w, "cut_from", d->offset);
}

/* --- pairs ------------------------------------------------------------------------------------------------------ */

static const struct compared {
  size_t field;
  struct ts_str pointer, fallback; /* what an absent one means */
} compared[] = { { F_IS_ERROR, TS_STR("/is_error"), TS_STR("false") },
                 { F_CONTENT, TS_STR("/content"), TS_STR("\"\"") } };

int ts_compare_ignore(struct ts_compare *c, const char *pointer, struct ts_buf *err) {
  if (pointer[0] != '/') return ts_fail(err, "'%s' is no pointer into a result record: write /content/...", pointer);
  ts_xgrow(&c->ignore, &c->ignore_cap, c->ignore_count + 1, sizeof *c->ignore);
  c->ignore[c->ignore_count++] = ts_str_z(pointer);
  return 0;
}

static struct ts_str value_of(const struct ts_json *j, size_t f, struct ts_str fallback) {
  uint32_t node = field(j, f);
  return node ? ts_json_raw(j, node) : fallback;
}

static bool records_differ(struct ts_compare *c, const struct ts_json *a, const struct ts_json *b) {
  struct ts_differ *d = &c->state->differ;
  d->ignore = c->ignore;
  d->ignore_count = c->ignore_count;
  for (size_t i = 0; i < TS_COUNT(compared); i++) {
    ts_buf_set(&d->pointer, compared[i].pointer);
    if (ts_differ(d, value_of(a, compared[i].field, compared[i].fallback),
                  value_of(b, compared[i].field, compared[i].fallback)))
      return true;
  }
  return false;
}

/* j[RECORDED] and j[RESULTS] hold the pair. */
static void judge(struct ts_compare *c, const struct ts_json *recorded, const struct ts_json *result) {
  if (!records_differ(c, recorded, result)) {
    c->same++;
    return;
  }
  c->differ++;
  struct ts_jw w = begin(c->state, recorded, result, "differs");
  put_difference(&w, &c->state->differ);
  ts_jw_member_raw_if(&w, "source", value_of(recorded, F_SOURCE, ts_str(NULL, 0)));
  end(c, &w);
}

/* The record in json[side] has come: its counterpart is there, or it waits. */
static void take(struct ts_compare *c, int side, struct ts_str record, uint64_t line) {
  struct ts_compare_state *s = c->state;
  struct item item = { .key = key_of(&s->json[side]), .side = side, .number = s->numbers[side]++, .line = line };
  struct item *other = take_out(s, item.key, 1 - side);
  if (!other)
    keep(s, item, record);
  else if (ts_json_scan(&s->json[1 - side], ts_buf_str(&other->record), &shape) == 0)
    judge(c, &s->json[RECORDED], &s->json[RESULTS]);
  item_free(other);
}

/* False: there are no more. Records that are no results are passed over. */
static bool read_result(struct ts_compare *c) {
  struct ts_compare_state *s = c->state;
  struct ts_json *j = &s->json[RESULTS];
  struct ts_line line;
  struct ts_buf err = { 0 };
  bool found = false;
  while (!found && !s->ended) {
    int status = ts_input_line(c->results, c->max_line, &line, &err);
    s->ended = status <= 0;
    if (status < 0) ts_note(&c->failure, "%s", ts_buf_z(&err));
    if (status <= 0 || ts_str_trim(line.text, " \t\r").len == 0) continue;
    if (line.too_long)
      ts_note(&c->failure, "%.*s:%" PRIu64 ": longer than %" PRIu64 " bytes", TS_FMT(c->name), line.number,
              c->max_line);
    else if (ts_json_scan(j, line.text, &shape) < 0)
      ts_note(&c->failure, "%.*s:%" PRIu64 ":%zu: not JSON: %s", TS_FMT(c->name), line.number, j->at + 1, j->reason);
    else
      found = ts_json_root_is(j, TS_JSON_OBJECT) && TS_JSON_SAYS(j, field(j, F_TYPE), "result");
  }
  if (found) take(c, RESULTS, line.text, line.number);
  ts_buf_free(&err);
  return found;
}

void ts_compare_take(struct ts_compare *c, struct ts_str record) {
  struct ts_compare_state *s = state_of(c);
  if (ts_json_scan(&s->json[RECORDED], record, &shape) == 0) take(c, RECORDED, record, 0);
  (void)read_result(c);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static int item_order(const void *a, const void *b) {
  const struct item *one = *(struct item *const *)a, *other = *(struct item *const *)b;
  if (one->side != other->side) return one->side - other->side;
  return one->number < other->number ? -1 : one->number > other->number;
}

static void tell_alone(struct ts_compare *c, const struct item *item) {
  struct ts_compare_state *s = c->state;
  struct ts_json *j = &s->json[item->side];
  bool is_missing = item->side == RECORDED;
  *(is_missing ? &c->missing : &c->extra) += 1;
  if (ts_json_scan(j, ts_buf_str(&item->record), &shape) < 0) return;
  struct ts_jw w = begin(s, j, NULL, is_missing ? "missing" : "extra");
  if (is_missing) {
    ts_jw_member_raw_if(&w, "source", value_of(j, F_SOURCE, ts_str(NULL, 0)));
  } else {
    ts_jw_key(&w, "source");
    ts_jw_open(&w, '{');
    ts_jw_member(&w, "file", c->name);
    ts_jw_member_u64(&w, "line", item->line);
    ts_jw_close(&w, '}');
  }
  end(c, &w);
}

static void state_free(struct ts_compare_state *s) {
  for (size_t i = 0; i < SIDES; i++) ts_json_free(&s->json[i]);
  ts_differ_free(&s->differ);
  ts_buf_free(&s->record);
  ts_buf_free(&s->scratch);
  free(s->bucket);
  free(s);
}

void ts_compare_end(struct ts_compare *c) {
  struct ts_compare_state *s = state_of(c);
  while (read_result(c)) continue;
  struct item **all = ts_xcalloc(s->count, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; i < s->buckets; i++)
    for (struct item *item = s->bucket[i].first; item; item = item->next) all[n++] = item;
  if (n > 0) qsort((void *)all, n, sizeof *all, item_order);
  for (size_t i = 0; i < n; i++) {
    tell_alone(c, all[i]);
    item_free(all[i]);
  }
  free((void *)all);
  state_free(s);
  c->state = NULL;
}

void ts_compare_free(struct ts_compare *c) {
  free(c->ignore);
  *c = (struct ts_compare){ 0 };
}

void ts_compare_tell(const struct ts_compare *c, struct ts_buf *out) {
  ts_buf_addf(out, "results: %" PRIu64 " same, %" PRIu64 " different, %" PRIu64 " missing, %" PRIu64 " extra", c->same,
              c->differ, c->missing, c->extra);
}
