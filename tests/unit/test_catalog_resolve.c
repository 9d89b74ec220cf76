/* What a called name means, what else may have been meant, and how an alias's arguments reach the tool. */
#include "catalog/argmap.h"
#include "catalog/resolve.h"
#include "catalog/surface.h"

#include "unit/tap.h"

static void make(struct ts_catalog *c, struct ts_str text) {
  struct ts_buf err = { 0 };
  bool good = ts_catalog_read(c, TS_STR("c"), text, &err) == 0 && ts_catalog_finish(c, &err) == 0;
  OK(good, "the catalog loads%s%s", err.len ? ": " : "", ts_buf_z(&err));
  ts_buf_free(&err);
}

#define TOOL(name, more) "{\"type\":\"tool\",\"name\":\"" name "\"" more "}\n"
#define ALIAS(name, state, more) "{\"type\":\"alias\",\"name\":\"" name "\",\"state\":\"" state "\"" more "}\n"
#define FOR(name) ",\"replacement\":\"" name "\""

static const struct ts_str names = TS_STR(
    TOOL("fetch", "") TOOL("mail", ",\"feature\":\"post\"") TOOL("archive", ",\"state\":\"deferred\"")
        ALIAS("get", "hidden-compatibility", FOR("fetch")) ALIAS("pull", "deprecated", FOR("fetch"))
            ALIAS("load", "removed",
                  FOR("fetch") ",\"action\":\"all\",\"first_deprecated_version\":\"1.0.0\","
                               "\"planned_removal_version\":\"2.0.0\"") ALIAS("drop", "removed", "")
                ALIAS("tar", "removed", ",\"planned_removal_version\":\"TBD\"" FOR("archive"))
                    ALIAS("zip", "removed", ",\"first_deprecated_version\":\"1.0.0\"" FOR("archive")) ALIAS(
                        "own", "hidden-compatibility", "") ALIAS("chain", "hidden-compatibility", FOR("get"))
                        ALIAS("lost", "deprecated", FOR("nowhere")) ALIAS("send", "hidden-compatibility", FOR("mail"))
                            ALIAS("off", "removed", ",\"feature\":\"post\"" FOR("fetch"))
                                ALIAS("same", "hidden-compatibility", FOR("same")) TOOL("same", "")
                                    TOOL("twice", ",\"feature\":\"post\",\"server\":\"one\"")
                                        TOOL("twice", ",\"server\":\"two\""));

