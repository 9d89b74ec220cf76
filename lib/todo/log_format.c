#include "todo/log_format.h"

#include <math.h>

#include "base/diag.h"

#define SAFE_INTEGER 9007199254740991.0 /* 2^53 - 1: what a reader with doubles counts exactly */

/* The number at node; NaN when there is none. Of most the digits say it; strtod needs a NUL behind a spelling. */
static double number_at(const struct ts_json *j, uint32_t node) {
  struct ts_buf text = { 0 };
  uint64_t whole;
  if (!ts_json_is(j, node, TS_JSON_NUMBER)) return NAN;
  if (ts_json_u64(j, node, &whole)) return (double)whole;
  ts_buf_set(&text, ts_json_raw(j, node));
  double value = strtod(ts_buf_z(&text), NULL);
  ts_buf_free(&text);
  return value;
}

static bool is_whole(double d) { return d == floor(d) && fabs(d) <= SAFE_INTEGER; }
static bool is_count(double d) { return is_whole(d) && d >= 0 && !signbit(d); }

/* Header */

static bool is_string(const struct ts_json *j, uint32_t node) { return ts_json_is(j, node, TS_JSON_STRING); }

static bool is_absolute_path(const struct ts_json *j, uint32_t node) {
  return is_string(j, node) && ts_json_raw(j, node).len > 2 && ts_json_raw(j, node).ptr[1] == '/';
}

static bool is_a_count(const struct ts_json *j, uint32_t node) { return is_count(number_at(j, node)); }
static bool is_zero(const struct ts_json *j, uint32_t node) { return number_at(j, node) == 0; }
static bool is_subagent(const struct ts_json *j, uint32_t node) { return TS_JSON_SAYS(j, node, "subagent"); }
static bool is_never(const struct ts_json *j, uint32_t node) { return (void)j, (void)node, false; }

static const struct header_rule {
  struct ts_str member;
  bool required;
  bool (*good)(const struct ts_json *j, uint32_t node);
  const char *problem;
} header_rules[] = {
  { TS_STR("version"), true, is_zero, "the header has no version 0" },
  { TS_STR("createdAt"), true, is_a_count, "the header's createdAt is not a whole number from 0" },
  { TS_STR("delegationDepth"), true, is_a_count, "the header's delegationDepth is not a whole number from 0" },
  { TS_STR("cwd"), false, is_absolute_path, "the header's cwd is not an absolute path" },
  { TS_STR("origin"), false, is_subagent, "the header's origin is not \"subagent\"" },
  { TS_STR("agentPreset"), false, is_string, "the header's agentPreset is not a string" },
  { TS_STR("parentSession"), false, is_string, "the header's parentSession is not a string" },
  { TS_STR("seedLength"), false, is_a_count, "the header's seedLength is not a whole number from 0" },
  { TS_STR("sandboxMode"), false, is_never, "the header has a sandboxMode, which logs no longer have" },
  { TS_STR("approvalPolicy"), false, is_never, "the header has an approvalPolicy, which logs no longer have" },
};

static const char *header_problem(const struct ts_json *j) {
  for (size_t i = 0; i < TS_COUNT(header_rules); i++) {
    const struct header_rule *rule = &header_rules[i];
    uint32_t node = ts_json_get(j, 0, rule->member);
    if (node ? !rule->good(j, node) : rule->required) return rule->problem;
  }
  return NULL;
}

