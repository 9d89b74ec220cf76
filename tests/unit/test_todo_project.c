/* Whose list is current, from events alone: answers, errors, compactions, agents, conversations. */
#include "todo/project.h"
#include "unit/tap.h"

#define TODOS(word) "{\"todos\":[{\"content\":\"" word "\",\"status\":\"pending\"}]}"
#define PLAN(word) "{\"plan\":[{\"step\":\"" word "\",\"status\":\"pending\"}]}"

/* An event in short: kind, agent, id, and for a call its name and arguments. */
struct step {
  enum ts_event_kind kind;
  const char *session, *agent, *id, *name, *arguments;
  bool is_error, self_answered, no_ids;
};

#define CALL(id, word) \
  { TS_EVENT_CALL, "s", "", id, "todo_write", TODOS(word), false, false, false }
#define CALL_AS(name, id, args) \
  { TS_EVENT_CALL, "s", "", id, name, args, false, false, false }
#define OTHER(id) \
  { TS_EVENT_CALL, "s", "", id, "Bash", "{}", false, false, false }
#define GOOD(id) \
  { TS_EVENT_RESULT, "s", "", id, "", "", false, false, false }
#define BAD(id) \
  { TS_EVENT_RESULT, "s", "", id, "", "", true, false, false }
#define BY(agent, id, word) \
  { TS_EVENT_CALL, "s", agent, id, "todo_write", TODOS(word), false, false, false }
#define ANSWER(agent, id, bad) \
  { TS_EVENT_RESULT, "s", agent, id, "", "", bad, false, false }
#define COMPACT \
  { TS_EVENT_WINDOW, "s", "", "", "", "", false, false, false }
#define SAYS(session, agent) \
  { TS_EVENT_MESSAGE, session, agent, "", "", "", false, false, false }
#define OVER \
  { TS_EVENT_END, "", "", "", "", "", false, false, false }

