/* Random schemas: a schema is written from a tape of numbers, its successor from the same tape with a few of them
 * changed. Whatever value the old one accepts and the new one refuses must be covered by a change at that place, and
 * each error's witness must be one. The tapes are the same in every run. */
#include "schema/subset.h"

#include "unit/tap.h"

enum { PAIRS = 1500, VALUES = 40, TAPE = 600 };

static uint32_t state = 1;

/* Numerical Recipes' generator. */
static uint32_t draw(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

struct tape {
  uint32_t number[TAPE];
  size_t at;
};

static size_t next(struct tape *t, size_t below) { return t->number[t->at++ % TAPE] % below; }

/* Schemas */

static void write_schema(struct ts_buf *out, struct tape *t, unsigned depth);

static const char *const keys[] = { "a", "b", "c" };
static const char *const types[] = { "string", "integer", "number", "boolean", "null", "array", "object" };
static const char *const scalars[] = { "0", "1", "2", "5", "1.5", "-1", "\"\"", "\"a\"", "\"ab\"", "null", "true" };

static void write_list(struct ts_buf *out, struct tape *t, unsigned depth, const char *keyword) {
  ts_buf_addf(out, "\"%s\":[", keyword);
  for (size_t i = 0, n = 1 + next(t, 2); i < n; i++) {
    if (i > 0) ts_buf_addc(out, ',');
    write_schema(out, t, depth - 1);
  }
  ts_buf_addc(out, ']');
}

static void write_properties(struct ts_buf *out, struct tape *t, unsigned depth) {
  ts_buf_addz(out, "\"properties\":{");
  size_t first = next(t, TS_COUNT(keys)), count = 1 + next(t, 2);
  for (size_t i = 0; i < count; i++) {
    ts_buf_addf(out, "%s\"%s\":", i ? "," : "", keys[(first + i) % TS_COUNT(keys)]);
    write_schema(out, t, depth - 1);
  }
  ts_buf_addc(out, '}');
}

static void write_named(struct ts_buf *out, struct tape *t, unsigned depth, const char *keyword) {
  ts_buf_addf(out, "\"%s\":", keyword);
  write_schema(out, t, depth - 1);
}

static void write_enum(struct ts_buf *out, struct tape *t) {
  size_t first = next(t, TS_COUNT(scalars)), count = 1 + next(t, 3);
  ts_buf_addz(out, "\"enum\":[");
  for (size_t i = 0; i < count; i++) ts_buf_addf(out, "%s%s", i ? "," : "", scalars[(first + i) % TS_COUNT(scalars)]);
  ts_buf_addc(out, ']');
}

static void write_bound(struct ts_buf *out, struct tape *t) {
  static const char *const names[] = { "minimum",       "maximum",       "exclusiveMinimum", "exclusiveMaximum",
                                       "minLength",     "maxLength",     "minItems",         "maxItems",
                                       "minProperties", "maxProperties", "multipleOf" };
  size_t name = next(t, TS_COUNT(names));
  ts_buf_addf(out, "\"%s\":%zu", names[name], next(t, 4) + (name == TS_COUNT(names) - 1));
}

static void write_keyword(struct ts_buf *out, struct tape *t, unsigned depth) {
  static const char *const patterns[] = { "^a", "b$", "^[a-z]*$" };
  switch (next(t, depth > 0 ? 19 : 6)) {
    case 0:
      ts_buf_addf(out, "\"type\":\"%s\"", types[next(t, TS_COUNT(types))]);
      break;
    case 1:
      ts_buf_addf(out, "\"type\":[\"string\",\"%s\"]", types[1 + next(t, TS_COUNT(types) - 1)]);
      break;
    case 2:
      write_enum(out, t);
      break;
    case 3:
      ts_buf_addf(out, "\"const\":%s", scalars[next(t, TS_COUNT(scalars))]);
      break;
    case 4:
      write_bound(out, t);
      break;
    case 5:
      ts_buf_addf(out, "\"pattern\":\"%s\"", patterns[next(t, TS_COUNT(patterns))]);
      break;
    case 6:
    case 7:
      write_properties(out, t, depth);
      break;
    case 8:
      ts_buf_addf(out, "\"required\":[\"%s\"]", keys[next(t, TS_COUNT(keys))]);
      break;
    case 9:
      ts_buf_addz(out, "\"additionalProperties\":false");
      break;
    case 10:
      write_named(out, t, depth, "additionalProperties");
      break;
    case 11:
      write_named(out, t, depth, "items");
      break;
    case 12:
      write_list(out, t, depth, "prefixItems");
      break;
    case 13:
      write_list(out, t, depth, "allOf");
      break;
    case 14:
      write_list(out, t, depth, "anyOf");
      break;
    case 15:
      write_list(out, t, depth, "oneOf");
      break;
    case 16:
      write_named(out, t, depth, "not");
      break;
    case 17:
      ts_buf_addf(out, "\"$ref\":\"#%s\"", next(t, 3) ? "/$defs/p" : "");
      break;
    default:
      write_named(out, t, depth, "contains");
      break;
  }
}

static void write_schema(struct ts_buf *out, struct tape *t, unsigned depth) {
  if (next(t, 24) == 0) {
    ts_buf_addz(out, next(t, 4) ? "true" : "false");
    return;
  }
  ts_buf_addc(out, '{');
  for (size_t i = 0, n = next(t, 4); i < n; i++) {
    if (i > 0) ts_buf_addc(out, ',');
    write_keyword(out, t, depth);
  }
  ts_buf_addc(out, '}');
}

static void write_root(struct ts_buf *out, struct tape *t) {
  ts_buf_addz(out, "{\"$defs\":{\"p\":");
  write_schema(out, t, 2);
  ts_buf_addc(out, '}');
  for (size_t i = 0, n = 1 + next(t, 3); i < n; i++) {
    ts_buf_addc(out, ',');
    write_keyword(out, t, 3);
  }
  ts_buf_addc(out, '}');
}

/* Values */

static void write_value(struct ts_buf *out, unsigned depth);

static void write_container(struct ts_buf *out, unsigned depth, bool object) {
  size_t count = draw() % 4;
  size_t first = draw() % TS_COUNT(keys);
  ts_buf_addc(out, object ? '{' : '[');
  for (size_t i = 0; i < count && i < TS_COUNT(keys); i++) {
    if (i > 0) ts_buf_addc(out, ',');
    if (object) ts_buf_addf(out, "\"%s\":", keys[(first + i) % TS_COUNT(keys)]);
    write_value(out, depth - 1);
  }
  ts_buf_addc(out, object ? '}' : ']');
}

static void write_value(struct ts_buf *out, unsigned depth) {
  size_t kind = draw() % (depth > 0 ? 9 : 5);
  if (kind < 5)
    ts_buf_addz(out, scalars[draw() % TS_COUNT(scalars)]);
  else
    write_container(out, depth, kind < 8);
}

/* Places */

enum { PLACES = 400 };

struct places {
  struct ts_schema *old, *new;
  struct ts_buf path[PLACES]; /* of each change, as a pointer into values, `*` for any step */
  size_t count;
  bool recursive; /* a change at one place is one at places without end */
  unsigned errors, bad_witnesses;
};

static struct ts_str take_token(struct ts_str *pointer) {
  struct ts_str rest = ts_str_sub(*pointer, 1, pointer->len);
  size_t end = ts_str_find(rest, TS_STR("/"));
  *pointer = ts_str_sub(rest, end, rest.len);
  return ts_str_sub(rest, 0, end);
}

static void add_place(struct ts_buf *out, struct ts_str pointer) {
  static const char *const whole[] = { "contains", "not", "anyOf", "oneOf" }; /* the value as such is at fault */
  while (pointer.len > 0) {
    struct ts_str keyword = take_token(&pointer);
    for (size_t i = 0; i < TS_COUNT(whole); i++)
      if (ts_str_is(keyword, whole[i])) return;
    if (ts_str_is(keyword, "items") || ts_str_is(keyword, "additionalProperties")) ts_buf_addz(out, "/*");
    if (!ts_str_is(keyword, "properties") && !ts_str_is(keyword, "prefixItems")) continue;
    struct ts_str name = take_token(&pointer);
    ts_buf_addf(out, "/%.*s", TS_FMT(name));
  }
}

static int check(struct ts_schema *s, struct ts_str json, struct ts_misfit *why) {
  struct ts_tree *value = ts_tree_parse(json, NULL);
  int answer = value ? ts_schema_check(s, value, why) : -2;
  ts_tree_free(value);
  return answer;
}

static void see(void *context, const struct ts_schema_change *change) {
  struct places *p = context;
  if (p->count < PLACES) add_place(&p->path[p->count++], change->pointer);
  if (change->vector.level[TS_SCHEMA] != TS_ERROR) return;
  p->errors++;
  p->bad_witnesses += check(p->old, change->witness, NULL) != 1 || check(p->new, change->witness, NULL) != 0;
}

/* One leads to the other, or past it: a missing property is blamed on the object. */
static bool meets(struct ts_str path, struct ts_str at) {
  while (path.len > 0 && at.len > 0) {
    struct ts_str one = take_token(&path), other = take_token(&at);
    if (!ts_str_is(one, "*") && !ts_str_eq(one, other)) return false;
  }
  return true;
}

static bool is_covered(const struct places *p, struct ts_str at) {
  for (size_t i = 0; i < p->count; i++)
    if (meets(ts_buf_str(&p->path[i]), at)) return true;
  return false;
}

/* The number of values that break without a change that says so. */
static unsigned try_values(struct places *p, unsigned *broken, struct ts_buf *shown) {
  unsigned uncovered = 0;
  struct ts_misfit why = { 0 };
  struct ts_buf value = { 0 };
  for (size_t i = 0; i < VALUES; i++) {
    ts_buf_clear(&value);
    write_container(&value, 3, true);
    if (check(p->old, ts_buf_str(&value), NULL) != 1 || check(p->new, ts_buf_str(&value), &why) != 0) continue;
    ++*broken;
    if (p->recursive ? p->count > 0 : is_covered(p, ts_buf_str(&why.pointer))) continue;
    uncovered++;
    ts_buf_set(shown, ts_buf_str(&value));
  }
  ts_misfit_free(&why);
  ts_buf_free(&value);
  return uncovered;
}

static void try_pair(size_t number, unsigned *broken, unsigned *errors) {
  static struct tape tape;
  struct ts_buf old = { 0 }, new = { 0 }, shown = { 0 };
  struct places p = { 0 };
  for (size_t i = 0; i < TAPE; i++) tape.number[i] = draw();
  write_root(&old, &tape);
  size_t used = tape.at ? tape.at : 1;
  for (size_t i = 0, n = 1 + draw() % 2; i < n; i++) tape.number[draw() % used] = draw();
  tape.at = 0;
  write_root(&new, &tape);
  tape.at = 0;
  p.recursive = strstr(ts_buf_z(&new), "$ref") != NULL;
  p.old = ts_schema_parse(ts_buf_str(&old), NULL);
  p.new = ts_schema_parse(ts_buf_str(&new), NULL);
  ts_schema_compare(p.old, p.new, false, see, &p);
  unsigned uncovered = try_values(&p, broken, &shown);
  *errors += p.errors;
  if (uncovered > 0 || p.bad_witnesses > 0) {
    OK(uncovered == 0, "pair %zu: %u values break that no change covers, as %s", number, uncovered, ts_buf_z(&shown));
    OK(p.bad_witnesses == 0, "pair %zu: %u witnesses are none", number, p.bad_witnesses);
    printf("#   %s\n#   %s\n", ts_buf_z(&old), ts_buf_z(&new));
  }
  for (size_t i = 0; i < p.count; i++) ts_buf_free(&p.path[i]);
  ts_schema_free(p.old);
  ts_schema_free(p.new);
  ts_buf_free(&old);
  ts_buf_free(&new);
  ts_buf_free(&shown);
}

int main(void) {
  unsigned broken = 0, errors = 0;
  for (size_t i = 0; i < PAIRS; i++) try_pair(i, &broken, &errors);
  OK(broken > PAIRS, "%d pairs: %u values fit the old schema and not the new one", PAIRS, broken);
  OK(errors > PAIRS / 10, "%u errors", errors);
  return tap_done();
}
