#include "transcript/pairing.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/seen.h"
#include "base/xalloc.h"
#include "transcript/speaker.h"

/* So many results that came before their calls are remembered, in case a better one comes: what a later one displaces
 * stands near, and memory must not grow with a transcript in which every result is early. */
enum { CLAIMS_KEPT = 4096 };

/* A result that came before any call of its key. */
enum early {
  UNCLAIMED, /* no call yet: else an orphan */
  SPARE,     /* calls came, none for it: one too many for the first of them, unless another one comes */
  CLAIMED,   /* answers a call, unless a later result does */
};

/* A call or a result that waits, or waits to be fetched. */
struct ts_waiting {
  struct ts_link link;
  struct ts_waiting *older, *newer;  /* by order */
  struct ts_waiting *before, *after; /* in its speaker */
  struct ts_waiting *sooner, *later; /* among the claimed results, as they were claimed */
  struct ts_speaker *speaker;
  uint64_t order, line, column, turn, call_line;
  bool is_result, decided;
  uint8_t kind;
  enum early early;        /* of a result */
  struct ts_waiting *twin; /* the next newer result of the key; of the newest one: the oldest that is spare */
  enum ts_rule_id rule;
  struct ts_str id, key, name; /* in text, key also in id */
  char text[];
};

struct ts_pairing {
  uint64_t order, answered;
  struct ts_speakers speakers;
  struct ts_table items; /* that wait */
  struct ts_waiting *oldest, *newest, *fetched;
  struct ts_waiting *first_claimed, *last_claimed;
  size_t claimed;
  struct ts_seen done; /* keys of calls that have their result; the note is the call's line */
};

struct ts_pairing *ts_pairing_new(void) {
  return ts_xcalloc(1, sizeof(struct ts_pairing));
}

struct ts_window ts_pairing_window(const struct ts_pairing *p, struct ts_str session, struct ts_str agent) {
  struct ts_window w = { 0, 0 };
  const struct ts_speaker_session *s = ts_speaker_session_find(&p->speakers, session);
  const struct ts_speaker *c = s ? ts_speaker_find(&p->speakers, session, agent) : NULL;
  if (s) w.session = s->window;
  if (c) w.agent = c->window;
  return w;
}

/* --- what waits ----------------------------------------------------------------------------------------- */

/* What an event is looked for by. */
struct key {
  struct ts_str text;
  uint8_t kind; /* ids, names where there are no ids, and nested calls never meet */
  struct ts_hash128 hash;
};

enum { KIND_NESTED = 1, KIND_NAME = 2, KIND_KEY = 4 };

static bool is_nested(const struct ts_event *e) {
  return e->kind == TS_EVENT_SUB_CALL || e->kind == TS_EVENT_SUB_RESULT;
}

/* False: it has nothing to be known by. */
static bool key_of(const struct ts_pairing *p, const struct ts_event *e, struct key *out) {
  struct ts_window both = ts_pairing_window(p, e->session, e->agent);
  uint32_t w = e->agent.len > 0 ? both.agent : both.session;
  out->text = e->no_ids ? e->name : e->key.len > 0 ? e->key : e->id;
  out->kind =
      (uint8_t)((is_nested(e) ? KIND_NESTED : 0) | (e->no_ids ? KIND_NAME : 0) | (e->key.len > 0 ? KIND_KEY : 0));
  const struct ts_str parts[] = { e->session, e->agent, ts_str((const char *)&w, sizeof w),
                                  ts_str((const char *)&out->kind, 1), out->text };
  out->hash = ts_hash128(parts, TS_COUNT(parts));
  return e->no_ids || out->text.len > 0;
}

/* The next one at or behind l that has the key. */
static struct ts_waiting *matching(struct ts_link *l, const struct ts_event *e, const struct key *key) {
  for (; l; l = l->next) {
    struct ts_waiting *i = (struct ts_waiting *)l;
    if (l->hash == key->hash.low && i->kind == key->kind && ts_str_eq(i->key, key->text) &&
        ts_str_eq(i->speaker->agent, e->agent) && ts_str_eq(i->speaker->session->text, e->session))
      return i;
  }
  return NULL;
}

/* Results wait before the first call of their key only: calls that wait are newer than all of these. */
static struct ts_waiting *newest(const struct ts_pairing *p, const struct ts_event *e, const struct key *key) {
  return matching(ts_table_chain(&p->items, key->hash.low), e, key);
}

