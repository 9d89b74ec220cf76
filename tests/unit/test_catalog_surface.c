/* What a mode, a profile and the features show: first turn, search, golden files. */
#include "catalog/golden.h"
#include "catalog/measure.h"
#include "catalog/search.h"

#include "unit/tap.h"

static void make(struct ts_catalog *c, struct ts_str text) {
  struct ts_buf err = { 0 };
  bool good = ts_catalog_read(c, TS_STR("c"), text, &err) == 0 && ts_catalog_finish(c, &err) == 0;
  OK(good, "the catalog loads%s%s", err.len ? ": " : "", ts_buf_z(&err));
  ts_buf_free(&err);
}

#define TOOL(name, more) "{\"type\":\"tool\",\"name\":\"" name "\"" more "}\n"
#define ALIAS(name, state) "{\"type\":\"alias\",\"name\":\"" name "\",\"state\":\"" state "\",\"replacement\":\"b\"}\n"

static const struct ts_str catalog = TS_STR(
    TOOL("b", ",\"description\":\"d\"") TOOL("seek", ",\"origin\":\"synthetic\",\"state\":\"deferred\"")
        TOOL("a_mcp", ",\"origin\":\"mcp\",\"state\":\"deferred\"") TOOL("m2", ",\"origin\":\"mcp\"") TOOL("a", "")
            TOOL("later", ",\"state\":\"deferred\"") TOOL("extra", ",\"feature\":\"x\"") ALIAS("h", "hidden-compatibility")
                ALIAS("d", "deprecated") ALIAS("r", "removed")
                    "{\"type\":\"profile\",\"name\":\"small\",\"first_turn\":[\"b\",\"h\",\"later\",\"r\"]}\n"
                    "{\"type\":\"profile\",\"name\":\"leaf\",\"exclude\":[\"b\",\"m2\",\"seek\",\"later\"]}\n"
                    "{\"type\":\"mode\",\"name\":\"ask\",\"mcp\":\"active\"}\n");

/* Names of the block in order. */
static void first_turn(void) {
  static const struct {
    const char *mode, *profile;
    bool x;
    const char *want, *search;
  } rows[] = {
    { "", "", true, "a b extra m2 seek", "a_mcp later" },  { "agent", "", false, "a b m2 seek", "a_mcp later" },
    { "plan", "", false, "a b m2 seek", "a_mcp later" },   { "yolo", "", false, "a b a_mcp m2 seek", "later" },
    { "ask", "", false, "a b a_mcp m2 seek", "later" },    { "agent", "small", true, "b m2 seek", "a_mcp later" },
    { "yolo", "small", true, "b a_mcp m2 seek", "later" }, { "agent", "leaf", true, "a extra", "a_mcp" },
  };
  struct ts_catalog c = { 0 };
  struct ts_str x = TS_STR("x");
  make(&c, catalog);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_surface s = { .mode = ts_str_z(rows[i].mode),
                            .profile = ts_str_z(rows[i].profile),
                            .some_features = true,
                            .feature = &x,
                            .feature_count = rows[i].x };
    struct ts_scope scope;
    struct ts_head head = { 0 };
    struct ts_listing found = { 0 };
    struct ts_buf names = { 0 };
    IS_INT(ts_scope_open(&scope, &c, &s, NULL), 0, "row %zu: opens", i);
    ts_head_build(&head, &c, &scope, TS_API_ANTHROPIC);
    for (size_t k = 0; k < head.count; k++)
      ts_buf_addf(&names, "%s%.*s", k ? " " : "", TS_FMT(head.tool[k].tool->name));
    IS(ts_buf_str(&names), ts_str_z(rows[i].want), "row %zu: the first turn", i);
    ts_buf_clear(&names);
    IS_INT(ts_search(&c, &scope, TS_MATCH_REGEX, TS_STR(""), 99, &found, NULL), 0, "row %zu: searches", i);
    for (size_t k = 0; k < found.count; k++) ts_buf_addf(&names, "%s%.*s", k ? " " : "", TS_FMT(found.tool[k]->name));
    IS(ts_buf_str(&names), ts_str_z(rows[i].search), "row %zu: the search pool", i);
    ts_buf_free(&names);
    ts_head_free(&head);
    ts_listing_free(&found);
    ts_scope_close(&scope);
  }
  struct ts_scope scope;
  struct ts_buf err = { 0 };
  IS_INT(ts_scope_open(&scope, &c, &(struct ts_surface){ .mode = TS_STR("no") }, &err), -1, "no such mode");
  IS(ts_buf_str(&err), TS_STR("no mode 'no': there are plan, agent, yolo, ask"), "which there are");
  ts_scope_close(&scope);
  IS_INT(ts_scope_open(&scope, &c, &(struct ts_surface){ .profile = TS_STR("no") }, &err), -1, "no such profile");
  IS(ts_buf_str(&err), TS_STR("no profile 'no': there are leaf, small"), "which there are");
  ts_scope_close(&scope);
  ts_buf_free(&err);
  ts_catalog_free(&c);
}

