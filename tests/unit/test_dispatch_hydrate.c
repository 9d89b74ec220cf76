/* Which deferred tools are loaded, for how long, and what the caller of one that was not is told. */
#include "dispatch/hydrate.h"

#include "unit/tap.h"

/* Loads and calls in order: "name@turn" (the turn may be empty), and whether the schema is needed. */
struct step {
  const char *name, *turn;
  bool needed;
};

static struct ts_tool make(const char *name, size_t bytes) {
  static char text[20000];
  return (struct ts_tool){ .name = ts_str_z(name), .record = ts_str(text, bytes), .state = TS_DEFERRED };
}

static void run(const char *what, const struct step *steps, size_t count, size_t bytes) {
  struct ts_hydrate h = { 0 };
  for (size_t i = 0; i < count; i++) {
    struct ts_tool tool = make(steps[i].name, bytes);
    OK(ts_hydrate_needed(&h, &tool, ts_str_z(steps[i].turn)) == steps[i].needed, "%s: step %zu, %s in turn '%s' %s",
       what, i, steps[i].name, steps[i].turn, steps[i].needed ? "loads" : "runs");
  }
  ts_hydrate_free(&h);
}

static void cache(void) {
  static const struct step plain[] = { { "a", "", true }, { "a", "", false }, { "b", "", true }, { "a", "", false } };
  static const struct step turns[] = { { "a", "1", true }, { "a", "1", true },  { "a", "2", false }, { "a", "1", true },
                                       { "b", "2", true }, { "a", "3", false }, { "b", "", false } };
  static const struct step names[] = {
    { "a", "", true },  { "b", "", true },  { "c", "", true }, { "d", "", true },  { "e", "", true },
    { "f", "", true },  { "g", "", true },  { "h", "", true }, { "a", "", false }, { "i", "", true },
    { "a", "", false }, { "c", "", false }, { "b", "", true }, { "d", "", true },
  };
  static const struct step bytes[] = { { "a", "", true }, { "b", "", true },  { "a", "", false },
                                       { "c", "", true }, { "a", "", false }, { "b", "", true } };
  static const struct step large[] = {
    { "a", "", true }, { "a", "", false }, { "b", "", true }, { "b", "", false }, { "a", "", true }
  };
  run("calls", plain, TS_COUNT(plain), 100);
  run("turns", turns, TS_COUNT(turns), 100);
  run("eight names", names, TS_COUNT(names), 100);
  run("two that fill it", bytes, TS_COUNT(bytes), TS_HYDRATE_BYTES / 2);
  run("one too large", large, TS_COUNT(large), TS_HYDRATE_BYTES + 1);
}

static void telling(void) {
  struct ts_tool tool = { .name = TS_STR("cellar"),
                          .input_schema =
                              TS_STR("{\"type\":\"object\",\"properties\":{\"year\":{\"enum\":[1e3,null]},"
                                     "\"b\":true,\"kind\":{\"type\":[\"string\",\"null\"],\"enum\":[\"red\"]}},"
                                     "\"required\":[\"kind\",\"a\"]}") };
  struct ts_buf content = { 0 }, metadata = { 0 };
  struct ts_jw w = ts_jw(&metadata);
  ts_jw_open(&w, '{');
  ts_hydrate_metadata(&tool, TS_STR("{\"z\":1,\"kind\":2}"), &w);
  ts_jw_close(&w, '}');
  IS(ts_buf_str(&metadata),
     TS_STR("{\"event\":\"tool.schema_hydrated\",\"tool\":\"cellar\",\"executed\":false,\"retry_required\":true,"
            "\"reason\":\"deferred_tool_first_use\",\"expected_fields\":[\"b: any\",\"kind: string | null (red) "
            "required\","
            "\"year: any (1e3 | null)\"],\"received_fields\":[\"kind\",\"z\"],\"missing_required_fields\":[\"a\"],"
            "\"unexpected_fields\":[\"z\"]}"),
     "metadata: the fields, sorted");
  ts_hydrate_content(&tool, TS_STR("{\"kind\":2,\"a\":1}"), &content);
  IS(ts_buf_str(&content),
     TS_STR(
         "The schema of 'cellar' has just been loaded; the tool was not run. Call it again.\n\nExpected fields:\n"
         "  b: any\n  kind: string | null (red) required\n  year: any (1e3 | null)\n\nReceived fields:\n  a\n  kind\n"
         "\nUnexpected fields:\n  a\n"),
     "text: nothing is missing");
  tool.input_schema = TS_STR("");
  ts_buf_clear(&content);
  ts_hydrate_content(&tool, TS_STR("{}"), &content);
  IS(ts_buf_str(&content),
     TS_STR("The schema of 'cellar' has just been loaded; the tool was not run. Call it again.\n\nExpected fields:\n"
            "  (none)\n\nReceived fields:\n  (none)\n"),
     "text: a tool without a schema");
  ts_buf_free(&content);
  ts_buf_free(&metadata);
}

int main(void) {
  cache();
  telling();
  return tap_done();
}
