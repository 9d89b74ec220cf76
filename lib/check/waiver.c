#include "check/waiver.h"

#include "base/diag.h"
#include "base/xalloc.h"
#include "catalog/version.h"
#include "io/lines.h"
#include "json/scan.h"

#define LINE_MAX_BYTES (1u << 20) /* a waiver is a sentence, not a book */

/* Texts of a waiver. */
enum member { FINGERPRINT, RULE, NAME, POINTER, REASON, EXPIRES, TYPE, MEMBERS };

static const char *const member_names[MEMBERS] = {
  [FINGERPRINT] = "fingerprint", [RULE] = "rule",       [NAME] = "name", [POINTER] = "pointer",
  [REASON] = "reason",           [EXPIRES] = "expires", [TYPE] = "type",
};

struct ts_waiver {
  struct ts_str text[MEMBERS]; /* ptr NULL: not given */
  enum ts_rule_id rule;        /* TS_RULES: none, or none of that name */
  struct ts_place place;
  bool has_ended, is_used;
};

static bool is_given(const struct ts_waiver *w, enum member m) { return w->text[m].ptr != NULL; }

/* Names a rule that can't be waived, or that is none? */
static bool is_void(const struct ts_waiver *w) {
  return is_given(w, RULE) && (w->rule == TS_RULES || ts_rule(w->rule)->part == TS_INTEGRITY);
}

static enum member find_member(struct ts_str key) {
  int m = 0;
  while (m < MEMBERS && !ts_str_is(key, member_names[m])) m++;
  return (enum member)m;
}

/* `file:line:column: why`, of byte `at` of the waiver's line. */
static int TS_PRINTF(4, 5) fail_at(struct ts_buf *err, const struct ts_waiver *w, size_t at, const char *why, ...) {
  struct ts_buf sentence = { 0 };
  va_list args;
  va_start(args, why);
  ts_buf_addv(&sentence, why, args);
  va_end(args);
  ts_fail(err, "%.*s:%llu:%zu: %s", TS_FMT(w->place.file), (unsigned long long)w->place.line, at + 1,
          ts_buf_z(&sentence));
  ts_buf_free(&sentence);
  return -1;
}

static int take_member(struct ts_waivers *all, struct ts_waiver *w, const struct ts_json *j, uint32_t key,
                       struct ts_buf *err) {
  struct ts_buf scratch = { 0 };
  struct ts_str name = ts_json_text(j, key, &scratch);
  enum member m = find_member(name);
  uint32_t value = key + 1;
  int status = 0;
  if (m == MEMBERS)
    status = fail_at(err, w, j->node[key].start, "a waiver has no member '%.*s'", TS_FMT(name));
  else if (j->node[value].kind != TS_JSON_STRING)
    status = fail_at(err, w, j->node[value].start, "'%s' must be a string", member_names[m]);
  else
    w->text[m] = ts_arena_dup(&all->arena, ts_json_text(j, value, &scratch));
  ts_buf_free(&scratch);
  return status;
}

static bool is_fingerprint(struct ts_str s) {
  size_t i = 0;
  while (i < s.len && strchr("0123456789abcdef", s.ptr[i]) && s.ptr[i]) i++;
  return s.len == TS_FINGERPRINT - 1 && i == s.len;
}

