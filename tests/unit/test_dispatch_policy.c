/* Which calls may be served: names, their other names, and what these set. */
#include "dispatch/policy.h"

#include "catalog/argmap.h"
#include "unit/tap.h"

static void patterns(void) {
  static const struct {
    const char *pattern, *name;
    bool matches;
  } rows[] = {
    { "oven", "oven", true }, { "oven", "ovens", false }, { "oven", "Oven", false }, { "ov*", "oven", true },
    { "ov*", "ov", true },    { "*", "", true },          { "*", "anything", true }, { "o*en", "oven", false },
    { "", "", true },         { "", "oven", false },      { "o*n", "o*n", true },    { "oven*", "ove", false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++)
    OK(ts_pattern_matches(ts_str_z(rows[i].pattern), ts_str_z(rows[i].name)) == rows[i].matches, "'%s' and '%s'",
       rows[i].pattern, rows[i].name);
}

#define ALIAS(name, more) \
  "{\"type\":\"alias\",\"name\":\"" name "\",\"state\":\"hidden-compatibility\",\"replacement\":\"file\"" more "}\n"

static const struct ts_str tools = TS_STR(
    "{\"type\":\"tool\",\"name\":\"file\"}\n{\"type\":\"tool\",\"name\":\"web\"}\n" ALIAS("plain", "")
        ALIAS("read", ",\"action\":\"read\"") ALIAS("write", ",\"arguments\":{\"set\":{\"action\":\"write\"}}")
            ALIAS("drop", ",\"arguments\":{\"set\":{\"method\":\"drop\",\"force\":true,\"depth\":1}}")
                ALIAS("moved", ",\"arguments\":{\"rename\":{\"file_path\":\"path\"}}")
                    "{\"type\":\"alias\",\"name\":\"old\",\"state\":\"removed\",\"replacement\":\"file\"}\n"
                    "{\"type\":\"alias\",\"name\":\"own\",\"state\":\"hidden-compatibility\"}\n");

/* The call is by `name`, with these arguments before its alias has mapped them. */
static const struct row {
  const char *allow, *deny; /* NULL: not given */
  const char *name, *arguments;
  const char *why; /* "": it is permitted */
} rows[] = {
  { NULL, NULL, "file", "{}", "" },
  { NULL, "", "file", "{}", "" },
  { "", NULL, "file", "{}", "'file' is not on the list of allowed names" },
  { " , ", NULL, "file", "{}", "'file' is not on the list of allowed names" },
  { "file", NULL, "file", "{}", "" },
  { "file", NULL, "read", "{}", "" },
  { "web", NULL, "read", "{}", "'read' is not on the list of allowed names" },
  { "web, f*", NULL, "read", "{}", "" },
  { "file", "file", "file", "{}", "'file' is denied by 'file'" },
  { NULL, "f*", "plain", "{}", "'plain' is denied by 'f*'" },
  { NULL, "plain", "file", "{\"action\":\"read\"}", "'file' is denied by 'plain'" },
  { NULL, "plain", "web", "{}", "" },
  /* an alias with an action is that action of the tool */
  { NULL, "read", "file", "{\"action\":\"read\"}", "'file' is denied by 'read'" },
  { NULL, "read", "file", "{\"action\":\"r\\u0065ad\"}", "'file' is denied by 'read'" },
  { NULL, "read", "file", "{\"action\":\"write\"}", "" },
  { NULL, "read", "write", "{}", "" },
  { NULL, "write", "file", "{\"action\":\"write\"}", "'file' is denied by 'write'" },
  { "read", NULL, "file", "{\"action\":\"read\"}", "" },
  { "read", NULL, "file", "{\"action\":\"write\"}", "'file' is not on the list of allowed names" },
  { "read", NULL, "write", "{}", "'write' is not on the list of allowed names" },
  /* a call that names none might be any: denied, and not allowed */
  { NULL, "read", "file", "{}", "'file' is denied by 'read'" },
  { "read", NULL, "file", "{}", "'file' is not on the list of allowed names" },
  { NULL, "read", "file", "{\"action\":null}", "" },
  /* whatever else a map sets counts too; a number has many spellings */
  { NULL, "drop", "file", "{\"method\":\"drop\",\"force\":true,\"depth\":1}", "'file' is denied by 'drop'" },
  { NULL, "drop", "file", "{\"method\":\"drop\",\"force\":true,\"depth\":1.0}", "'file' is denied by 'drop'" },
  { NULL, "drop", "file", "{\"method\":\"drop\"}", "'file' is denied by 'drop'" },
  { NULL, "drop", "file", "{\"method\":\"list\",\"force\":true,\"depth\":1}", "" },
  { NULL, "drop", "file", "{\"method\":\"drop\",\"force\":false,\"depth\":1}", "" },
  { "drop", NULL, "file", "{\"method\":\"drop\",\"force\":true,\"depth\":1}", "" },
  { "drop", NULL, "file", "{\"method\":\"drop\",\"force\":true,\"depth\":1.0}",
    "'file' is not on the list of allowed names" },
  { "drop", NULL, "file", "{\"method\":\"list\"}", "'file' is not on the list of allowed names" },
  { NULL, "moved", "file", "{}", "'file' is denied by 'moved'" },
  { NULL, "old", "file", "{}", "'file' is denied by 'old'" },
  { NULL, "file", "own", "{}", "" },
  { NULL, "own", "own", "{}", "'own' is denied by 'own'" },
  { NULL, "nothing", "file", "{}", "" },
};

static void permissions(void) {
  static const struct ts_surface all = { 0 };
  struct ts_catalog c = { 0 };
  struct ts_buf why = { 0 }, mapped = { 0 };
  OK(ts_catalog_read(&c, TS_STR("c"), tools, &why) == 0 && ts_catalog_finish(&c, &why) == 0, "the catalog loads: %s",
     ts_buf_z(&why));
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct ts_policy p = { 0 };
    struct ts_route route;
    if (r->allow) ts_policy_allow(&p, r->allow);
    if (r->deny) ts_policy_deny(&p, r->deny);
    ts_buf_clear(&why);
    ts_buf_clear(&mapped);
    ts_resolve(&c, &all, ts_str_z(r->name), &route);
    OK(ts_argmap_apply(route.called, ts_str_z(r->arguments), &mapped, &why) == 0, "row %zu: arguments", i);
    bool permitted = ts_policy_permits(&p, &c, &route, ts_buf_str(&mapped), &why);
    OK(permitted == (r->why[0] == '\0'), "row %zu: %s permitted", i, permitted ? "is" : "is not");
    IS(ts_buf_str(&why), ts_str_z(r->why), "row %zu: why", i);
    ts_policy_free(&p);
  }
  ts_buf_free(&why);
  ts_buf_free(&mapped);
  ts_catalog_free(&c);
}

int main(void) {
  patterns();
  permissions();
  return tap_done();
}