static void apis(void) {
  static const struct {
    enum ts_api api;
    const char *want;
  } rows[] = {
    { TS_API_ANTHROPIC,
      "[{\"name\":\"\\u0061\",\"description\":\"d\\/\",\"input_schema\":{\"z\":1.0,\"a\":2}},"
      "{\"name\":\"b\"}]" },
    { TS_API_OPENAI,
      "[{\"type\":\"function\",\"function\":{\"name\":\"\\u0061\",\"description\":\"d\\/\","
      "\"parameters\":{\"z\":1.0,\"a\":2}}},{\"type\":\"function\",\"function\":{\"name\":\"b\"}}]" },
    { TS_API_RESPONSES,
      "[{\"type\":\"function\",\"name\":\"\\u0061\",\"description\":\"d\\/\","
      "\"parameters\":{\"z\":1.0,\"a\":2}},{\"type\":\"function\",\"name\":\"b\"}]" },
    { TS_API_GEMINI,
      "[{\"functionDeclarations\":[{\"name\":\"\\u0061\",\"description\":\"d\\/\","
      "\"parameters\":{\"z\":1.0,\"a\":2}},{\"name\":\"b\"}]}]" },
    { TS_API_MCP,
      "[{\"name\":\"\\u0061\",\"title\":\"A\",\"description\":\"d\\/\",\"inputSchema\":{\"z\":1.0,\"a\":2},"
      "\"outputSchema\":{},\"annotations\":{\"t\":1},\"_meta\":{}},{\"name\":\"b\"}]" },
  };
  struct ts_catalog c = { 0 }, empty = { 0 };
  struct ts_scope scope;
  make(&c, TS_STR(TOOL("b", ",\"description\":null")
                      TOOL("\\u0061",
                           ",\"_meta\":{},\"niche\":\"n\",\"family\":\"f\",\"description\":\"d\\/\",\"title\":\"A\","
                           "\"implementation\":\"I\",\"input_schema\":{ \"z\":1.0, \"a\":2},\"output_schema\":{},"
                           "\"annotations\":{\"t\":1},\"note\":\"deprecated\",\"replacement\":\"b\"")));
  make(&empty, TS_STR(""));
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_head head = { 0 };
    const char *name = ts_api_name(rows[i].api);
    OK(ts_api_find(ts_str_z(name)) == rows[i].api, "%s is found", name);
    IS_INT(ts_scope_open(&scope, &c, &(struct ts_surface){ 0 }, NULL), 0, "%s: opens", name);
    ts_head_build(&head, &c, &scope, rows[i].api);
    IS(ts_buf_str(&head.bytes), ts_str_z(rows[i].want), "%s: the block", name);
    IS(ts_str_sub(ts_buf_str(&head.bytes), head.tool[0].start, 2), TS_STR("{\""), "%s: where the first tool is", name);
    IS_INT(head.bytes.ptr[head.tool[1].end - 1], '}', "%s: where the last one ends", name);
    ts_scope_close(&scope);
    IS_INT(ts_scope_open(&scope, &empty, &(struct ts_surface){ 0 }, NULL), 0, "%s: opens, empty", name);
    ts_head_build(&head, &empty, &scope, rows[i].api);
    IS(ts_buf_str(&head.bytes), TS_STR("[]"), "%s: an empty block", name);
    ts_scope_close(&scope);
    ts_head_free(&head);
  }
  OK(ts_api_find(TS_STR("claude")) == TS_APIS, "another word is no API");
  ts_catalog_free(&c);
  ts_catalog_free(&empty);
}