static void routes(void) {
  static const struct {
    const char *name, *canonical;
    enum ts_state state;
    bool dispatches, post; /* with the feature on? */
    const char *why;
  } rows[] = {
    { "fetch", "fetch", TS_ACTIVE, true, false, "" },
    { "archive", "archive", TS_DEFERRED, true, false, "" },
    { "get", "fetch", TS_HIDDEN, true, false, "" },
    { "pull", "fetch", TS_DEPRECATED, true, false, "" },
    { "own", "own", TS_HIDDEN, true, false, "" },
    { "load", "fetch", TS_REMOVED, false, false,
      "tool 'load' is removed (deprecated since 1.0.0, its removal was planned for 2.0.0): use 'fetch' with action "
      "'all' instead" },
    { "drop", "", TS_REMOVED, false, false, "tool 'drop' is removed" },
    { "tar", "archive", TS_REMOVED, false, false, "tool 'tar' is removed: use 'archive' instead" },
    { "zip", "archive", TS_REMOVED, false, false,
      "tool 'zip' is removed (deprecated since 1.0.0): use 'archive' instead" },
    { "chain", "get", TS_HIDDEN, false, false,
      "tool 'chain' cannot run: it stands for 'get', which is an alias itself" },
    { "lost", "nowhere", TS_DEPRECATED, false, false,
      "tool 'lost' cannot run: it stands for 'nowhere', which is not in the catalog" },
    { "send", "mail", TS_HIDDEN, false, false, "tool 'send' cannot run: it stands for 'mail', whose feature is off" },
    { "send", "mail", TS_HIDDEN, true, true, "" },
    { "mail", "", TS_UNKNOWN_NAME, false, false, "unknown tool 'mail'" },
    { "mail", "mail", TS_ACTIVE, true, true, "" },
    { "off", "", TS_UNKNOWN_NAME, false, false, "unknown tool 'off'" },
    { "off", "fetch", TS_REMOVED, false, true, "tool 'off' is removed: use 'fetch' instead" },
    { "same", "same", TS_HIDDEN, true, false, "" },
    { "Fetch", "", TS_UNKNOWN_NAME, false, false, "unknown tool 'Fetch': did you mean 'fetch'?" },
    { "fetch ", "", TS_UNKNOWN_NAME, false, false, "unknown tool 'fetch ': did you mean 'fetch'?" },
    { "", "", TS_UNKNOWN_NAME, false, false, "unknown tool ''" },
    { "\x1b[2J", "", TS_UNKNOWN_NAME, false, false, "unknown tool '\\x1b[2J'" },
  };
  struct ts_catalog c = { 0 };
  struct ts_buf why = { 0 };
  struct ts_str post = TS_STR("post");
  make(&c, names);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_surface s = { .some_features = true, .feature = &post, .feature_count = rows[i].post ? 1 : 0 };
    struct ts_route r;
    ts_resolve(&c, &s, ts_str_z(rows[i].name), &r);
    OK(r.state == rows[i].state, "%s: state", rows[i].name);
    OK(r.dispatches == rows[i].dispatches && (r.tool != NULL) == r.dispatches, "%s: dispatches", rows[i].name);
    IS(r.canonical, ts_str_z(rows[i].canonical), "%s: canonical", rows[i].name);
    ts_buf_clear(&why);
    ts_route_explain(&c, &s, &r, &why);
    IS(ts_buf_str(&why), ts_str_z(rows[i].why), "%s: why", rows[i].name);
  }
  struct ts_surface on = { .some_features = true, .feature = &post, .feature_count = 1 },
                    off = { .some_features = true };
  struct ts_route r;
  ts_resolve(&c, &on, TS_STR("twice"), &r);
  IS(r.tool ? r.tool->server : TS_STR(""), TS_STR("one"), "of doubled names the first answers");
  ts_resolve(&c, &off, TS_STR("twice"), &r);
  IS(r.tool ? r.tool->server : TS_STR(""), TS_STR("two"), "the first that is on");
  ts_buf_free(&why);
  ts_catalog_free(&c);
}

/* An MCP tool is active where the mode says so, a synthetic one everywhere; a call sees the same. */
static void states(void) {
  static const struct {
    const char *name, *mode;
    enum ts_state want;
  } rows[] = { { "m", "", TS_DEFERRED },        { "m", "plan", TS_DEFERRED }, { "m", "yolo", TS_ACTIVE },
               { "m", "nowhere", TS_DEFERRED }, { "s", "plan", TS_ACTIVE },   { "n", "yolo", TS_DEFERRED },
               { "old", "yolo", TS_HIDDEN } };
  struct ts_catalog c = { 0 };
  make(&c, TS_STR(TOOL("m", ",\"origin\":\"mcp\",\"state\":\"deferred\"")
                      TOOL("s", ",\"origin\":\"synthetic\",\"state\":\"deferred\"") TOOL("n", ",\"state\":\"deferred\"")
                          ALIAS("old", "hidden-compatibility", ",\"origin\":\"mcp\"" FOR("m"))));
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_surface s = { .mode = ts_str_z(rows[i].mode) };
    struct ts_route r;
    ts_resolve(&c, &s, ts_str_z(rows[i].name), &r);
    OK(r.state == rows[i].want && r.dispatches, "%s in mode '%s'", rows[i].name, rows[i].mode);
  }
  ts_catalog_free(&c);
}

