/* check/waiver: which findings a file of waivers covers, what is said of the waivers, and which files are refused. */
#include "check/waiver.h"

#include <unistd.h>

#include "tap.h"

#define LINT (1u << TS_LINT)
#define DRIFT (1u << TS_DRIFT)

static char path[256];

/* The path of a file that holds text. */
static const char *file_with(struct ts_str text) {
  const char *folder = getenv("TMPDIR");
  (void)snprintf(path, sizeof path, "%s/waivers-XXXXXX", folder ? folder : "/tmp");
  int fd = mkstemp(path);
  if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len) {
    perror(path);
    exit(2);
  }
  close(fd);
  return path;
}

static int load(struct ts_waivers *w, struct ts_str text, const char *version, struct ts_buf *err) {
  int status = ts_waivers_load(w, file_with(text), ts_str_z(version), err);
  unlink(path);
  return status;
}

#define WHY "\"reason\":\"so be it\",\"expires\":\"2.0.0\"}\n"

static void test_match(void) {
  static const struct ts_finding dropped = { .rule = TS_RULE_NAME_DROPPED, .name = TS_STR("exec") },
                                 changed = { .rule = TS_RULE_TYPE_CHANGED,
                                             .name = TS_STR("exec"),
                                             .pointer = TS_STR("/properties/n"),
                                             .old_value = TS_STR("\"string\"") },
                                 nameless = { .rule = TS_RULE_MASS_REMOVAL },
                                 golden = { .rule = TS_RULE_GOLDEN_STALE, .name = TS_STR("exec") };
  char print[TS_FINGERPRINT];
  struct ts_buf by_print = { 0 };
  ts_finding_fingerprint(&changed, print);
  ts_buf_addf(&by_print, "{\"fingerprint\":\"%s\"," WHY, print);
  const struct {
    const char *what;
    struct ts_str waivers;
    bool dropped, changed, nameless;
  } rows[] = {
    { "no waiver", TS_STR(""), false, false, false },
    { "blank lines", TS_STR("\xef\xbb\xbf\r\n  \n"), false, false, false },
    { "a rule and a name", TS_STR("{\"rule\":\"name-dropped\",\"name\":\"exec\"," WHY), true, false, false },
    { "a rule", TS_STR("{\"rule\":\"name-dropped\"," WHY), true, false, false },
    { "another name", TS_STR("{\"rule\":\"name-dropped\",\"name\":\"exe\"," WHY), false, false, false },
    { "a rule without a name", TS_STR("{\"rule\":\"mass-removal\"," WHY), false, false, true },
    { "an empty name", TS_STR("{\"rule\":\"mass-removal\",\"name\":\"\"," WHY), false, false, true },
    { "a pointer", TS_STR("{\"rule\":\"type-changed\",\"name\":\"exec\",\"pointer\":\"/properties/n\"," WHY), false,
      true, false },
    { "another pointer", TS_STR("{\"rule\":\"type-changed\",\"name\":\"exec\",\"pointer\":\"/properties\"," WHY), false,
      false, false },
    { "an empty pointer", TS_STR("{\"rule\":\"type-changed\",\"name\":\"exec\",\"pointer\":\"\"," WHY), false, false,
      false },
    { "a fingerprint", ts_buf_str(&by_print), false, true, false },
    { "another fingerprint", TS_STR("{\"fingerprint\":\"0000000000000000\"," WHY), false, false, false },
    { "one of two, with CRLF",
      TS_STR("{\"rule\":\"name-added\"," WHY "\r\n{\"type\":\"waiver\",\"rule\":\"name-\\u0064ropped\"," WHY), true,
      false, false },
    { "an integrity rule", TS_STR("{\"rule\":\"golden-stale\",\"name\":\"exec\"," WHY), false, false, false },
    { "an unknown rule", TS_STR("{\"rule\":\"name-dropper\",\"name\":\"exec\"," WHY), false, false, false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_waivers w = { 0 };
    struct ts_buf err = { 0 };
    IS_INT(load(&w, rows[i].waivers, "1.0.0", &err), 0, "%s: is read", rows[i].what);
    OK(ts_waivers_match(&w, &dropped) == rows[i].dropped, "%s: name-dropped", rows[i].what);
    OK(ts_waivers_match(&w, &changed) == rows[i].changed, "%s: type-changed", rows[i].what);
    OK(ts_waivers_match(&w, &nameless) == rows[i].nameless, "%s: mass-removal", rows[i].what);
    OK(!ts_waivers_match(&w, &golden), "%s: golden-stale", rows[i].what);
    ts_waivers_free(&w);
    ts_buf_free(&err);
  }
  ts_buf_free(&by_print);
}

static void note(void *context, const struct ts_finding *f) {
  struct ts_buf *log = context;
  char print[TS_FINGERPRINT];
  ts_finding_fingerprint(f, print);
  ts_buf_addf(log, "%llu %s %s: %.*s\n", (unsigned long long)f->place.line, ts_level_name(ts_finding_severity(f)),
              ts_rule(f->rule)->id, TS_FMT(f->message));
}

static void test_finish(void) {
  static const struct {
    const char *version, *expires;
    unsigned parts;
    const char *said;
  } rows[] = {
    { "1.0.0", "2.0.0", DRIFT, "" },
    { "1.0.0", "1.0.1", LINT, "" },
    { "2.0.0", "2.0.0", DRIFT,
      "1 error waiver-expired: the waiver of 'name-dropped' for 'exec' ended with 2.0.0, and the catalog is 2.0.0 "
      "(its reason: so be it)\n" },
    { "2.0.1", "2.0.0", LINT,
      "1 error waiver-expired: the waiver of 'name-dropped' for 'exec' ended with 2.0.0, and the catalog is 2.0.1 "
      "(its reason: so be it)\n" },
    { "2.0.0-rc.1", "2.0.0", DRIFT, "" },
    { "2.0.0", "2.0.0-rc.1", DRIFT,
      "1 error waiver-expired: the waiver of 'name-dropped' for 'exec' ended with 2.0.0-rc.1, and the catalog is 2.0.0 "
      "(its reason: so be it)\n" },
    { "", "2.0.0", DRIFT,
      "1 unknown waiver-expired: the waiver of 'name-dropped' for 'exec' ends with 2.0.0, and nobody knows whether "
      "that "
      "is reached: the catalog has no version\n" },
    { "soon", "2.0.0", DRIFT,
      "1 unknown waiver-expired: the waiver of 'name-dropped' for 'exec' ends with 2.0.0, and nobody knows whether "
      "that "
      "is reached: the catalog has no version\n" },
  };
  const struct ts_finding dropped = { .rule = TS_RULE_NAME_DROPPED, .name = TS_STR("exec") };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_waivers w = { 0 };
    struct ts_buf err = { 0 }, text = { 0 }, log = { 0 };
    ts_buf_addf(&text, "{\"rule\":\"name-dropped\",\"name\":\"exec\",\"reason\":\"so be it\",\"expires\":\"%s\"}",
                rows[i].expires);
    IS_INT(load(&w, ts_buf_str(&text), rows[i].version, &err), 0, "%zu: is read", i);
    bool has_ended = ts_str_has(ts_str_z(rows[i].said), TS_STR(" error "));
    OK(ts_waivers_match(&w, &dropped) == !has_ended, "%zu: covers only while it lasts", i);
    ts_waivers_finish(&w, rows[i].parts, note, &log);
    IS_Z(ts_buf_z(&log), rows[i].said, "%zu: '%s' against '%s'", i, rows[i].version, rows[i].expires);
    ts_waivers_free(&w);
    ts_buf_free(&err);
    ts_buf_free(&text);
    ts_buf_free(&log);
  }
}

