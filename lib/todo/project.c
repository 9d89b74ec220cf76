#include "todo/project.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/seen.h"
#include "base/xalloc.h"

/* What a call sent: a list that may turn out to be the current one, or something else. */
struct candidate {
  uint32_t number; /* of the call */
  struct ts_buf list;
  struct ts_buf why; /* why it is no list; empty: it is one */
  enum ts_todo_shape shape;
  uint64_t line;
};

struct agent {
  struct ts_str session, name;   /* in the arena */
  uint64_t conversation, window; /* in which it spoke last */
  struct candidate *candidate;   /* in the order sent */
  size_t count, cap;
  struct ts_buf remarks; /* a sentence a line: what nobody refused, and is no list */
};

struct ts_todo_project {
  struct ts_todo_project_options options;
  struct ts_arena arena;
  struct ts_map by_name; /* session, NUL, agent -> index */
  struct agent *agent;
  size_t count, cap;
  size_t top; /* who talked at top level last, or SIZE_MAX */
  uint64_t conversation;
  uint32_t calls;
  struct ts_seen ids; /* of calls and results, with their state as note */
  struct ts_json json;
  struct ts_buf name;
};

/* What is known of an id. A result answers the last open call of its id; one that comes before any call of its id
 * waits for the next. Every other number is that of an open call. */
enum { CLOSED, OPEN_ELSE, EARLY_GOOD, EARLY_BAD, FIRST_CALL };

struct ts_todo_project *ts_todo_project_new(const struct ts_todo_project_options *options) {
  struct ts_todo_project *p = ts_xcalloc(1, sizeof *p);
  p->options = *options;
  p->top = SIZE_MAX;
  p->calls = FIRST_CALL;
  return p;
}

/* Candidates */

static void drop(struct agent *a, size_t from, size_t count) {
  if (count == 0) return;
  for (size_t i = from; i < from + count; i++) {
    ts_buf_free(&a->candidate[i].list);
    ts_buf_free(&a->candidate[i].why);
  }
  memmove(&a->candidate[from], &a->candidate[from + count], (a->count - from - count) * sizeof *a->candidate);
  a->count -= count;
}

/* What stands there was not refused: if it is no list, that is worth a remark, and the list before it stands. */
static void remark(const struct ts_todo_project *p, struct agent *a, size_t i) {
  const struct candidate *c = &a->candidate[i];
  if (c->why.len > 0)
    ts_buf_addf(&a->remarks, "%.*s:%llu: not a to-do list, the one before stands: %s\n", TS_FMT(p->options.file),
                (unsigned long long)c->line, ts_buf_z(&c->why));
}

/* The call is answered: with an error it never was; else what was sent before it is past. */
static void settle(const struct ts_todo_project *p, struct agent *a, uint32_t number, bool is_error) {
  size_t i = a->count;
  while (i > 0 && a->candidate[i - 1].number != number) i--;
  if (i == 0) return; /* it is past already */
  i--;
  if (is_error) {
    drop(a, i, 1);
  } else if (a->candidate[i].why.len > 0) {
    remark(p, a, i);
    drop(a, i, 1);
  } else {
    for (size_t past = 0; past < i; past++) remark(p, a, past);
    drop(a, 0, i);
  }
}

/* The member of the JSON object `text` that holds the list; ptr NULL: there is no such array. */
static struct ts_str array_in(struct ts_json *j, struct ts_str text, struct ts_str key) {
  const struct ts_json_want want = { key, &ts_json_span };
  const struct ts_json_shape shape = { &want, 1, NULL };
  if (ts_json_scan(j, text, &shape) < 0 || !ts_json_root_is(j, TS_JSON_OBJECT)) return ts_str(NULL, 0);
  uint32_t list = ts_json_get(j, 0, key);
  return ts_json_is(j, list, TS_JSON_ARRAY) ? ts_json_raw(j, list) : ts_str(NULL, 0);
}

/* Where a call of this kind, or a record of one, has its list. */
struct source {
  struct ts_str key;
  enum ts_todo_shape shape;
};

static void propose(struct ts_todo_project *p, struct agent *a, const struct ts_event *e, const struct source *source,
                    struct ts_str text) {
  struct ts_todo_list list = { 0 };
  struct ts_str array = array_in(&p->json, text, source->key);
  ts_xgrow(&a->candidate, &a->cap, a->count + 1, sizeof *a->candidate);
  struct candidate *c = &a->candidate[a->count++];
  *c = (struct candidate){ .number = p->calls, .shape = source->shape, .line = e->line };
  if (!array.ptr)
    (void)ts_fail(&c->why, "it has no list '%.*s'", TS_FMT(source->key));
  else if (ts_todo_list_read(&list, array, source->shape, &c->why) == 0)
    ts_buf_set(&c->list, array);
}

