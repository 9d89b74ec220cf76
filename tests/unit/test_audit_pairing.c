#include "transcript/pairing.h"

#include "unit/tap.h"

/* A transcript in shorthand, one event a word, on lines 1, 2, …:
 *   c call, r result, C nested call, R nested result, m message, w compaction, e end of the conversation,
 *   f anything of no concern
 * then `:id`, then options, each behind a comma: s= session, a= agent, t= turn, n= name, k= key;
 * ! misplaced, - a format without ids, * the call is its own answer. */
static struct ts_str value_of(struct ts_str option) { return ts_str_sub(option, 2, SIZE_MAX); }

static void set_option(struct ts_event *e, struct ts_str option) {
  switch (option.ptr[0]) {
    case 's':
      e->session = value_of(option);
      break;
    case 'a':
      e->agent = value_of(option);
      break;
    case 't':
      e->turn = value_of(option);
      break;
    case 'n':
      e->name = value_of(option);
      break;
    case 'k':
      e->key = value_of(option);
      break;
    case '!':
      e->misplaced = true;
      break;
    case '-':
      e->no_ids = true;
      break;
    default:
      e->self_answered = true;
      break;
  }
}

static struct ts_str until(struct ts_str *rest, const char *stop) {
  struct ts_str piece = ts_str_sub(*rest, 0, ts_str_find(*rest, ts_str_z(stop)));
  *rest = ts_str_sub(*rest, piece.len + 1, SIZE_MAX);
  return piece;
}

static struct ts_event event_of(struct ts_str word, uint64_t line) {
  static const char letters[] = "crCRmwef";
  static const enum ts_event_kind kinds[] = { TS_EVENT_CALL,    TS_EVENT_RESULT, TS_EVENT_SUB_CALL, TS_EVENT_SUB_RESULT,
                                              TS_EVENT_MESSAGE, TS_EVENT_WINDOW, TS_EVENT_END,      TS_EVENT_TODO };
  struct ts_event e = { .line = line, .column = 1, .session = TS_STR("S") };
  struct ts_str head = until(&word, ",");
  e.kind = kinds[strchr(letters, head.ptr[0]) - letters];
  e.id = ts_str_sub(head, 2, SIZE_MAX);
  while (word.len > 0) set_option(&e, until(&word, ","));
  return e;
}

static void describe(void *context, const struct ts_pair_fault *f) {
  struct ts_buf *out = context;
  ts_buf_addf(out, "%s%s@%" PRIu64, out->len ? " " : "", ts_rule(f->rule)->id, f->line);
  if (f->call_line) ts_buf_addf(out, "<%" PRIu64, f->call_line);
}

/* Fetches what is decided; the faults come in the order of their events. */
static bool fetch(struct ts_pairing *p, struct ts_buf *out) {
  struct ts_pair_fault f;
  bool ordered = true;
  for (uint64_t last = 0; ts_pairing_next(p, &f); last = f.order) {
    ordered = ordered && f.order > last && f.order < ts_pairing_oldest(p);
    describe(out, &f);
  }
  return ordered;
}

static void run(struct ts_pairing *p, struct ts_str script, struct ts_buf *out) {
  uint64_t line = 0;
  bool ordered = true;
  while (script.len > 0) {
    struct ts_event e = event_of(until(&script, " "), ++line);
    OK(ts_pairing_event(p, &e, describe, out) == line, "events are numbered");
    ordered = ordered && fetch(p, out);
  }
  ts_pairing_end(p);
  ordered = ordered && fetch(p, out);
  OK(ordered, "faults are fetched in order");
  IS_U64(ts_pairing_oldest(p), UINT64_MAX, "nothing waits at the end");
}

