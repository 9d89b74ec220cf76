#include "schema/sample.h"

#include "base/utf8.h"
#include "schema/ecma.h"

enum { DEPTH_MAX = 20, RANGES_MAX = 40, TEXT_MAX = 100000 };

struct sampler {
  struct ts_str text;
  size_t at;
  struct ts_sample how;
  unsigned depth, repeats;
};

/* A set of characters. */
struct set {
  struct {
    uint32_t low, high;
  } range[RANGES_MAX];
  size_t count;
  bool negated;
};

static bool alternatives(struct sampler *s, struct ts_buf *out);

static int peek(const struct sampler *s, size_t ahead) {
  return s->at + ahead < s->text.len ? (unsigned char)s->text.ptr[s->at + ahead] : -1;
}

static bool skip(struct sampler *s, const char *z) {
  if (!ts_str_starts(ts_str_sub(s->text, s->at, s->text.len), ts_str_z(z))) return false;
  s->at += strlen(z);
  return true;
}

static void add_range(struct set *set, uint32_t low, uint32_t high) {
  if (set->count == RANGES_MAX) return;
  set->range[set->count].low = low;
  set->range[set->count++].high = high;
}

static bool is_in(const struct set *set, uint32_t c) {
  bool found = false;
  for (size_t i = 0; i < set->count; i++) found |= c >= set->range[i].low && c <= set->range[i].high;
  return found != set->negated;
}

/* The variant-th of the characters that people use, else the beginning of a range. */
static bool put_member(const struct sampler *s, const struct set *set, struct ts_buf *out) {
  static const char usual[] = "ab01AZ_-./:@ #+=,;!?*()[]{}<>\"'\\|~^%$&\t\n";
  unsigned skipped = 0;
  const char *last = NULL;
  for (const char *p = usual; *p; p++) {
    if (!is_in(set, (unsigned char)*p)) continue;
    last = p;
    if (skipped++ == s->how.variant) break;
  }
  if (last) ts_buf_addc(out, *last);
  if (last || set->count == 0 || set->negated) return last != NULL;
  ts_utf8_put(out, set->range[s->how.variant % set->count].low);
  return true;
}

/* \d \w \s and what they leave out (some of it). */
static bool add_named(struct set *set, int c) {
  static const struct {
    char name;
    uint32_t low, high;
  } table[] = {
    { 'd', '0', '9' },   { 'w', 'a', 'z' }, { 'w', 'A', 'Z' }, { 'w', '0', '9' }, { 'w', '_', '_' }, { 's', ' ', ' ' },
    { 's', '\t', '\r' }, { 'D', 'A', 'z' }, { 'D', ' ', '/' }, { 'W', ' ', '/' }, { 'S', '!', '~' },
  };
  bool found = false;
  for (size_t i = 0; i < TS_COUNT(table); i++) {
    if (table[i].name != c) continue;
    add_range(set, table[i].low, table[i].high);
    found = true;
  }
  return found;
}

static uint32_t read_hex(struct sampler *s, size_t digits) {
  uint32_t value = 0;
  for (size_t i = 0; i < digits && peek(s, 0) >= 0; i++, s->at++) {
    int c = peek(s, 0) | 0x20;
    value = value * 16 + (uint32_t)(c >= 'a' ? c - 'a' + 10 : c - '0') % 16;
  }
  return value;
}

/* Behind a backslash: a set, or one character. */
static bool add_escape(struct sampler *s, struct set *set) {
  static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
  int c = peek(s, 0);
  if (c <= 0 || (c >= '1' && c <= '9') || c == 'k') return false;
  s->at++;
  if (add_named(set, c)) return true;
  if (c == 'p' || c == 'P') {
    size_t end = ts_str_find(ts_str_sub(s->text, s->at, s->text.len), TS_STR("}"));
    if (end == SIZE_MAX) return false;
    s->at += end + 1;
    add_range(set, 'A', 'z');
    add_range(set, '0', '9');
    return true;
  }
  uint32_t one = (uint32_t)c;
  const char *control = strchr(from, c);
  if (control)
    one = (uint32_t)to[control - from];
  else if (c == 'x')
    one = read_hex(s, 2);
  else if (c == 'u' && skip(s, "{"))
    one = read_hex(s, ts_str_find(ts_str_sub(s->text, s->at, s->text.len), TS_STR("}")));
  else if (c == 'u')
    one = read_hex(s, 4);
  if (c == 'u') (void)skip(s, "}");
  if (one > 0x10ffff || (one >= 0xd800 && one <= 0xdfff)) return false;
  add_range(set, one, one);
  return true;
}