/* Does the call write the list? Then where it has it. */
static const struct source *source_of(const struct ts_todo_project *p, const struct ts_event *e) {
  static const struct source todo_write = { TS_STR("todos"), TS_TODO_LENIENT };
  static const struct source update_plan = { TS_STR("plan"), TS_TODO_PLANNED };
  static const struct ts_surface everything = { 0 };
  struct ts_route route;
  if (e->form == TS_ARGUMENTS_INPUT) return NULL;
  if (ts_str_is(e->name, "update_plan")) return p->options.plan ? &update_plan : NULL;
  ts_resolve(p->options.catalog, &everything, e->name, &route);
  return route.dispatches && ts_str_is(route.canonical, "todo_write") ? &todo_write : NULL;
}

/* Agents */

static struct agent *agent_of(struct ts_todo_project *p, const struct ts_event *e) {
  ts_buf_set(&p->name, e->session);
  ts_buf_addc(&p->name, '\0');
  ts_buf_add(&p->name, e->agent);
  size_t known = ts_map_get(&p->by_name, ts_buf_str(&p->name));
  if (known == TS_MAP_NONE) {
    known = p->count;
    *ts_map_at(&p->by_name, ts_arena_dup(&p->arena, ts_buf_str(&p->name)), known) = known;
    ts_xgrow(&p->agent, &p->cap, p->count + 1, sizeof *p->agent);
    p->agent[p->count++] = (struct agent){ .session = ts_arena_dup(&p->arena, e->session),
                                           .name = ts_arena_dup(&p->arena, e->agent),
                                           .conversation = p->conversation };
  }
  struct agent *a = &p->agent[known];
  if (a->conversation != p->conversation) { /* somebody else of the same name */
    drop(a, 0, a->count);
    ts_buf_clear(&a->remarks);
  }
  a->conversation = p->conversation;
  if (e->agent.len == 0) p->top = known;
  return a;
}

/* A compaction: of one agent, or of all of a session. What has no answer yet will get none. */
static void close_window(struct ts_todo_project *p, const struct ts_event *e) {
  for (size_t i = 0; i < p->count; i++) {
    struct agent *a = &p->agent[i];
    bool concerned = ts_str_eq(a->session, e->session) && (e->agent.len == 0 || ts_str_eq(a->name, e->agent));
    if (concerned) a->window++;
  }
}

/* Calls and results */

/* The id of the event among those of its agent in this window of this conversation. */
static struct ts_hash128 id_of(const struct ts_todo_project *p, const struct agent *a, const struct ts_event *e) {
  uint64_t when[] = { p->conversation, a->window, e->no_ids };
  struct ts_str id = e->no_ids ? e->name : e->key.len > 0 ? e->key : e->id;
  const struct ts_str parts[] = { a->session, a->name, ts_str((const char *)when, sizeof when), id };
  return ts_hash128(parts, TS_COUNT(parts));
}

static bool has_id(const struct ts_event *e) { return e->no_ids || e->key.len > 0 || e->id.len > 0; }

static void set_state(struct ts_todo_project *p, struct ts_hash128 id, uint32_t state) {
  if (!ts_seen_add(&p->ids, id, state)) *ts_seen_find(&p->ids, id) = state;
}

static void take_call(struct ts_todo_project *p, struct agent *a, const struct ts_event *e) {
  const struct source *source = source_of(p, e);
  uint32_t number = p->calls;
  if (source) propose(p, a, e, source, e->arguments);
  if (source && p->calls < UINT32_MAX) p->calls++;
  if (e->self_answered) settle(p, a, number, e->is_error);
  if (e->self_answered || !has_id(e)) return;
  struct ts_hash128 id = id_of(p, a, e);
  const uint32_t *state = ts_seen_find(&p->ids, id);
  bool early = state && (*state == EARLY_GOOD || *state == EARLY_BAD);
  if (early && source) settle(p, a, number, *state == EARLY_BAD);
  set_state(p, id, early ? CLOSED : source ? number : OPEN_ELSE);
}

static void take_result(struct ts_todo_project *p, struct agent *a, const struct ts_event *e) {
  if (!has_id(e)) return;
  struct ts_hash128 id = id_of(p, a, e);
  const uint32_t *state = ts_seen_find(&p->ids, id);
  if (state && *state >= FIRST_CALL) settle(p, a, *state, e->is_error);
  if (!state)
    set_state(p, id, e->is_error ? EARLY_BAD : EARLY_GOOD);
  else if (*state == OPEN_ELSE || *state >= FIRST_CALL)
    set_state(p, id, CLOSED);
}

