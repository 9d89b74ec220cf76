#include "todo/log_format.h"

#include <math.h>

#include "base/diag.h"
#include "todo/list.h"

#define SAFE_INTEGER 9007199254740991.0 /* 2^53 - 1: what a reader with doubles counts exactly */

/* The spelling of a number as a double; strtod needs a NUL behind it. */
static double number(struct ts_str spelling) {
  struct ts_buf text = { 0 };
  ts_buf_set(&text, spelling);
  double value = strtod(ts_buf_z(&text), NULL);
  ts_buf_free(&text);
  return value;
}

/* The number at node; NaN when there is none. */
static double number_at(const struct ts_json *j, uint32_t node) {
  return ts_json_is(j, node, TS_JSON_NUMBER) ? number(ts_json_raw(j, node)) : NAN;
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
  const char *name;
  bool surface;
} event_types[] = {
  { "agent-preset/selected", false },
  { "agent/inbox/spliced", false },
  { "approval/asked", false },
  { "approval/decided", false },
  { "approval/policy", false },
  { "assistant/chunk", false },
  { "assistant/message", true },
  { "command/done", false },
  { "command/run", false },
  { "compaction/end", false },
  { "compaction/prune", false },
  { "compaction/start", false },
  { "compaction/summary", false },
  { "feedback/record", false },
  { "goal/change", false },
  { "hook/invoked", false },
  { "hook/result", false },
  { "llm/retry", false },
  { "llm/retry-started", false },
  { "permission/preset", false },
  { "plan/mode", false },
  { "request/context", false },
  { "request/header", false },
  { "sandbox/mode", false },
  { "schedule/change", false },
  { "session/end-seed", false },
  { "session/title", false },
  { "session/title-llm-request", false },
  { "step/end", false },
  { "step/start", false },
  { "subagent/descriptor", false },
  { "todo/write", false },
  { "tool-workflow/agent-end", false },
  { "tool-workflow/agent-start", false },
  { "tool-workflow/run-end", false },
  { "tool-workflow/run-start", false },
  { "tool/call", false },
  { "tool/code-dispatch", false },
  { "tool/code-dispatch-start", false },
  { "tool/result", true },
  { "turn/end", false },
  { "turn/start", false },
  { "user/message", true },
  { "web/deepseek-search-llm-request", false },
};

static const struct event_type *event_type_find(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(event_types); i++)
    if (ts_str_is(name, event_types[i].name)) return &event_types[i];
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

/* The members of an event, the last of doubled ones; value.ptr NULL: absent. */
enum member { TYPE, SEQ, TIME, DATA, SURFACE_OP, SOURCES, IGNORABLE, MEMBERS };
static const struct ts_str member_names[MEMBERS] = {
  [TYPE] = TS_STR("type"),
  [SEQ] = TS_STR("seq"),
  [TIME] = TS_STR("time"),
  [DATA] = TS_STR("data"),
  [SURFACE_OP] = TS_STR("surfaceOp"),
  [SOURCES] = TS_STR("sourceEventSeqs"),
  [IGNORABLE] = TS_STR("ignorable"),
};
struct members {
  struct ts_todo_step of[MEMBERS];
  bool other; /* there is one of another name */
};

static void read_members(struct members *m, struct ts_json *j, struct ts_str line, struct ts_buf *scratch) {
  struct ts_todo_step step;
  *m = (struct members){ 0 };
  for (size_t at = 0; ts_todo_step(j, line, &at, &step);) {
    size_t i = 0;
    while (i < MEMBERS && !ts_todo_step_is(&step, member_names[i], scratch)) i++;
    if (i < MEMBERS)
      m->of[i] = step;
    else
      m->other = true;
  }
}

static bool is_there(const struct members *m, enum member i) { return m->of[i].value.ptr != NULL; }
static bool is_kind(const struct members *m, enum member i, enum ts_json_kind kind) {
  return is_there(m, i) && m->of[i].kind == kind;
}
static double number_of(const struct members *m, enum member i) {
  return is_kind(m, i, TS_JSON_NUMBER) ? number(m->of[i].value) : NAN;
}

/* Does the event say what it does to the surface when, and only when, its type has a part in it? */
static const char *surface_problem(const struct members *m, const struct event_type *type, struct ts_json *j) {
  bool op = is_there(m, SURFACE_OP), sources = is_there(m, SOURCES);
  if (!type) return NULL;
  if (!type->surface) return op || sources ? "says something of the surface, which its type has no part in" : NULL;
  bool appends = is_kind(m, SURFACE_OP, TS_JSON_STRING) && ts_str_is(m->of[SURFACE_OP].value, "\"append\"");
  bool replaces = is_kind(m, SURFACE_OP, TS_JSON_OBJECT) && ts_json_scan(j, m->of[SURFACE_OP].value, NULL) == 0 &&
                  TS_JSON_SAYS(j, TS_JSON_GET(j, 0, "op"), "replace");
  if (!appends && !replaces) return "has no surfaceOp \"append\" or \"replace\"";
  return sources && !is_kind(m, SOURCES, TS_JSON_ARRAY) ? "has a sourceEventSeqs that is no list" : NULL;
}

static const char *event_problem(const struct members *m, const struct event_type *type, struct ts_json *j) {
  if (m->other) return "has a member that events do not have";
  if (!is_kind(m, TYPE, TS_JSON_STRING)) return "has no string type";
  if (!is_whole(number_of(m, TIME))) return "has no whole number time";
  if (!is_there(m, DATA)) return "has no data";
  if (is_there(m, IGNORABLE) && !is_kind(m, IGNORABLE, TS_JSON_TRUE)) return "has an ignorable that is not true";
  return surface_problem(m, type, j);
}

int ts_log_record_read(struct ts_log_record *r, struct ts_json *j, struct ts_str line, struct ts_buf *scratch,
                       struct ts_buf *err) {
  struct members m;
  *r = (struct ts_log_record){ .seq = UINT64_MAX, .events = 1 };
  if (ts_json_scan(j, line, &ts_json_span) < 0) return ts_fail(err, "not JSON: column %zu: %s", j->at + 1, j->reason);
  if (!ts_json_root_is(j, TS_JSON_OBJECT)) return ts_fail(err, "not a JSON object");
  read_members(&m, j, line, scratch);
  r->type = ts_todo_step_text(&m.of[TYPE], scratch);
  r->data = m.of[DATA].value;
  const struct packed_type *packed = packed_type_find(r->type);
  if (packed) {
    read_packed(r, j, line, packed);
    return 0;
  }
  double seq = number_of(&m, SEQ);
  const struct event_type *type = event_type_find(r->type);
  r->has_seq = is_there(&m, SEQ);
  if (is_whole(seq) && seq >= 0) r->seq = (uint64_t)seq;
  r->foreign = !type && !is_kind(&m, IGNORABLE, TS_JSON_TRUE);
  r->invalid = event_problem(&m, type, j);
  return 0;
}

struct ts_str ts_log_todos(struct ts_json *j, struct ts_str data) {
  static const struct ts_json_want wants[] = { { TS_STR("todos"), &ts_json_span } };
  static const struct ts_json_shape shape = { wants, TS_COUNT(wants), NULL };
  if (!data.ptr || ts_json_scan(j, data, &shape) < 0) return ts_str(NULL, 0);
  uint32_t todos = TS_JSON_GET(j, 0, "todos");
  return ts_json_is(j, todos, TS_JSON_ARRAY) ? ts_json_raw(j, todos) : ts_str(NULL, 0);
}
