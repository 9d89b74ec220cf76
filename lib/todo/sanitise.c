#include "todo/sanitise.h"

#include "base/utf8.h"
#include "todo/text.h"

static const struct ts_todo_tag codewhale_tags[] = { { TS_STR("codewhale"), true } };
/* system-reminder is what other harnesses wrap around text of their own; it is guarded without being asked. */
static const struct ts_todo_tag strict_tags[] = { { TS_STR("codewhale"), true }, { TS_STR("system-reminder"), false } };

const struct ts_todo_dialect ts_todo_codewhale = {
  .name = "codewhale",
  .blank = TS_CHAR_CONTROL,
  .empty = "",
  .trim_fork = true,
  .tag = codewhale_tags,
  .tag_count = TS_COUNT(codewhale_tags),
};

const struct ts_todo_dialect ts_todo_strict = {
  .name = "strict",
  .blank = TS_CHAR_CONTROL | TS_CHAR_BREAK | TS_CHAR_BIDI,
  .drop = TS_CHAR_IGNORABLE,
  .keep = TS_CHAR_JOINT,
  .between = TS_CHAR_SPACE_RUST | TS_CHAR_JOINT,
  .guard_opening = true,
  .keep_spelling = true,
  .whole_clusters = true,
  .empty = "(empty)",
  .all_active = true,
  .own_percent = true,
  .tag = strict_tags,
  .tag_count = TS_COUNT(strict_tags),
};

enum { ELLIPSIS = 0x2026 };

/* What stands for a character that does not stay as it is; NULL: it stays. What is no character (a lone surrogate, a
 * stray byte) becomes U+FFFD. */
static const char *replacement(const struct ts_todo_dialect *d, uint32_t scalar) {
  unsigned kinds = ts_char_kinds(scalar);
  if (kinds & d->blank) return " ";
  if (scalar == TS_UTF8_BAD || (scalar >= 0xd800 && scalar < 0xe000)) return "\xef\xbf\xbd";
  return (kinds & d->drop) && !(kinds & d->keep) ? "" : NULL;
}

/* S1 and S2. */
static void replace_characters(struct ts_todo_cleaner *c, struct ts_str content) {
  size_t kept = 0; /* what stands between is still to be copied */
  ts_buf_clear(&c->clean);
  for (size_t at = 0; at < content.len;) {
    size_t from = at;
    if (content.ptr[at] >= ' ' && content.ptr[at] <= '~') {
      at++;
      continue;
    }
    uint32_t scalar = ts_wtf8_next(content, &at);
    if (scalar == TS_UTF8_BAD) at = from + ts_todo_bad_bytes(content, from);
    const char *other = replacement(c->dialect, scalar);
    if (!other) continue;
    ts_buf_add(&c->clean, ts_str_sub(content, kept, from - kept));
    ts_buf_addz(&c->clean, other);
    kept = at;
  }
  ts_buf_add(&c->clean, ts_str_sub(content, kept, content.len));
}

static unsigned char lower(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

/* Where s goes on behind the characters of these kinds. */
static size_t skip_kinds(struct ts_str s, size_t at, unsigned kinds) {
  while (at < s.len) {
    size_t after = at;
    if (!(ts_char_kinds(ts_wtf8_next(s, &after)) & kinds)) break;
    at = after;
  }
  return at;
}

/* Does `name` stand at `at`, in any case, with characters of the kinds in `between` anywhere in it? Then *end is
 * behind it. */
static bool name_at(struct ts_str s, size_t at, struct ts_str name, unsigned between, size_t *end) {
  for (size_t i = 0; i < name.len; i++) {
    at = skip_kinds(s, at, between);
    if (at >= s.len || lower(s.ptr[at]) != lower(name.ptr[i])) return false;
    at++;
  }
  *end = at;
  return true;
}

/* Does the `<` at `at` open or close a guarded tag? Then *end is behind what gives it away. Each character is
 * looked at for one `<` only, as none of what may be skipped is one: linear over a whole text. */
static bool tag_at(const struct ts_todo_dialect *d, const struct ts_todo_tag *tag, struct ts_str s, size_t at,
                   size_t *end) {
  size_t next = skip_kinds(s, at + 1, d->between);
  bool closing = next < s.len && s.ptr[next] == '/';
  if (!closing && !d->guard_opening) return false;
  if (!name_at(s, closing ? next + 1 : next, tag->name, d->between, end)) return false;
  return !tag->colon || name_at(s, *end, TS_STR(":"), d->between, end);
}

static bool is_tag(const struct ts_todo_cleaner *c, struct ts_str s, size_t at, size_t *end) {
  for (size_t i = 0; i < c->dialect->tag_count; i++)
    if (tag_at(c->dialect, &c->dialect->tag[i], s, at, end)) return true;
  for (size_t i = 0; i < c->tag_count; i++)
    if (tag_at(c->dialect, &c->tag[i], s, at, end)) return true;
  return false;
}

/* S3: appends s with a backslash behind the `<` of each guarded tag, and stops when more than max scalars are
 * there. Returns how many there are. */
static size_t add_guarded(const struct ts_todo_cleaner *c, struct ts_str s, size_t max, struct ts_buf *out) {
  size_t count = 0, small_until = 0;
  for (size_t at = 0; at < s.len && count <= max; count++) {
    size_t from = at, end;
    if (s.ptr[at] == '<' && is_tag(c, s, at, &end)) {
      if (!c->dialect->keep_spelling) small_until = end;
      ts_buf_addz(out, "<\\");
      count++;
      at++;
      continue;
    }
    (void)ts_utf8_next(s, &at);
    if (from < small_until)
      ts_buf_addc(out, (char)lower(s.ptr[from]));
    else
      ts_buf_add(out, ts_str_sub(s, from, at - from));
  }
  return count;
}

/* The first max scalars of s, in bytes. */
static size_t scalars(struct ts_str s, size_t max) {
  size_t at = 0;
  for (; at < s.len && max > 0; max--) (void)ts_utf8_next(s, &at);
  return at;
}

/* S5: bytes of s that stay when room for `keep` scalars is left before the mark. */
static size_t cut_at(const struct ts_todo_dialect *d, struct ts_str s, size_t keep) {
  size_t limit = scalars(s, keep), at = 0;
  if (!d->whole_clusters) return limit;
  for (;;) {
    size_t cluster = ts_utf8_grapheme(ts_str_sub(s, at, s.len));
    if (cluster == 0 || at + cluster > limit) break;
    at += cluster;
  }
  if (at == 0) at = limit; /* the first cluster alone is too long */
  return ts_todo_trim_end(ts_str_sub(s, 0, at), TS_CHAR_SPACE_RUST).len;
}

void ts_todo_clean(struct ts_todo_cleaner *c, struct ts_str content, size_t max, struct ts_buf *line) {
  replace_characters(c, content);
  size_t from = line->len;
  struct ts_str trimmed = ts_todo_trim(ts_buf_str(&c->clean), TS_CHAR_SPACE_RUST);
  if (add_guarded(c, trimmed, max, line) > max) {
    struct ts_str text = ts_str_sub(ts_buf_str(line), from, line->len);
    ts_buf_cut(line, from + cut_at(c->dialect, text, max - 1));
    ts_utf8_put(line, ELLIPSIS);
  }
  if (line->len == from) ts_buf_addz(line, c->dialect->empty);
}

void ts_todo_cleaner_free(struct ts_todo_cleaner *c) { ts_buf_free(&c->clean); }