static const struct history {
  const char *name;
  struct step step[8];
  size_t count;
  const char *agent; /* who is asked for */
  const char *word;  /* of the list; "" none; NULL: nobody to ask */
  bool plan;
  uint64_t last_line; /* a step is a line */
  unsigned notes;
} histories[] = {
#define STEPS(...) { __VA_ARGS__ }, sizeof((struct step[]){ __VA_ARGS__ }) / sizeof(struct step)
  { "nothing", STEPS(OTHER("1")), "", "", false, 0, 0 },
  { "a write that is answered", STEPS(CALL("1", "a"), GOOD("1")), "", "a", false, 0, 0 },
  { "one that is not answered yet", STEPS(CALL("1", "a"), GOOD("1"), CALL("2", "b")), "", "b", false, 0, 0 },
  { "one that was refused", STEPS(CALL("1", "a"), GOOD("1"), CALL("2", "b"), BAD("2")), "", "a", false, 0, 0 },
  { "only refused ones", STEPS(CALL("1", "a"), BAD("1")), "", "", false, 0, 0 },
  { "answers out of order", STEPS(CALL("1", "a"), CALL("2", "b"), BAD("2"), GOOD("1")), "", "a", false, 0, 0 },
  { "the earlier one refused late", STEPS(CALL("1", "a"), CALL("2", "b"), GOOD("2"), BAD("1")), "", "b", false, 0, 0 },
  { "refused twice, two unanswered", STEPS(CALL("1", "a"), CALL("2", "b"), CALL("3", "c"), BAD("3"), BAD("2")), "", "a",
    false, 0, 0 },
  { "an answer before its call", STEPS(CALL("1", "a"), GOOD("1"), BAD("2"), CALL("2", "b")), "", "a", false, 0, 0 },
  { "a good one before its call", STEPS(GOOD("1"), CALL("1", "a"), CALL("2", "b"), BAD("2")), "", "a", false, 0, 0 },
  { "the error of another tool", STEPS(OTHER("1"), CALL("2", "a"), BAD("1")), "", "a", false, 0, 0 },
  { "an id used again", STEPS(OTHER("1"), BAD("1"), CALL("1", "a"), GOOD("1")), "", "a", false, 0, 0 },
  { "an id used again, refused", STEPS(CALL("1", "a"), GOOD("1"), CALL("1", "b"), BAD("1")), "", "a", false, 0, 0 },
  { "a second answer does not matter", STEPS(CALL("1", "a"), GOOD("1"), BAD("1")), "", "a", false, 0, 0 },
  { "no id, so no answer", STEPS(CALL("", "a"), BAD("")), "", "a", false, 0, 0 },
  { "a compaction: too late for the error", STEPS(CALL("1", "a"), COMPACT, BAD("1")), "", "a", false, 0, 0 },
  { "a call that carries its answer",
    STEPS(CALL("1", "a"), { TS_EVENT_CALL, "s", "", "2", "todo_write", TODOS("b"), true, true, false }), "", "a", false,
    0, 0 },
  { "a call that never has one", STEPS({ TS_EVENT_CALL, "s", "", "2", "todo_write", TODOS("b"), false, true, false }),
    "", "b", false, 0, 0 },
  { "without ids, by name",
    STEPS({ TS_EVENT_CALL, "s", "", "", "todo_write", TODOS("a"), false, false, true },
          { TS_EVENT_RESULT, "s", "", "", "todo_write", "", true, false, true }),
    "", "", false, 0, 0 },
  /* names */
  { "TodoWrite", STEPS(CALL_AS("TodoWrite", "1", TODOS("a"))), "", "a", false, 0, 0 },
  { "work_update", STEPS(CALL_AS("work_update", "1", TODOS("a"))), "", "a", false, 0, 0 },
  { "checklist_write", STEPS(CALL_AS("checklist_write", "1", TODOS("a"))), "", "a", false, 0, 0 },
  { "a removed name", STEPS(CALL_AS("todo_add", "1", TODOS("a"))), "", "", false, 0, 0 },
  { "another tool", STEPS(CALL_AS("write_todos", "1", TODOS("a"))), "", "", false, 0, 0 },
  { "update_plan is no list", STEPS(CALL_AS("update_plan", "1", PLAN("a"))), "", "", false, 0, 0 },
  { "unless it is wanted", STEPS(CALL_AS("update_plan", "1", PLAN("a"))), "", "a", true, 0, 0 },
  { "then the last of both", STEPS(CALL_AS("update_plan", "1", PLAN("a")), GOOD("1"), CALL("2", "b")), "", "b", true, 0,
    0 },
  /* what is no list */
  { "a list in a string", STEPS(CALL("1", "a"), GOOD("1"), CALL_AS("todo_write", "2", "{\"todos\":\"[]\"}"), GOOD("2")),
    "", "a", false, 0, 1 },
  { "no JSON", STEPS(CALL_AS("todo_write", "2", "{\"todos\":"), GOOD("2")), "", "", false, 0, 1 },
  { "an unknown status", STEPS(CALL_AS("todo_write", "2", "{\"todos\":[{\"content\":\"a\",\"status\":\"later\"}]}")),
    "", "", false, 0, 1 },
  { "any spelling of a status",
    STEPS(CALL_AS("todo_write", "2", "{\"todos\":[{\"content\":\"a\",\"status\":\"Done\"}]}")), "", "a", false, 0, 0 },
  { "an empty list", STEPS(CALL("1", "a"), GOOD("1"), CALL_AS("todo_write", "2", "{\"todos\":[]}")), "", "[]", false, 0,
    0 },
  /* agents */
  { "not a child's", STEPS(CALL("1", "a"), GOOD("1"), BY("child", "2", "b"), ANSWER("child", "2", false)), "", "a",
    false, 0, 0 },
  { "the child's", STEPS(CALL("1", "a"), GOOD("1"), BY("child", "2", "b"), ANSWER("child", "2", false)), "child", "b",
    false, 0, 0 },
  { "the session's id is the top level", STEPS(CALL("1", "a"), BY("child", "2", "b")), "s", "a", false, 0, 0 },
  { "ids are an agent's own", STEPS(CALL("1", "a"), BY("child", "1", "b"), ANSWER("child", "1", true)), "", "a", false,
    0, 0 },
  { "a child without a list", STEPS(CALL("1", "a"), SAYS("s", "child")), "child", "", false, 0, 0 },
  { "nobody of that name", STEPS(CALL("1", "a")), "child", NULL, false, 0, 0 },
  { "the only one there is", STEPS(BY("child", "1", "a")), "", "a", false, 0, 0 },
  { "two, and none at top level", STEPS(BY("x", "1", "a"), BY("y", "1", "b")), "", NULL, false, 0, 0 },
  { "the session that spoke last", STEPS(CALL("1", "a"), GOOD("1"), SAYS("t", "")), "", "", false, 0, 0 },
  { "another conversation of the same names", STEPS(CALL("1", "a"), GOOD("1"), OVER, OTHER("1")), "", "", false, 0, 0 },
  { "answers do not cross it", STEPS(CALL("1", "a"), OVER, CALL("2", "b"), BAD("1")), "", "b", false, 0, 0 },
  /* --at */
  { "as of the first line", STEPS(CALL("1", "a"), GOOD("1"), CALL("2", "b"), GOOD("2")), "", "a", false, 2, 0 },
  { "before the answer", STEPS(CALL("1", "a"), GOOD("1"), CALL("2", "b"), BAD("2")), "", "b", false, 3, 0 },
};

