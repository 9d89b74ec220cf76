#include "transcript/speaker.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"

static struct ts_link **bucket_of(const struct ts_table *t, uint64_t hash) { return &t->bucket[hash & (t->cap - 1)]; }

static void push(struct ts_link **at, struct ts_link *l) {
  l->from = at;
  l->next = *at;
  if (l->next) l->next->from = &l->next;
  *at = l;
}

/* So that pushing them one by one restores their order. */
static struct ts_link *reversed(struct ts_link *chain) {
  struct ts_link *out = NULL;
  while (chain) {
    struct ts_link *next = chain->next;
    push(&out, chain);
    chain = next;
  }
  return out;
}

static void grow(struct ts_table *t) {
  struct ts_table bigger = { .cap = t->cap ? t->cap * 2 : 64, .count = t->count };
  bigger.bucket = ts_xcalloc(bigger.cap, sizeof(struct ts_link *));
  for (size_t i = 0; i < t->cap; i++) {
    struct ts_link *next;
    for (struct ts_link *l = reversed(t->bucket[i]); l; l = next) {
      next = l->next;
      push(bucket_of(&bigger, l->hash), l);
    }
  }
  free((void *)t->bucket);
  *t = bigger;
}

void ts_table_put(struct ts_table *t, struct ts_link *l) {
  if (t->count >= t->cap) grow(t);
  push(bucket_of(t, l->hash), l);
  t->count++;
}

void ts_table_take(struct ts_table *t, struct ts_link *l) {
  *l->from = l->next;
  if (l->next) l->next->from = l->from;
  t->count--;
}

struct ts_link *ts_table_chain(const struct ts_table *t, uint64_t hash) {
  return t->count > 0 ? *bucket_of(t, hash) : NULL;
}

void ts_table_free(struct ts_table *t) {
  for (size_t i = 0; i < t->cap; i++) {
    struct ts_link *next;
    for (struct ts_link *l = t->bucket[i]; l; l = next) {
      next = l->next;
      free(l);
    }
  }
  free((void *)t->bucket);
  *t = (struct ts_table){ 0 };
}

/* One block: the thing, and its text behind it. */
static void *with_text(size_t size, struct ts_str text, struct ts_str *copy) {
  char *block = ts_xcalloc(1, size + text.len + 1);
  if (text.len > 0) memcpy(block + size, text.ptr, text.len);
  *copy = ts_str(block + size, text.len);
  return block;
}

struct ts_speaker_session *ts_speaker_session_find(const struct ts_speakers *t, struct ts_str text) {
  if (t->sessions.count == 0) return NULL;
  uint64_t hash = ts_hash(text);
  for (struct ts_link *l = ts_table_chain(&t->sessions, hash); l; l = l->next) {
    struct ts_speaker_session *s = (struct ts_speaker_session *)l;
    if (l->hash == hash && ts_str_eq(s->text, text)) return s;
  }
  return NULL;
}

struct ts_speaker_session *ts_speaker_session_get(struct ts_speakers *t, struct ts_str text) {
  struct ts_speaker_session *s = ts_speaker_session_find(t, text);
  if (s) return s;
  struct ts_str copy;
  s = with_text(sizeof *s, text, &copy);
  s->text = copy;
  s->link.hash = ts_hash(text);
  ts_table_put(&t->sessions, &s->link);
  return s;
}

static uint64_t agent_hash(const struct ts_speaker_session *s, struct ts_str agent) {
  return ts_hash(agent) ^ s->link.hash * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
}

static struct ts_speaker *find_agent(const struct ts_speakers *t, const struct ts_speaker_session *s,
                                     struct ts_str agent) {
  uint64_t hash = agent_hash(s, agent);
  for (struct ts_link *l = ts_table_chain(&t->speakers, hash); l; l = l->next) {
    struct ts_speaker *c = (struct ts_speaker *)l;
    if (l->hash == hash && c->session == s && ts_str_eq(c->agent, agent)) return c;
  }
  return NULL;
}

struct ts_speaker *ts_speaker_find(const struct ts_speakers *t, struct ts_str session, struct ts_str agent) {
  const struct ts_speaker_session *s = ts_speaker_session_find(t, session);
  return s ? find_agent(t, s, agent) : NULL;
}

struct ts_speaker *ts_speaker_get(struct ts_speakers *t, struct ts_str session, struct ts_str agent) {
  struct ts_speaker_session *s = ts_speaker_session_get(t, session);
  struct ts_speaker *c = find_agent(t, s, agent);
  if (c) return c;
  struct ts_str copy;
  c = with_text(sizeof *c, agent, &copy);
  c->agent = copy;
  c->link.hash = agent_hash(s, agent);
  c->session = s;
  c->after = s->speakers;
  if (c->after) c->after->before = c;
  s->speakers = c;
  ts_table_put(&t->speakers, &c->link);
  return c;
}

void ts_speaker_drop(struct ts_speakers *t, struct ts_speaker *c) {
  if (c->uses > 0 || c->window > 0) return;
  struct ts_speaker_session *s = c->session;
  *(c->before ? &c->before->after : &s->speakers) = c->after;
  if (c->after) c->after->before = c->before;
  ts_table_take(&t->speakers, &c->link);
  free(c);
  if (s->speakers || s->window > 0) return;
  ts_table_take(&t->sessions, &s->link);
  free(s);
}

void ts_speaker_go_on(struct ts_speaker *c, uint64_t turn, uint64_t order) {
  if (c->turn != turn) c->last_other = c->last;
  c->turn = turn;
  c->last = order;
}

bool ts_speaker_went_on(const struct ts_speaker *c, uint64_t turn, uint64_t order) {
  return (c->turn == turn ? c->last_other : c->last) > order;
}
