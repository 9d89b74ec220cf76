/* JUnit's XML as CI services read it: a testsuite per file, a testcase per finding. What counts towards the
 * exit status is a failure; the rest passes, with its message as output. One testcase that passes stands for
 * "no findings", since services take a report without tests as a run that went wrong. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "report/format.h"

struct suite {
  struct ts_str file;
  size_t tests, failures;
  struct ts_buf cases;
};

struct state {
  struct suite *suite; /* in the order in which their files first came */
  size_t count, cap;
  struct ts_map by_file;
  struct ts_arena arena; /* file names */
};

/* XML 1.0 knows no way to write most control characters, U+FFFE or U+FFFF: they are made visible. */
static void add_xml(struct ts_buf *out, struct ts_str s) {
  struct ts_buf text = { 0 };
  ts_visible(&text, s);
  for (size_t at = 0; at < text.len;) {
    size_t from = at;
    uint32_t c = ts_utf8_next(ts_buf_str(&text), &at);
    if (c == '&')
      ts_buf_addz(out, "&amp;");
    else if (c == '<')
      ts_buf_addz(out, "&lt;");
    else if (c == '>')
      ts_buf_addz(out, "&gt;");
    else if (c == '"')
      ts_buf_addz(out, "&quot;");
    else if (c == 0xfffe || c == 0xffff)
      ts_buf_addf(out, "\\u{%04x}", (unsigned)c);
    else
      ts_buf_add(out, ts_str(text.ptr + from, at - from));
  }
  ts_buf_free(&text);
}

static void junit_open(struct ts_report *r) { r->state = ts_xcalloc(1, sizeof(struct state)); }

static struct suite *suite_of(struct state *s, struct ts_str file) {
  size_t at = ts_map_get(&s->by_file, file);
  if (at != TS_MAP_NONE) return &s->suite[at];
  ts_xgrow(&s->suite, &s->cap, s->count + 1, sizeof *s->suite);
  struct suite *suite = &s->suite[s->count];
  *suite = (struct suite){ .file = ts_arena_dup(&s->arena, file) };
  *ts_map_at(&s->by_file, suite->file, 0) = s->count++;
  return suite;
}

static void add_attribute(struct ts_buf *out, const char *name, struct ts_str value) {
  ts_buf_addf(out, " %s=\"", name);
  add_xml(out, value);
  ts_buf_addc(out, '"');
}

/* What tells the testcases of a file apart: "removed-call exec_wait at 12:1". */
static void add_case_name(struct ts_buf *out, const struct ts_finding *f) {
  ts_buf_addz(out, ts_rule(f->rule)->id);
  if (f->name.len > 0) {
    ts_buf_addc(out, ' ');
    ts_buf_add(out, f->name);
  }
  if (f->pointer.len > 0) {
    ts_buf_addc(out, ' ');
    ts_buf_add(out, f->pointer);
  }
  if (f->place.line > 0) ts_buf_addf(out, " at %llu", (unsigned long long)f->place.line);
  if (f->place.line > 0 && f->place.column > 0) ts_buf_addf(out, ":%llu", (unsigned long long)f->place.column);
}

static void junit_finding(struct ts_report *r, const struct ts_finding *f) {
  struct suite *suite = suite_of(r->state, f->place.file);
  struct ts_buf *out = &suite->cases, name = { 0 }, message = { 0 };
  bool fails = ts_threshold_counts(&r->spec.threshold, f);
  suite->tests++;
  suite->failures += fails;
  add_case_name(&name, f);
  ts_report_sentence(&message, f);
  ts_buf_addz(out, "    <testcase");
  add_attribute(out, "classname", f->place.file.len > 0 ? f->place.file : ts_str_z(r->spec.program));
  add_attribute(out, "name", ts_buf_str(&name));
  ts_buf_addz(out, ">\n");
  if (fails) {
    ts_buf_addz(out, "      <failure");
    add_attribute(out, "type", ts_str_z(ts_rule(f->rule)->id));
    add_attribute(out, "message", ts_buf_str(&message));
    ts_buf_addz(out, ">");
  } else {
    ts_buf_addz(out, "      <system-out>");
  }
  ts_buf_addf(out, "%s: ", ts_level_name(ts_finding_severity(f)));
  add_xml(out, ts_buf_str(&message));
  ts_buf_addz(out, fails ? "</failure>\n    </testcase>\n" : "</system-out>\n    </testcase>\n");
  ts_buf_free(&name);
  ts_buf_free(&message);
}

static void add_counts(struct ts_buf *out, size_t tests, size_t failures) {
  ts_buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", tests, failures);
}

static void add_suite(struct ts_report *r, const struct suite *s) {
  ts_buf_addz(r->out, "  <testsuite");
  add_attribute(r->out, "name", s->file.len > 0 ? s->file : ts_str_z(r->spec.program));
  add_counts(r->out, s->tests, s->failures);
  ts_buf_add(r->out, ts_buf_str(&s->cases));
  ts_buf_addz(r->out, "  </testsuite>\n");
}

static void add_nothing_found(struct suite *s, const char *program) {
  s->tests = 1;
  ts_buf_addz(&s->cases, "    <testcase");
  add_attribute(&s->cases, "classname", ts_str_z(program));
  ts_buf_addz(&s->cases, " name=\"no findings\"/>\n");
}

static void junit_close(struct ts_report *r) {
  struct state *s = r->state;
  size_t tests = 0, failures = 0;
  if (s->count == 0) add_nothing_found(suite_of(s, TS_STR("")), r->spec.program);
  for (size_t i = 0; i < s->count; i++) {
    tests += s->suite[i].tests;
    failures += s->suite[i].failures;
  }
  ts_buf_addz(r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
  add_attribute(r->out, "name", ts_str_z(r->spec.program));
  add_counts(r->out, tests, failures);
  for (size_t i = 0; i < s->count; i++) {
    add_suite(r, &s->suite[i]);
    ts_buf_free(&s->suite[i].cases);
  }
  ts_buf_addz(r->out, "</testsuites>\n");
  free(s->suite);
  ts_map_free(&s->by_file);
  ts_arena_free(&s->arena);
}

const struct ts_reporter ts_report_junit = {
  .name = "junit", .open = junit_open, .finding = junit_finding, .close = junit_close
};