static void test_useless(void) {
  static const struct ts_str text =
      TS_STR("{\"rule\":\"name-dropped\",\"name\":\"a\"," WHY "{\"rule\":\"niche-shared\"," WHY
             "\n{\"fingerprint\":\"0123456789abcdef\"," WHY "{\"rule\":\"golden-stale\"," WHY
             "{\"rule\":\"name-droped\"," WHY "{\"rule\":\"\\u001b[2J\",\"pointer\":\"/p\"," WHY);
#define REST                                                                                               \
  "4 warning waiver-unused: the waiver of finding '0123456789abcdef' covers nothing: it can go "           \
  "(its reason: so be it)\n"                                                                               \
  "5 error rule-unknown: the waiver of 'golden-stale' covers nothing: an integrity rule can't be waived\n" \
  "6 error rule-unknown: the waiver of 'name-droped' covers nothing: there is no such rule; did you mean " \
  "'name-dropped'?\n"                                                                                      \
  "7 error rule-unknown: the waiver of '\x1b[2J' at '/p' covers nothing: there is no such rule\n"
  static const struct {
    unsigned parts;
    const char *said;
  } rows[] = {
    { DRIFT,
      "1 warning waiver-unused: the waiver of 'name-dropped' for 'a' covers nothing: it can go (its reason: so be "
      "it)\n" REST },
    { LINT,
      "2 warning waiver-unused: the waiver of 'niche-shared' covers nothing: it can go (its reason: so be it)\n" REST },
    { 0, REST },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_waivers w = { 0 };
    struct ts_buf err = { 0 }, log = { 0 };
    IS_INT(load(&w, text, "1.0.0", &err), 0, "useless %zu: is read", i);
    ts_waivers_finish(&w, rows[i].parts, note, &log);
    IS_Z(ts_buf_z(&log), rows[i].said, "useless %zu: what is said", i);
    ts_waivers_free(&w);
    ts_buf_free(&err);
    ts_buf_free(&log);
  }
}

