/* Session logs: which are readable, which list they give, and what is said about the lines that are not used. */
#include "todo/list.h"
#include "todo/session_log.h"
#include "unit/tap.h"

#define HEAD(more) "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0" more "}"
#define H HEAD("") "\n"
#define EVENT(type, seq, data) "{\"type\":\"" type "\",\"seq\":" seq ",\"time\":1,\"data\":" data "}"
#define START(seq) EVENT("turn/start", seq, "{}") "\n"
#define END(seq) EVENT("turn/end", seq, "{}") "\n"
#define LIST(word) "{\"todos\":[{\"content\":\"" word "\",\"status\":\"pending\"}]}"
#define WRITE(seq, word) EVENT("todo/write", seq, LIST(word)) "\n"
/* of a recording */
#define R(type, data) "{\"type\":\"" type "\",\"data\":" data "}\n"
#define RW(word) R("todo/write", LIST(word))
#define PACKED(seq, texts, dt)                                                                                    \
  "{\"type\":\"text-chunks\",\"seq0\":" seq ",\"time0\":1,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":" dt \
  ",\"texts\":" texts "}}\n"

/* list: the word of its one item; "" none; "[]" an empty list. error NULL: readable. */
static const struct log {
  const char *name;
  struct ts_str text;
  const char *list, *error;
  uint64_t events;
  unsigned notes;
  bool standing;
} logs[] = {
#define GOOD(name, text, list, events, notes) \
  { name, TS_STR(text), list, NULL, events, notes, false }
#define STANDING(name, text, list, events) \
  { name, TS_STR(text), list, NULL, events, 0, true }
#define BAD(name, text, error) \
  { name, TS_STR(text), NULL, error, 0, 0, false }
  /* headers */
  GOOD("only a header", H, "", 0, 0),
  GOOD("a header with more",
       HEAD(",\"cwd\":\"/w\",\"parentSession\":\"p\",\"agentPreset\":\"x\",\"origin\":\"subagent\",\"other\":1") "\n",
       "", 0, 0),
  GOOD("blanks and CRLF", HEAD("") " \r\n" EVENT("turn/start", "0", "{}") "\r\n", "", 1, 0),
  BAD("nothing", "", "log: not a session log: it is empty"),
  BAD("no newline behind the header", HEAD(""), "log:1: not a session log: no newline behind the header"),
  BAD("a blank first line", "\n" H, "log:1: not a session log: the header is not JSON: no value"),
  BAD("not JSON", "hello\n", "log:1: not a session log: the header is not JSON: unexpected byte 0x68"),
  BAD("null", "null\n", "log:1: not a session log: the first line is not a session header"),
  BAD("another type", "{\"type\":\"summary\"}\n", "log:1: not a session log: the first line is not a session header"),
  BAD("an id that is no string", "{\"type\":\"session\",\"version\":0,\"id\":1}\n",
      "log:1: not a session log: the header has no string 'id'"),
  BAD("version 1", "{\"type\":\"session\",\"version\":1,\"id\":\"s\"}\nx\n",
      "log:1: the log is of version 1, and only version 0 is known here"),
  BAD("version 0.5", "{\"type\":\"session\",\"version\":0.5,\"id\":\"s\"}\n",
      "log:1: the log is of version 0.5, and only version 0 is known here"),
  BAD("version 1 of a recording", "{\"type\":\"session\",\"version\":1,\"id\":\"s\"}\n" RW("a"),
      "log:1: the log is of version 1, and only version 0 is known here"),
  BAD("a version in a string",
      "{\"type\":\"session\",\"version\":\"0\",\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0}\n",
      "log:1: the header has no version 0"),
  BAD("no createdAt", "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"delegationDepth\":0}\n" START("0"),
      "log:1: the header's createdAt is not a whole number from 0"),
  BAD("createdAt -0", "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":-0,\"delegationDepth\":0}\n",
      "log:1: the header's createdAt is not a whole number from 0"),
  BAD("createdAt with a fraction",
      "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1.5,\"delegationDepth\":0}\n",
      "log:1: the header's createdAt is not a whole number from 0"),
  GOOD("createdAt spelt another way",
       "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1e3,\"delegationDepth\":2.0}\n", "", 0, 0),
  BAD("no delegationDepth", "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1}\n",
      "log:1: the header's delegationDepth is not a whole number from 0"),
  BAD("a relative cwd", HEAD(",\"cwd\":\"w\"") "\n", "log:1: the header's cwd is not an absolute path"),
  BAD("a cwd that is null", HEAD(",\"cwd\":null") "\n", "log:1: the header's cwd is not an absolute path"),
  BAD("another origin", HEAD(",\"origin\":\"fork\"") "\n", "log:1: the header's origin is not \"subagent\""),
  BAD("a preset that is a number", HEAD(",\"agentPreset\":1") "\n", "log:1: the header's agentPreset is not a string"),
  BAD("a parent that is a number", HEAD(",\"parentSession\":1") "\n",
      "log:1: the header's parentSession is not a string"),
  BAD("a negative seed", HEAD(",\"seedLength\":-1") "\n",
      "log:1: the header's seedLength is not a whole number from 0"),
  BAD("sandboxMode", HEAD(",\"sandboxMode\":\"x\"") "\n",
      "log:1: the header has a sandboxMode, which logs no longer have"),
  BAD("approvalPolicy", HEAD(",\"approvalPolicy\":null") "\n",
      "log:1: the header has an approvalPolicy, which logs no longer have"),
  /* logs */
  GOOD("a write", H START("0") WRITE("1", "a") END("2"), "a", 3, 0),
  GOOD("the last write", H START("0") WRITE("1", "a") WRITE("2", "b") END("3"), "b", 4, 0),
  GOOD("an empty list is one", H WRITE("0", "a") EVENT("todo/write", "1", "{\"todos\":[]}") "\n", "[]", 2, 0),
  GOOD("numbers spelt another way", H EVENT("turn/start", "0e0", "{}") "\n" EVENT("todo/write", "1.0", LIST("a")) "\n",
       "a", 2, 0),
  GOOD("an open turn", H START("0") WRITE("1", "a"), "a", 2, 0),
  GOOD("a new turn does not clear it", H WRITE("0", "a") START("1"), "a", 2, 0),
  STANDING("standing: a new turn clears it", H WRITE("0", "a") START("1"), "", 2),
  STANDING("standing: the end of a turn does not", H START("0") WRITE("1", "a") END("2"), "a", 3),
  STANDING("standing: nothing yet", H START("0"), "", 1),
  GOOD("an unknown event that may be ignored",
       H "{\"type\":\"new/thing\",\"seq\":0,\"time\":1,\"data\":null,\"ignorable\":true}\n" WRITE("1", "a"), "a", 2, 0),
  BAD("an unknown event", H EVENT("new/thing", "0", "{}") "\n",
      "log:2: event 0 (new/thing) is of no known type and can't be ignored: the log is of a newer version"),
  BAD("a retired event", H EVENT("mode/set", "0", "{}") "\n" END("1"),
      "log:2: event 0 (mode/set) is of no known type and can't be ignored: the log is of a newer version"),
  BAD("a type that is a number", H "{\"type\":5,\"seq\":0,\"time\":1,\"data\":{}}\n",
      "log:2: event 0 () has no string type"),
  BAD("ignorable false", H "{\"type\":\"turn/start\",\"seq\":0,\"time\":1,\"data\":{},\"ignorable\":false}\n",
      "log:2: event 0 (turn/start) has an ignorable that is not true"),
  BAD("another member", H "{\"type\":\"turn/start\",\"seq\":0,\"time\":1,\"data\":{},\"x\":1}\n",
      "log:2: event 0 (turn/start) has a member that events do not have"),
  BAD("no data", H "{\"type\":\"turn/start\",\"seq\":0,\"time\":1}\n", "log:2: event 0 (turn/start) has no data"),
  BAD("no time", H "{\"type\":\"turn/start\",\"seq\":0,\"data\":{}}\n",
      "log:2: event 0 (turn/start) has no whole number time"),
  BAD("a surface where there is none",
      H "{\"type\":\"todo/write\",\"seq\":0,\"time\":1,\"data\":" LIST("a") ",\"surfaceOp\":\"append\"}\n",
      "log:2: event 0 (todo/write) says something of the surface, which its type has no part in"),
  GOOD("a message",
       H
       "{\"type\":\"user/message\",\"seq\":0,\"time\":1,\"data\":{},\"surfaceOp\":\"append\",\"sourceEventSeqs\":[]}\n",
       "", 1, 0),
  GOOD("a message that replaces",
       H "{\"type\":\"tool/"
         "result\",\"seq\":0,\"time\":1,\"data\":{},\"surfaceOp\":{\"op\":\"replace\",\"start\":0,\"end\":0}}\n",
       "", 1, 0),
  BAD("a message without a surface", H EVENT("user/message", "0", "{}") "\n",
      "log:2: event 0 (user/message) has no surfaceOp \"append\" or \"replace\""),
  /* packed lines */
  GOOD("packed events count one by one", H START("0") PACKED("1", "[\"a\",\"b\",\"c\"]", "[1,0]") WRITE("4", "a"), "a",
       5, 0),
  BAD("a packed line of the wrong length", H PACKED("0", "[\"a\",\"b\"]", "[]") END("2"),
      "log:2: the packed line has a list dt of the wrong length"),
  BAD("a packed line without texts", H PACKED("0", "[]", "[]") END("0"), "log:2: the packed line has no list of texts"),
  BAD("a packed line with a number", H PACKED("0", "[1]", "[]") END("1"),
      "log:2: the packed line has no list of texts"),
  GOOD("packed calls",
       H "{\"type\":\"tool-call-chunks\",\"seq0\":0,\"time0\":1,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[5],"
         "\"id\":\"c\",\"name\":\"n\",\"args\":[\"\",\"{\"]}}\n" WRITE("2", "a"),
       "a", 3, 0),
  BAD("packed calls without an id",
      H "{\"type\":\"tool-call-chunks\",\"seq0\":0,\"time0\":1,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[],"
        "\"args\":[\"\"]}}\n" END("1"),
      "log:2: the packed line has no string id"),
  /* bad lines: unreadable before the last end of a turn, the end of reading behind it */
  BAD("a bad line in a finished turn", H START("0") "{bad\n" END("1"),
      "log:3: not JSON: column 2: unexpected byte 0x62"),
  BAD("a bad line between turns", H START("0") END("1") "x\n" START("2") END("3"),
      "log:4: not JSON: column 1: unexpected byte 0x78"),
  BAD("a blank line in a finished turn", H START("0") "\n" END("1"), "log:3: not JSON: column 1: no value"),
  BAD("no object in a finished turn", H START("0") "\"x\"\n" END("1"), "log:3: not a JSON object"),
  BAD("a gap", H START("0") WRITE("2", "a") END("3"), "log:3: seq 2 where 1 should be"),
  BAD("a gap that is the end of the turn", H START("0") END("2"), "log:3: seq 2 where 1 should be"),
  BAD("a seq twice", H START("0") WRITE("1", "a") WRITE("1", "b") END("2"), "log:4: seq 1 where 2 should be"),
  BAD("not from 0", H START("1") END("2"), "log:2: seq 1 where 0 should be"),
  BAD("a seq in a string", H START("0") EVENT("todo/write", "\"1\"", LIST("a")) "\n" END("2"),
      "log:3: no seq where event 1 should be"),
  BAD("a seq missing", H START("0") RW("a") END("1"), "log:3: no seq where event 1 should be"),
  BAD("a second header", H START("0") END("1") H START("2") END("3"), "log:4: no seq where event 2 should be"),
  GOOD("a bad line in an open turn", H START("0") WRITE("1", "a") "{bad\n" WRITE("2", "b"), "a", 2, 1),
  GOOD("a blank line in an open turn", H START("0") WRITE("1", "a") "\n" WRITE("2", "b"), "a", 2, 1),
  GOOD("a gap in an open turn", H START("0") WRITE("1", "a") WRITE("3", "b"), "a", 2, 1),
  GOOD("no newline at the end", H START("0") WRITE("1", "a") END("2") EVENT("todo/write", "3", LIST("b")), "a", 3, 1),
  GOOD("an end without a newline finishes nothing", H START("0") "{bad\n" EVENT("turn/end", "1", "{}"), "", 1, 2),
  GOOD("bad lines before the first event", H "{bad\n" START("0"), "", 0, 1),
  /* what is no list */
  GOOD("no list in it", H WRITE("0", "a") EVENT("todo/write", "1", "{}") "\n", "a", 2, 1),
  GOOD("data null", H WRITE("0", "a") EVENT("todo/write", "1", "null") "\n", "a", 2, 1),
  GOOD("an item that is no object", H WRITE("0", "a") EVENT("todo/write", "1", "{\"todos\":[[]]}") "\n", "a", 2, 1),
  GOOD("an unknown status",
       H WRITE("0", "a") EVENT("todo/write", "1", "{\"todos\":[{\"content\":\"b\",\"status\":\"paused\"}]}") "\n", "a",
       2, 1),
  GOOD("cancelled", H EVENT("todo/write", "0", "{\"todos\":[{\"content\":\"b\",\"status\":\"cancelled\"}]}") "\n", "b",
       1, 0),
  GOOD("more in data",
       H EVENT("todo/write", "0", "{\"x\":1,\"todos\":[{\"content\":\"b\",\"status\":\"pending\"}]}") "\n", "b", 1, 0),
  /* forks */
  GOOD("a fork does not have its parent's list", HEAD(",\"seedLength\":2") "\n" START("0") WRITE("1", "a") START("2"),
       "", 3, 0),
  GOOD("a fork has its own", HEAD(",\"seedLength\":2") "\n" START("0") WRITE("1", "a") WRITE("2", "b"), "b", 3, 0),
  GOOD("packed events of the parent count",
       HEAD(",\"seedLength\":3") "\n" PACKED("0", "[\"a\",\"b\"]", "[1]") WRITE("2", "a") START("3"), "", 4, 0),
  /* recordings */
  GOOD("a recording", "{\"type\":\"session\",\"id\":\"s\"}\n" R("turn/start", "{}") RW("a"), "a", 2, 0),
  GOOD("anything may stand in a recording",
       "{\"type\":\"session\",\"id\":\"s\",\"sandboxMode\":1}\n" R("mode/set",
                                                                   "{}") "{\"type\":\"x\",\"y\":1}\n" RW("a"),
       "a", 3, 0),
  GOOD("bad lines are skipped", "{\"type\":\"session\",\"id\":\"s\"}\n{bad\n" RW("a") "{bad\n\n" RW("b"), "b", 2, 2),
  GOOD("records glued together", "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"turn/start\",\"data\":{}}" RW("a"),
       "a", 2, 0),
  GOOD("no newline at the end of a recording",
       "{\"type\":\"session\",\"id\":\"s\"}\n" RW("a") "{\"type\":\"todo/write\",\"data\":" LIST("b") "}", "b", 2, 0),
  GOOD("one event without a newline",
       "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"todo/write\",\"data\":" LIST("b") "}", "b", 1, 0),
  GOOD("a torn end", "{\"type\":\"session\",\"id\":\"s\"}\n" RW("a") "{\"type\":\"todo/wri", "a", 1, 1),
  GOOD("a recorded fork",
       "{\"type\":\"session\",\"id\":\"s\",\"seedLength\":2}\n" R("turn/start", "{}") RW("a") R("turn/start", "{}"), "",
       3, 0),
};

