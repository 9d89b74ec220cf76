/* Every shape of catalog, and what is refused. The wanted text is the normalised print. */
#include "catalog/print.h"

#include "unit/tap.h"

struct load {
  struct ts_catalog c;
  struct ts_buf out, err;
};

/* Reads the texts as so many sources, a.json, b.json, …; 0, or -1 with err. */
static int load(struct load *l, const struct ts_str *text, size_t count) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) {
    char name[] = "a.json";
    name[0] = (char)('a' + i);
    result = ts_catalog_read(&l->c, ts_str_z(name), text[i], &l->err);
  }
  if (result == 0) result = ts_catalog_finish(&l->c, &l->err);
  if (result == 0) ts_catalog_print(&l->c, &l->out);
  return result;
}

static void unload(struct load *l) {
  ts_catalog_free(&l->c);
  ts_buf_free(&l->out);
  ts_buf_free(&l->err);
  *l = (struct load){ 0 };
}

#define T(members) "{\"type\":\"tool\"," members "}\n"

static void shapes(void) {
  static const struct {
    const char *what;
    struct ts_str text;
    const char *want;
  } rows[] = {
    { "nothing", TS_STR(""), "" },
    { "blanks only", TS_STR(" \r\n\t\n"), "" },
    { "a BOM, CRLF and blank lines", TS_STR("\xef\xbb\xbf\r\n{\"type\":\"tool\",\"name\":\"a\"}\r\n\r\n"),
      T("\"name\":\"a\",\"state\":\"active\"") },
    { "members in order, unknown ones behind them, escapes and numbers as they are",
      TS_STR("{\"zeta\" : 1.0 , \"input_schema\": {\"b\":12345678901234567890, \"a\" : -0},\"name\":\"\\u0061\","
             "\"description\":\"\\u00e9\\/\",\"\\u0078\":[ 1 , 2 ],\"type\":\"tool\"}"),
      T("\"name\":\"\\u0061\",\"state\":\"active\",\"description\":\"\\u00e9\\/\","
        "\"input_schema\":{\"b\":12345678901234567890,\"a\":-0},\"zeta\":1.0,\"\\u0078\":[1,2]") },
    { "no type: a tool", TS_STR("{\"name\":\"a\",\"state\":\"deferred\",\"impl\":\"A\",\"replacement\":null}"),
      T("\"name\":\"a\",\"state\":\"deferred\",\"impl\":\"A\",\"replacement\":null") },
    { "no type: an alias by its state", TS_STR("{\"name\":\"a\",\"replacement\":\"b\",\"state\":\"removed\"}"),
      "{\"type\":\"alias\",\"name\":\"a\",\"replacement\":\"b\",\"state\":\"removed\"}\n" },
    { "no type: another shape's keys", TS_STR("{\"name\":\"a\",\"parameters\":{},\"state\":\"deferred\"}"),
      T("\"name\":\"a\",\"state\":\"deferred\",\"input_schema\":{}") },
    { "MCP, bare", TS_STR("{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":1},\"_meta\":{}}]}"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{\"x\":1},\"_meta\":{}") },
    { "MCP, title, output schema, annotations",
      TS_STR(
          "{\"tools\":[{\"annotations\":{\"readOnlyHint\":true},\"outputSchema\":{},\"title\":\"A\",\"name\":\"a\"}]}"),
      T("\"name\":\"a\",\"state\":\"active\",\"title\":\"A\",\"output_schema\":{},"
        "\"annotations\":{\"readOnlyHint\":true}") },
    { "MCP, in its envelope, over several lines",
      TS_STR("{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {\"tools\": [\n  {\"name\": \"a\"}\n ]}\n}\n"),
      T("\"name\":\"a\",\"state\":\"active\"") },
    { "a batch of answers",
      TS_STR("[{\"result\":{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"x\"}},"
             "{\"result\":{\"tools\":[{\"name\":\"b\"}]}}]"),
      T("\"name\":\"a\",\"state\":\"active\"") T("\"name\":\"b\",\"state\":\"active\"") },
    { "Anthropic",
      TS_STR("[{\"name\":\"a\",\"input_schema\":{}},{\"type\":\"custom\",\"name\":\"b\",\"input_schema\":{}}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}")
          T("\"name\":\"b\",\"state\":\"active\",\"input_schema\":{}") },
    { "OpenAI Chat",
      TS_STR("[{\"type\":\"function\",\"function\":{\"name\":\"a\",\"parameters\":{},\"strict\":true}}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{},\"strict\":true") },
    { "OpenAI Chat, one a line",
      TS_STR("{\"type\":\"function\",\"function\":{\"name\":\"b\"}}\n"
             "{\"type\":\"function\",\"function\":{\"name\":\"a\"}}\n"),
      T("\"name\":\"a\",\"state\":\"active\"") T("\"name\":\"b\",\"state\":\"active\"") },
    { "OpenAI Responses", TS_STR("[{\"type\":\"function\",\"name\":\"a\",\"parameters\":{}}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}") },
    { "functions of old", TS_STR("{\"functions\":[{\"name\":\"a\",\"parameters\":{}}]}"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}") },
    { "Gemini", TS_STR("[{\"functionDeclarations\":[{\"name\":\"a\",\"parameters\":{}}]}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}") },
    { "Gemini, the other spelling",
      TS_STR("{\"function_declarations\":[{\"name\":\"a\",\"parametersJsonSchema\":{}}]}"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}") },
    { "a request", TS_STR("{\"model\":\"m\",\"messages\":[],\"tools\":[{\"name\":\"a\",\"input_schema\":{}}]}"),
      T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{}") },
    { "a provider's own tools", TS_STR("[{\"type\":\"web_search_1\",\"name\":\"web\"},{\"type\":\"shell\"}]"),
      T("\"name\":\"shell\",\"state\":\"active\",\"served\":{\"type\":\"shell\"}")
          T("\"name\":\"web\",\"state\":\"active\",\"served\":{\"type\":\"web_search_1\"}") },
    { "a list is the surface: what would mean something else is kept apart",
      TS_STR("[{\"name\":\"a\",\"state\":\"deferred\",\"replacement\":\"b\",\"served\":1,\"x\":2}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"x\":2,"
        "\"served\":{\"state\":\"deferred\",\"replacement\":\"b\",\"served\":1}") },
    { "outside and inside of a function",
      TS_STR("[{\"extra\":1,\"type\":\"function\",\"function\":{\"name\":\"a\",\"state\":\"x\"}}]"),
      T("\"name\":\"a\",\"state\":\"active\",\"served\":{\"extra\":1,\"state\":\"x\"}") },
    { "records in a list", TS_STR("[{\"type\":\"tool\",\"name\":\"a\",\"state\":\"deferred\"}]"),
      T("\"name\":\"a\",\"state\":\"deferred\"") },
    { "the order of it all",
      TS_STR("{\"type\":\"mode\",\"name\":\"yolo\",\"mcp\":\"deferred\"}\n{\"type\":\"profile\",\"name\":\"q\"}\n"
             "{\"type\":\"profile\",\"exclude\":[\"a\"],\"name\":\"p\",\"first_turn\":[]}\n"
             "{\"type\":\"mode\",\"name\":\"ask\"}\n{\"type\":\"tool\",\"name\":\"b\"}\n"
             "{\"type\":\"alias\",\"state\":\"removed\",\"name\":\"B\"}\n{\"type\":\"tool\",\"name\":\"a\"}\n"
             "{\"type\":\"catalog\",\"x\":1,\"version\":\"1.0.0\",\"name\":\"n\"}"),
      "{\"type\":\"catalog\",\"name\":\"n\",\"version\":\"1.0.0\",\"x\":1}\n"
      "{\"type\":\"alias\",\"name\":\"B\",\"state\":\"removed\"}\n" T("\"name\":\"a\",\"state\":\"active\"")
          T("\"name\":\"b\",\"state\":\"active\"") "{\"type\":\"profile\",\"name\":\"p\",\"first_turn\":[],\"exclude\":"
                                                   "[\"a\"]}\n"
                                                   "{\"type\":\"profile\",\"name\":\"q\"}\n"
                                                   "{\"type\":\"mode\",\"name\":\"ask\"}\n"
                                                   "{\"type\":\"mode\",\"name\":\"yolo\",\"mcp\":\"deferred\"}\n" },
    { "doubled names in the order read",
      TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"x\":2}\n{\"type\":\"tool\",\"name\":\"a\",\"x\":1}"),
      T("\"name\":\"a\",\"state\":\"active\",\"x\":2") T("\"name\":\"a\",\"state\":\"active\",\"x\":1") },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct load l = { 0 }, again = { 0 };
    IS_INT(load(&l, &rows[i].text, 1), 0, "%s: loads%s%s", rows[i].what, l.err.len ? ": " : "", ts_buf_z(&l.err));
    IS(ts_buf_str(&l.out), ts_str_z(rows[i].want), "%s: normalised", rows[i].what);
    struct ts_str printed = ts_buf_str(&l.out);
    IS_INT(load(&again, &printed, 1), 0, "%s: its print loads", rows[i].what);
    IS(ts_buf_str(&again.out), printed, "%s: and is what it prints", rows[i].what);
    IS_U64(l.c.finding_count, 0, "%s: no finding", rows[i].what);
    unload(&l);
    unload(&again);
  }
}

static void refusals(void) {
  static const struct {
    struct ts_str text;
    const char *want;
  } rows[] = {
    { TS_STR("x"), "a.json:1:1: unexpected byte 0x78" },
    { TS_STR("\n\n  {\"type\":\"tool\",\"name\":\"a\"} x"), "a.json:3:30: more text behind the record on its line" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\"}{}"), "a.json:1:27: more text behind the record on its line" },
    { TS_STR("{\"type\":\"tool\"\n{\"type\":\"tool\",\"name\":\"a\"}"), "a.json:1:15: text ends inside an object" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\n\"}"), "a.json:1:25: text ends inside a string" },
    { TS_STR("[\n  {\"name\": \"a\"},\n  {\"name\": }\n]"), "a.json:3:12: unexpected byte 0x7d" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"\xff\"}"), "a.json:1:24: invalid UTF-8" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"name\":\"b\"}"),
      "a.json:1:27: member 'name' stands twice in one object" },
    { TS_STR("{\"type\":\"tool\",\"n\\u0061me\":\"a\",\"name\":\"b\"}"),
      "a.json:1:32: member 'name' stands twice in one object" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"input_schema\":{\"x\":1,\"x\":2}}"),
      "a.json:1:49: member 'x' stands twice in one object" },
    { TS_STR("{\"tools\":[],\"tools\":[{\"name\":\"a\"}]}"), "a.json:1:13: member 'tools' stands twice in one object" },
    { TS_STR("{\"tools\":[{\"name\":\"a\",\"name\":\"b\"}]}"),
      "a.json:1:23: member 'name' stands twice in one object" },
    { TS_STR("{\"result\":{\"tools\":[],\"tools\":[]}}"), "a.json:1:23: member 'tools' stands twice in one object" },
    { TS_STR("[{\"type\":\"function\",\"strict\":true,\"function\":{\"name\":\"a\",\"strict\":false}}]"),
      "a.json:1:21: member 'strict' stands beside 'function' and inside it" },
    { TS_STR("5"), "a.json:1:1: a catalog record is an object" },
    { TS_STR("[1]"), "a.json:1:2: a catalog record is an object" },
    { TS_STR("{\"a\":1}"), "a.json:1:1: neither a catalog record nor a list of tools: no 'type', 'name' or 'tools'" },
    { TS_STR("{\"type\":\"call\",\"name\":\"a\"}"), "a.json:1:1: type \"call\" is no catalog record" },
    { TS_STR("{\"type\":\"tool\"}"), "a.json:1:1: tool without a name" },
    { TS_STR("{\"type\":\"tool\",\"name\":5}"), "a.json:1:1: tool without a name" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"state\":\"removed\"}"),
      "a.json:1:1: tool 'a': 'state' of a tool is active or deferred (a retired name is an alias)" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"state\":7}"),
      "a.json:1:1: tool 'a': 'state' of a tool is active or deferred (a retired name is an alias)" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\"}"),
      "a.json:1:1: alias 'a': 'state' of an alias is hidden-compatibility, deprecated or removed" },
    { TS_STR("{\"name\":\"a\",\"state\":\"gone\"}"),
      "a.json:1:1: tool 'a': 'state' of a tool is active or deferred (a retired name is an alias)" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"origin\":\"web\"}"),
      "a.json:1:1: tool 'a': 'origin' is not native, mcp or synthetic" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\\n\",\"feature\":1}"),
      "a.json:1:1: tool 'a\\x0a': 'feature' is not a string" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"exclusive\":1}"),
      "a.json:1:1: tool 'a': 'exclusive' is not true or false" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"description\":[]}"),
      "a.json:1:1: tool 'a': 'description' is not a string" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"actions\":{}}"), "a.json:1:1: tool 'a': 'actions' is not an array" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"actions\":[\"b\"]}"),
      "a.json:1:1: tool 'a': 'actions' is not an array of objects with a name" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"actions\":[{\"name\":\"b\",\"feature\":1}]}"),
      "a.json:1:1: tool 'a': 'actions' has a feature that is not a string" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\",\"actions\":[{\"name\":\"b\",\"modes\":[1]}]}"),
      "a.json:1:1: tool 'a': 'actions.modes' is not an array of strings" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\",\"replay_supported\":\"no\"}"),
      "a.json:1:1: alias 'a': 'replay_supported' is not true or false" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\",\"arguments\":[]}"),
      "a.json:1:1: alias 'a': 'arguments' is not an object" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\",\"arguments\":{\"set\":[]}}"),
      "a.json:1:1: alias 'a': 'arguments.set' is not an object" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\",\"arguments\":{\"rename\":{\"a\":1}}}"),
      "a.json:1:1: alias 'a': 'arguments.rename' names something that is no string" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\",\"arguments\":{\"drop\":{}}}"),
      "a.json:1:1: alias 'a': 'arguments.drop' is not an array of strings" },
    { TS_STR("{\"type\":\"profile\",\"name\":\"p\",\"exclude\":\"a\"}"),
      "a.json:1:1: profile 'p': 'exclude' is not an array of strings" },
    { TS_STR("{\"type\":\"mode\",\"name\":\"m\",\"mcp\":true}"), "a.json:1:1: mode 'm': 'mcp' is not a string" },
    { TS_STR("{\"type\":\"catalog\",\"schema\":2}"),
      "a.json:1:1: catalog '': 'schema' is not 1, the only version of catalog records that is known here" },
    { TS_STR("{\"type\":\"catalog\",\"budget\":{\"active\":-1}}"),
      "a.json:1:1: catalog '': 'budget.active' is not a whole number" },
    { TS_STR("{\"type\":\"catalog\",\"budget\":3}"), "a.json:1:1: catalog '': 'budget' is not an object" },
    { TS_STR("{\"type\":\"state\",\"name\":\"a\",\"state\":\"deferred\"}"),
      "a.json:1:1: state 'a': no tool has this name" },
    { TS_STR("{\"type\":\"alias\",\"name\":\"a\",\"state\":\"removed\"}\n"
             "{\"type\":\"state\",\"name\":\"a\",\"state\":\"deferred\"}"),
      "a.json:2:1: state 'a': no tool has this name" },
    { TS_STR("{\"type\":\"state\",\"name\":\"a\",\"state\":\"removed\"}"),
      "a.json:1:1: state 'a': 'state' of a tool is active or deferred (a retired name is an alias)" },
    { TS_STR("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no such method\"}}"),
      "a.json:1:1: the server answered with an error: no such method" },
    { TS_STR("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"),
      "a.json:1:1: a JSON-RPC message that answers no tools/list" },
    { TS_STR("[[[[[[[[[[]]]]]]]]]]"), "a.json:1:9: lists in lists, too deep for tools" },
    { TS_STR("\xff\xfe{\0}\0"), "a.json:1:1: unexpected byte 0xff" },
    { TS_STR("{\"type\":\"tool\",\"name\":\"a\"}\0"), "a.json:1:27: more text behind the record on its line" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct load l = { 0 };
    IS_INT(load(&l, &rows[i].text, 1), -1, "row %zu is refused", i);
    IS(ts_buf_str(&l.err), ts_str_z(rows[i].want), "row %zu: why", i);
    unload(&l);
  }
}