static char *put_text(char *at, struct ts_str from, struct ts_str *copy) {
  if (from.len > 0) memcpy(at, from.ptr, from.len);
  *copy = ts_str(at, from.len);
  return at + from.len;
}

static struct ts_waiting *item_put(struct ts_pairing *p, const struct ts_event *e, const struct key *key,
                                   bool is_result) {
  struct ts_waiting *i = ts_xcalloc(1, sizeof *i + e->id.len + key->text.len + e->name.len + 1);
  char *at = put_text(i->text, e->id, &i->id);
  at = put_text(at, key->text, &i->key);
  put_text(at, e->name, &i->name);
  i->link.hash = key->hash.low;
  i->kind = key->kind;
  i->is_result = is_result;
  i->order = p->order;
  i->line = e->line;
  i->column = e->column;
  i->speaker = ts_speaker_get(&p->speakers, e->session, e->agent);
  i->speaker->uses++;
  i->after = i->speaker->items;
  if (i->after) i->after->before = i;
  i->speaker->items = i;
  i->older = p->newest;
  *(p->newest ? &p->newest->newer : &p->oldest) = i;
  p->newest = i;
  ts_table_put(&p->items, &i->link);
  return i;
}

static void keep_claimed(struct ts_pairing *p, struct ts_waiting *i) {
  i->early = CLAIMED;
  i->sooner = p->last_claimed;
  *(p->last_claimed ? &p->last_claimed->later : &p->first_claimed) = i;
  p->last_claimed = i;
  p->claimed++;
}

static void drop_claimed(struct ts_pairing *p, struct ts_waiting *i) {
  *(i->sooner ? &i->sooner->later : &p->first_claimed) = i->later;
  *(i->later ? &i->later->sooner : &p->last_claimed) = i->sooner;
  p->claimed--;
}

/* It waits no longer. */
static void stop_waiting(struct ts_pairing *p, struct ts_waiting *i) {
  if (i->early == CLAIMED) drop_claimed(p, i);
  ts_table_take(&p->items, &i->link);
  *(i->before ? &i->before->after : &i->speaker->items) = i->after;
  if (i->after) i->after->before = i->before;
}

static void item_free(struct ts_pairing *p, struct ts_waiting *i) {
  *(i->older ? &i->older->newer : &p->oldest) = i->newer;
  *(i->newer ? &i->newer->older : &p->newest) = i->older;
  i->speaker->uses--;
  ts_speaker_drop(&p->speakers, i->speaker);
  free(i);
}

/* Its verdict: a fault, or (TS_RULES) none. */
static void decide(struct ts_pairing *p, struct ts_waiting *i, enum ts_rule_id rule) {
  stop_waiting(p, i);
  i->decided = true;
  i->rule = rule;
  if (rule == TS_RULES) item_free(p, i);
}

/* --- events --------------------------------------------------------------------------------------------- */

struct telling {
  ts_pair_fn *now;
  void *context;
};

static void tell(const struct ts_pairing *p, const struct telling *t, const struct ts_event *e, enum ts_rule_id rule,
                 uint64_t call_line) {
  const struct ts_pair_fault f = { .rule = rule,
                                   .session = e->session,
                                   .agent = e->agent,
                                   .id = e->id,
                                   .name = e->name,
                                   .line = e->line,
                                   .column = e->column,
                                   .call_line = call_line,
                                   .order = p->order,
                                   .is_result = e->kind == TS_EVENT_RESULT || e->kind == TS_EVENT_SUB_RESULT,
                                   .nested = is_nested(e) };
  t->now(t->context, &f);
}

/* A number for the turn of an event; without a turn it is one of its own. The first bit keeps these apart. */
static uint64_t turn_of(const struct ts_pairing *p, const struct ts_event *e) {
  const uint64_t own = 1ull << 63;
  return e->turn.len > 0 ? ts_hash(e->turn) & ~own : p->order | own;
}

/* The call on that line has a result. */
static void note_done(struct ts_pairing *p, const struct key *key, uint64_t call_line) {
  uint32_t note = call_line <= UINT32_MAX ? (uint32_t)call_line : 0;
  if (!ts_seen_add(&p->done, key->hash, note)) *ts_seen_find(&p->done, key->hash) = note;
}

static void mark_done(struct ts_pairing *p, const struct key *key, uint64_t call_line) {
  note_done(p, key, call_line);
  if ((key->kind & KIND_NESTED) == 0) p->answered++;
}

/* --- results before their calls ------------------------------------------------------------------------- */