static void count_note(void *context, struct ts_str sentence) {
  (void)sentence;
  ++*(unsigned *)context;
}

static void list_word(const struct ts_session_log *s, struct ts_buf *out) {
  struct ts_todo_list l = { 0 };
  struct ts_todo_item item;
  ts_buf_clear(out);
  if (!s->has_list || ts_todo_list_read(&l, ts_buf_str(&s->list), TS_TODO_WRITTEN, NULL) < 0) return;
  struct ts_todo_walk w = { .list = &l };
  if (l.count == 0) ts_buf_addz(out, "[]");
  while (ts_todo_next(&w, &item)) ts_buf_add(out, ts_todo_content(&w));
  ts_todo_walk_free(&w);
}

static int read_all(struct ts_session_log *s, struct ts_str text, struct ts_buf *err) {
  while (text.len > 0) {
    size_t end = ts_str_find(text, TS_STR("\n"));
    bool ended = end != SIZE_MAX;
    struct ts_str line = ts_str_sub(text, 0, end);
    text = ts_str_sub(text, ended ? end + 1 : text.len, text.len);
    if (ts_session_log_line(s, line, ended, err) < 0) return -1;
  }
  return ts_session_log_end(s, err);
}

static void test_logs(void) {
  struct ts_buf err = { 0 }, word = { 0 };
  for (size_t i = 0; i < TS_COUNT(logs); i++) {
    const struct log *l = &logs[i];
    unsigned noted = 0;
    struct ts_notes notes = { count_note, &noted };
    struct ts_session_log s = { .file = TS_STR("log"), .notes = &notes, .standing = l->standing };
    ts_buf_clear(&err);
    int got = read_all(&s, l->text, &err);
    IS_INT(got, l->error ? -1 : 0, "%s: readable or not", l->name);
    IS_Z(ts_buf_z(&err), l->error ? l->error : "", "%s: why", l->name);
    if (!l->error) {
      list_word(&s, &word);
      IS_Z(ts_buf_z(&word), l->list, "%s: the list", l->name);
      IS_U64(s.events, l->events, "%s: events", l->name);
      IS_U64(noted, l->notes, "%s: remarks", l->name);
    }
    ts_session_log_free(&s);
  }
  ts_buf_free(&err);
  ts_buf_free(&word);
}