static bool class(struct sampler *s, struct ts_buf *out) {
  struct set set = { .negated = skip(s, "^") };
  while (peek(s, 0) != ']') {
    if (peek(s, 0) < 0) return false;
    size_t before = set.count;
    if (skip(s, "\\")) {
      if (!add_escape(s, &set)) return false;
    } else {
      uint32_t c = ts_tree_scalar(s->text, &s->at);
      add_range(&set, c, c);
    }
    bool one = set.count == before + 1 && set.range[before].low == set.range[before].high;
    if (!one || peek(s, 0) != '-' || peek(s, 1) == ']' || peek(s, 1) == '\\') continue;
    s->at++;
    set.range[before].high = peek(s, 0) < 0 ? 0 : ts_tree_scalar(s->text, &s->at);
  }
  s->at++;
  return put_member(s, &set, out);
}

static bool group(struct sampler *s, struct ts_buf *out) {
  static const char *const looks[] = { "?=", "?!", "?<=", "?<!" };
  bool look = false;
  for (size_t i = 0; i < TS_COUNT(looks) && !look; i++) look = skip(s, looks[i]);
  if (!look && !skip(s, "?:") && skip(s, "?<")) {
    size_t end = ts_str_find(ts_str_sub(s->text, s->at, s->text.len), TS_STR(">"));
    if (end == SIZE_MAX) return false;
    s->at += end + 1;
  }
  struct ts_buf inner = { 0 };
  bool good = alternatives(s, &inner) && skip(s, ")");
  if (good && !look) ts_buf_add(out, ts_buf_str(&inner));
  ts_buf_free(&inner);
  return good;
}

static bool atom(struct sampler *s, struct ts_buf *out) {
  struct set set = { 0 };
  if (skip(s, "^") || skip(s, "$") || skip(s, "\\b") || skip(s, "\\B")) return true;
  if (skip(s, "(")) return group(s, out);
  if (skip(s, "[")) return class(s, out);
  if (skip(s, ".")) {
    add_range(&set, ' ', '~');
    return put_member(s, &set, out);
  }
  if (skip(s, "\\")) return add_escape(s, &set) && put_member(s, &set, out);
  ts_utf8_put(out, ts_tree_scalar(s->text, &s->at));
  return true;
}

/* How often: least and most, SIZE_MAX for no end. */
static void quantifier(struct sampler *s, size_t *least, size_t *most) {
  *least = *most = 1;
  if (skip(s, "*")) {
    *least = 0;
    *most = SIZE_MAX;
  } else if (skip(s, "+")) {
    *most = SIZE_MAX;
  } else if (skip(s, "?")) {
    *least = 0;
  } else if (peek(s, 0) == '{' && peek(s, 1) >= '0' && peek(s, 1) <= '9') {
    size_t *bound = least;
    *least = *most = 0;
    for (s->at++; peek(s, 0) >= 0 && peek(s, 0) != '}'; s->at++) {
      if (peek(s, 0) == ',') bound = most;
      if (peek(s, 0) != ',' && *bound < TEXT_MAX) *bound = *bound * 10 + (size_t)(peek(s, 0) - '0');
    }
    if (bound == least) *most = *least;
    if (bound == most && *most == 0) *most = SIZE_MAX;
    s->at++;
  }
  (void)skip(s, "?");
}

static bool sequence(struct sampler *s, struct ts_buf *out) {
  struct ts_buf one = { 0 };
  bool good = true;
  while (good && peek(s, 0) >= 0 && peek(s, 0) != '|' && peek(s, 0) != ')') {
    size_t least, most;
    ts_buf_clear(&one);
    good = atom(s, &one);
    quantifier(s, &least, &most);
    bool grows = most > least && (++s->repeats == s->how.which || s->how.which == 0);
    size_t more = grows ? s->how.more : 0, rounds = most - least < more ? most : least + more;
    for (size_t i = 0; good && i < rounds && out->len < TEXT_MAX; i++) ts_buf_add(out, ts_buf_str(&one));
  }
  ts_buf_free(&one);
  return good;
}

/* The variant-th alternative, or the last. */
static bool alternatives(struct sampler *s, struct ts_buf *out) {
  size_t from = out->len;
  if (s->depth++ == DEPTH_MAX) return false;
  bool good = sequence(s, out);
  for (unsigned i = 1; good && skip(s, "|"); i++) {
    size_t end = out->len;
    good = sequence(s, out);
    if (i > s->how.variant) {
      ts_buf_cut(out, end);
    } else {
      struct ts_str kept = ts_str_sub(ts_buf_str(out), end, out->len);
      if (kept.len > 0) memmove(out->ptr + from, kept.ptr, kept.len);
      ts_buf_cut(out, from + kept.len);
    }
  }
  s->depth--;
  return good;
}

bool ts_pattern_sample(struct ts_str pattern, struct ts_sample how, struct ts_buf *out) {
  struct sampler s = { .text = pattern, .how = how };
  return alternatives(&s, out) && s.at == pattern.len;
}