/* The first call of the key is here: the results before it become spare. Returns the oldest. */
static struct ts_waiting *line_up(struct ts_waiting *last, const struct ts_event *e, const struct key *key) {
  struct ts_waiting *oldest = NULL, *newer = NULL;
  for (struct ts_waiting *i = last; i; i = matching(i->link.next, e, key)) {
    i->early = SPARE;
    i->call_line = e->line;
    i->twin = newer;
    oldest = newer = i;
  }
  return oldest;
}

/* The call e takes the oldest result before it that no call has taken. False: there is none. `last` is the newest of
 * the key that waits. */
static bool claim(struct ts_pairing *p, struct ts_waiting *last, const struct ts_event *e, const struct key *key) {
  if (!last || !last->is_result) return false;
  struct ts_waiting *mine = last->early == UNCLAIMED ? line_up(last, e, key) : last->twin;
  if (!mine) return false;
  last->twin = mine == last ? NULL : mine->twin;
  mine->call_line = e->line;
  keep_claimed(p, mine);
  mark_done(p, key, e->line);
  if (p->claimed > CLAIMS_KEPT) decide(p, p->first_claimed, TS_RULES);
  return true;
}

/* A result behind calls that have all claimed an earlier one: it answers the last of them, and what that one claimed,
 * and what was spare, is no call's. Returns that call's line. */
static uint64_t displace(struct ts_pairing *p, struct ts_waiting *last, const struct ts_event *e,
                         const struct key *key) {
  uint64_t call_line = 0;
  for (bool found = false; !found;) {
    struct ts_waiting *older = matching(last->link.next, e, key);
    found = last->early == CLAIMED;
    if (found) call_line = last->call_line;
    last->call_line = 0;
    decide(p, last, TS_RULE_ORPHAN_RESULT);
    last = older;
  }
  if (last) last->twin = NULL; /* it is the newest now, and nothing is spare */
  return call_line;
}

/* The verdict over a result whose window or conversation is over. */
static enum ts_rule_id early_verdict(const struct ts_waiting *i) {
  static const enum ts_rule_id verdicts[] = {
    [UNCLAIMED] = TS_RULE_ORPHAN_RESULT, [SPARE] = TS_RULE_DUPLICATE_RESULT, [CLAIMED] = TS_RULES
  };
  return verdicts[i->early];
}

/* --- calls and results ---------------------------------------------------------------------------------- */

static void take_call(struct ts_pairing *p, const struct ts_event *e, const struct telling *t) {
  struct key key;
  uint64_t turn = turn_of(p, e);
  bool keyed = key_of(p, e, &key), nested = is_nested(e);
  struct ts_speaker *speaker = ts_speaker_find(&p->speakers, e->session, e->agent);
  if (speaker && !nested) ts_speaker_go_on(speaker, turn, p->order);
  if (e->self_answered) {
    p->answered++;
    return;
  }
  if (!keyed || (e->id.len == 0 && !e->no_ids)) tell(p, t, e, TS_RULE_MISSING_CALL_ID, 0);
  if (!keyed) return;
  struct ts_waiting *last = newest(p, e, &key);
  if (claim(p, last, e, &key)) return;
  bool reused = last && !last->is_result && !e->no_ids;
  if (reused) tell(p, t, e, TS_RULE_DUPLICATE_CALL_ID, last->line);
  struct ts_waiting *call = item_put(p, e, &key, false);
  call->turn = turn;
  if (!speaker && !nested) ts_speaker_go_on(call->speaker, turn, p->order);
}

static void take_result(struct ts_pairing *p, const struct ts_event *e, const struct telling *t) {
  struct key key;
  if (e->self_answered) return;
  if (!key_of(p, e, &key)) {
    tell(p, t, e, TS_RULE_MISSING_CALL_ID, 0);
    return;
  }
  struct ts_waiting *last = newest(p, e, &key);
  const uint32_t *done = last ? NULL : ts_seen_find(&p->done, key.hash);
  if (last && !last->is_result) {
    mark_done(p, &key, last->line);
    if (e->misplaced) tell(p, t, e, TS_RULE_WEDGED_RECORD, last->line);
    decide(p, last, TS_RULES);
  } else if (last && last->early != UNCLAIMED) {
    uint64_t call_line = displace(p, last, e, &key);
    note_done(p, &key, call_line);
    if (e->misplaced) tell(p, t, e, TS_RULE_WEDGED_RECORD, call_line);
  } else if (done) {
    tell(p, t, e, TS_RULE_DUPLICATE_RESULT, *done);
  } else {
    item_put(p, e, &key, true);
  }
}

