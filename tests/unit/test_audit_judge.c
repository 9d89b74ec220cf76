#include "transcript/carried.h"
#include "transcript/judge.h"

#include "unit/tap.h"

static const char records[] =
    "{\"type\":\"catalog\",\"schema\":1,\"name\":\"t\",\"version\":\"1.0.0\"}\n"
    "{\"type\":\"tool\",\"name\":\"edit\",\"state\":\"active\",\"input_schema\":{\"type\":\"object\",\"properties\":"
    "{\"path\":{\"type\":\"string\"},\"mode\":{\"type\":\"string\"}},\"required\":[\"path\"]}}\n"
    "{\"type\":\"tool\",\"name\":\"free\",\"state\":\"deferred\"}\n"
    "{\"type\":\"tool\",\"name\":\"twin\",\"state\":\"active\",\"input_schema\":{\"type\":\"object\",\"required\":["
    "\"a\"]}}\n"
    "{\"type\":\"tool\",\"name\":\"twin\",\"state\":\"active\",\"input_schema\":{\"type\":\"object\",\"required\":["
    "\"b\"]}}\n"
    "{\"type\":\"alias\",\"name\":\"old_edit\",\"replacement\":\"edit\",\"state\":\"hidden-compatibility\"}\n"
    "{\"type\":\"alias\",\"name\":\"write\",\"replacement\":\"edit\",\"state\":\"hidden-compatibility\","
    "\"arguments\":{\"set\":{\"mode\":\"w\"},\"rename\":{\"file\":\"path\"}},\"input_schema\":{\"type\":\"object\","
    "\"required\":[\"file\"]}}\n"
    "{\"type\":\"alias\",\"name\":\"say\",\"replacement\":\"free\",\"state\":\"deprecated\"}\n"
    "{\"type\":\"alias\",\"name\":\"gone\",\"replacement\":\"edit\",\"state\":\"removed\"}\n";