int ts_log_header_read(struct ts_log_header *h, struct ts_json *j, struct ts_str line, struct ts_buf *err) {
  if (ts_json_scan(j, line, NULL) < 0) return ts_fail(err, "not a session log: the header is not JSON: %s", j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT) || !TS_JSON_SAYS(j, TS_JSON_GET(j, 0, "type"), "session"))
    return ts_fail(err, "not a session log: the first line is not a session header");
  uint32_t version = TS_JSON_GET(j, 0, "version"), id = TS_JSON_GET(j, 0, "id");
  if (ts_json_is(j, version, TS_JSON_NUMBER) && number_at(j, version) != 0) {
    struct ts_str spelling = ts_json_raw(j, version);
    return ts_fail(err, "the log is of version %.*s, and only version 0 is known here", TS_FMT(spelling));
  }
  if (!is_string(j, id)) return ts_fail(err, "not a session log: the header has no string 'id'");
  struct ts_buf scratch = { 0 };
  ts_buf_set(&h->id, ts_json_text(j, id, &scratch));
  ts_buf_free(&scratch);
  double seed = number_at(j, TS_JSON_GET(j, 0, "seedLength"));
  h->seed_length = is_count(seed) ? (uint64_t)seed : 0;
  h->problem = header_problem(j);
  return 0;
}

/* Events */

/* The types of dsh's own events. Those of a message may, and must, say what they do to the surface. */
static const struct event_type {
  struct ts_str name;
  bool surface;
} event_types[] = {
  { TS_STR("agent-preset/selected"), false },
  { TS_STR("agent/inbox/spliced"), false },
  { TS_STR("approval/asked"), false },
  { TS_STR("approval/decided"), false },
  { TS_STR("approval/policy"), false },
  { TS_STR("assistant/chunk"), false },
  { TS_STR("assistant/message"), true },
  { TS_STR("command/done"), false },
  { TS_STR("command/run"), false },
  { TS_STR("compaction/end"), false },
  { TS_STR("compaction/prune"), false },
  { TS_STR("compaction/start"), false },
  { TS_STR("compaction/summary"), false },
  { TS_STR("feedback/record"), false },
  { TS_STR("goal/change"), false },
  { TS_STR("hook/invoked"), false },
  { TS_STR("hook/result"), false },
  { TS_STR("llm/retry"), false },
  { TS_STR("llm/retry-started"), false },
  { TS_STR("permission/preset"), false },
  { TS_STR("plan/mode"), false },
  { TS_STR("request/context"), false },
  { TS_STR("request/header"), false },
  { TS_STR("sandbox/mode"), false },
  { TS_STR("schedule/change"), false },
  { TS_STR("session/end-seed"), false },
  { TS_STR("session/title"), false },
  { TS_STR("session/title-llm-request"), false },
  { TS_STR("step/end"), false },
  { TS_STR("step/start"), false },
  { TS_STR("subagent/descriptor"), false },
  { TS_STR("todo/write"), false },
  { TS_STR("tool-workflow/agent-end"), false },
  { TS_STR("tool-workflow/agent-start"), false },
  { TS_STR("tool-workflow/run-end"), false },
  { TS_STR("tool-workflow/run-start"), false },
  { TS_STR("tool/call"), false },
  { TS_STR("tool/code-dispatch"), false },
  { TS_STR("tool/code-dispatch-start"), false },
  { TS_STR("tool/result"), true },
  { TS_STR("turn/end"), false },
  { TS_STR("turn/start"), false },
  { TS_STR("user/message"), true },
  { TS_STR("web/deepseek-search-llm-request"), false },
};

static const struct event_type *event_type_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(event_types); i++)
    if (ts_str_eq(name, event_types[i].name)) return &event_types[i];
  return NULL;
}

/* Packed lines: several chunks of one stream as lists. */
static const struct packed_type {
  struct ts_str name, list; /* of the line; of the member of data that has one text a chunk */
} packed_types[] = {
  { TS_STR("text-chunks"), TS_STR("texts") },
  { TS_STR("reasoning-chunks"), TS_STR("texts") },
  { TS_STR("tool-call-chunks"), TS_STR("args") },
};

static const struct packed_type *packed_type_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(packed_types); i++)
    if (ts_str_eq(name, packed_types[i].name)) return &packed_types[i];
  return NULL;
}

