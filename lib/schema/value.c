#include "schema/value.h"

#include "base/map.h"
#include "base/utf8.h"
#include "json/write.h"
#include "schema/ecma.h"

enum { BRIEF = 60 }; /* code points of a value that a sentence shows */

/* Types */

static const struct {
  const char *name;
  unsigned types;
} type_names[] = {
  { "string", TS_T_STRING }, { "number", TS_T_NUMBER }, { "integer", TS_T_INTEGER }, { "boolean", TS_T_BOOLEAN },
  { "object", TS_T_OBJECT }, { "array", TS_T_ARRAY },   { "null", TS_T_NULL },
};

unsigned ts_value_type(const struct ts_tree *v) {
  static const uint8_t types[] = {
    [TS_JSON_NULL] = TS_T_NULL,       [TS_JSON_FALSE] = TS_T_BOOLEAN, [TS_JSON_TRUE] = TS_T_BOOLEAN,
    [TS_JSON_NUMBER] = TS_T_FRACTION, [TS_JSON_STRING] = TS_T_STRING, [TS_JSON_ARRAY] = TS_T_ARRAY,
    [TS_JSON_OBJECT] = TS_T_OBJECT,
  };
  enum ts_json_kind kind = ts_tree_kind(v);
  return kind == TS_JSON_NUMBER && ts_number_is_integer(ts_tree_text(v)) ? TS_T_INTEGER : types[kind];
}

unsigned ts_type_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(type_names); i++)
    if (ts_str_eq_nocase(name, ts_str_z(type_names[i].name))) return type_names[i].types;
  return 0;
}

/* Calls the types by name, "number" before "integer"; a fraction alone has no name of its own. */
static size_t name_types(unsigned types, const char *names[TS_COUNT(type_names)]) {
  size_t n = 0;
  if (types & TS_T_FRACTION) types |= TS_T_INTEGER;
  for (size_t i = 0; i < TS_COUNT(type_names); i++) {
    if ((types & type_names[i].types) != type_names[i].types) continue;
    names[n++] = type_names[i].name;
    types &= ~type_names[i].types;
  }
  return n;
}

void ts_type_text(struct ts_buf *out, unsigned types) {
  const char *names[TS_COUNT(type_names)];
  size_t n = name_types(types, names);
  if (types == TS_T_ALL || n == 0) {
    ts_buf_addz(out, n ? "any value" : "no value");
    return;
  }
  for (size_t i = 0; i < n; i++) ts_buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", names[i]);
}

void ts_type_json(struct ts_buf *out, unsigned types) {
  const char *names[TS_COUNT(type_names)];
  size_t n = name_types(types, names);
  if (n != 1) ts_buf_addc(out, '[');
  for (size_t i = 0; i < n; i++) ts_buf_addf(out, "%s\"%s\"", i ? "," : "", names[i]);
  if (n != 1) ts_buf_addc(out, ']');
}

/* Numbers */

/* digits * 10^exponent; no zero at either end of the digits. */
struct decimal {
  struct ts_str digits; /* a point may stand among them; empty: zero */
  int64_t exponent;     /* held within +-2^40, where no text that fits into memory tells the difference */
};

static int64_t read_exponent(struct ts_str s, size_t at) {
  int64_t value = 0;
  bool minus = false;
  for (at++; at < s.len; at++) {
    if (s.ptr[at] == '-') minus = true;
    if (s.ptr[at] >= '0' && s.ptr[at] <= '9' && value < (int64_t)1 << 40) value = value * 10 + (s.ptr[at] - '0');
  }
  return minus ? -value : value;
}

static struct decimal read_decimal(struct ts_str s) {
  struct decimal d = { 0 };
  size_t end = 0, point = SIZE_MAX, from = 0;
  while (end < s.len && s.ptr[end] != 'e' && s.ptr[end] != 'E') end++;
  d.exponent = read_exponent(s, end);
  for (size_t i = 0; i < end; i++)
    if (s.ptr[i] == '.') point = i;
  while (from < end && (s.ptr[from] < '1' || s.ptr[from] > '9')) from++;
  size_t last = end;
  while (last > from && (s.ptr[last - 1] == '0' || s.ptr[last - 1] == '.')) last--;
  if (last == from) return (struct decimal){ 0 };
  d.digits = ts_str_sub(s, from, last - from);
  if (point == SIZE_MAX) point = end;
  d.exponent += last <= point ? (int64_t)(point - last) : -(int64_t)(last - point - 1);
  return d;
}

__extension__ typedef unsigned __int128 wide;

static uint64_t times(uint64_t a, uint64_t b, uint64_t modulus) { return (uint64_t)((wide)a * b % modulus); }

static uint64_t digits_modulo(struct ts_str digits, uint64_t modulus) {
  uint64_t rest = 0;
  for (size_t i = 0; i < digits.len; i++)
    if (digits.ptr[i] != '.') rest = (uint64_t)(((wide)rest * 10 + (wide)(digits.ptr[i] - '0')) % modulus);
  return rest;
}

