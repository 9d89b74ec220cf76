#include "catalog/version.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_identifier_byte(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static bool is_number(struct ts_str s) {
  for (size_t i = 0; i < s.len; i++)
    if (!is_digit(s.ptr[i])) return false;
  return s.len > 0;
}

/* A number as SemVer writes it: no zero in front. */
static bool is_strict_number(struct ts_str s) { return is_number(s) && (s.len == 1 || s.ptr[0] != '0'); }

/* Takes what stands before the next `mark` off the front of *rest; *more says whether the mark was there. */
static struct ts_str take(struct ts_str *rest, char mark, bool *more) {
  const char *hit = rest->len > 0 ? memchr(rest->ptr, mark, rest->len) : NULL;
  size_t len = hit ? (size_t)(hit - rest->ptr) : rest->len;
  struct ts_str head = ts_str_sub(*rest, 0, len);
  *more = hit != NULL;
  *rest = ts_str_sub(*rest, hit ? len + 1 : len, SIZE_MAX);
  return head;
}

/* Dot-separated identifiers, none empty; numeric ones of a prerelease without a zero in front. */
static bool are_identifiers(struct ts_str s, bool strict_numbers) {
  bool more = true;
  while (more) {
    struct ts_str id = take(&s, '.', &more);
    if (id.len == 0) return false;
    for (size_t i = 0; i < id.len; i++)
      if (!is_identifier_byte(id.ptr[i])) return false;
    if (strict_numbers && is_number(id) && !is_strict_number(id)) return false;
  }
  return true;
}

int ts_version_parse(struct ts_str text, struct ts_version *v) {
  bool has_build, has_prerelease, more;
  *v = (struct ts_version){ 0 };
  struct ts_str build = text, before_build = take(&build, '+', &has_build);
  struct ts_str prerelease = before_build, core = take(&prerelease, '-', &has_prerelease);
  if (has_build && !are_identifiers(build, false)) return -1;
  if (has_prerelease && !are_identifiers(prerelease, true)) return -1;
  for (size_t i = 0; i < TS_COUNT(v->core); i++) {
    v->core[i] = take(&core, '.', &more);
    if (!is_strict_number(v->core[i]) || more != (i + 1 < TS_COUNT(v->core))) return -1;
  }
  v->prerelease = prerelease;
  return 0;
}

/* Numbers without zeros in front: the longer one is greater. */
static int number_cmp(struct ts_str a, struct ts_str b) {
  if (a.len != b.len) return a.len < b.len ? -1 : 1;
  return ts_str_cmp(a, b);
}

/* Numeric identifiers come before alphanumeric ones (section 11.4). */
static int identifier_cmp(struct ts_str a, struct ts_str b) {
  bool a_is_number = is_number(a), b_is_number = is_number(b);
  if (a_is_number && b_is_number) return number_cmp(a, b);
  if (a_is_number != b_is_number) return a_is_number ? -1 : 1;
  return ts_str_cmp(a, b);
}

static int prerelease_cmp(struct ts_str a, struct ts_str b) {
  if (a.len == 0 || b.len == 0) return (a.len == 0) - (b.len == 0); /* a release comes after its prereleases */
  for (;;) {
    bool a_more, b_more;
    int order = identifier_cmp(take(&a, '.', &a_more), take(&b, '.', &b_more));
    if (order != 0) return order;
    if (!a_more || !b_more) return (int)a_more - (int)b_more;
  }
}

int ts_version_cmp(const struct ts_version *a, const struct ts_version *b) {
  for (size_t i = 0; i < TS_COUNT(a->core); i++) {
    int order = number_cmp(a->core[i], b->core[i]);
    if (order != 0) return order;
  }
  return prerelease_cmp(a->prerelease, b->prerelease);
}