static void suggestions(void) {
  static const struct {
    const char *name, *want;
  } rows[] = {
    { "file", "file_read file_write file_search" }, /* prefixes, the nearest first, then by name */
    { "file_readme", "file_read" },                 /* the other way round */
    { "search", "file_search" },                    /* substring */
    { "xfile_readx", "file_read" },                 /* the other way round */
    { "fjle_wrxte", "file_write" },                 /* distance 2 */
    { "xxxxe_read", "" },                           /* distance 4 */
    { "agnts", "agents" },
    { "agnt", "" },        /* distance 2 is no less than half of 4 */
    { "agent", "agents" }, /* hidden names are not suggested, nor the name itself */
    { "ab", "" },          /* distance 1 to "xb" is no less than half of 2 */
    { "abc", "xbc" },      /* distance 1 is less than half of 3 */
    { "gr\xc3\xb6sse", "gr\xc3\xbcsse" },
    { "\xe6\x97\xb6\xe9\x97\xb4x", "\xe6\x97\xb6\xe9\x97\xb4" },
    { "retired", "" },
    { "nothing_like_it", "" },
    { "", "" },
    { "\xff\xfe", "" },
  };
  struct ts_catalog c = { 0 };
  struct ts_surface s = { 0 };
  make(&c,
       TS_STR(TOOL("file_search", "") TOOL("file_write", "") TOOL("file_read", ",\"state\":\"deferred\"") TOOL(
           "agents", "") TOOL("xb", "") TOOL("xbc", "") TOOL("xbc", "") TOOL("", "") TOOL("gr\xc3\xbcsse", "")
                  TOOL("\xe6\x97\xb6\xe9\x97\xb4", "") ALIAS("file_rea", "hidden-compatibility", FOR("file_read"))
                      ALIAS("retired_name", "removed", "") TOOL(
                          "abx",
                          ",\"feature\":\"f\"") "{\"type\":\"profile\",\"name\":\"p\",\"exclude\":[\"agents\"]}\n"));
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_str got[TS_SUGGESTIONS];
    struct ts_buf joined = { 0 };
    struct ts_surface without = { .some_features = true };
    size_t n = ts_suggest(&c, &without, ts_str_z(rows[i].name), got);
    for (size_t k = 0; k < n; k++) ts_buf_addf(&joined, "%s%.*s", k ? " " : "", TS_FMT(got[k]));
    IS(ts_buf_str(&joined), ts_str_z(rows[i].want), "'%s'", rows[i].name);
    ts_buf_free(&joined);
  }
  struct ts_str got[TS_SUGGESTIONS];
  s.profile = TS_STR("p");
  IS_U64(ts_suggest(&c, &s, TS_STR("agnts"), got), 0, "a name that the profile excludes is not suggested");
  ts_catalog_free(&c);
}