/* Are all members of the object among these? */
static bool only_members(const struct ts_json *j, uint32_t object, const struct ts_str *names, size_t count) {
  for (uint32_t key = ts_json_first(j, object); key; key = ts_json_after(j, object, key)) {
    size_t i = 0;
    while (i < count && !ts_json_says(j, key, names[i])) i++;
    if (i == count) return false;
  }
  return true;
}

static uint64_t element_count(const struct ts_json *j, uint32_t array) {
  uint64_t count = 0;
  for (uint32_t e = ts_json_first(j, array); e; e = ts_json_after(j, array, e)) count++;
  return count;
}

static bool all_strings(const struct ts_json *j, uint32_t array) {
  uint32_t e = ts_json_first(j, array);
  while (e && is_string(j, e)) e = ts_json_after(j, array, e);
  return e == 0;
}

static bool all_whole(const struct ts_json *j, uint32_t array) {
  uint32_t e = ts_json_first(j, array);
  while (e && is_whole(number_at(j, e))) e = ts_json_after(j, array, e);
  return e == 0;
}

static const char *packed_problem(const struct ts_json *j, const struct packed_type *type, uint32_t data,
                                  uint64_t count) {
  static const struct ts_str envelope[] = { TS_STR("type"), TS_STR("seq0"), TS_STR("time0"), TS_STR("data") };
  static const struct ts_str numbers[] = { TS_STR("turn"), TS_STR("step"), TS_STR("index") };
  const struct ts_str members[] = { numbers[0], numbers[1],   numbers[2],    TS_STR("dt"),
                                    type->list, TS_STR("id"), TS_STR("name") };
  bool is_call = ts_str_is(type->list, "args");
  uint32_t dt = TS_JSON_GET(j, data, "dt"), list = ts_json_get(j, data, type->list);
  if (!only_members(j, 0, envelope, TS_COUNT(envelope))) return "has other members than type, seq0, time0 and data";
  if (!is_whole(number_at(j, TS_JSON_GET(j, 0, "time0")))) return "has no whole number time0";
  if (!only_members(j, data, members, is_call ? 7 : 5)) return "has an unknown member in its data";
  for (size_t i = 0; i < TS_COUNT(numbers); i++)
    if (!ts_json_is(j, ts_json_get(j, data, numbers[i]), TS_JSON_NUMBER)) return "lacks one of turn, step and index";
  if (is_call && !is_string(j, TS_JSON_GET(j, data, "id"))) return "has no string id";
  if (is_call && TS_JSON_GET(j, data, "name") && !is_string(j, TS_JSON_GET(j, data, "name")))
    return "has no string name";
  if (!ts_json_is(j, list, TS_JSON_ARRAY) || count == 0 || !all_strings(j, list)) return "has no list of texts";
  if (!ts_json_is(j, dt, TS_JSON_ARRAY) || !all_whole(j, dt)) return "has no list dt of whole numbers";
  return element_count(j, dt) == count - 1 ? NULL : "has a list dt of the wrong length";
}

static void read_packed(struct ts_log_record *r, struct ts_json *j, struct ts_str line,
                        const struct packed_type *type) {
  (void)ts_json_scan(j, line, NULL); /* now with all that is in it */
  uint32_t data = TS_JSON_GET(j, 0, "data"), seq = TS_JSON_GET(j, 0, "seq0");
  double first = number_at(j, seq);
  r->packed = true;
  r->has_seq = seq != 0;
  r->events = data ? element_count(j, ts_json_get(j, data, type->list)) : 0;
  r->seq = is_count(first) ? (uint64_t)first : UINT64_MAX;
  if (!is_count(first))
    r->malformed = "has no whole number seq0";
  else if (!ts_json_is(j, data, TS_JSON_OBJECT))
    r->malformed = "has no data";
  else
    r->malformed = packed_problem(j, type, data, r->events);
}