static void overlays(void) {
  struct load l = { 0 };
  const struct ts_str sources[] = {
    TS_STR("{\"tools\":[{\"name\":\"b\",\"inputSchema\":{\"n\":1.0}},{\"name\":\"a\"},{\"name\":\"b\"}]}"),
    TS_STR("{\"type\":\"catalog\",\"name\":\"old\",\"version\":\"1.0.0\",\"budget\":{\"active\":1}}\n"
           "{\"type\":\"state\",\"name\":\"b\",\"state\":\"active\"}\n{\"type\":\"mode\",\"name\":\"plan\",\"mcp\":"
           "\"active\"}\n"
           "{\"type\":\"profile\",\"name\":\"p\",\"exclude\":[\"x\"]}"),
    TS_STR("{\"type\":\"catalog\",\"name\":\"new\"}\n{\"type\":\"state\",\"name\":\"b\",\"state\":\"deferred\"}\n"
           "{\"type\":\"mode\",\"name\":\"plan\"}\n{\"type\":\"profile\",\"name\":\"p\",\"exclude\":[\"y\",\"z\"]}"),
  };
  IS_INT(load(&l, sources, TS_COUNT(sources)), 0, "three sources load");
  IS(ts_buf_str(&l.out),
     TS_STR("{\"type\":\"catalog\",\"name\":\"new\"}\n" T("\"name\":\"a\",\"state\":\"active\"")
                T("\"name\":\"b\",\"state\":\"deferred\",\"input_schema\":{\"n\":1.0}")
                    T("\"name\":\"b\",\"state\":\"deferred\"") "{\"type\":\"profile\",\"name\":\"p\",\"exclude\":["
                                                               "\"y\",\"z\"]}\n"
                                                               "{\"type\":\"mode\",\"name\":\"plan\"}\n"),
     "the later header, states, profile and mode win");
  OK(l.c.version.len == 0 && !l.c.has_budget, "nothing of the older header is left");
  IS_U64(l.c.mode_count, 3, "the default modes are there too");
  IS(l.c.mode[0].name, TS_STR("plan"), "plan first");
  OK(!l.c.mode[0].mcp_active && !l.c.mode[1].mcp_active && l.c.mode[2].mcp_active, "MCP tools are active in yolo only");
  const struct ts_tool *b = ts_catalog_find(&l.c, TS_STR("b"));
  OK(b && b->input_schema.len > 0 && b->place.line == 1 && b->place.column == 11, "b is found, with its place");
  const struct ts_tool *twin = b ? ts_catalog_twin(&l.c, b) : NULL;
  OK(twin && twin->input_schema.len == 0 && !ts_catalog_twin(&l.c, twin), "and its twin, the last");
  OK(!ts_catalog_find(&l.c, TS_STR("B")) && !ts_catalog_find(&l.c, TS_STR("")), "other names are not");
  unload(&l);
}