static const struct {
  const char *what, *script, *faults;
  uint64_t answered;
} rows[] = {
  { "nothing", "", "", 0 },
  { "a call and its result", "c:1 r:1", "", 1 },
  { "a result before its call", "r:1 m c:1 m", "", 1 },
  { "results in any order", "c:1 c:2 r:2 f r:1 m", "", 2 },
  /* the tail */
  { "no result at the end", "m c:1", "interrupted-call@2", 0 },
  { "no result, and the conversation went on", "c:1 m", "unanswered-call@1", 0 },
  { "a message of the same turn is no going on", "c:1,t=a m,t=a", "interrupted-call@1", 0 },
  { "parallel calls at the end", "m c:1,t=a c:2,t=a r:1", "interrupted-call@3", 1 },
  { "an earlier turn's call is not at the tail", "c:1,t=a c:2,t=b", "unanswered-call@1 interrupted-call@2", 0 },
  { "a turn that is taken up again", "c:1,t=a c:2,t=b m,t=a", "unanswered-call@1 unanswered-call@2", 0 },
  { "turns without a name are all different", "c:1 c:2", "unanswered-call@1 interrupted-call@2", 0 },
  { "a later result is no going on", "c:1,t=a c:2,t=a r:2", "interrupted-call@1", 1 },
  { "another agent's going on is its own", "c:1 m,a=b", "interrupted-call@1", 0 },
  { "another session's going on is its own", "c:1 m,s=T", "interrupted-call@1", 0 },
  { "a nested call is no going on", "c:1,t=a C:1 R:1", "interrupted-call@1", 0 },
  { "a call that is its own answer is going on", "c:1 c:,*", "unanswered-call@1", 1 },
  /* too many results */
  { "a second result", "c:1 r:1 r:1", "duplicate-result@3<1", 1 },
  { "three results", "c:1 r:1 r:1 r:1", "duplicate-result@3<1 duplicate-result@4<1", 1 },
  { "a second result before the call", "r:1 r:1 c:1", "duplicate-result@2<3", 1 },
  /* results before their call, and behind it */
  { "one before the call, one behind it", "r:1 c:1 r:1", "orphan-result@1", 1 },
  { "two before the call, one behind it", "r:1 r:1 c:1 r:1", "orphan-result@1 orphan-result@2", 1 },
  { "one before the call, two behind it", "r:1 c:1 r:1 r:1", "orphan-result@1 duplicate-result@4<2", 1 },
  { "two before two calls", "r:1 r:1 c:1 c:1", "", 2 },
  { "two before three calls", "r:1 r:1 c:1 c:1 c:1 m", "unanswered-call@5", 2 },
  { "two before three calls, one behind", "r:1 r:1 c:1 c:1 c:1 r:1", "", 3 },
  { "three before two calls", "r:1 r:1 r:1 c:1 c:1", "duplicate-result@3<4", 2 },
  { "four before two calls", "r:1 r:1 r:1 r:1 c:1 c:1", "duplicate-result@3<5 duplicate-result@4<5", 2 },
  { "two before two calls, one behind", "r:1 r:1 c:1 c:1 r:1", "orphan-result@2", 2 },
  { "two before two calls, one behind, and another call", "r:1 r:1 c:1 c:1 r:1 c:1 m",
    "orphan-result@2 unanswered-call@6", 2 },
  { "three before two calls, one behind, and another pair", "r:1 r:1 r:1 c:1 c:1 r:1 c:1 r:1 r:1",
    "orphan-result@1 orphan-result@2 orphan-result@3", 3 },
  { "two before two calls, two behind", "r:1 r:1 c:1 c:1 r:1 r:1", "orphan-result@1 orphan-result@2", 2 },
  { "two before two calls, three behind", "r:1 r:1 c:1 c:1 r:1 r:1 r:1",
    "orphan-result@1 orphan-result@2 duplicate-result@7<3", 2 },
  { "three before two calls, one behind", "r:1 r:1 r:1 c:1 c:1 r:1", "orphan-result@2 orphan-result@3", 2 },
  { "one before the first of two calls", "r:1 c:1 c:1 r:1", "", 2 },
  { "one before the first of two calls, two behind", "r:1 c:1 c:1 r:1 r:1", "orphan-result@1", 2 },
  { "an early one, and the id used again", "r:1 c:1 r:1 c:1 r:1", "orphan-result@1", 2 },
  { "an early one, and the id used again while open", "r:1 c:1 r:1 c:1 c:1 m",
    "orphan-result@1 duplicate-call-id@5<4 unanswered-call@4 unanswered-call@5", 1 },
  { "early ones of two ids", "r:1 r:2 c:2 c:1 r:1", "orphan-result@1", 2 },
  { "an early nested one", "R:1 C:1 R:1", "orphan-result@1", 0 },
  { "an early one by name", "r:,-,n=f c:,-,n=f r:,-,n=f", "orphan-result@1", 1 },
  { "an early one, and a misplaced one behind", "r:1 c:1 r:1,!", "wedged-record@3<2 orphan-result@1", 1 },
  { "an early one that is misplaced", "r:1,! c:1 m", "", 1 },
  { "an early one in the next window", "c:1 w r:1 c:1 r:1", "orphan-result@3", 1 },
  { "an early one in the next window, and nothing behind", "c:1 w r:1 c:1 m", "", 1 },
  { "an early one and its call, then a compaction and a result", "r:1 c:1 w r:1", "orphan-result@4", 1 },
  { "two early ones and a call, then a compaction", "r:1 r:1 c:1 w", "duplicate-result@2<3", 1 },
  { "an early one and its call, then the end and a result", "r:1 c:1 e r:1", "orphan-result@4", 1 },
  { "a result without a call", "r:1 m", "orphan-result@1", 0 },
  { "two results without a call", "r:1 r:1", "orphan-result@1 orphan-result@2", 0 },
  { "doubled results and an id used again", "c:1 r:1 r:1 c:1 r:1 r:1", "duplicate-result@3<1 duplicate-result@6<4", 2 },
  /* ids */
  { "an id used again after its result", "c:1 r:1 c:1 r:1", "", 2 },
  { "an id used again while open", "c:1 c:1 r:1 r:1", "duplicate-call-id@2<1", 2 },
  { "the nearest call gets the result", "c:1 c:1 r:1 m", "duplicate-call-id@2<1 unanswered-call@1", 1 },
  { "a call without an id", "c: r: m", "missing-call-id@1 missing-call-id@2", 0 },
  { "a key stands in for the id", "c:1,k=i r:9,k=i c:2,k=j r:,k=j", "", 2 },
  { "a key stands in for the id, but a call has one", "c:,k=j r:,k=j", "missing-call-id@1", 1 },
  { "a key is not an id", "c:1,k=x r:x m", "unanswered-call@1 orphan-result@2", 0 },
  /* who talks */
  { "one id in two sessions", "c:1 c:1,s=T r:1,s=T", "interrupted-call@1", 1 },
  { "one id in two agents", "c:1 c:1,a=b r:1", "interrupted-call@2", 1 },
  { "nested calls pair among themselves", "c:1 C:1 R:1 r:1", "", 1 },
  { "a nested result for a call", "c:1 R:1", "interrupted-call@1 orphan-result@2", 0 },
  { "a nested call that stays open", "c:1 C:2 r:1 m", "unanswered-call@2", 1 },
  /* formats without ids */
  { "by name", "c:,-,n=f r:,-,n=f c:,-,n=f r:,-,n=f", "", 2 },
  { "by name: another one's result", "c:,-,n=f r:,-,n=g m", "unanswered-call@1 orphan-result@2", 0 },
  { "by name: one of two", "c:,-,n=f m c:,-,n=f r:,-,n=f", "unanswered-call@1", 1 },
  { "a name is not an id", "c:f r:,-,n=f", "interrupted-call@1 orphan-result@2", 0 },
  /* calls that are their own answer */
  { "its own answer", "c:1,* m", "", 1 },
  { "its own answer, and the result beside it", "c:1,* r:1,* m", "", 1 },
  /* places */
  { "misplaced, and answers", "c:1 r:1,!", "wedged-record@2<1", 1 },
  { "misplaced, and answers nothing", "r:1,! m", "orphan-result@1", 0 },
  { "misplaced, and the second", "c:1 r:1 r:1,!", "duplicate-result@3<1", 1 },
  /* windows */
  { "a compaction closes calls silently", "c:1 w m", "", 0 },
  { "a result from beyond a compaction", "c:1 w r:1", "orphan-result@3", 0 },
  { "an answered call from beyond a compaction", "c:1 r:1 w r:1", "orphan-result@4", 1 },
  { "two compactions", "w c:1 r:1 w c:2 w r:2 c:3 r:3", "orphan-result@7", 2 },
  { "a result before a compaction is not for a call behind it", "r:1 w c:1 m", "orphan-result@1 unanswered-call@3", 0 },
  { "an id used again behind a compaction", "c:1 w c:1 r:1 m", "", 1 },
  { "another session's compaction", "c:1 w:,s=T r:1", "", 1 },
  { "a session's compaction leaves its agents", "c:1,a=b w r:1,a=b", "", 1 },
  { "a session's compaction, and an agent's call that stays open", "c:1,a=b w m,a=b", "unanswered-call@1", 0 },
  { "a session's compaction, and an agent's early result", "r:1,a=b w c:1,a=b m", "", 1 },
  { "an agent's compaction is its own", "c:1 c:1,a=b w:,a=b r:1 r:1,a=b", "orphan-result@5", 1 },
  { "an agent's compaction, then the session's", "c:1,a=b w:,a=b c:2,a=b w r:2,a=b r:1,a=b", "orphan-result@6", 1 },
  /* conversations one after the other */
  { "the end of a conversation is its tail", "c:1 e c:1 r:1", "interrupted-call@1", 1 },
  { "nothing pairs across it", "c:1 e r:1", "interrupted-call@1 orphan-result@3", 0 },
  { "nothing is known across it", "c:1 r:1 e r:1", "orphan-result@4", 1 },
  { "a result is not for a call behind it", "r:1 e c:1", "orphan-result@1 interrupted-call@3", 0 },
  { "windows of the next one", "w c:1 m e c:1 w r:1", "unanswered-call@2 orphan-result@7", 0 },
  /* order: what is fetched late comes at the place of its event among the others that are late */
  { "late faults in the order of their events", "r:9 c:1 c:2 r:2 r:8 w m c:7",
    "orphan-result@1 orphan-result@5 interrupted-call@8", 1 },
};

