/* report: exact bytes of every format, of harmless and of hostile findings. */
#include "report/report.h"

#include "json/scan.h"
#include "tap.h"

static const struct ts_finding plain = {
  .rule = TS_RULE_NAME_DROPPED,
  .message = TS_STR("'exec' is gone"),
  .name = TS_STR("exec"),
  .place = { TS_STR("tools.jsonl"), 3, 0 },
};
static const struct ts_finding hostile = {
  .rule = TS_RULE_REMOVED_CALL,
  .message = TS_STR("'\x1b[2J\r\n::error::|`<b>&\"]]>' @all #1 [x](http://e) WWW.e \0\xff\xef\xbf\xbf"),
  .name = TS_STR("\x1b<\"\n&"),
  .pointer = TS_STR("/a|b"),
  .place = { TS_STR("./d/a b,c:%\n|`<@>\xff.jsonl"), 12, 1 },
};
static const struct ts_finding placeless = {
  .rule = TS_RULE_DEPRECATED_CALL,
  .message = TS_STR("'say' is deprecated"),
};
static const struct ts_finding witnessed = {
  .rule = TS_RULE_LIFECYCLE_LEAK,
  .vector = { .level = { [TS_MODEL] = TS_WARNING, [TS_CACHE] = TS_NOTE } },
  .message = TS_STR("it leaks"),
  .witness = TS_STR("{ \"a|b\" : [ 1, \"\\u001b\" ] }"),
  .place = { TS_STR("/abs/t.jsonl"), 0, 0 },
};
static const struct ts_finding undecided = {
  .rule = TS_RULE_PATTERN_CHANGED,
  .message = TS_STR("pattern '^a' became '^b'"),
  .place = { TS_STR("tools.jsonl"), 4, 20 },
};

/* The report of some findings, in a buffer that the caller frees. */
static struct ts_buf report(const char *format, const struct ts_report_spec *spec, const struct ts_finding *const *f,
                            size_t count) {
  struct ts_buf out = { 0 };
  struct ts_report *r = ts_report_open(ts_reporter_find(ts_str_z(format)), spec, &out);
  for (size_t i = 0; i < count; i++) ts_report_finding(r, f[i]);
  ts_report_close(r);
  return out;
}

static struct ts_report_spec spec_of(unsigned parts) {
  struct ts_report_spec spec = { .program = "tscat", .version = "9.8.7", .parts = parts };
  ts_threshold_default(&spec.threshold);
  return spec;
}

static const struct ts_finding *const all[] = { &plain, &hostile, &placeless, &witnessed, &undecided };

static void check(const char *format, const char *want, const char *want_empty) {
  struct ts_report_spec spec = spec_of(0);
  struct ts_buf out = report(format, &spec, all, TS_COUNT(all));
  IS_Z(ts_buf_z(&out), want, "%s: some findings", format);
  ts_buf_free(&out);
  out = report(format, &spec, NULL, 0);
  IS_Z(ts_buf_z(&out), want_empty, "%s: none", format);
  ts_buf_free(&out);
}

static void test_text(void) {
  check("text",
        "tools.jsonl:3: error: 'exec' is gone [name-dropped] (R error, S error)\n"
        "./d/a b,c:%\\x0a|`<@>\\xff.jsonl:12:1: error: '\\x1b[2J\\x0d\\x0a::error::|`<b>&\"]]>' @all #1 "
        "[x](http://e) WWW.e \\x00\\xff\xef\xbf\xbf [removed-call]\n"
        "note: 'say' is deprecated [deprecated-call]\n"
        "/abs/t.jsonl: warning: it leaks; witness {\"a|b\":[1,\"\\u001b\"]} [lifecycle-leak] (C note, M warning)\n"
        "tools.jsonl:4:20: unknown: pattern '^a' became '^b' [pattern-changed] (R unknown, S unknown)\n",
        "");
  struct ts_report_spec spec = spec_of(0);
  spec.colour = true;
  const struct ts_finding *const two[] = { &plain, &placeless };
  struct ts_buf out = report("text", &spec, two, 2);
  IS_Z(ts_buf_z(&out),
       "\x1b[1mtools.jsonl:3:\x1b[0m \x1b[1m\x1b[31merror:\x1b[0m 'exec' is gone [name-dropped] (R error, S error)\n"
       "\x1b[1m\x1b[36mnote:\x1b[0m 'say' is deprecated [deprecated-call]\n",
       "text: with colours");
  ts_buf_free(&out);
}