#define FAMILY(actions, schema) TS_STR(TOOL("f", ",\"actions\":" actions ",\"input_schema\":" schema))
#define WHOLE "{\"properties\":{\"action\":{\"enum\":[\"r\\u0065ad\",\"w\",\"other\"],\"x\":1.0}}}"

static void pruning(void) {
  static const struct {
    struct ts_str catalog;
    const char *mode;
    bool feature;
    const char *want; /* NULL: no action is left */
  } rows[] = {
    { FAMILY("[{\"name\":\"read\"},{\"name\":\"w\",\"modes\":[\"yolo\"]}]", WHOLE), "yolo", true, WHOLE },
    { FAMILY("[{\"name\":\"read\"},{\"name\":\"w\",\"modes\":[\"yolo\"]}]", WHOLE), "plan", true,
      "{\"properties\":{\"action\":{\"enum\":[\"r\\u0065ad\",\"other\"],\"x\":1.0}}}" },
    { FAMILY("[{\"name\":\"read\",\"feature\":\"f\"},{\"name\":\"w\"}]", WHOLE), "plan", false,
      "{\"properties\":{\"action\":{\"enum\":[\"w\",\"other\"],\"x\":1.0}}}" },
    { FAMILY("[{\"name\":\"read\",\"feature\":\"f\"},{\"name\":\"w\"}]", WHOLE), "plan", true, WHOLE },
    { FAMILY("[{\"name\":\"read\",\"modes\":[]},{\"name\":\"read\",\"modes\":[\"plan\"]}]", WHOLE), "plan", true,
      WHOLE },
    { FAMILY("[{\"name\":\"z\",\"modes\":[]}]", "{\"properties\":{\"action\":{\"enum\":[\"z\"]}}}"), "plan", true,
      NULL },
    { FAMILY("[{\"name\":\"z\",\"modes\":[]}]", "{\"properties\":{\"action\":{\"enum\":[]}}}"), "plan", true,
      "{\"properties\":{\"action\":{\"enum\":[]}}}" },
    { FAMILY("[{\"name\":\"z\",\"modes\":[]}]", "{\"properties\":{\"verb\":{\"enum\":[\"z\"]}}}"), "plan", true,
      "{\"properties\":{\"verb\":{\"enum\":[\"z\"]}}}" },
    { FAMILY("[{\"name\":\"z\",\"modes\":[]}]", "true"), "plan", true, "true" },
    { FAMILY("[{\"name\":\"z\",\"modes\":[]}]", "[]"), "plan", true, "[]" },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_catalog c = { 0 };
    struct ts_str f = TS_STR("f");
    struct ts_surface s = {
      .mode = ts_str_z(rows[i].mode), .some_features = true, .feature = &f, .feature_count = rows[i].feature
    };
    struct ts_scope scope;
    struct ts_head head = { 0 };
    struct ts_buf schema = { 0 };
    make(&c, rows[i].catalog);
    IS_INT(ts_scope_open(&scope, &c, &s, NULL), 0, "row %zu: opens", i);
    IS_INT(ts_tool_schema(&scope, &c.tool[0], &schema), rows[i].want ? 0 : -1, "row %zu: an action is left", i);
    if (rows[i].want) IS(ts_buf_str(&schema), ts_str_z(rows[i].want), "row %zu: the schema", i);
    ts_head_build(&head, &c, &scope, TS_API_ANTHROPIC);
    IS_U64(head.count, rows[i].want ? 1 : 0, "row %zu: in the block", i);
    ts_head_free(&head);
    ts_buf_free(&schema);
    ts_scope_close(&scope);
    ts_catalog_free(&c);
  }
}