/* What waits in a speaker when its window ends: calls are closed silently, a result that none claimed had no call. */
static void close_speaker(struct ts_pairing *p, struct ts_speaker *c) {
  for (struct ts_waiting *i = c->items, *next; i; i = next) {
    next = i->after;
    decide(p, i, i->is_result ? early_verdict(i) : TS_RULES);
  }
}

/* Who compacts, compacts its own conversation: what an agent, or the session itself, has called is in the context of
 * that one alone. */
static void take_window(struct ts_pairing *p, const struct ts_event *e) {
  struct ts_speaker *c = ts_speaker_get(&p->speakers, e->session, e->agent);
  *(e->agent.len > 0 ? &c->window : &c->session->window) += 1;
  c->uses++; /* closing would free one that nothing needs any more */
  close_speaker(p, c);
  c->uses--;
  ts_speaker_drop(&p->speakers, c);
}

static void take_message(struct ts_pairing *p, const struct ts_event *e) {
  struct ts_speaker *c = ts_speaker_find(&p->speakers, e->session, e->agent);
  if (c) ts_speaker_go_on(c, turn_of(p, e), p->order);
}

/* The verdict over what waits when the conversation is over. */
static enum ts_rule_id last_verdict(const struct ts_waiting *i) {
  if (i->is_result) return early_verdict(i);
  return ts_speaker_went_on(i->speaker, i->turn, i->order) ? TS_RULE_UNANSWERED_CALL : TS_RULE_INTERRUPTED_CALL;
}

/* The conversation is over: what waits gets its verdict, and nothing that follows pairs with it. The newest first: so
 * each is found at the front of its chain. */
void ts_pairing_end(struct ts_pairing *p) {
  for (struct ts_waiting *i = p->newest, *older; i; i = older) {
    older = i->older; /* a silent verdict frees i */
    if (!i->decided) decide(p, i, last_verdict(i));
  }
  ts_seen_free(&p->done); /* the next conversation may have the same ids */
}

uint64_t ts_pairing_event(struct ts_pairing *p, const struct ts_event *e, ts_pair_fn *now, void *context) {
  const struct telling t = { now, context };
  p->order++;
  switch (e->kind) {
    case TS_EVENT_CALL:
    case TS_EVENT_SUB_CALL:
      take_call(p, e, &t);
      break;
    case TS_EVENT_RESULT:
    case TS_EVENT_SUB_RESULT:
      take_result(p, e, &t);
      break;
    case TS_EVENT_MESSAGE:
      take_message(p, e);
      break;
    case TS_EVENT_WINDOW:
      take_window(p, e);
      break;
    case TS_EVENT_END:
      ts_pairing_end(p);
      break;
    case TS_EVENT_CATALOG:
    case TS_EVENT_DISCOVERY:
    case TS_EVENT_TODO:
    case TS_EVENT_FINDING:
      break;
  }
  return p->order;
}

/* --- the outcome ---------------------------------------------------------------------------------------- */

uint64_t ts_pairing_oldest(const struct ts_pairing *p) {
  const struct ts_waiting *i = p->oldest && p->oldest == p->fetched ? p->oldest->newer : p->oldest;
  return i ? i->order : UINT64_MAX;
}

bool ts_pairing_next(struct ts_pairing *p, struct ts_pair_fault *out) {
  if (p->fetched) item_free(p, p->fetched);
  p->fetched = NULL;
  struct ts_waiting *i = p->oldest;
  if (!i || !i->decided) return false;
  *out = (struct ts_pair_fault){ .rule = i->rule,
                                 .session = i->speaker->session->text,
                                 .agent = i->speaker->agent,
                                 .id = i->id,
                                 .name = i->name,
                                 .line = i->line,
                                 .column = i->column,
                                 .call_line = i->call_line,
                                 .order = i->order,
                                 .is_result = i->is_result,
                                 .nested = i->kind & KIND_NESTED };
  p->fetched = i;
  return true;
}

uint64_t ts_pairing_answered(const struct ts_pairing *p) { return p->answered; }

void ts_pairing_reset(struct ts_pairing *p) {
  for (struct ts_waiting *i = p->oldest, *next; i; i = next) {
    next = i->newer;
    free(i);
  }
  free((void *)p->items.bucket);
  ts_table_free(&p->speakers.speakers);
  ts_table_free(&p->speakers.sessions);
  ts_seen_free(&p->done);
  memset(p, 0, sizeof *p);
}

void ts_pairing_free(struct ts_pairing *p) {
  if (!p) return;
  ts_pairing_reset(p);
  free(p);
}