static void members(void) {
  struct load l = { 0 };
  const struct ts_str text = TS_STR(
      "{\"type\":\"catalog\",\"schema\":1,\"name\":\"n\",\"version\":\"2.0.0\",\"budget\":{\"active\":10,\"bytes\":99}}"
      "\n"
      "{\"type\":\"tool\",\"name\":\"t\",\"implementation\":\"T\",\"origin\":\"mcp\",\"server\":\"s\",\"niche\":\"n\","
      "\"family\":\"f\",\"exclusive\":true,\"feature\":\"x\",\"actions\":[{\"name\":\"go\",\"feature\":\"y\","
      "\"modes\":[\"plan\",\"ask\"]},{\"name\":\"stop\"}],\"description\":\"d\\n\"}\n"
      "{\"type\":\"alias\",\"name\":\"old\",\"replacement\":\"t\",\"action\":\"go\",\"arguments\":{\"drop\":[\"v\"]},"
      "\"state\":\"deprecated\",\"note\":\"n\",\"first_deprecated_version\":null,\"planned_removal_version\":\"TBD\","
      "\"not_before\":\"3.0.0\"}\n"
      "{\"type\":\"alias\",\"name\":\"gone\",\"state\":\"removed\"}\n"
      "{\"type\":\"alias\",\"name\":\"kept\",\"state\":\"hidden-compatibility\",\"replay_supported\":false}\n");
  IS_INT(load(&l, &text, 1), 0, "loads");
  IS(l.c.version, TS_STR("2.0.0"), "version");
  OK(l.c.has_budget && l.c.budget_active == 10 && l.c.budget_bytes == 99, "budget");
  const struct ts_tool *t = ts_catalog_find(&l.c, TS_STR("t"));
  OK(t->origin == TS_MCP && t->exclusive && t->state == TS_ACTIVE && !t->is_alias, "origin, exclusive, state");
  IS(t->implementation, TS_STR("T"), "implementation");
  IS(t->server, TS_STR("s"), "server");
  IS(t->niche, TS_STR("n"), "niche");
  IS(t->family, TS_STR("f"), "family");
  IS(t->feature, TS_STR("x"), "feature");
  IS(t->description, TS_STR("d\n"), "description, decoded");
  IS(t->description_json, TS_STR("\"d\\n\""), "description, as it stands");
  IS_U64(t->action_count, 2, "two actions");
  IS(t->action_list[0].mode[1], TS_STR("ask"), "a mode of the first");
  OK(t->action_list[0].some_modes && !t->action_list[1].some_modes, "the second is for all modes");
  IS(t->action_list[0].feature, TS_STR("y"), "the feature of the first");
  const struct ts_tool *old = ts_catalog_find(&l.c, TS_STR("old"));
  OK(old->is_alias && old->state == TS_DEPRECATED && old->replay_supported && !old->has_replay_supported,
     "an alias, replay by default");
  IS(old->action, TS_STR("go"), "its action");
  IS(old->arguments, TS_STR("{\"drop\":[\"v\"]}"), "its argument map");
  OK(old->first_deprecated_version.len == 0, "null is none");
  IS(old->planned_removal_version, TS_STR("TBD"), "its plan");
  IS(old->not_before, TS_STR("3.0.0"), "and its floor");
  OK(!ts_catalog_find(&l.c, TS_STR("gone"))->replay_supported, "a removed name is not replayed by default");
  OK(!ts_catalog_find(&l.c, TS_STR("kept"))->replay_supported, "said not to be");
  unload(&l);
}