/* Is it whole? Fills what follows from its texts. */
static int settle(struct ts_waivers *all, struct ts_waiver *w, struct ts_buf *err) {
  static const enum member mandatory[] = { REASON, EXPIRES };
  struct ts_version expires, version;
  if (is_given(w, TYPE) && !ts_str_is(w->text[TYPE], "waiver"))
    return fail_at(err, w, 0, "'%.*s' is no waiver", TS_FMT(w->text[TYPE]));
  if (!is_given(w, FINGERPRINT) && !is_given(w, RULE))
    return fail_at(err, w, 0, "a waiver needs 'fingerprint' or 'rule'");
  for (size_t i = 0; i < TS_COUNT(mandatory); i++)
    if (ts_str_trim(w->text[mandatory[i]], " \t\r\n").len == 0)
      return fail_at(err, w, 0, "a waiver needs '%s'", member_names[mandatory[i]]);
  if (is_given(w, FINGERPRINT) && !is_fingerprint(w->text[FINGERPRINT]))
    return fail_at(err, w, 0, "'%.*s' is no fingerprint: those have 16 hex digits", TS_FMT(w->text[FINGERPRINT]));
  if (ts_version_parse(w->text[EXPIRES], &expires) < 0)
    return fail_at(err, w, 0, "'%.*s' is no version (MAJOR.MINOR.PATCH)", TS_FMT(w->text[EXPIRES]));
  if (all->has_version && ts_version_parse(all->version, &version) == 0)
    w->has_ended = ts_version_cmp(&version, &expires) >= 0;
  w->rule = is_given(w, RULE) ? ts_rule_find(w->text[RULE]) : TS_RULES;
  all->by_fingerprint |= is_given(w, FINGERPRINT);
  return 0;
}

static int read_waiver(struct ts_waivers *all, struct ts_waiver *w, struct ts_json *j, struct ts_str line,
                       struct ts_buf *err) {
  static const unsigned refused = 1u << TS_JSON_DUPLICATE_KEY | 1u << TS_JSON_BAD_UTF8;
  if (ts_json_scan(j, line, NULL) < 0) return fail_at(err, w, j->at, "not JSON: %s", j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT)) return fail_at(err, w, 0, "a waiver is a JSON object");
  if (j->issues & refused) {
    bool is_doubled = (j->issues & 1u << TS_JSON_DUPLICATE_KEY) != 0;
    return fail_at(err, w, j->issue_at[is_doubled ? TS_JSON_DUPLICATE_KEY : TS_JSON_BAD_UTF8], "%s",
                   is_doubled ? "a member stands here twice" : "not UTF-8");
  }
  for (uint32_t key = ts_json_first(j, 0); key; key = ts_json_after(j, 0, key))
    if (take_member(all, w, j, key, err) < 0) return -1;
  return settle(all, w, err);
}

static int read_lines(struct ts_waivers *all, struct ts_input *in, struct ts_str file, struct ts_buf *err) {
  struct ts_json j = { 0 };
  struct ts_line line;
  int status;
  while ((status = ts_input_line(in, LINE_MAX_BYTES, &line, err)) == 1) {
    struct ts_waiver w = { .place = { file, line.number, 1 } };
    if (line.too_long)
      status = fail_at(err, &w, LINE_MAX_BYTES, "a waiver this long is none");
    else if (ts_str_trim(line.text, " \t\r").len == 0)
      continue;
    else
      status = read_waiver(all, &w, &j, line.text, err);
    if (status < 0) break;
    ts_xgrow(&all->item, &all->cap, all->count + 1, sizeof *all->item);
    all->item[all->count++] = w;
  }
  ts_json_free(&j);
  return status;
}

int ts_waivers_load(struct ts_waivers *all, const char *path, struct ts_str version, struct ts_buf *err) {
  struct ts_version parsed;
  all->version = ts_arena_dup(&all->arena, version);
  all->has_version = ts_version_parse(version, &parsed) == 0;
  struct ts_input *in = ts_input_open(path, err);
  if (!in) return -1;
  int status = read_lines(all, in, ts_arena_dup(&all->arena, ts_str_z(path)), err);
  ts_input_close(in);
  return status;
}

static bool agrees(const struct ts_waiver *w, enum member m, struct ts_str text) {
  return !is_given(w, m) || ts_str_eq(w->text[m], text);
}

bool ts_waivers_match(struct ts_waivers *all, const struct ts_finding *f) {
  char fingerprint[TS_FINGERPRINT] = "";
  bool is_covered = false;
  if (ts_rule(f->rule)->part == TS_INTEGRITY) return false;
  if (all->by_fingerprint) ts_finding_fingerprint(f, fingerprint);
  for (size_t i = 0; i < all->count; i++) {
    struct ts_waiver *w = &all->item[i];
    if (w->has_ended || is_void(w) || (is_given(w, RULE) && w->rule != f->rule)) continue;
    if (!agrees(w, FINGERPRINT, ts_str_z(fingerprint)) || !agrees(w, NAME, f->name) || !agrees(w, POINTER, f->pointer))
      continue;
    is_covered = w->is_used = true;
  }
  return is_covered;
}