static void scripts(void) {
  struct ts_pairing *p = ts_pairing_new();
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf faults = { 0 };
    run(p, ts_str_z(rows[i].script), &faults);
    IS_Z(ts_buf_z(&faults), rows[i].faults, "%s: faults", rows[i].what);
    IS_U64(ts_pairing_answered(p), rows[i].answered, "%s: answered", rows[i].what);
    ts_pairing_reset(p);
    ts_buf_free(&faults);
  }
  ts_pairing_free(p);
  ts_pairing_free(NULL);
}

static void ignore(void *context, const struct ts_pair_fault *f) {
  (void)f;
  ++*(uint64_t *)context;
}

/* Ids with NULs in them, and texts that only differ behind one. */
static void nul_bytes(void) {
  struct ts_pairing *p = ts_pairing_new();
  uint64_t told = 0;
  struct ts_event call = { .kind = TS_EVENT_CALL, .id = TS_STR("a\0x"), .line = 1 };
  struct ts_event result = { .kind = TS_EVENT_RESULT, .id = TS_STR("a"), .line = 2 };
  ts_pairing_event(p, &call, ignore, &told);
  ts_pairing_event(p, &result, ignore, &told);
  ts_pairing_end(p);
  IS_U64(ts_pairing_answered(p), 0, "a NUL does not end an id");
  struct ts_pair_fault f;
  OK(ts_pairing_next(p, &f) && f.rule == TS_RULE_INTERRUPTED_CALL, "the call is open");
  IS(f.id, TS_STR("a\0x"), "and its id is whole");
  ts_pairing_free(p); /* with one fetched and one waiting */
}