static void search(void) {
  static const struct {
    enum ts_match match;
    const char *query;
    size_t limit;
    const char *want; /* NULL: refused */
  } rows[] = {
    { TS_MATCH_TERMS, "mail", 8, "mail_send list_folders spool" }, /* 3, then 1 and 1 by name */
    { TS_MATCH_TERMS, "MAIL", 8, "mail_send list_folders spool" },
    { TS_MATCH_TERMS, "mail", 2, "mail_send list_folders" },
    { TS_MATCH_TERMS, " folder\tlist\n", 8, "list_folders" },
    { TS_MATCH_TERMS, "mail spool", 8, "spool mail_send list_folders" }, /* 4, 3, 1 */
    { TS_MATCH_TERMS, "recipient", 8, "mail_send" },                     /* in the schema */
    { TS_MATCH_TERMS, "send\nsends", 8, "mail_send" },
    { TS_MATCH_TERMS, "shown", 8, "" }, /* an active tool is not looked for */
    { TS_MATCH_TERMS, "old_", 8, "" },  /* nor an alias */
    { TS_MATCH_TERMS, "", 8, "" },
    { TS_MATCH_TERMS, " ", 8, "" },
    { TS_MATCH_REGEX, "^mail|FOLDERS", 8, "list_folders mail_send" },
    { TS_MATCH_REGEX, "recipien[t]", 8, "mail_send" },
    { TS_MATCH_REGEX, "nothing", 8, "" },
    { TS_MATCH_REGEX, "(", 8, NULL },
  };
  struct ts_catalog c = { 0 };
  struct ts_scope scope;
  make(&c,
       TS_STR(TOOL("mail_send",
                   ",\"state\":\"deferred\",\"description\":\"Sends a letter.\",\"input_schema\":"
                   "{\"properties\":{\"recipient\":{}}}")
                  TOOL("spool", ",\"state\":\"deferred\",\"description\":\"Keeps MAIL.\"")
                      TOOL("list_folders", ",\"state\":\"deferred\",\"description\":\"Where mail lies.\"") TOOL(
                          "shown",
                          ",\"description\":\"mail\"") "{\"type\":\"alias\",\"name\":\"old_mail\",\"state\":\"hidden-"
                                                       "compatibility\","
                                                       "\"replacement\":\"mail_send\",\"description\":\"mail\"}\n"));
  IS_INT(ts_scope_open(&scope, &c, &(struct ts_surface){ 0 }, NULL), 0, "opens");
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_listing found = { 0 };
    struct ts_buf names = { 0 }, err = { 0 };
    int result = ts_search(&c, &scope, rows[i].match, ts_str_z(rows[i].query), rows[i].limit, &found, &err);
    IS_INT(result, rows[i].want ? 0 : -1, "'%s': searched", rows[i].query);
    for (size_t k = 0; k < found.count; k++) ts_buf_addf(&names, "%s%.*s", k ? " " : "", TS_FMT(found.tool[k]->name));
    IS(ts_buf_str(&names), ts_str_z(rows[i].want ? rows[i].want : ""), "'%s': found", rows[i].query);
    OK((err.len > 0) == !rows[i].want, "'%s': says why not", rows[i].query);
    ts_listing_free(&found);
    ts_buf_free(&names);
    ts_buf_free(&err);
  }
  ts_scope_close(&scope);
  ts_catalog_free(&c);
}

/* --- golden files --------------------------------------------------------------------------------------- */

static void collect(void *context, const struct ts_finding *f) {
  struct ts_buf *out = context;
  ts_buf_addf(out, "%llu %.*s: %.*s\n", (unsigned long long)f->place.line, TS_FMT(f->name), TS_FMT(f->message));
  OK(f->rule == TS_RULE_GOLDEN_STALE, "the rule is golden-stale");
}

static const struct ts_str old_tools = TS_STR(TOOL("a", ",\"description\":\"one\"") TOOL("c", ""));