/* "the waiver of 'rule' for 'name' at 'pointer'", as far as it says. */
static void add_subject(struct ts_buf *out, const struct ts_waiver *w) {
  static const struct {
    enum member member;
    const char *word;
  } parts[] = {
    { RULE, " of" },
    { FINGERPRINT, " of finding" },
    { NAME, " for" },
    { POINTER, " at" },
  };
  ts_buf_addz(out, "the waiver");
  for (size_t i = 0; i < TS_COUNT(parts); i++) {
    struct ts_str text = w->text[parts[i].member];
    if (text.len > 0) ts_buf_addf(out, "%s '%.*s'", parts[i].word, TS_FMT(text));
  }
}

static void add_reason(struct ts_buf *out, const struct ts_waiver *w) {
  ts_buf_addf(out, " (its reason: %.*s)", TS_FMT(w->text[REASON]));
}

/* A rule that is none, or that nobody may waive. */
static void say_void(struct ts_buf *out, const struct ts_waiver *w) {
  enum ts_rule_id near = ts_rule_nearest(w->text[RULE]);
  if (w->rule != TS_RULES)
    ts_buf_addz(out, " covers nothing: an integrity rule can't be waived");
  else if (near != TS_RULES)
    ts_buf_addf(out, " covers nothing: there is no such rule; did you mean '%s'?", ts_rule(near)->id);
  else
    ts_buf_addz(out, " covers nothing: there is no such rule");
}

/* The rule that the waiver breaks, with the rest of its message; TS_RULES when it breaks none. */
static enum ts_rule_id judge(const struct ts_waivers *all, const struct ts_waiver *w, unsigned parts,
                             struct ts_buf *message) {
  bool was_checked = !is_given(w, RULE) || is_void(w) || (parts >> ts_rule(w->rule)->part & 1) != 0;
  if (is_void(w)) {
    say_void(message, w);
    return TS_RULE_RULE_UNKNOWN;
  }
  if (w->has_ended) {
    ts_buf_addf(message, " ended with %.*s, and the catalog is %.*s", TS_FMT(w->text[EXPIRES]), TS_FMT(all->version));
    add_reason(message, w);
    return TS_RULE_WAIVER_EXPIRED;
  }
  if (!w->is_used && was_checked) {
    ts_buf_addz(message, " covers nothing: it can go");
    add_reason(message, w);
    return TS_RULE_WAIVER_UNUSED;
  }
  if (!all->has_version && w->is_used) {
    ts_buf_addf(message, " ends with %.*s, and nobody knows whether that is reached: the catalog has no version",
                TS_FMT(w->text[EXPIRES]));
    return TS_RULE_WAIVER_EXPIRED;
  }
  return TS_RULES;
}

void ts_waivers_finish(const struct ts_waivers *all, unsigned parts, ts_finding_fn *report, void *context) {
  struct ts_buf message = { 0 }, expires = { 0 };
  for (size_t i = 0; i < all->count; i++) {
    const struct ts_waiver *w = &all->item[i];
    ts_buf_clear(&message);
    ts_buf_clear(&expires);
    add_subject(&message, w);
    enum ts_rule_id rule = judge(all, w, parts, &message);
    if (rule == TS_RULES) continue;
    ts_json_quote(&expires, w->text[EXPIRES]);
    struct ts_finding f = { .rule = rule,
                            .message = ts_buf_str(&message),
                            .name = w->text[NAME],
                            .old_value = ts_buf_str(&expires),
                            .place = w->place };
    if (rule == TS_RULE_WAIVER_EXPIRED && !w->has_ended) f.vector.level[TS_POLICY] = TS_UNKNOWN;
    report(context, &f);
  }
  ts_buf_free(&message);
  ts_buf_free(&expires);
}

void ts_waivers_free(struct ts_waivers *w) {
  free(w->item);
  ts_arena_free(&w->arena);
  *w = (struct ts_waivers){ 0 };
}
