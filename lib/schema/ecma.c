#include "schema/ecma.h"

#include "base/diag.h"
#include "base/utf8.h"
#include "base/xalloc.h"

enum {
  SMALL_REPEAT = 64, /* {n,m} up to here costs a bounded time at each start */
  NAMES_MAX = 100,
};

struct reader {
  struct ts_str text;
  size_t at;
  struct ts_buf *out, *err;
  unsigned groups, depth;
  size_t names;
  struct {
    struct ts_str name;
    unsigned number;
  } name[NAMES_MAX];
  bool atom, repeats; /* a quantifier may follow */
};

/* White space of ECMA-262: WhiteSpace and LineTerminator; and all else. */
#define SPACE "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
#define NO_SPACE                                                                          \
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"        \
  "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}" \
  "-\\x{fefe}\\x{ff00}-\\x{10ffff}"

uint32_t ts_tree_scalar(struct ts_str text, size_t *at) {
  size_t from = *at;
  uint32_t c = ts_utf8_next(text, at);
  if (c != TS_UTF8_BAD) return c;
  bool nul = text.ptr[from] == '\xc0' && from + 1 < text.len && text.ptr[from + 1] == '\x80';
  if (nul) *at = from + 2;
  size_t after = from;
  if (!nul && ts_wtf8_next(text, &after) != TS_UTF8_BAD) *at = after;
  return nul ? 0 : 0xfffd;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/* strchr would also find the NUL that ends `set`. */
static bool is_one_of(int c, const char *set) { return c > 0 && c < 0x80 && strchr(set, c); }

/* The byte `ahead` of where we are, -1 behind the end. */
static int peek(const struct reader *r, size_t ahead) {
  return r->at + ahead < r->text.len ? (unsigned char)r->text.ptr[r->at + ahead] : -1;
}

static bool skip(struct reader *r, const char *z) {
  if (!ts_str_starts(ts_str_sub(r->text, r->at, r->text.len), ts_str_z(z))) return false;
  r->at += strlen(z);
  return true;
}

static int refuse(struct reader *r, const char *why) {
  return ts_fail(r->err, "the pattern '%.*s' is not a regular expression: %s at byte %zu", TS_FMT(r->text), why,
                 r->at + 1);
}

static void put_char(struct reader *r, uint32_t c) {
  if (c >= 0x80 || is_digit((int)c) || is_letter((int)c))
    ts_utf8_put(r->out, c);
  else
    ts_buf_addf(r->out, "\\x{%x}", (unsigned)c);
}

/* A lone surrogate is shown to PCRE2 as U+FFFD. */
static uint32_t shown(uint32_t c) { return c >= 0xd800 && c <= 0xdfff ? 0xfffd : c; }

static void put_range(struct reader *r, uint32_t low, uint32_t high) {
  bool surrogates = low <= 0xdfff && high >= 0xd800;
  if (surrogates) put_char(r, 0xfffd);
  if (surrogates && low >= 0xd800) low = 0xe000;
  if (surrogates && high <= 0xdfff) high = 0xd7ff;
  if (low > high) return;
  put_char(r, low);
  ts_buf_addc(r->out, '-');
  put_char(r, high);
}

/* n hexadecimal digits, or -1. */
static int64_t hex(struct reader *r, size_t n) {
  int64_t value = 0;
  for (size_t i = 0; i < n; i++) {
    int c = peek(r, i);
    int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  r->at += n;
  return value;
}

/* Behind \u: XXXX, a pair of them for one character, or {X…}. */
static int64_t unicode_escape(struct reader *r) {
  if (skip(r, "{")) {
    size_t n = 0;
    while (n < 8 && peek(r, n) != '}') n++;
    int64_t c = n > 0 ? hex(r, n) : -1;
    return c > 0x10ffff || !skip(r, "}") ? -1 : c;
  }
  int64_t c = hex(r, 4);
  size_t behind = r->at;
  if (c < 0xd800 || c > 0xdbff || !skip(r, "\\u")) return c;
  int64_t low = hex(r, 4);
  if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  r->at = behind;
  return c;
}

/* Behind a backslash: an escape that stands for one character. -1 when it does not. */
static int64_t char_escape(struct reader *r) {
  static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
  int c = peek(r, 0);
  if (c < 0) return -1;
  if (c >= 0x80) return ts_tree_scalar(r->text, &r->at);
  r->at++;
  if (is_one_of(c, from)) return to[strchr(from, c) - from];
  if (c == '0') return is_digit(peek(r, 0)) ? -1 : 0;
  if (c == 'x') return hex(r, 2);
  if (c == 'u') return unicode_escape(r);
  if (c == 'c') return is_letter(peek(r, 0)) ? r->text.ptr[r->at++] % 32 : -1;
  return is_letter(c) || is_digit(c) ? -1 : c;
}

/* Behind \p or \P: the names that ECMA-262 has and PCRE2 lacks are the long ones of the general categories. */
static int property(struct reader *r, char letter) {
  static const struct {
    const char *name, *code;
  } category[] = {
    { "Letter", "L" },
    { "Cased_Letter", "L&" },
    { "LC", "L&" },
    { "Uppercase_Letter", "Lu" },
    { "Lowercase_Letter", "Ll" },
    { "Titlecase_Letter", "Lt" },
    { "Modifier_Letter", "Lm" },
    { "Other_Letter", "Lo" },
    { "Mark", "M" },
    { "Combining_Mark", "M" },
    { "Nonspacing_Mark", "Mn" },
    { "Spacing_Mark", "Mc" },
    { "Enclosing_Mark", "Me" },
    { "Number", "N" },
    { "Decimal_Number", "Nd" },
    { "digit", "Nd" },
    { "Letter_Number", "Nl" },
    { "Other_Number", "No" },
    { "Punctuation", "P" },
    { "punct", "P" },
    { "Connector_Punctuation", "Pc" },
    { "Dash_Punctuation", "Pd" },
    { "Open_Punctuation", "Ps" },
    { "Close_Punctuation", "Pe" },
    { "Initial_Punctuation", "Pi" },
    { "Final_Punctuation", "Pf" },
    { "Other_Punctuation", "Po" },
    { "Symbol", "S" },
    { "Math_Symbol", "Sm" },
    { "Currency_Symbol", "Sc" },
    { "Modifier_Symbol", "Sk" },
    { "Other_Symbol", "So" },
    { "Separator", "Z" },
    { "Space_Separator", "Zs" },
    { "Line_Separator", "Zl" },
    { "Paragraph_Separator", "Zp" },
    { "Other", "C" },
    { "Control", "Cc" },
    { "cntrl", "Cc" },
    { "Format", "Cf" },
    { "Surrogate", "Cs" },
    { "Private_Use", "Co" },
    { "Unassigned", "Cn" },
  };
  struct ts_str rest = ts_str_sub(r->text, r->at, r->text.len);
  size_t end = ts_str_find(rest, TS_STR("}"));
  if (peek(r, 0) != '{' || end == SIZE_MAX || end == 1) return refuse(r, "no property name");
  struct ts_str name = ts_str_sub(rest, 1, end - 1);
  for (size_t i = 0; i < name.len; i++)
    if (!is_letter(name.ptr[i]) && !is_digit(name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '=')
      return refuse(r, "no property name");
  static const char *const prefix[] = { "General_Category=", "gc=" };
  for (size_t i = 0; i < TS_COUNT(prefix); i++)
    if (ts_str_starts(name, ts_str_z(prefix[i]))) name = ts_str_sub(name, strlen(prefix[i]), name.len);
  for (size_t i = 0; i < TS_COUNT(category); i++)
    if (ts_str_is(name, category[i].name)) name = ts_str_z(category[i].code);
  ts_buf_addf(r->out, "\\%c{%.*s}", letter, TS_FMT(name));
  r->at += end + 1;
  return 0;
}

/* Behind a backslash: 1 when it was one of \d \D \w \W \s \S \p \P, 0 when it is another escape, -1. */
static int class_escape(struct reader *r, bool in_class) {
  int c = peek(r, 0);
  if (!is_one_of(c, "dDwWsSpP")) return 0;
  r->at++;
  if (c == 'p' || c == 'P') return property(r, (char)c) ? -1 : 1;
  if (c == 's' || c == 'S')
    ts_buf_addf(r->out, in_class ? "%s" : "[%s]", c == 's' ? SPACE : NO_SPACE);
  else
    ts_buf_addf(r->out, "\\%c", c);
  return 1;
}

/* One member of a class: *c is its character, -1 for a set, which is written. 0 or -1. */
static int class_member(struct reader *r, int64_t *c) {
  *c = -1;
  if (peek(r, 0) != '\\') {
    *c = ts_tree_scalar(r->text, &r->at);
    return 0;
  }
  r->at++;
  int set = class_escape(r, true);
  if (set != 0) return set < 0 ? -1 : 0;
  if (skip(r, "b"))
    *c = '\b';
  else
    *c = char_escape(r);
  return *c < 0 ? refuse(r, "an unknown escape") : 0;
}

static int class_range(struct reader *r) {
  int64_t low, high = -1;
  if (class_member(r, &low)) return -1;
  bool range = peek(r, 0) == '-' && peek(r, 1) != ']' && peek(r, 1) >= 0;
  if (range) r->at++;
  if (range && class_member(r, &high)) return -1;
  if (low >= 0 && high >= 0) {
    if (low > high) return refuse(r, "a range out of order");
    put_range(r, (uint32_t)low, (uint32_t)high);
    return 0;
  }
  if (low >= 0) put_char(r, shown((uint32_t)low));
  if (high >= 0) put_char(r, shown((uint32_t)high));
  if (range) put_char(r, '-'); /* a set can't begin or end a range: the hyphen is one of the characters */
  return 0;
}

static int class(struct reader *r) {
  ts_buf_addz(r->out, skip(r, "^") ? "[^" : "[");
  while (peek(r, 0) != ']') {
    if (peek(r, 0) < 0) return refuse(r, "a class that does not end");
    if (class_range(r)) return -1;
  }
  r->at++;
  ts_buf_addc(r->out, ']');
  r->atom = true;
  return 0;
}

static int back_reference(struct reader *r) {
  unsigned number = 0;
  if (skip(r, "k<")) {
    struct ts_str rest = ts_str_sub(r->text, r->at, r->text.len);
    size_t end = ts_str_find(rest, TS_STR(">"));
    struct ts_str name = ts_str_sub(rest, 0, end);
    for (size_t i = 0; i < r->names; i++)
      if (end != SIZE_MAX && ts_str_eq(r->name[i].name, name)) number = r->name[i].number;
    r->at += name.len + 1;
  } else {
    while (is_digit(peek(r, 0)) && number < 1000) number = number * 10 + (unsigned)(r->text.ptr[r->at++] - '0');
  }
  if (number == 0 || number > r->groups) return refuse(r, "a reference to no group");
  ts_buf_addf(r->out, "\\g{%u}", number);
  return 0;
}

static int escape(struct reader *r) {
  int c = peek(r, 0);
  r->atom = c != 'b' && c != 'B';
  if (!r->atom) {
    r->at++;
    ts_buf_addf(r->out, "\\%c", c);
    return 0;
  }
  int set = class_escape(r, false);
  if (set != 0) return set < 0 ? -1 : 0;
  if (c == 'k' || (c >= '1' && c <= '9')) return back_reference(r);
  int64_t one = char_escape(r);
  if (one < 0) return refuse(r, "an unknown escape");
  put_char(r, shown((uint32_t)one));
  return 0;
}

/* Behind "(". Names become numbers: PCRE2 knows fewer names than ECMA-262. */
static int group(struct reader *r) {
  static const char *const kinds[] = { "?:", "?=", "?!", "?<=", "?<!" };
  r->atom = false;
  r->depth++;
  ts_buf_addc(r->out, '(');
  if (peek(r, 0) != '?') return 0;
  for (size_t i = 0; i < TS_COUNT(kinds); i++) {
    if (!skip(r, kinds[i])) continue;
    ts_buf_addz(r->out, kinds[i]);
    return 0;
  }
  struct ts_str rest = ts_str_sub(r->text, r->at, r->text.len);
  size_t end = ts_str_find(rest, TS_STR(">"));
  if (!ts_str_starts(rest, TS_STR("?<")) || end == SIZE_MAX) return refuse(r, "an unknown group");
  r->at += end + 1;
  return 0;
}

/* Reads {n}, {n,} or {n,m}; what is none of them stands for itself. */
static bool braces(struct reader *r) {
  size_t n = 1, digits = 0;
  uint64_t most = 0;
  for (; is_digit(peek(r, n)); n++, digits++)
    if (most < SMALL_REPEAT * 2) most = most * 10 + (uint64_t)(peek(r, n) - '0');
  if (digits == 0) return false;
  if (peek(r, n) == ',') {
    for (n++, most = is_digit(peek(r, n)) ? 0 : SMALL_REPEAT + 1; is_digit(peek(r, n)); n++)
      if (most < SMALL_REPEAT * 2) most = most * 10 + (uint64_t)(peek(r, n) - '0');
  }
  if (peek(r, n) != '}') return false;
  if (most > SMALL_REPEAT) r->repeats = true;
  ts_buf_add(r->out, ts_str_sub(r->text, r->at, n + 1));
  r->at += n + 1;
  return true;
}

/* At *, +, ? or {. */
static int quantifier(struct reader *r) {
  bool atom = r->atom;
  int c = peek(r, 0);
  if (c == '{' && !braces(r)) {
    r->at++;
    put_char(r, '{');
    r->atom = true;
    return 0;
  }
  if (!atom) return refuse(r, "nothing to repeat");
  if (c != '{') {
    r->at++;
    ts_buf_addc(r->out, (char)c);
    r->repeats |= c != '?';
  }
  if (skip(r, "?")) ts_buf_addc(r->out, '?');
  r->atom = false;
  return 0;
}

static int term(struct reader *r) {
  int c = peek(r, 0);
  if (is_one_of(c, "*+?{")) return quantifier(r);
  if (!is_one_of(c, "\\[.(|)^$")) {
    put_char(r, ts_tree_scalar(r->text, &r->at));
    r->atom = true;
    return 0;
  }
  r->at++;
  if (c == '\\') return escape(r);
  if (c == '[') return class(r);
  if (c == '(') return group(r);
  if (c == ')' && r->depth-- == 0) return refuse(r, "a bracket that was not opened");
  if (c == '.')
    ts_buf_addz(r->out, "[^\\n\\r\\x{2028}\\x{2029}]");
  else
    ts_buf_addc(r->out, (char)c);
  r->atom = c == '.' || c == ')';
  return 0;
}

/* Groups and their names are counted first: references may stand before what they refer to. */
static void count_groups(struct reader *r) {
  bool in_class = false;
  for (size_t i = 0; i < r->text.len; i++) {
    char c = r->text.ptr[i];
    struct ts_str rest = ts_str_sub(r->text, i + 1, r->text.len);
    if (c == '\\')
      i++;
    else if (c == '[' || c == ']')
      in_class = c == '[';
    if (c != '(' || in_class) continue;
    bool named = ts_str_starts(rest, TS_STR("?<")) && rest.len > 2 && rest.ptr[2] != '=' && rest.ptr[2] != '!';
    if (!named && ts_str_starts(rest, TS_STR("?"))) continue;
    r->groups++;
    size_t end = ts_str_find(rest, TS_STR(">"));
    if (!named || end == SIZE_MAX || r->names == NAMES_MAX) continue;
    r->name[r->names].name = ts_str_sub(rest, 2, end - 2);
    r->name[r->names++].number = r->groups;
  }
}

int ts_ecma_translate(struct ts_str pattern, struct ts_buf *out, bool *repeats, struct ts_buf *err) {
  struct reader r = { .text = pattern, .out = out, .err = err };
  count_groups(&r);
  while (r.at < pattern.len)
    if (term(&r)) return -1;
  *repeats = r.repeats;
  return r.depth > 0 ? refuse(&r, "a bracket that does not close") : 0;
}