static void count_note(void *context, struct ts_str sentence) {
  (void)sentence;
  ++*(unsigned *)context;
}

static void play(struct ts_todo_project *p, const struct history *h) {
  for (size_t i = 0; i < h->count; i++) {
    const struct step *s = &h->step[i];
    struct ts_event e = { .kind = s->kind,
                          .session = ts_str_z(s->session),
                          .agent = ts_str_z(s->agent),
                          .id = ts_str_z(s->id),
                          .name = ts_str_z(s->name),
                          .form = TS_ARGUMENTS_JSON,
                          .arguments = ts_str_z(s->arguments),
                          .is_error = s->is_error,
                          .self_answered = s->self_answered,
                          .no_ids = s->no_ids,
                          .line = i + 1 };
    if (ts_todo_project_event(p, &e) < 0) break;
  }
}

static void list_word(const struct ts_todo_agent *a, struct ts_buf *out) {
  struct ts_todo_list l = { 0 };
  struct ts_todo_item item;
  ts_buf_clear(out);
  if (!a->has_list || ts_todo_list_read(&l, a->list, a->shape, NULL) < 0) return;
  struct ts_todo_walk w = { .list = &l };
  if (l.count == 0) ts_buf_addz(out, "[]");
  while (ts_todo_next(&w, &item)) ts_buf_add(out, ts_todo_content(&w));
  ts_todo_walk_free(&w);
}

static void test_histories(const struct ts_catalog *catalog) {
  struct ts_buf err = { 0 }, word = { 0 };
  for (size_t i = 0; i < TS_COUNT(histories); i++) {
    const struct history *h = &histories[i];
    unsigned noted = 0;
    struct ts_notes notes = { count_note, &noted };
    struct ts_todo_project_options options = {
      .catalog = catalog, .plan = h->plan, .last_line = h->last_line, .file = TS_STR("t"), .notes = &notes
    };
    struct ts_todo_agent a = { 0 };
    struct ts_todo_project *p = ts_todo_project_new(&options);
    play(p, h);
    IS_INT(ts_todo_project_find(p, ts_str_z(h->agent), &a, &err), h->word ? 0 : -1, "%s: found or not", h->name);
    if (h->word) {
      list_word(&a, &word);
      IS_Z(ts_buf_z(&word), h->word, "%s: the list", h->name);
    }
    IS_U64(noted, h->notes, "%s: remarks", h->name);
    ts_todo_project_free(p);
  }
  ts_buf_free(&err);
  ts_buf_free(&word);
}

int main(void) {
  struct ts_catalog catalog = { 0 };
  struct ts_buf err = { 0 };
  OK(ts_catalog_read(&catalog, TS_STR("builtin:codewhale"), ts_builtin(TS_STR("codewhale")), &err) == 0, "a catalog");
  OK(ts_catalog_finish(&catalog, &err) == 0, "ready");
  test_histories(&catalog);
  ts_catalog_free(&catalog);
  ts_buf_free(&err);
  return tap_done();
}