#define PAGE(tools, more) TS_STR("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[" tools "]" more "}}\n")
#define A "{\"name\":\"a\"}"
#define B "{\"name\":\"b\"}"

static void pages(void) {
  static const struct {
    const char *what;
    struct ts_str source[4];
    size_t count, tools, repeated;
    bool incomplete;
  } rows[] = {
    { "one whole page", { PAGE(A, "") }, 1, 1, 0, false },
    { "a null cursor is none", { PAGE(A, ",\"nextCursor\":null") }, 1, 1, 0, false },
    { "the first page alone", { PAGE(A, ",\"nextCursor\":\"2\"") }, 1, 1, 0, true },
    { "an empty cursor is one", { PAGE(A, ",\"nextCursor\":\"\"") }, 1, 1, 0, true },
    { "two pages, two sources", { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(B, "") }, 2, 2, 0, false },
    { "an overlay between them",
      { PAGE(A, ",\"nextCursor\":\"2\""), TS_STR("{\"type\":\"catalog\"}"), PAGE(B, "") },
      3,
      2,
      0,
      false },
    { "an overlay is no page", { PAGE(A, ",\"nextCursor\":\"2\""), TS_STR("{\"type\":\"catalog\"}") }, 2, 1, 0, true },
    { "the same page twice, other blanks and cursor",
      { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(" " A " ", ",\"nextCursor\":\"3\""), PAGE(B, "") },
      3,
      2,
      1,
      false },
    { "stuck",
      { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(A, ",\"nextCursor\":\"2\""), PAGE(A, ",\"nextCursor\":\"2\"") },
      3,
      1,
      2,
      true },
    { "round and round",
      { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(B, ",\"nextCursor\":\"1\""), PAGE(A, ",\"nextCursor\":\"2\"") },
      3,
      2,
      1,
      true },
    { "the last page twice", { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(B, ""), PAGE(B, "") }, 3, 2, 1, false },
    { "overlapping pages are two", { PAGE(A "," B, ",\"nextCursor\":\"2\""), PAGE(B, "") }, 2, 3, 0, false },
    { "two empty lists", { PAGE("", ""), PAGE("", "") }, 2, 0, 0, false },
    { "an empty page that leads to itself",
      { PAGE("", ",\"nextCursor\":\"2\""), PAGE("", ",\"nextCursor\":\"2\""), PAGE("", ",\"nextCursor\":\"2\"") },
      3,
      0,
      1,
      true },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct load l = { 0 };
    size_t repeated = 0, incomplete = 0;
    IS_INT(load(&l, rows[i].source, rows[i].count), 0, "%s: loads", rows[i].what);
    IS_U64(l.c.tool_count, rows[i].tools, "%s: tools", rows[i].what);
    for (size_t f = 0; f < l.c.finding_count; f++) {
      repeated += l.c.finding[f].rule == TS_RULE_PAGE_REPEATED;
      incomplete += l.c.finding[f].rule == TS_RULE_PAGES_INCOMPLETE;
    }
    IS_U64(repeated, rows[i].repeated, "%s: pages that repeat another", rows[i].what);
    OK(l.c.incomplete == rows[i].incomplete && incomplete == rows[i].incomplete, "%s: complete?", rows[i].what);
    unload(&l);
  }
  struct load l = { 0 };
  const struct ts_str stuck[] = { PAGE(A, ",\"nextCursor\":\"2\""), PAGE(A, ",\"nextCursor\":\"2\"") };
  IS_INT(load(&l, stuck, 2), 0, "stuck: loads");
  IS_U64(l.c.finding_count, 2, "stuck: two findings");
  IS(l.c.finding[0].message, TS_STR("page 2 of the list is page 1 again (a.json:1) and is dropped"), "stuck: repeated");
  IS(l.c.finding[0].place.file, TS_STR("b.json"), "stuck: where");
  IS(l.c.finding[1].message, TS_STR("the list is incomplete: nextCursor \"2\" is present and no page follows"),
     "stuck: incomplete");
  unload(&l);
}

