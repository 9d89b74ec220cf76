/* Who is talking in a transcript: sessions and the agents in them, kept only while something of theirs waits for its
 * answer or once they have had a compaction; and the chained table that these, and what waits, are found in.
 * Private to pairing.c. */
#ifndef TS_TRANSCRIPT_SPEAKER_H
#define TS_TRANSCRIPT_SPEAKER_H

#include "base/str.h"

/* A table of things that are taken out again: each begins with its link. */
struct ts_link {
  struct ts_link *next, **from; /* what points at it */
  uint64_t hash;
};
struct ts_table {
  struct ts_link **bucket;
  size_t count, cap;
};
/* Of those with one hash the newest comes first. */
void ts_table_put(struct ts_table *t, struct ts_link *l);
void ts_table_take(struct ts_table *t, struct ts_link *l);
/* The chain that things of this hash are in, among others; NULL: none. */
struct ts_link *ts_table_chain(const struct ts_table *t, uint64_t hash);
/* Frees what is in it with free(3), and the table. */
void ts_table_free(struct ts_table *t);

struct ts_speaker_session {
  struct ts_link link;
  struct ts_str text;
  uint32_t window; /* compactions so far */
  struct ts_speaker *speakers;
};

/* An agent of a session. Of all that it said only this is kept: the number of the last message or call, its turn,
 * and the number of the last one of any other turn. That tells for every open call whether the conversation went on
 * after it. */
struct ts_speaker {
  struct ts_link link;
  struct ts_speaker_session *session;
  struct ts_speaker *before, *after; /* in its session */
  struct ts_str agent;
  uint32_t window;
  uint64_t turn, last, last_other;
  struct ts_waiting *items; /* pairing.c's: those that wait here, newest first */
  size_t uses;              /* of its items that still exist */
};

struct ts_speakers {
  struct ts_table sessions, speakers;
};

struct ts_speaker_session *ts_speaker_session_find(const struct ts_speakers *t, struct ts_str text);
struct ts_speaker_session *ts_speaker_session_get(struct ts_speakers *t, struct ts_str text); /* makes it */
struct ts_speaker *ts_speaker_find(const struct ts_speakers *t, struct ts_str session, struct ts_str agent);
struct ts_speaker *ts_speaker_get(struct ts_speakers *t, struct ts_str session, struct ts_str agent); /* makes it */
/* Forgets a speaker, and its session, when nothing needs them any more. */
void ts_speaker_drop(struct ts_speakers *t, struct ts_speaker *c);

/* The agent said something in this turn, as event number `order`. */
void ts_speaker_go_on(struct ts_speaker *c, uint64_t turn, uint64_t order);
/* Did it say anything in another turn after event number `order`? */
bool ts_speaker_went_on(const struct ts_speaker *c, uint64_t turn, uint64_t order);

#endif