static void test_refused(void) {
  static const struct {
    struct ts_str text;
    const char *err;
  } rows[] = {
    { TS_STR("{\"rule\":\"name-dropped\",\"expires\":\"2.0.0\"}"), "1:1: a waiver needs 'reason'" },
    { TS_STR("{\"rule\":\"name-dropped\",\"reason\":\" \\t\",\"expires\":\"2.0.0\"}"), "1:1: a waiver needs 'reason'" },
    { TS_STR("{\"rule\":\"name-dropped\",\"reason\":\"r\"}"), "1:1: a waiver needs 'expires'" },
    { TS_STR("{\"rule\":\"name-dropped\",\"reason\":\"r\",\"expires\":\"\"}"), "1:1: a waiver needs 'expires'" },
    { TS_STR("{\"rule\":\"name-dropped\",\"reason\":\"r\",\"expires\":\"TBD\"}"),
      "1:1: 'TBD' is no version (MAJOR.MINOR.PATCH)" },
    { TS_STR("{\"rule\":\"name-dropped\",\"reason\":\"r\",\"expires\":2}"), "1:47: 'expires' must be a string" },
    { TS_STR("{\"rule\":null," WHY), "1:9: 'rule' must be a string" },
    { TS_STR("{" WHY), "1:1: a waiver needs 'fingerprint' or 'rule'" },
    { TS_STR("{\"name\":\"exec\"," WHY), "1:1: a waiver needs 'fingerprint' or 'rule'" },
    { TS_STR("{\"fingerprint\":\"0123\"," WHY), "1:1: '0123' is no fingerprint: those have 16 hex digits" },
    { TS_STR("{\"fingerprint\":\"0123456789ABCDEF\"," WHY),
      "1:1: '0123456789ABCDEF' is no fingerprint: those have 16 hex digits" },
    { TS_STR("\n{\"rule\":\"name-dropped\",\"nmae\":\"exec\"," WHY), "2:24: a waiver has no member 'nmae'" },
    { TS_STR("{\"rule\":\"name-dropped\",\"rule\":\"niche-shared\"," WHY), "1:24: a member stands here twice" },
    { TS_STR("{\"type\":\"tool\",\"rule\":\"name-dropped\"," WHY), "1:1: 'tool' is no waiver" },
    { TS_STR("{\"rule\":\"a\xff\"," WHY), "1:11: not UTF-8" },
    { TS_STR("{\"rule\":\"name-dropped\","), "1:24: not JSON: " },
    { TS_STR("[]\n"), "1:1: a waiver is a JSON object" },
    { TS_STR("{\"rule\":\"name-dropped\"," WHY "{\"rule\":\"x\"}"), "2:1: a waiver needs 'reason'" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_waivers w = { 0 };
    struct ts_buf err = { 0 }, want = { 0 };
    IS_INT(load(&w, rows[i].text, "1.0.0", &err), -1, "refused %zu", i);
    ts_buf_addf(&want, "%s:%s", path, rows[i].err);
    if (ts_str_ends(ts_buf_str(&want), TS_STR(": "))) ts_buf_cut(&err, want.len); /* the scanner's own words follow */
    IS(ts_buf_str(&err), ts_buf_str(&want), "refused %zu: sentence", i);
    ts_waivers_free(&w);
    ts_buf_free(&err);
    ts_buf_free(&want);
  }
}

static void test_unreadable(void) {
  struct ts_waivers w = { 0 };
  struct ts_buf err = { 0 }, text = { 0 };
  IS_INT(ts_waivers_load(&w, "/nonexistent/waivers", TS_STR(""), &err), -1, "no such file");
  OK(ts_str_starts(ts_buf_str(&err), TS_STR("/nonexistent/waivers: ")), "and it is named");
  ts_buf_addz(&text, "{\"rule\":\"name-dropped\",\"reason\":\"");
  while (text.len < 2u << 20) ts_buf_addz(&text, "very good, ");
  ts_buf_addz(&text, "\",\"expires\":\"2.0.0\"}\n");
  IS_INT(load(&w, ts_buf_str(&text), "1.0.0", &err), -1, "a line of 2 MiB");
  OK(ts_str_ends(ts_buf_str(&err), TS_STR(":1:1048577: a waiver this long is none")),
     "is refused where it is too long");
  ts_waivers_free(&w);
  ts_buf_free(&err);
  ts_buf_free(&text);
}

int main(void) {
  test_match();
  test_finish();
  test_useless();
  test_refused();
  test_unreadable();
  return tap_done();
}