static void doubled_keys_passed_on(void) {
  struct load l = { 0 };
  const struct ts_str text = TS_STR("{\"tools\":[\n{\"name\":\"a\",\"inputSchema\":{\"x\":1,\"x\":2}}]}");
  IS_INT(load(&l, &text, 1), 0, "a doubled key in a served schema loads");
  IS(ts_buf_str(&l.out), TS_STR(T("\"name\":\"a\",\"state\":\"active\",\"input_schema\":{\"x\":1,\"x\":2}")),
     "and its bytes stay");
  IS_U64(l.c.finding_count, 1, "it is said");
  OK(l.c.finding[0].rule == TS_RULE_DUPLICATE_KEY && l.c.finding[0].place.line == 2 &&
         l.c.finding[0].place.column == 34,
     "with its place");
  unload(&l);
}

/* Schemas as deep as a program may make them, and long lists. */
static void sizes(void) {
  enum { DEEP = 10000, MANY = 20000 };
  struct load l = { 0 };
  struct ts_buf text = { 0 };
  ts_buf_addz(&text, "{\"tools\":[{\"name\":\"deep\",\"inputSchema\":");
  for (int i = 0; i < DEEP; i++) ts_buf_addz(&text, "{\"not\":");
  ts_buf_addz(&text, "{}");
  for (int i = 0; i < DEEP; i++) ts_buf_addc(&text, '}');
  ts_buf_addz(&text, "}]}");
  struct ts_str deep = ts_buf_str(&text);
  IS_INT(load(&l, &deep, 1), 0, "a schema 10,000 deep loads");
  IS_U64(l.c.tool_count == 1 ? l.c.tool[0].input_schema.len : 0, DEEP * 8 + 2, "whole");
  unload(&l);
  ts_buf_clear(&text);
  ts_buf_addc(&text, '[');
  for (int i = 0; i < MANY; i++) ts_buf_addf(&text, "%s{\"name\":\"t%d\"}", i ? "," : "", i);
  ts_buf_addc(&text, ']');
  struct ts_str many = ts_buf_str(&text);
  IS_INT(load(&l, &many, 1), 0, "20,000 tools on one line load");
  IS_U64(l.c.tool_count, MANY, "all of them");
  unload(&l);
  ts_buf_free(&text);
}

