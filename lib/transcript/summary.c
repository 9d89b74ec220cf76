#include "transcript/summary.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "json/write.h"

/* The plain counts, in the order of the record. */
static const struct counter {
  const char *key;
  size_t offset;
} counters[] = {
#define COUNTER(member) \
  { #member, offsetof(struct ts_summary, member) }
  COUNTER(files), COUNTER(skipped),  COUNTER(lines),     COUNTER(bad_lines), COUNTER(bytes),
  COUNTER(calls), COUNTER(answered), COUNTER(sub_calls), COUNTER(results),
#undef COUNTER
};

static uint64_t *counter_of(struct ts_summary *s, const struct counter *c) {
  return (uint64_t *)(void *)((char *)s + c->offset);
}

static uint64_t count_of(const struct ts_summary *s, const struct counter *c) {
  return *(const uint64_t *)(const void *)((const char *)s + c->offset);
}

void ts_summary_free(struct ts_summary *s) {
  free(s->name);
  ts_map_free(&s->by_name);
  ts_arena_free(&s->arena);
  memset(s, 0, sizeof *s);
}

/* --- adding --------------------------------------------------------------------------------------------- */

struct ts_name_use *ts_summary_name(struct ts_summary *s, struct ts_str name) {
  size_t known = ts_map_get(&s->by_name, name);
  if (known != TS_MAP_NONE) return &s->name[known];
  ts_xgrow(&s->name, &s->name_cap, s->name_count + 1, sizeof *s->name);
  struct ts_name_use *u = &s->name[s->name_count];
  *u = (struct ts_name_use){ .name = ts_arena_dup(&s->arena, name), .first = TS_WHEN_UNKNOWN, .last = TS_WHEN_UNKNOWN };
  *ts_map_at(&s->by_name, u->name, 0) = s->name_count++;
  return u;
}

/* An empty replacement is none, so any other goes before it. */
static bool comes_before(struct ts_str a, struct ts_str b) { return a.len > 0 && (b.len == 0 || ts_str_cmp(a, b) < 0); }

void ts_summary_judge(struct ts_summary *s, struct ts_name_use *u, enum ts_state state, struct ts_str replacement) {
  bool worse = !u->judged || state > u->state;
  if (!worse && (state < u->state || !comes_before(replacement, u->replacement))) return;
  u->judged = true;
  u->state = state;
  u->replacement = ts_arena_dup(&s->arena, replacement);
}

void ts_summary_see(struct ts_name_use *u, int64_t when) {
  if (when == TS_WHEN_UNKNOWN) return;
  if (u->first == TS_WHEN_UNKNOWN || when < u->first) u->first = when;
  if (when > u->last) u->last = when;
}

void ts_summary_add(struct ts_summary *s, const struct ts_summary *more) {
  for (size_t i = 0; i < TS_COUNT(counters); i++) *counter_of(s, &counters[i]) += count_of(more, &counters[i]);
  for (int i = 0; i <= TS_STATES; i++) s->by_state[i] += more->by_state[i];
  for (int i = 0; i < TS_RULES; i++)
    for (int level = 0; level < TS_LEVELS; level++) s->by_rule[i][level] += more->by_rule[i][level];
  s->has_crc |= more->has_crc;
  s->crc_sum += more->crc_sum;
  for (size_t i = 0; i < more->name_count; i++) {
    const struct ts_name_use *from = &more->name[i];
    struct ts_name_use *u = ts_summary_name(s, from->name);
    u->calls += from->calls;
    u->files += from->files;
    ts_summary_see(u, from->first);
    ts_summary_see(u, from->last);
    if (from->judged) ts_summary_judge(s, u, from->state, from->replacement);
  }
}

/* --- asking --------------------------------------------------------------------------------------------- */

uint64_t ts_summary_rule(const struct ts_summary *s, enum ts_rule_id rule) {
  uint64_t sum = 0;
  for (int level = 0; level < TS_LEVELS; level++) sum += s->by_rule[rule][level];
  return sum;
}

uint64_t ts_summary_level(const struct ts_summary *s, enum ts_level severity) {
  uint64_t sum = 0;
  for (int i = 0; i < TS_RULES; i++) sum += s->by_rule[i][severity];
  return sum;
}

uint64_t ts_summary_judged(const struct ts_summary *s) {
  uint64_t sum = 0;
  for (int i = 0; i <= TS_STATES; i++) sum += s->by_state[i];
  return sum;
}

/* As the finding would be: with the rule's own vector, or, where it was milder than that, for replay at its level. */
bool ts_summary_counts(const struct ts_summary *s, const struct ts_threshold *t) {
  for (int i = 0; i < TS_RULES; i++) {
    for (int level = TS_NOTE; level < TS_LEVELS; level++) {
      struct ts_finding f = { .rule = (enum ts_rule_id)i };
      if (ts_finding_severity(&f) != (enum ts_level)level) f.vector.level[TS_REPLAY] = (uint8_t)level;
      if (s->by_rule[i][level] > 0 && ts_threshold_counts(t, &f)) return true;
    }
  }
  return false;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static int name_order(const void *a, const void *b) {
  return ts_str_cmp(((const struct ts_name_use *)a)->name, ((const struct ts_name_use *)b)->name);
}

void ts_summary_sort(struct ts_summary *s) {
  if (s->name_count > 0) qsort(s->name, s->name_count, sizeof *s->name, name_order);
  for (size_t i = 0; i < s->name_count; i++) *ts_map_at(&s->by_name, s->name[i].name, i) = i;
}

void ts_summary_select(struct ts_summary *s, const struct ts_selection *only) {
  size_t kept = 0;
  for (size_t i = 0; i < s->name_count; i++) {
    const struct ts_name_use *u = &s->name[i];
    if (ts_selection_has(only, u->name, u->judged, u->state)) s->name[kept++] = *u;
  }
  s->name_count = kept;
  ts_map_free(&s->by_name);
  for (size_t i = 0; i < kept; i++) *ts_map_at(&s->by_name, s->name[i].name, i) = i;
}

static void write_when(struct ts_jw *w, const char *key, int64_t when) {
  struct ts_buf text = { 0 };
  if (when == TS_WHEN_UNKNOWN) return;
  ts_when_write(&text, when);
  ts_jw_member(w, key, ts_buf_str(&text));
  ts_buf_free(&text);
}

static void write_use(struct ts_jw *w, const struct ts_name_use *u) {
  ts_jw_member_u64(w, "calls", u->calls);
  ts_jw_member_u64(w, "files", u->files);
  write_when(w, "first", u->first);
  write_when(w, "last", u->last);
  if (u->judged) ts_jw_member(w, "state", ts_str_z(ts_state_row(u->state)->name));
  ts_jw_member_if(w, "replacement", u->replacement);
}

static void write_rules(struct ts_jw *w, const struct ts_summary *s) {
  ts_jw_key(w, "by_rule");
  ts_jw_open(w, '{');
  for (int i = 0; i < TS_RULES; i++) {
    uint64_t n = ts_summary_rule(s, (enum ts_rule_id)i);
    if (n > 0) ts_jw_member_u64(w, ts_rule((enum ts_rule_id)i)->id, n);
  }
  ts_jw_close(w, '}');
  ts_jw_key(w, "by_severity");
  ts_jw_open(w, '{');
  for (int level = TS_LEVELS - 1; level > TS_OFF; level--) {
    if (ts_summary_level(s, (enum ts_level)level) == 0) continue;
    ts_jw_key(w, ts_level_name((enum ts_level)level));
    ts_jw_open(w, '{');
    for (int i = 0; i < TS_RULES; i++)
      if (s->by_rule[i][level] > 0) ts_jw_member_u64(w, ts_rule((enum ts_rule_id)i)->id, s->by_rule[i][level]);
    ts_jw_close(w, '}');
  }
  ts_jw_close(w, '}');
}

void ts_summary_write(struct ts_summary *s, struct ts_buf *out) {
  struct ts_jw w = ts_jw(out);
  ts_summary_sort(s);
  ts_jw_open(&w, '{');
  ts_jw_member(&w, "type", TS_STR("summary"));
  for (size_t i = 0; i < TS_COUNT(counters); i++) ts_jw_member_u64(&w, counters[i].key, count_of(s, &counters[i]));
  ts_jw_key(&w, "by_state");
  ts_jw_open(&w, '{');
  for (int i = 0; i <= TS_STATES; i++)
    if (s->by_state[i] > 0) ts_jw_member_u64(&w, ts_state_row((enum ts_state)i)->name, s->by_state[i]);
  ts_jw_close(&w, '}');
  write_rules(&w, s);
  ts_jw_key(&w, "names");
  ts_jw_open(&w, '{');
  for (size_t i = 0; i < s->name_count; i++) {
    ts_jw_key_str(&w, s->name[i].name);
    ts_jw_open(&w, '{');
    write_use(&w, &s->name[i]);
    ts_jw_close(&w, '}');
  }
  ts_jw_close(&w, '}');
  if (s->has_crc) ts_jw_member_u64(&w, "crc_sum", s->crc_sum);
  ts_jw_close(&w, '}');
  ts_buf_addc(out, '\n');
}

void ts_summary_write_names(struct ts_summary *s, struct ts_buf *out) {
  ts_summary_sort(s);
  for (size_t i = 0; i < s->name_count; i++) {
    struct ts_jw w = ts_jw(out);
    ts_jw_open(&w, '{');
    ts_jw_member(&w, "type", TS_STR("name"));
    ts_jw_member(&w, "name", s->name[i].name);
    write_use(&w, &s->name[i]);
    ts_jw_close(&w, '}');
    ts_buf_addc(out, '\n');
  }
}

/* --- reading -------------------------------------------------------------------------------------------- */

struct reading {
  struct ts_summary *s;
  const struct ts_json *j;
  struct ts_buf key, text;
  struct ts_buf *err;
};

/* Adds the number at node; absent (0) adds nothing. */
static int add_number(struct reading *r, uint32_t node, struct ts_str what, uint64_t *sum) {
  uint64_t n = 0;
  if (node == 0) return 0;
  if (!ts_json_u64(r->j, node, &n)) return ts_fail(r->err, "summary: '%.*s' is not a count", TS_FMT(what));
  *sum += n;
  return 0;
}

/* Calls member(r, key, value) for each member of an object; absent is empty. */
typedef int member_fn(struct reading *r, struct ts_str key, uint32_t value);
static int each_member(struct reading *r, uint32_t object, const char *what, member_fn *member) {
  if (object == 0) return 0;
  if (!ts_json_is(r->j, object, TS_JSON_OBJECT)) return ts_fail(r->err, "summary: '%s' is not an object", what);
  int status = 0;
  for (uint32_t k = ts_json_first(r->j, object); k && status == 0; k = ts_json_after(r->j, object, k))
    status = member(r, ts_json_text(r->j, k, &r->key), k + 1);
  return status;
}

static int read_state(struct reading *r, struct ts_str key, uint32_t value) {
  enum ts_state state = ts_state_find(key);
  if (state == TS_STATES && !ts_str_is(key, ts_state_row(TS_UNKNOWN_NAME)->name))
    return ts_fail(r->err, "summary: unknown state '%.*s'", TS_FMT(key));
  return add_number(r, value, key, &r->s->by_state[state]);
}

static int find_rule(struct reading *r, struct ts_str key, enum ts_rule_id *rule) {
  *rule = ts_rule_find(key);
  return *rule == TS_RULES ? ts_fail(r->err, "summary: unknown rule '%.*s'", TS_FMT(key)) : 0;
}

/* by_rule says again what by_severity says; it is looked at so that the two cannot differ. */
static int check_rule(struct reading *r, struct ts_str key, uint32_t value) {
  enum ts_rule_id rule;
  uint64_t n = 0, sum = 0;
  if (find_rule(r, key, &rule) < 0 || add_number(r, value, key, &n) < 0) return -1;
  uint32_t levels = TS_JSON_GET(r->j, 0, "by_severity");
  if (levels == 0) return ts_fail(r->err, "summary: by_rule without by_severity");
  for (uint32_t k = ts_json_first(r->j, levels); k; k = ts_json_after(r->j, levels, k))
    if (add_number(r, ts_json_get(r->j, k + 1, key), key, &sum) < 0) return -1;
  return n == sum ? 0 : ts_fail(r->err, "summary: by_rule and by_severity differ on '%.*s'", TS_FMT(key));
}

static int read_level(struct reading *r, struct ts_str key, uint32_t rules) {
  enum ts_level level = ts_level_find(key);
  if (level == TS_LEVELS) return ts_fail(r->err, "summary: unknown severity '%.*s'", TS_FMT(key));
  for (uint32_t k = ts_json_first(r->j, rules); k; k = ts_json_after(r->j, rules, k)) {
    enum ts_rule_id rule;
    struct ts_str id = ts_json_text(r->j, k, &r->text);
    if (find_rule(r, id, &rule) < 0 || add_number(r, k + 1, id, &r->s->by_rule[rule][level]) < 0) return -1;
  }
  return 0;
}

static int64_t read_when(const struct ts_json *j, uint32_t node) {
  return node ? ts_when_parse(ts_json_raw(j, node)) : TS_WHEN_UNKNOWN;
}

static int read_use(struct reading *r, struct ts_str name, uint32_t value) {
  const struct ts_json *j = r->j;
  struct ts_name_use *u = ts_summary_name(r->s, name);
  if (add_number(r, TS_JSON_GET(j, value, "calls"), TS_STR("calls"), &u->calls) < 0) return -1;
  if (add_number(r, TS_JSON_GET(j, value, "files"), TS_STR("files"), &u->files) < 0) return -1;
  ts_summary_see(u, read_when(j, TS_JSON_GET(j, value, "first")));
  ts_summary_see(u, read_when(j, TS_JSON_GET(j, value, "last")));
  uint32_t state = TS_JSON_GET(j, value, "state"), replacement = TS_JSON_GET(j, value, "replacement");
  if (state == 0) return 0;
  struct ts_str word = ts_json_text(j, state, &r->text);
  enum ts_state known = ts_state_find(word);
  if (known == TS_STATES && !ts_str_is(word, ts_state_row(TS_UNKNOWN_NAME)->name))
    return ts_fail(r->err, "summary: unknown state '%.*s'", TS_FMT(word));
  ts_summary_judge(r->s, u, known, ts_json_text(j, replacement, &r->text));
  return 0;
}

int ts_summary_read(struct ts_summary *s, const struct ts_json *j, struct ts_buf *err) {
  struct reading r = { .s = s, .j = j, .err = err };
  int status = 0;
  for (size_t i = 0; i < TS_COUNT(counters) && status == 0; i++) {
    struct ts_str key = ts_str_z(counters[i].key);
    status = add_number(&r, ts_json_get(j, 0, key), key, counter_of(s, &counters[i]));
  }
  if (status == 0) status = each_member(&r, TS_JSON_GET(j, 0, "by_state"), "by_state", read_state);
  if (status == 0) status = each_member(&r, TS_JSON_GET(j, 0, "by_rule"), "by_rule", check_rule);
  if (status == 0) status = each_member(&r, TS_JSON_GET(j, 0, "by_severity"), "by_severity", read_level);
  if (status == 0) status = each_member(&r, TS_JSON_GET(j, 0, "names"), "names", read_use);
  uint32_t crc = TS_JSON_GET(j, 0, "crc_sum");
  s->has_crc |= crc != 0;
  if (status == 0) status = add_number(&r, crc, TS_STR("crc_sum"), &s->crc_sum);
  ts_buf_free(&r.key);
  ts_buf_free(&r.text);
  return status;
}