static void test_jsonl(void) {
  struct ts_buf want = { 0 };
  for (size_t i = 0; i < TS_COUNT(all); i++) ts_finding_write(&want, all[i]);
  check("jsonl", ts_buf_z(&want), "");
  ts_buf_free(&want);
}

static void test_github(void) {
  check("github",
        "::error file=tools.jsonl,line=3,title=name-dropped::'exec' is gone\n"
        "::error file=./d/a b%2Cc%3A%25%0A|`<@>\\xff.jsonl,line=12,col=1,title=removed-call::"
        "'\\x1b[2J%0D%0A::error::|`<b>&\"]]>' @all #1 [x](http://e) WWW.e \\x00\\xff\xef\xbf\xbf\n"
        "::notice title=deprecated-call::'say' is deprecated\n"
        "::warning file=/abs/t.jsonl,title=lifecycle-leak::it leaks; witness {\"a|b\":[1,\"\\u001b\"]}\n"
        "::warning file=tools.jsonl,line=4,col=20,title=pattern-changed::pattern '^a' became '^b'\n",
        "");
}

static void count_lines(struct ts_str text, struct ts_str begins, size_t *count) {
  *count = 0;
  while (text.len > 0) {
    size_t len = ts_str_find(text, TS_STR("\n"));
    *count += ts_str_starts(text, begins);
    text = ts_str_sub(text, len == SIZE_MAX ? len : len + 1, SIZE_MAX);
  }
}