/* A record of the list itself, without a call. */
static void take_record(struct ts_todo_project *p, struct agent *a, const struct ts_event *e) {
  static const struct source record = { TS_STR("todos"), TS_TODO_WRITTEN };
  propose(p, a, e, &record, e->content);
  settle(p, a, p->calls, false);
  if (p->calls < UINT32_MAX) p->calls++;
}

int ts_todo_project_event(void *context, const struct ts_event *e) {
  struct ts_todo_project *p = context;
  if (p->options.last_line > 0 && e->line > p->options.last_line) return -1;
  switch (e->kind) {
    case TS_EVENT_END:
      p->conversation++;
      break;
    case TS_EVENT_WINDOW:
      close_window(p, e);
      break;
    case TS_EVENT_CALL:
      take_call(p, agent_of(p, e), e);
      break;
    case TS_EVENT_RESULT:
      take_result(p, agent_of(p, e), e);
      break;
    case TS_EVENT_TODO:
      take_record(p, agent_of(p, e), e);
      break;
    case TS_EVENT_MESSAGE:
      (void)agent_of(p, e);
      break;
    default:
      break;
  }
  return 0;
}

/* Answers */

static void tell(const struct agent *a, struct ts_todo_agent *out) {
  *out = (struct ts_todo_agent){ .session = a->session, .agent = a->name };
  size_t i = a->count;
  while (i > 0 && a->candidate[i - 1].why.len > 0) i--; /* no list, and not refused so far */
  if (i == 0) return;
  const struct candidate *last = &a->candidate[i - 1];
  out->has_list = true;
  out->list = ts_buf_str(&last->list);
  out->shape = last->shape;
  out->line = last->line;
}

static void tell_remarks(const struct ts_todo_project *p, struct agent *a) {
  for (size_t i = 0; i < a->count; i++) remark(p, a, i);
  for (struct ts_str rest = ts_buf_str(&a->remarks); rest.len > 0;) {
    size_t end = ts_str_find(rest, TS_STR("\n"));
    ts_note(p->options.notes, "%.*s", TS_FMT(ts_str_sub(rest, 0, end)));
    rest = ts_str_sub(rest, end + 1, rest.len);
  }
  ts_buf_clear(&a->remarks);
}

bool ts_todo_project_agent(const struct ts_todo_project *p, size_t i, struct ts_todo_agent *out) {
  if (i >= p->count) return false;
  tell(&p->agent[i], out);
  return true;
}

/* Of several of one name the last one. */
static size_t named(const struct ts_todo_project *p, struct ts_str id) {
  for (size_t i = p->count; i > 0; i--)
    if (ts_str_eq(p->agent[i - 1].name, id)) return i - 1;
  for (size_t i = p->count; i > 0; i--)
    if (p->agent[i - 1].name.len == 0 && ts_str_eq(p->agent[i - 1].session, id)) return i - 1;
  return SIZE_MAX;
}

int ts_todo_project_find(struct ts_todo_project *p, struct ts_str id, struct ts_todo_agent *out, struct ts_buf *err) {
  struct ts_str file = p->options.file;
  size_t found = id.len > 0 ? named(p, id) : p->top;
  if (found == SIZE_MAX && id.len > 0)
    return ts_fail(err, "%.*s: there is no agent or session '%.*s' in it", TS_FMT(file), TS_FMT(id));
  if (found == SIZE_MAX && p->count > 1)
    return ts_fail(err, "%.*s: several agents and none at top level: name one with --agent", TS_FMT(file));
  *out = (struct ts_todo_agent){ 0 };
  if (found == SIZE_MAX && p->count == 1) found = 0;
  if (found == SIZE_MAX) return 0;
  tell(&p->agent[found], out);
  tell_remarks(p, &p->agent[found]);
  return 0;
}

void ts_todo_project_free(struct ts_todo_project *p) {
  if (!p) return;
  for (size_t i = 0; i < p->count; i++) {
    drop(&p->agent[i], 0, p->agent[i].count);
    free(p->agent[i].candidate);
    ts_buf_free(&p->agent[i].remarks);
  }
  free(p->agent);
  ts_map_free(&p->by_name);
  ts_arena_free(&p->arena);
  ts_seen_free(&p->ids);
  ts_json_free(&p->json);
  ts_buf_free(&p->name);
  free(p);
}
