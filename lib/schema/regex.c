#include "schema/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "schema/ecma.h"

enum {
  STEPS_LEAST = 200000, /* backtracking steps at one start, about a millisecond … */
  STEPS_PER_BYTE = 8,   /* … and more for long texts, which honest patterns walk through a few times */
  HEAP_KIB = 16 * 1024, /* a line may cost 32 MiB beyond itself */
  LONG_TEXT = 64 * 1024,
  STARTS_MAX = 4096, /* starts tried in a long text when each may walk to its end */
};

struct ts_regex {
  pcre2_code *code;
  pcre2_match_data *data;
  pcre2_match_context *limits;
  bool far; /* each start may walk to the end of the text */
  struct ts_buf scratch;
};

static struct ts_regex *make_regex(pcre2_code *code, bool repeats) {
  struct ts_regex *r = ts_xcalloc(1, sizeof *r);
  r->code = code;
  r->data = pcre2_match_data_create(1, NULL);
  r->limits = pcre2_match_context_create(NULL);
  if (!r->data || !r->limits) ts_out_of_memory();
  uint32_t options = 0;
  (void)pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options);
  r->far = repeats && !(options & PCRE2_ANCHORED);
  (void)pcre2_set_heap_limit(r->limits, HEAP_KIB);
  return r;
}

struct ts_regex *ts_regex_compile(struct ts_str pattern, bool nocase, struct ts_buf *err) {
  struct ts_buf spelt = { 0 };
  bool repeats = false;
  if (ts_ecma_translate(pattern, &spelt, &repeats, err)) {
    ts_buf_free(&spelt);
    return NULL;
  }
  uint32_t options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
                     PCRE2_ALLOW_EMPTY_CLASS | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
  int error = 0;
  size_t at = 0;
  pcre2_code *code = pcre2_compile((PCRE2_SPTR)ts_buf_z(&spelt), spelt.len, options | (nocase ? PCRE2_CASELESS : 0),
                                   &error, &at, NULL);
  ts_buf_free(&spelt);
  if (code) return make_regex(code, repeats);
  PCRE2_UCHAR why[160] = "";
  (void)pcre2_get_error_message(error, why, sizeof why);
  ts_fail(err, "the pattern '%.*s' can't be used: %s", TS_FMT(pattern), (const char *)why);
  return NULL;
}

/* UTF-8 as PCRE2 wants it: borrowed when it is so already. */
static struct ts_str plain_text(struct ts_regex *r, struct ts_str text) {
  if (!text.ptr) return TS_STR("");
  if (ts_utf8_valid(text) == text.len) return text;
  ts_buf_clear(&r->scratch);
  for (size_t at = 0; at < text.len;) ts_utf8_put(&r->scratch, ts_tree_scalar(text, &at));
  return ts_buf_str(&r->scratch);
}

int ts_regex_match(struct ts_regex *r, struct ts_str text) {
  text = plain_text(r, text);
  uint64_t steps = STEPS_LEAST + STEPS_PER_BYTE * (uint64_t)text.len;
  bool cut = r->far && text.len > LONG_TEXT;
  (void)pcre2_set_match_limit(r->limits, steps > UINT32_MAX ? UINT32_MAX : (uint32_t)steps);
  (void)pcre2_set_offset_limit(r->limits, cut ? STARTS_MAX : PCRE2_UNSET);
  int found = pcre2_match(r->code, (PCRE2_SPTR)text.ptr, text.len, 0, PCRE2_NO_UTF_CHECK, r->data, r->limits);
  if (found >= 0) return 1;
  return found == PCRE2_ERROR_NOMATCH && !cut ? 0 : -1;
}

void ts_regex_free(struct ts_regex *r) {
  if (!r) return;
  pcre2_code_free(r->code);
  pcre2_match_data_free(r->data);
  pcre2_match_context_free(r->limits);
  ts_buf_free(&r->scratch);
  free(r);
}