static void test_github_limits(void) {
  static const struct {
    size_t errors, warnings, notes;
    size_t shown_errors, shown_warnings, shown_notes;
    const char *last;
  } rows[] = {
    { 10, 10, 10, 10, 10, 10, "::notice title=deprecated-call::'say' is deprecated\n" },
    { 11, 0, 10, 10, 0, 10, "::notice title=tscat::not shown: 1 error, 1 note\n" },
    { 0, 12, 0, 0, 10, 1, "::notice title=tscat::not shown: 2 warnings\n" },
    { 13, 14, 15, 10, 10, 10, "::notice title=tscat::not shown: 3 errors, 4 warnings, 6 notes\n" },
    { 0, 0, 11, 0, 0, 10, "::notice title=tscat::not shown: 2 notes\n" },
    { 1, 11, 9, 1, 10, 10, "::notice title=tscat::not shown: 1 warning\n" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    const struct ts_finding *f[64];
    size_t n = 0, count;
    for (size_t k = 0; k < rows[i].notes; k++) f[n++] = &placeless;
    for (size_t k = 0; k < rows[i].errors; k++) f[n++] = &plain;
    for (size_t k = 0; k < rows[i].warnings; k++) f[n++] = &undecided;
    struct ts_report_spec spec = spec_of(0);
    struct ts_buf out = report("github", &spec, f, n);
    count_lines(ts_buf_str(&out), TS_STR("::error "), &count);
    IS_U64(count, rows[i].shown_errors, "github %zu: errors", i);
    count_lines(ts_buf_str(&out), TS_STR("::warning "), &count);
    IS_U64(count, rows[i].shown_warnings, "github %zu: warnings", i);
    count_lines(ts_buf_str(&out), TS_STR("::notice "), &count);
    IS_U64(count, rows[i].shown_notes, "github %zu: notices", i);
    OK(ts_str_ends(ts_buf_str(&out), ts_str_z(rows[i].last)), "github %zu: the last line", i);
    ts_buf_free(&out);
  }
}

/* The raw value at a path of keys and indexes ("runs", "0", "tool"), or empty. */
static struct ts_str at_path(const struct ts_json *j, const char *const *path) {
  uint32_t node = 0;
  for (; *path; path++) {
    if (j->node[node].kind == TS_JSON_ARRAY) {
      uint32_t child = ts_json_first(j, node);
      for (int i = 0; i < **path - '0' && child; i++) child = ts_json_after(j, node, child);
      node = child;
    } else {
      node = ts_json_get(j, node, ts_str_z(*path));
    }
    if (node == 0) return ts_str(NULL, 0);
  }
  return ts_json_raw(j, node);
}
#define AT(j, ...) at_path((j), (const char *const[]){ __VA_ARGS__, NULL })

static void test_sarif_bytes(void) {
  struct ts_report_spec spec = spec_of(0);
  struct ts_buf out = report("sarif", &spec, all, TS_COUNT(all));
  static const char head[] =
      "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
      "{\"driver\":{\"name\":\"tscat\",\"version\":\"9.8.7\",\"rules\":[{\"id\":\"pages-incomplete\","
      "\"shortDescription\":{\"text\":\"";
  OK(ts_str_starts(ts_buf_str(&out), ts_str_z(head)), "sarif: how it begins");
  struct ts_json j = { 0 };
  IS_INT(ts_json_scan(&j, ts_buf_str(&out), NULL), 0, "sarif: is JSON");
  IS_U64(j.issues, 0, "sarif: and none of the doubtful kind");
  IS(AT(&j, "runs", "0", "results", "1"),
     TS_STR("{\"ruleId\":\"removed-call\",\"level\":\"error\",\"message\":{\"text\":"
            "\"'\\\\x1b[2J\\\\x0d\\\\x0a::error::|`<b>&\\\"]]>' @all #1 [x\\\\](http://e) WWW.e "
            "\\\\x00\\\\xff\xef\xbf\xbf\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
            "\"d/a%20b%2Cc%3A%25%0A%7C%60%3C%40%3E%FF.jsonl\"},\"region\":{\"startLine\":12,\"startColumn\":1,"
            "\"endLine\":12,\"endColumn\":2}}}],\"partialFingerprints\":{\"primaryLocationLineHash\":"
            "\"097e47b190896bea:1\",\"toolsurface/v1\":\"097e47b190896bea\"}}"),
     "sarif: a hostile result");
  static const struct {
    const char *index, *uri, *level;
  } rows[] = {
    { "0", "\"tools.jsonl\"", "\"error\"" },
    { "2", "\".\"", "\"note\"" },
    { "3", "\"file:///abs/t.jsonl\"", "\"warning\"" },
    { "4", "\"tools.jsonl\"", "\"warning\"" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    const char *n = rows[i].index;
    IS(AT(&j, "runs", "0", "results", n, "locations", "0", "physicalLocation", "artifactLocation", "uri"),
       ts_str_z(rows[i].uri), "sarif: file of result %s", n);
    IS(AT(&j, "runs", "0", "results", n, "level"), ts_str_z(rows[i].level), "sarif: level of result %s", n);
  }
  ts_json_free(&j);
  ts_buf_free(&out);
}

/* Every result points at its rule, every rule has what code scanning demands. */
static void test_sarif_rules(void) {
  struct ts_report_spec spec = spec_of(1u << TS_AUDIT | 1u << TS_DRIFT | 1u << TS_LINT);
  const struct ts_finding expired = { .rule = TS_RULE_WAIVER_EXPIRED, .message = TS_STR("m") };
  const struct ts_finding *const some[] = { &plain, &hostile, &plain, &witnessed, &expired, &plain };
  struct ts_buf out = report("sarif", &spec, some, TS_COUNT(some));
  struct ts_json j = { 0 };
  IS_INT(ts_json_scan(&j, ts_buf_str(&out), NULL), 0, "sarif: is JSON");
  uint32_t run = ts_json_first(&j, TS_JSON_GET(&j, 0, "runs"));
  uint32_t driver = TS_JSON_GET(&j, TS_JSON_GET(&j, run, "tool"), "driver");
  uint32_t rules = TS_JSON_GET(&j, driver, "rules"), results = TS_JSON_GET(&j, run, "results");
  uint32_t ids[TS_RULES], count = 0;
  static const char *const texts[] = { "shortDescription", "fullDescription", "help" };
  for (uint32_t r = ts_json_first(&j, rules); r; r = ts_json_after(&j, rules, r)) {
    bool whole = true;
    for (size_t i = 0; i < TS_COUNT(texts); i++)
      whole = whole && ts_json_is(&j, TS_JSON_GET(&j, ts_json_get(&j, r, ts_str_z(texts[i])), "text"), TS_JSON_STRING);
    whole = whole && TS_JSON_GET(&j, TS_JSON_GET(&j, r, "defaultConfiguration"), "level");
    if (!whole) OK(false, "sarif: rule %u lacks something", count);
    ids[count++] = TS_JSON_GET(&j, r, "id");
  }
  IS_U64(count, TS_RULES, "sarif: all rules of four parts");
  for (uint32_t r = ts_json_first(&j, results); r; r = ts_json_after(&j, results, r)) {
    uint64_t index = TS_RULES;
    OK(ts_json_u64(&j, TS_JSON_GET(&j, r, "ruleIndex"), &index) && index < count &&
           ts_str_eq(ts_json_raw(&j, ids[index]), ts_json_raw(&j, TS_JSON_GET(&j, r, "ruleId"))),
       "sarif: a result's ruleIndex leads to its ruleId");
  }
  static const char *const order[] = { "0", "2", "5" };
  for (size_t i = 0; i < TS_COUNT(order); i++) {
    struct ts_str hash = AT(&j, "runs", "0", "results", order[i], "partialFingerprints", "primaryLocationLineHash");
    const char end[] = { ':', (char)('1' + i), '"', 0 };
    OK(ts_str_ends(hash, ts_str_z(end)), "sarif: equal findings are told apart, %zu", i + 1);
  }
  ts_json_free(&j);
  ts_buf_free(&out);
}

static void test_sarif_empty(void) {
  struct ts_report_spec spec = spec_of(0);
  struct ts_buf out = report("sarif", &spec, NULL, 0);
  OK(ts_str_ends(ts_buf_str(&out), TS_STR("]}},\"results\":[]}]}\n")), "sarif: no results");
  ts_buf_free(&out);
}

static void test_junit(void) {
  check("junit",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"tscat\" tests=\"5\" failures=\"2\" errors=\"0\">\n"
        "  <testsuite name=\"tools.jsonl\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
        "    <testcase classname=\"tools.jsonl\" name=\"name-dropped exec at 3\">\n"
        "      <failure type=\"name-dropped\" message=\"'exec' is gone\">error: 'exec' is gone</failure>\n"
        "    </testcase>\n"
        "    <testcase classname=\"tools.jsonl\" name=\"pattern-changed at 4:20\">\n"
        "      <system-out>unknown: pattern '^a' became '^b'</system-out>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"./d/a b,c:%\\x0a|`&lt;@&gt;\\xff.jsonl\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
        "    <testcase classname=\"./d/a b,c:%\\x0a|`&lt;@&gt;\\xff.jsonl\" "
        "name=\"removed-call \\x1b&lt;&quot;\\x0a&amp; /a|b at 12:1\">\n"
        "      <failure type=\"removed-call\" message=\"'\\x1b[2J\\x0d\\x0a::error::|`&lt;b&gt;&amp;&quot;]]&gt;' "
        "@all #1 [x](http://e) WWW.e \\x00\\xff\\u{ffff}\">error: "
        "'\\x1b[2J\\x0d\\x0a::error::|`&lt;b&gt;&amp;&quot;]]&gt;' "
        "@all #1 [x](http://e) WWW.e \\x00\\xff\\u{ffff}</failure>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"tscat\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "    <testcase classname=\"tscat\" name=\"deprecated-call\">\n"
        "      <system-out>note: 'say' is deprecated</system-out>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"/abs/t.jsonl\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "    <testcase classname=\"/abs/t.jsonl\" name=\"lifecycle-leak\">\n"
        "      <system-out>warning: it leaks; witness {&quot;a|b&quot;:[1,&quot;\\u001b&quot;]}</system-out>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"tscat\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "  <testsuite name=\"tscat\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "    <testcase classname=\"tscat\" name=\"no findings\"/>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
  struct ts_report_spec spec = spec_of(0);
  struct ts_buf err = { 0 };
  IS_INT(ts_threshold_parse(&spec.threshold, TS_STR("all=off,unknown=warning"), &err), 0, "a threshold");
  struct ts_buf out = report("junit", &spec, all, TS_COUNT(all));
  OK(ts_str_has(ts_buf_str(&out), TS_STR("<testsuites name=\"tscat\" tests=\"5\" failures=\"1\" errors=\"0\">\n")),
     "junit: what counts is a failure");
  OK(ts_str_has(ts_buf_str(&out), TS_STR("<failure type=\"pattern-changed\"")), "junit: and nothing else");
  ts_buf_free(&out);
  ts_buf_free(&err);
}

static void test_markdown(void) {
  check("markdown",
        "| severity | place | rule | message |\n"
        "| --- | --- | --- | --- |\n"
        "| error | tools.jsonl:3 | name-dropped | 'exec' is gone |\n"
        "| error | ./d/a b,c:%\\\\x0a\\|\\`&lt;<code>@</code>&gt;\\\\xff.jsonl:12:1 | removed-call | "
        "'\\\\x1b\\[2J\\\\x0d\\\\x0a::error::\\|\\`&lt;b&gt;&amp;\"\\]\\]&gt;' <code>@</code>all <code>#</code>1 "
        "\\[x\\](http\\://e) WWW\\.e \\\\x00\\\\xff\xef\xbf\xbf |\n"
        "| note |  | deprecated-call | 'say' is deprecated |\n"
        "| warning | /abs/t.jsonl | lifecycle-leak | it leaks; witness {\"a\\|b\":\\[1,\"\\\\u001b\"\\]} |\n"
        "| unknown | tools.jsonl:4:20 | pattern-changed | pattern '^a' became '^b' |\n"
        "\n"
        "tscat: 2 errors, 1 warning, 1 unknown, 1 note.\n",
        "tscat: no findings.\n");
}

static void test_summaries(void) {
  static const struct {
    const char *format, *want;
  } rows[] = {
    { "text", "two\nlines|\n" },
    { "jsonl", "{\"type\":\"summary\"}\n" },
    { "github", "" },
    { "markdown", "two<br>\nlines\\|\n\ntscat: no findings.\n" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf out = { 0 };
    struct ts_report_spec spec = spec_of(0);
    struct ts_report *r = ts_report_open(ts_reporter_find(ts_str_z(rows[i].format)), &spec, &out);
    ts_report_summary(r, TS_STR("{\"type\":\"summary\"}"), TS_STR("two\nlines|\n"));
    ts_report_close(r);
    IS_Z(ts_buf_z(&out), rows[i].want, "%s: summary", rows[i].format);
    ts_buf_free(&out);
  }
}

static void test_table(void) {
  struct ts_buf names = { 0 };
  for (size_t i = 0; ts_reporter_at(i); i++)
    ts_buf_addf(&names, "%s%s", i ? "|" : "", ts_reporter_name(ts_reporter_at(i)));
  IS_Z(ts_buf_z(&names), TS_REPORT_FORMATS, "the table of formats is what options offer");
  ts_buf_free(&names);
  OK(!ts_reporter_find(TS_STR("xml")) && !ts_reporter_find(TS_STR("")), "other formats are not found");
  struct ts_buf out = { 0 };
  struct ts_report_spec spec = spec_of(0);
  struct ts_report *r = ts_report_open(ts_reporter_find(TS_STR("text")), &spec, &out);
  for (size_t i = 0; i < TS_COUNT(all); i++) ts_report_finding(r, all[i]);
  IS_U64(ts_report_count(r), 5, "findings are counted");
  IS_U64(ts_report_count_of(r, TS_ERROR), 2, "by severity");
  ts_report_close(r);
  ts_buf_free(&out);
}

/* A program empties the buffer as it goes; the bytes are the same. */
static void test_emptied(void) {
  for (size_t i = 0; ts_reporter_at(i); i++) {
    struct ts_report_spec spec = spec_of(1u << TS_AUDIT);
    struct ts_buf out = { 0 }, sum = { 0 }, whole = { 0 };
    whole = report(ts_reporter_name(ts_reporter_at(i)), &spec, all, TS_COUNT(all));
    struct ts_report *r = ts_report_open(ts_reporter_at(i), &spec, &out);
    for (size_t k = 0; k < TS_COUNT(all); k++) {
      ts_report_finding(r, all[k]);
      ts_buf_add(&sum, ts_buf_str(&out));
      ts_buf_clear(&out);
    }
    ts_report_close(r);
    ts_buf_add(&sum, ts_buf_str(&out));
    IS(ts_buf_str(&sum), ts_buf_str(&whole), "%s: written in pieces", ts_reporter_name(ts_reporter_at(i)));
    ts_buf_free(&out);
    ts_buf_free(&sum);
    ts_buf_free(&whole);
  }
}

int main(void) {
  test_table();
  test_text();
  test_jsonl();
  test_github();
  test_github_limits();
  test_sarif_bytes();
  test_sarif_rules();
  test_sarif_empty();
  test_junit();
  test_markdown();
  test_summaries();
  test_emptied();
  return tap_done();
}