/* Reset in the middle; many of everything. */
static void many(void) {
  enum { MANY = 20000 };
  struct ts_pairing *p = ts_pairing_new();
  uint64_t told = 0, late = 0;
  struct ts_pair_fault f;
  for (int round = 0; round < 2; round++) {
    ts_pairing_reset(p);
    told = late = 0;
    for (uint32_t n = 0; n < MANY; n++) {
      struct ts_event e = { .kind = TS_EVENT_CALL, .line = n + 1, .id = ts_str((const char *)&n, sizeof n) };
      ts_pairing_event(p, &e, ignore, &told);
    }
    if (round == 0) continue;
    for (uint32_t n = 0; n < MANY; n += 2) {
      struct ts_event e = { .kind = TS_EVENT_RESULT, .line = MANY, .id = ts_str((const char *)&n, sizeof n) };
      ts_pairing_event(p, &e, ignore, &told);
    }
    ts_pairing_end(p);
    while (ts_pairing_next(p, &f)) late++;
  }
  IS_U64(ts_pairing_answered(p), MANY / 2, "half of them are answered");
  IS_U64(late, MANY / 2, "half of them are not");
  IS_U64(told, 0, "and that is all");
  ts_pairing_free(p);
}

/* Many of one id: what waits is found at once all the same (in another order this would take hours). */
static void many_of_one(void) {
  enum { MANY = 200000, KEPT = 4096 }; /* of claimed results the last ones only */
  static const struct {
    const char *what, *words;
    uint64_t answered, told, late;
  } cases[] = {
    { "results", "r", 0, 0, MANY },
    { "calls", "c", 0, MANY - 1, MANY },
    { "results, then calls", "rc", MANY, 0, 0 },
    { "results, calls, results", "rcr", MANY, MANY - KEPT, KEPT },
  };
  struct ts_pairing *p = ts_pairing_new();
  for (size_t i = 0; i < TS_COUNT(cases); i++) {
    uint64_t told = 0, late = 0;
    struct ts_pair_fault f;
    for (const char *w = cases[i].words; *w; w++) {
      struct ts_event e = { .kind = *w == 'c' ? TS_EVENT_CALL : TS_EVENT_RESULT, .line = 1, .id = TS_STR("1") };
      for (uint32_t n = 0; n < MANY; n++) ts_pairing_event(p, &e, ignore, &told);
    }
    ts_pairing_end(p);
    while (ts_pairing_next(p, &f)) late++;
    IS_U64(ts_pairing_answered(p), cases[i].answered, "%s of one id: answered", cases[i].what);
    IS_U64(told, cases[i].told, "%s of one id: told at once", cases[i].what);
    IS_U64(late, cases[i].late, "%s of one id: told late", cases[i].what);
    ts_pairing_reset(p);
  }
  ts_pairing_free(p);
}

int main(void) {
  scripts();
  many_of_one();
  nul_bytes();
  many();
  return tap_done();
}