static void golden(void) {
  static const struct {
    const char *what;
    struct ts_str now;
    const char *want; /* of mode plan; the other two say the same */
  } rows[] = {
    { "the same", TS_STR(TOOL("c", "") TOOL("a", ",\"description\":\"one\"") ALIAS("z", "removed")), NULL },
    { "other text", TS_STR(TOOL("a", ",\"description\":\"two\"") TOOL("c", "")),
      "differs first in tool 'a' at byte 28; 19 of 47 bytes lie behind it" },
    { "a tool in between", TS_STR(TOOL("a", ",\"description\":\"one\"") TOOL("b", "") TOOL("c", "")),
      "differs first in tool 'b' at byte 43, where the golden block has tool 'c'; 17 of 60 bytes lie behind it" },
    { "a tool at the end", TS_STR(TOOL("a", ",\"description\":\"one\"") TOOL("c", "") TOOL("d", "")),
      "differs first in tool 'd' at byte 46, where the golden block ends; 14 of 60 bytes lie behind it" },
    { "a tool gone from the end", TS_STR(TOOL("a", ",\"description\":\"one\"")),
      "ends at byte 33, where the golden block has tool 'c'; 1 of 34 bytes lie behind it" },
    { "nothing left", TS_STR(""), "ends at byte 1, where the golden block has tool 'a'; 1 of 2 bytes lie behind it" },
  };
  struct ts_catalog before = { 0 };
  struct ts_surface s = { 0 };
  struct ts_buf file = { 0 };
  make(&before, old_tools);
  ts_golden_write(&before, &s, TS_API_ANTHROPIC, &file);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_catalog now = { 0 };
    struct ts_buf found = { 0 }, want = { 0 }, err = { 0 };
    static const char *const modes[] = { "plan", "agent", "yolo" };
    make(&now, rows[i].now);
    IS_INT(ts_golden_check(&now, &s, TS_API_ANTHROPIC, TS_STR("g"), ts_buf_str(&file), collect, &found, &err), 0,
           "%s: compared", rows[i].what);
    for (size_t m = 0; rows[i].want && m < TS_COUNT(modes); m++) {
      const char *quote = strstr(rows[i].want, "tool '"),
                 *name = strncmp(rows[i].want, "ends", 4) == 0 ? "" : quote + 6;
      ts_buf_addf(&want, "%zu %.*s: mode %s: the first-turn block %s\n", 2 * m + 2, *name ? 1 : 0, name, modes[m],
                  rows[i].want);
    }
    IS(ts_buf_str(&found), ts_buf_str(&want), "%s: what differs", rows[i].what);
    ts_buf_free(&found);
    ts_buf_free(&want);
    ts_buf_free(&err);
    ts_catalog_free(&now);
  }
  ts_buf_free(&file);
  ts_catalog_free(&before);
}