static const struct tail {
  const char *name, *log, *tail;
  bool fits;
} tails[] = {
  { "a whole event", H START("0"), EVENT("todo/write", "1", LIST("a")), true },
  { "half an event", H START("0"), "{\"type\":\"todo/write\",\"se", false },
  { "the wrong seq", H START("0"), EVENT("todo/write", "2", LIST("a")), false },
  { "an unknown event", H START("0"), EVENT("new/thing", "1", "{}"), false },
  { "an event that logs do not have", H START("0"), "{\"type\":\"todo/write\",\"seq\":1,\"data\":{}}", false },
  { "the first event of a log", H, EVENT("turn/start", "0", "{}"), true },
  { "the first event of a recording", H, "{\"type\":\"turn/start\",\"data\":{}}", true },
  { "any object in a recording", H RW("a"), "{\"x\":1}", true },
  { "no object in a recording", H RW("a"), "7", false },
  { "half an object in a recording", H RW("a"), "{\"x\":", false },
};

static void test_tails(void) {
  for (size_t i = 0; i < TS_COUNT(tails); i++) {
    struct ts_session_log s = { .file = TS_STR("log") };
    (void)read_all(&s, ts_str_z(tails[i].log), NULL);
    OK(ts_session_log_fits(&s, ts_str_z(tails[i].tail)) == tails[i].fits, "%s", tails[i].name);
    ts_session_log_free(&s);
  }
}

int main(void) {
  test_logs();
  test_tails();
  return tap_done();
}