static void entries(void) {
  static const struct {
    const char *name;
    bool want;
  } rows[] = {
    { "item", true },
    { "items", true },
    { "todos", true },
    { "checklist", true },
    { "checklist_item", true },
    { "todo_item", true },
    { "todo-entry", true },
    { "TODO_ITEM", true },
    { "list_item", true },
    { "todo_list_item", true },
    { "entries", true },
    { "menu_item", false },
    { "item_list", false },
    { "get_item", false },
    { "todo", false },
    { "todo_list", false },
    { "", false },
    { "_item", false },
    { "items_", false },
    { "itemx", false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    OK(ts_is_list_entry(ts_str_z(rows[i].name)) == rows[i].want, "'%s' is %san entry", rows[i].name,
       rows[i].want ? "" : "not ");
  struct ts_catalog with = { 0 }, without = { 0 };
  struct ts_surface s = { 0 };
  struct ts_route r;
  struct ts_buf why = { 0 };
  make(&with, TS_STR(TOOL("todo_write", "") TOOL("items_of", "")));
  make(&without, TS_STR(TOOL("items_of", "")));
  ts_resolve(&with, &s, TS_STR("items"), &r);
  ts_route_explain(&with, &s, &r, &why);
  IS(ts_buf_str(&why),
     TS_STR("unknown tool 'items': an entry of the to-do list is no tool; write the whole list with 'todo_write'"),
     "an entry of the list");
  ts_buf_clear(&why);
  ts_resolve(&without, &s, TS_STR("items"), &r);
  ts_route_explain(&without, &s, &r, &why);
  IS(ts_buf_str(&why), TS_STR("unknown tool 'items': did you mean 'items_of'?"), "where there is no list to write");
  ts_buf_free(&why);
  ts_catalog_free(&with);
  ts_catalog_free(&without);
}

static void argument_maps(void) {
  static const struct {
    const char *map; /* members of the alias */
    struct ts_str arguments;
    const char *want; /* NULL: refused */
  } rows[] = {
    { "", TS_STR(" { \"a\" : 1.0 , \"b\" : [ 1 ] } "), "{\"a\":1.0,\"b\":[1]}" },
    { ",\"action\":\"read\"", TS_STR("{}"), "{\"action\":\"read\"}" },
    { ",\"action\":\"re\\\"ad\"", TS_STR("{\"path\":\"\\u0061\"}"), "{\"path\":\"\\u0061\",\"action\":\"re\\\"ad\"}" },
    { ",\"action\":\"read\"", TS_STR("{\"action\":\"x\",\"b\":12345678901234567890}"),
      "{\"action\":\"read\",\"b\":12345678901234567890}" },
    { ",\"arguments\":{\"set\":{\"n\":1e0,\"m\":{\"x\" : []}}}", TS_STR("{\"m\":2}"), "{\"m\":{\"x\":[]},\"n\":1e0}" },
    { ",\"arguments\":{\"rename\":{\"file\":\"path\"}}", TS_STR("{\"f\":1,\"file\":2,\"g\":3}"),
      "{\"f\":1,\"path\":2,\"g\":3}" },
    { ",\"arguments\":{\"rename\":{\"fi\\u006ce\":\"p\\u0061th\"}}", TS_STR("{\"f\\u0069le\":2}"),
      "{\"p\\u0061th\":2}" },
    { ",\"arguments\":{\"drop\":[\"v\"]}", TS_STR("{\"v\":1,\"w\":{\"v\":1}}"), "{\"w\":{\"v\":1}}" },
    { ",\"arguments\":{\"drop\":[\"v\"]}", TS_STR("{\"v\":1}"), "{}" },
    { ",\"arguments\":{\"drop\":[\"a\"],\"rename\":{\"a\":\"b\",\"c\":\"a\"},\"set\":{\"a\":9}}",
      TS_STR("{\"a\":1,\"c\":2}"), "{\"a\":9}" },
    { ",\"arguments\":{\"rename\":{\"a\":\"b\",\"b\":\"a\"}}", TS_STR("{\"a\":1,\"b\":2}"), "{\"b\":1,\"a\":2}" },
    { ",\"arguments\":{\"rename\":{\"a\":\"b\"}}", TS_STR("{\"a\":1,\"b\":2}"), NULL },
    { ",\"arguments\":{\"rename\":{\"a\":\"b\"}}", TS_STR("{\"b\":2,\"a\":1}"), NULL },
    { ",\"arguments\":{\"rename\":{\"a\":\"b\"},\"drop\":[\"b\"]}", TS_STR("{\"b\":2,\"a\":1}"), "{\"b\":1}" },
    { ",\"arguments\":{\"rename\":{\"a\":\"c\",\"b\":\"c\"}}", TS_STR("{\"b\":2,\"a\":1}"), NULL },
    { ",\"arguments\":{}", TS_STR("{\"a\":1,\"a\":2}"), "{\"a\":1,\"a\":2}" },
    { ",\"action\":\"x\",\"arguments\":{\"set\":{\"action\":\"y\"}}", TS_STR("{}"), "{\"action\":\"y\"}" },
    { ",\"action\":\"x\",\"arguments\":{\"set\":{\"k\":1}}", TS_STR("{\"k\":0}"), "{\"k\":1,\"action\":\"x\"}" },
    { ",\"action\":\"x\"", TS_STR("[]"), NULL },
    { ",\"action\":\"x\"", TS_STR("{"), NULL },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_catalog c = { 0 };
    struct ts_buf record = { 0 }, out = { 0 }, err = { 0 };
    ts_buf_addf(&record, ALIAS("old", "hidden-compatibility", "%s"), rows[i].map);
    make(&c, ts_buf_str(&record));
    const struct ts_tool *alias = ts_catalog_find(&c, TS_STR("old"));
    int result = alias ? ts_argmap_apply(alias, rows[i].arguments, &out, &err) : -2;
    IS_INT(result, rows[i].want ? 0 : -1, "row %zu: applied", i);
    if (rows[i].want) IS(ts_buf_str(&out), ts_str_z(rows[i].want), "row %zu: as the tool takes them", i);
    OK((err.len > 0) == !rows[i].want, "row %zu: says why not", i);
    ts_buf_free(&record);
    ts_buf_free(&out);
    ts_buf_free(&err);
    ts_catalog_free(&c);
  }
}

int main(void) {
  routes();
  states();
  suggestions();
  entries();
  argument_maps();
  return tap_done();
}