static void golden_files(void) {
  static const struct {
    const char *what;
    struct ts_str text;
    const char *want;
  } rows[] = {
    { "empty", TS_STR(""), "g:0: not a golden file: it is empty" },
    { "no JSON", TS_STR("x"), "g:1: not a golden file: a record of type golden was to stand here" },
    { "another record", TS_STR("{\"type\":\"tool\"}\n[]"),
      "g:1: not a golden file: a record of type golden was to stand here" },
    { "another API", TS_STR("{\"type\":\"golden\",\"api\":\"mcp\"}\n[]"),
      "g:1: this golden file is for api mcp, not anthropic" },
    { "cut", TS_STR("{\"type\":\"golden\",\"api\":\"anthropic\",\"mode\":\"plan\"}\n"),
      "g:1: not a golden file: the block is missing" },
    { "damaged", TS_STR("{\"type\":\"golden\",\"api\":\"anthropic\",\"mode\":\"plan\",\"sha256\":\"00\"}\n[]\n"),
      "g:2: not a golden file: the block's bytes do not have the SHA-256 before them" },
  };
  struct ts_catalog c = { 0 };
  struct ts_surface s = { 0 };
  struct ts_buf err = { 0 }, found = { 0 }, file = { 0 }, crlf = { 0 };
  make(&c, old_tools);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    IS_INT(ts_golden_check(&c, &s, TS_API_ANTHROPIC, TS_STR("g"), rows[i].text, collect, &found, &err), -1,
           "%s: refused", rows[i].what);
    IS(ts_buf_str(&err), ts_str_z(rows[i].want), "%s: why", rows[i].what);
  }
  ts_golden_write(&c, &s, TS_API_ANTHROPIC, &file);
  for (size_t i = 0; i < file.len; i++) {
    if (file.ptr[i] == '\n') ts_buf_addc(&crlf, '\r');
    ts_buf_addc(&crlf, file.ptr[i]);
  }
  IS_INT(ts_golden_check(&c, &s, TS_API_ANTHROPIC, TS_STR("g"), ts_buf_str(&crlf), collect, &found, &err), 0,
         "line ends that git has changed are read");
  struct ts_catalog more = { 0 };
  make(&more, TS_STR(TOOL("a", ",\"description\":\"one\"") TOOL("c", "") "{\"type\":\"mode\",\"name\":\"ask\"}\n"));
  IS_U64(found.len, 0, "and are the same");
  IS_INT(ts_golden_check(&more, &s, TS_API_ANTHROPIC, TS_STR("g"), ts_buf_str(&file), collect, &found, &err), 0,
         "a mode more: compared");
  IS(ts_buf_str(&found), TS_STR("0 : mode ask: the first-turn block is not in the golden file\n"), "a mode more: said");
  ts_buf_clear(&file);
  ts_buf_clear(&found);
  ts_golden_write(&more, &s, TS_API_ANTHROPIC, &file);
  IS_INT(ts_golden_check(&c, &s, TS_API_ANTHROPIC, TS_STR("g"), ts_buf_str(&file), collect, &found, &err), 0,
         "a mode less: compared");
  IS(ts_buf_str(&found), TS_STR("8 : mode ask: the first-turn block is in the golden file, but not in the catalog\n"),
     "a mode less: said");
  ts_buf_free(&err);
  ts_buf_free(&found);
  ts_buf_free(&file);
  ts_buf_free(&crlf);
  ts_catalog_free(&c);
  ts_catalog_free(&more);
}

/* Whatever the order of the records, one block. */
static void any_order(void) {
  enum { ORDERS = 1000 };
  const char *records[] = { TOOL("b", ",\"x\":1"),
                            TOOL("B", ""),
                            TOOL("a-", ""),
                            TOOL("a_", ""),
                            TOOL("a", ""),
                            TOOL("b", ""),
                            TOOL("m", ",\"origin\":\"mcp\""),
                            TOOL("s", ",\"origin\":\"synthetic\""),
                            ALIAS("h", "hidden-compatibility"),
                            TOOL("b", ",\"description\":\"d\"") };
  struct ts_buf first = { 0 };
  uint64_t random = 1;
  size_t same = 0;
  for (size_t order = 0; order < ORDERS; order++) {
    struct ts_catalog c = { 0 };
    struct ts_scope scope;
    struct ts_head head = { 0 };
    struct ts_buf text = { 0 };
    for (size_t i = TS_COUNT(records); i-- > 1;) { /* Fisher and Yates's, with Knuth's MMIX generator */
      random = random * 6364136223846793005u + 1442695040888963407u;
      size_t k = (size_t)(random >> 33) % (i + 1);
      const char *swap = records[i];
      records[i] = records[k];
      records[k] = swap;
    }
    for (size_t i = 0; i < TS_COUNT(records); i++) ts_buf_addz(&text, records[i]);
    bool good = ts_catalog_read(&c, TS_STR("c"), ts_buf_str(&text), NULL) == 0 && ts_catalog_finish(&c, NULL) == 0 &&
                ts_scope_open(&scope, &c, &(struct ts_surface){ .mode = TS_STR("yolo") }, NULL) == 0;
    if (good) ts_head_build(&head, &c, &scope, TS_API_OPENAI);
    if (first.len == 0) ts_buf_add(&first, ts_buf_str(&head.bytes));
    same += good && head.count == 9 && ts_str_eq(ts_buf_str(&head.bytes), ts_buf_str(&first));
    if (good) ts_scope_close(&scope);
    ts_buf_free(&text);
    ts_head_free(&head);
    ts_catalog_free(&c);
  }
  IS_U64(same, ORDERS, "as many orders give the same bytes");
  ts_buf_free(&first);
}

int main(void) {
  first_turn();
  apis();
  pruning();
  search();
  golden();
  golden_files();
  any_order();
  return tap_done();
}