int ts_number_is_multiple(struct ts_str value, struct ts_str divisor) {
  struct decimal v = read_decimal(value), d = read_decimal(divisor);
  if (v.digits.len == 0) return 1;
  if (d.digits.len > 18) return -1;
  if (v.exponent < d.exponent) return 0; /* v's last digit is not 0, so no power of ten divides its digits */
  uint64_t modulus = 0;
  for (size_t i = 0; i < d.digits.len; i++)
    if (d.digits.ptr[i] != '.') modulus = modulus * 10 + (uint64_t)(d.digits.ptr[i] - '0');
  if (modulus == 0) return -1;
  uint64_t rest = digits_modulo(v.digits, modulus), power = 10 % modulus;
  for (int64_t e = v.exponent - d.exponent; e > 0; e /= 2, power = times(power, power, modulus))
    if (e % 2) rest = times(rest, power, modulus);
  return rest == 0;
}

/* Hashes */

static uint64_t hash_number(struct ts_str s) {
  struct decimal d = read_decimal(s);
  struct ts_str before = d.digits, behind = { 0 };
  size_t point = ts_str_find(d.digits, TS_STR("."));
  if (point != SIZE_MAX) {
    before = ts_str_sub(d.digits, 0, point);
    behind = ts_str_sub(d.digits, point + 1, d.digits.len);
  }
  uint64_t hash = (uint64_t)d.exponent + (s.len > 0 && d.digits.len > 0 && s.ptr[0] == '-' ? 1u << 20 : 0);
  for (int part = 0; part < 2; part++) { /* 1.5 and 15e-1 must agree, so digits go in one by one */
    struct ts_str text = part ? behind : before;
    for (size_t i = 0; i < text.len; i++) hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
  }
  return hash;
}

uint64_t ts_value_hash(const struct ts_tree *v, size_t *steps) {
  enum ts_json_kind kind = ts_tree_kind(v);
  uint64_t hash = kind;
  ++*steps;
  if (kind == TS_JSON_NUMBER) return hash_number(ts_tree_text(v));
  if (kind == TS_JSON_STRING) return ts_hash(ts_tree_text(v));
  for (const struct ts_tree *child = ts_tree_first(v); child; child = ts_tree_after(child)) {
    uint64_t one = ts_value_hash(child, steps);
    if (kind == TS_JSON_OBJECT)
      hash += (one ^ ts_hash(ts_tree_key(child))) * 0x9e3779b97f4a7c15u; /* in any order */
    else
      hash = (hash << 7 | hash >> 57) * 0x9e3779b97f4a7c15u + one;
  }
  return hash;
}

/* Text */

uint64_t ts_tree_length(struct ts_str text) {
  uint64_t n = 0;
  for (size_t i = 0; i < text.len; i++) n += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
  return n;
}

/* The bytes of the first n code points. */
static size_t head(struct ts_str text, size_t n) {
  size_t i = 0;
  for (; i < text.len; i++)
    if (((unsigned char)text.ptr[i] & 0xc0) != 0x80 && n-- == 0) break;
  return i;
}

void ts_tree_plain(struct ts_buf *out, struct ts_str text) {
  while (text.len > 0) {
    size_t nul = ts_str_find(text, TS_STR("\xc0\x80"));
    ts_buf_add(out, ts_str_sub(text, 0, nul));
    if (nul == SIZE_MAX) return;
    ts_buf_addc(out, '\0');
    text = ts_str_sub(text, nul + 2, text.len);
  }
}

void ts_tree_quote(struct ts_buf *out, struct ts_str text, size_t most) {
  struct ts_buf plain = { 0 };
  size_t end = head(text, most);
  ts_tree_plain(&plain, ts_str_sub(text, 0, end));
  if (end < text.len) ts_buf_addz(&plain, "\xe2\x80\xa6");
  ts_json_quote(out, ts_buf_str(&plain));
  ts_buf_free(&plain);
}

/* How many values are below v, counted up to `most`. */
static size_t weigh(const struct ts_tree *v, size_t most) {
  size_t n = 1 + ts_tree_text(v).len / 8;
  for (const struct ts_tree *child = ts_tree_first(v); child && n < most; child = ts_tree_after(child))
    n += weigh(child, most - n) + ts_tree_key(child).len / 8;
  return n;
}

void ts_value_brief(struct ts_buf *out, const struct ts_tree *v) {
  enum ts_json_kind kind = ts_tree_kind(v);
  if (kind == TS_JSON_STRING) {
    ts_tree_quote(out, ts_tree_text(v), BRIEF);
    return;
  }
  struct ts_buf json = { 0 };
  bool small = weigh(v, BRIEF) < BRIEF;
  if (small) ts_tree_write(v, &json);
  if (small && json.len <= BRIEF)
    ts_buf_add(out, ts_buf_str(&json));
  else if (kind == TS_JSON_NUMBER)
    ts_buf_addf(out, "%.*s\xe2\x80\xa6", BRIEF, ts_tree_text(v).ptr);
  else
    ts_buf_addz(out, kind == TS_JSON_ARRAY ? "[\xe2\x80\xa6]" : "{\xe2\x80\xa6}");
  ts_buf_free(&json);
}