static const struct {
  const char *name;
  enum ts_arguments_form form;
  bool string;
  struct ts_str arguments;
  enum ts_state state;
  const char *canonical;
  enum ts_call_arguments verdict;
  const char *why; /* malformed: the problem; misfit: the pointer */
} rows[] = {
#define JSON TS_ARGUMENTS_JSON, false
#define TEXT TS_ARGUMENTS_JSON, true
#define NONE TS_ARGUMENTS_NONE, false
#define INPUT TS_ARGUMENTS_INPUT, true
  { "edit", JSON, TS_STR("{\"path\":\"a\"}"), TS_ACTIVE, "edit", TS_CALL_FIT, "" },
  { "edit", JSON, TS_STR("{\"path\":3}"), TS_ACTIVE, "edit", TS_CALL_MISFIT, "/path" },
  { "edit", JSON, TS_STR("{}"), TS_ACTIVE, "edit", TS_CALL_MISFIT, "" },
  { "edit", TEXT, TS_STR("{\"path\":\"a\"}"), TS_ACTIVE, "edit", TS_CALL_FIT, "" },
  { "edit", NONE, TS_STR(""), TS_ACTIVE, "edit", TS_CALL_MISFIT, "" },
  { "edit", TEXT, TS_STR(" \n"), TS_ACTIVE, "edit", TS_CALL_MISFIT, "" },
  { "edit", INPUT, TS_STR("*** Begin"), TS_ACTIVE, "edit", TS_CALL_UNCHECKED, "" },
  { "edit", TEXT, TS_STR("{\"path\":\"a\""), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "not JSON" },
  { "edit", TEXT, TS_STR("{} {}"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "not JSON" },
  { "edit", TEXT, TS_STR("nul"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "not JSON" },
  { "edit", TEXT, TS_STR("null"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "null, not an object" },
  { "edit", JSON, TS_STR("[1]"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "a list, not an object" },
  { "edit", TEXT, TS_STR("[]"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "a list, not an object" },
  { "edit", TEXT, TS_STR("\"{}\""), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "text, not an object" },
  { "edit", JSON, TS_STR("7"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "a number, not an object" },
  { "edit", JSON, TS_STR("true"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "a boolean, not an object" },
  { "edit", TEXT, TS_STR("[REDACTED]"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "they were redacted" },
  { "edit", TEXT, TS_STR("[REDACTED: secret]"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "they were redacted" },
  { "edit", TEXT, TS_STR("{\"path\":\"a\0b\"}"), TS_ACTIVE, "edit", TS_CALL_MALFORMED, "not JSON" },
  { "free", JSON, TS_STR("{\"x\":1}"), TS_DEFERRED, "free", TS_CALL_UNCHECKED, "" },
  { "free", TEXT, TS_STR("{"), TS_DEFERRED, "free", TS_CALL_MALFORMED, "not JSON" },
  { "twin", JSON, TS_STR("{\"a\":1}"), TS_ACTIVE, "twin", TS_CALL_FIT, "" },
  { "twin", JSON, TS_STR("{\"b\":1}"), TS_ACTIVE, "twin", TS_CALL_FIT, "" },
  { "twin", JSON, TS_STR("{\"c\":1}"), TS_ACTIVE, "twin", TS_CALL_MISFIT, "" },
  { "old_edit", JSON, TS_STR("{\"path\":\"a\"}"), TS_HIDDEN, "edit", TS_CALL_FIT, "" },
  { "old_edit", JSON, TS_STR("{\"file\":\"a\"}"), TS_HIDDEN, "edit", TS_CALL_MISFIT, "" },
  { "write", JSON, TS_STR("{\"file\":\"a\"}"), TS_HIDDEN, "edit", TS_CALL_FIT, "" },
  { "write", JSON, TS_STR("{\"path\":\"a\"}"), TS_HIDDEN, "edit", TS_CALL_MISFIT, "" },
  { "write", JSON, TS_STR("{\"file\":1}"), TS_HIDDEN, "edit", TS_CALL_MISFIT, "/path" },
  { "say", JSON, TS_STR("{}"), TS_DEPRECATED, "free", TS_CALL_UNCHECKED, "" },
  { "gone", JSON, TS_STR("{}"), TS_REMOVED, "edit", TS_CALL_UNCHECKED, "" },
  { "gone", TEXT, TS_STR("x"), TS_REMOVED, "edit", TS_CALL_MALFORMED, "not JSON" },
  { "Edit", JSON, TS_STR("{}"), TS_UNKNOWN_NAME, "", TS_CALL_UNCHECKED, "" },
};

static struct ts_event call_of(size_t i) {
  return (struct ts_event){ .kind = TS_EVENT_CALL,
                            .name = ts_str_z(rows[i].name),
                            .form = rows[i].form,
                            .arguments_string = rows[i].string,
                            .arguments = rows[i].arguments };
}

static void verdicts(const struct ts_catalog *c, const struct ts_surface *s) {
  struct ts_judge *j = ts_judge_new(c, s), *without = ts_judge_new(NULL, s);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_event e = call_of(i);
    struct ts_verdict v;
    ts_judge_call(j, &e, &v);
    OK(v.judged, "row %zu: %s: judged", i, rows[i].name);
    IS_INT(v.route.state, rows[i].state, "row %zu: state", i);
    IS_INT(v.route.dispatches, ts_state_row(rows[i].state)->dispatches, "row %zu: dispatches", i);
    IS(v.route.canonical, ts_str_z(rows[i].canonical), "row %zu: canonical", i);
    IS_Z(ts_call_arguments_name(v.arguments), ts_call_arguments_name(rows[i].verdict), "row %zu: arguments", i);
    if (v.arguments == TS_CALL_MALFORMED) OK(ts_str_starts(v.problem, ts_str_z(rows[i].why)), "row %zu: why", i);
    if (v.arguments == TS_CALL_MISFIT) IS_Z(ts_buf_z(&v.misfit->pointer), rows[i].why, "row %zu: where", i);
    ts_judge_call(without, &e, &v);
    OK(!v.judged && !v.route.dispatches, "row %zu: without a catalog", i);
    IS_INT(v.arguments, rows[i].verdict == TS_CALL_MALFORMED ? TS_CALL_MALFORMED : TS_CALL_UNCHECKED,
           "row %zu: only the form is judged then", i);
  }
  ts_judge_free(j);
  ts_judge_free(without);
  ts_judge_free(NULL);
}

/* More names than sentences are kept. */
static void explanations(const struct ts_catalog *c, const struct ts_surface *s) {
  struct ts_judge *j = ts_judge_new(c, s);
  bool good = true;
  for (int i = 0; i < 2500; i++) {
    struct ts_buf name = { 0 };
    struct ts_route route;
    ts_buf_addf(&name, "edit%d", i % 1250);
    good = good && ts_judge_route(j, ts_buf_str(&name), &route);
    struct ts_str sentence = ts_judge_explain(j, &route);
    good = good && ts_str_has(sentence, ts_buf_str(&name)) && ts_str_has(sentence, TS_STR("'edit'"));
    ts_buf_free(&name);
  }
  OK(good, "each sentence is about its name, and suggests");
  ts_judge_free(j);
}

static const char *by_list(struct ts_carried *c, const char *session, const char *name) {
  struct ts_route route;
  struct ts_judge *j = ts_carried_judge(c, ts_str_z(session));
  if (!j) return "none";
  (void)ts_judge_route(j, ts_str_z(name), &route);
  return ts_state_row(route.state)->name;
}

static int take(struct ts_carried *c, const char *session, const char *tools, const struct ts_surface *s) {
  struct ts_event e = { .kind = TS_EVENT_CATALOG, .session = ts_str_z(session), .tools = ts_str_z(tools) };
  struct ts_buf err = { 0 };
  int status = ts_carried_take(c, TS_STR("f.jsonl"), &e, s, &err);
  OK((status < 0) == (err.len > 0), "an error has a sentence");
  ts_buf_free(&err);
  return status;
}

static void carried_lists(const struct ts_surface *s) {
  struct ts_carried c = { 0 };
  IS_Z(by_list(&c, "a", "x"), "none", "no list yet");
  OK(take(&c, "a", "[]", s) == 0, "an empty list");
  IS_Z(by_list(&c, "a", "x"), "none", "says nothing");
  OK(take(&c, "a", "[{\"name\":\"x\",\"parameters\":{}}]", s) == 0, "a list");
  IS_Z(by_list(&c, "a", "x"), "active", "what it has is active");
  IS_Z(by_list(&c, "a", "y"), "unknown", "what it has not is unknown");
  IS_Z(by_list(&c, "b", "x"), "none", "it is this session's alone");
  OK(take(&c, "a", "\"{{tools}}\"", s) < 0, "what is no list");
  IS_Z(by_list(&c, "a", "x"), "active", "leaves the one before in force");
  OK(take(&c, "a", "[{\"name\":\"y\",\"parameters\":{}}]", s) == 0, "another list");
  IS_Z(by_list(&c, "a", "x"), "unknown", "replaces it");
  IS_Z(by_list(&c, "a", "y"), "active", "replaces it");
  ts_carried_forget(&c);
  IS_Z(by_list(&c, "a", "y"), "none", "forgotten");
  OK(take(&c, "b", "[{\"name\":\"y\",\"parameters\":{}}]", s) == 0, "said again");
  IS_Z(by_list(&c, "b", "y"), "active", "it is in force again");
  for (int i = 0; i < 40; i++) {
    char session[16], tools[64];
    (void)snprintf(session, sizeof session, "s%d", i);
    (void)snprintf(tools, sizeof tools, "[{\"name\":\"t%d\",\"parameters\":{}}]", i);
    OK(take(&c, session, tools, s) == 0, "list %d of many sessions", i);
  }
  IS_Z(by_list(&c, "s39", "t39"), "active", "the last one is there");
  IS_Z(by_list(&c, "s30", "t30"), "active", "some before it too");
  IS_Z(by_list(&c, "s1", "t1"), "none", "those long before it are not");
  ts_carried_free(&c);
}

int main(void) {
  struct ts_catalog c = { 0 };
  struct ts_surface s = { 0 };
  struct ts_buf err = { 0 };
  OK(ts_catalog_read(&c, TS_STR("t.jsonl"), ts_str_z(records), &err) == 0, "the catalog loads: %s", ts_buf_z(&err));
  OK(ts_catalog_finish(&c, &err) == 0, "and is whole: %s", ts_buf_z(&err));
  verdicts(&c, &s);
  explanations(&c, &s);
  carried_lists(&s);
  ts_catalog_free(&c);
  ts_buf_free(&err);
  return tap_done();
}