static void carried_tools(void) {
  struct load l = { 0 };
  const struct ts_str list =
      TS_STR("[{\"name\":\"a\",\"parameters\":{}},{\"type\":\"function\",\"function\":{\"name\":\"b\"}}]");
  IS_INT(ts_catalog_read_tools(&l.c, TS_STR("s.jsonl"), list, &l.err), 0, "a transcript's list loads");
  IS_INT(ts_catalog_finish(&l.c, &l.err), 0, "and is finished");
  IS_U64(l.c.tool_count, 2, "two tools");
  unload(&l);
  const struct ts_str record = TS_STR("{\"name\":\"a\",\"state\":\"removed\"}");
  IS_INT(ts_catalog_read_tools(&l.c, TS_STR("s.jsonl"), record, &l.err), 0, "one tool of it");
  OK(l.c.tool_count == 1 && l.c.tool[0].state == TS_ACTIVE, "is of the surface, whatever it says");
  unload(&l);
  static const struct ts_str bad[] = { TS_STR("\"{{tools}}\""), TS_STR(""), TS_STR("[{}]"), TS_STR("[") };
  for (size_t i = 0; i < TS_COUNT(bad); i++) {
    IS_INT(ts_catalog_read_tools(&l.c, TS_STR("s.jsonl"), bad[i], &l.err), -1, "row %zu is no list", i);
    OK(ts_str_starts(ts_buf_str(&l.err), TS_STR("s.jsonl:1:")), "row %zu: where", i);
    unload(&l);
  }
}

int main(void) {
  shapes();
  refusals();
  overlays();
  members();
  pages();
  doubled_keys_passed_on();
  sizes();
  carried_tools();
  return tap_done();
}