/* The members of an event, as values' nodes below; 0: absent. Of its data only a to-do list is looked at. */
enum member { TYPE, SEQ, TIME, DATA, SURFACE_OP, SOURCES, IGNORABLE, MEMBERS };
static const struct ts_json_want data_wants[] = { { TS_STR("todos"), &ts_json_span } };
static const struct ts_json_shape data_shape = { data_wants, TS_COUNT(data_wants), NULL };
static const struct ts_json_want op_wants[] = { { TS_STR("op"), &ts_json_span } };
static const struct ts_json_shape op_shape = { op_wants, TS_COUNT(op_wants), NULL };
static const struct ts_json_want event_wants[MEMBERS] = {
  [TYPE] = { TS_STR("type"), &ts_json_span },           [SEQ] = { TS_STR("seq"), &ts_json_span },
  [TIME] = { TS_STR("time"), &ts_json_span },           [DATA] = { TS_STR("data"), &data_shape },
  [SURFACE_OP] = { TS_STR("surfaceOp"), &op_shape },    [SOURCES] = { TS_STR("sourceEventSeqs"), &ts_json_span },
  [IGNORABLE] = { TS_STR("ignorable"), &ts_json_span },
};
static const struct ts_json_shape event_shape = { event_wants, MEMBERS, NULL };

/* Does the event say what it does to the surface when, and only when, its type has a part in it? */
static const char *surface_problem(const struct ts_json *j, const uint32_t *m, const struct event_type *type) {
  uint32_t op = m[SURFACE_OP], sources = m[SOURCES];
  if (!type) return NULL;
  if (!type->surface) return op || sources ? "says something of the surface, which its type has no part in" : NULL;
  bool appends = op && ts_str_is(ts_json_raw(j, op), "\"append\"");
  bool replaces = op && TS_JSON_SAYS(j, TS_JSON_GET(j, op, "op"), "replace");
  if (!appends && !replaces) return "has no surfaceOp \"append\" or \"replace\"";
  return sources && !ts_json_is(j, sources, TS_JSON_ARRAY) ? "has a sourceEventSeqs that is no list" : NULL;
}

static const char *event_problem(const struct ts_json *j, const uint32_t *m, const struct event_type *type) {
  if (j->stray) return "has a member that events do not have";
  if (!is_string(j, m[TYPE])) return "has no string type";
  if (!is_whole(number_at(j, m[TIME]))) return "has no whole number time";
  if (!m[DATA]) return "has no data";
  if (m[IGNORABLE] && !ts_json_is(j, m[IGNORABLE], TS_JSON_TRUE)) return "has an ignorable that is not true";
  return surface_problem(j, m, type);
}

static void read_event(struct ts_log_record *r, const struct ts_json *j, const uint32_t *m) {
  double seq = number_at(j, m[SEQ]);
  const struct event_type *type = event_type_find(r->type);
  uint32_t todos = m[DATA] ? TS_JSON_GET(j, m[DATA], "todos") : 0;
  r->has_seq = m[SEQ] != 0;
  if (is_whole(seq) && seq >= 0) r->seq = (uint64_t)seq;
  r->foreign = !type && !ts_json_is(j, m[IGNORABLE], TS_JSON_TRUE);
  r->invalid = event_problem(j, m, type);
  if (ts_json_is(j, todos, TS_JSON_ARRAY)) r->todos = ts_json_raw(j, todos);
}

int ts_log_record_read(struct ts_log_record *r, struct ts_json *j, struct ts_str line, struct ts_buf *scratch,
                       struct ts_buf *err) {
  uint32_t m[MEMBERS];
  *r = (struct ts_log_record){ .seq = UINT64_MAX, .events = 1 };
  if (ts_json_scan(j, line, &event_shape) < 0) return ts_fail(err, "not JSON: column %zu: %s", j->at + 1, j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT)) return ts_fail(err, "not a JSON object");
  ts_json_root_fields(j, &event_shape, m);
  if (m[TYPE]) r->type = ts_json_text(j, m[TYPE], scratch);
  const struct packed_type *packed = packed_type_find(r->type);
  if (packed)
    read_packed(r, j, line, packed);
  else
    read_event(r, j, m);
  return 0;
}
