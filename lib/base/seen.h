/* A set of texts that are not kept: 96 bits of a keyed 128-bit hash and a 32-bit note for each, 16 bytes a slot and at
 * most 24 bytes a member however many there are. For the millions of ids and uuids of a transcript.
 *
 * Why a match needs no second look at the text: the hash is SipHash-1-3 with a 128-bit result (Aumasson,
 * Bernstein), keyed per process from the kernel's random source, so that nobody can make two texts that meet in it.
 * By chance, 10^8 look-ups among 10^8 members meet wrongly once in 10^12 runs: memory fails more often. {0} is an
 * empty set. */
#ifndef TS_BASE_SEEN_H
#define TS_BASE_SEEN_H

#include "base/str.h"

struct ts_hash128 {
  uint64_t low, high;
};

/* Of the parts one after the other; where one ends and the next begins counts too. */
struct ts_hash128 ts_hash128(const struct ts_str *parts, size_t count);

#define TS_SEEN_SEGMENTS 256 /* they grow one by one, so that growing never holds two copies of the whole */

struct ts_seen_slot;
struct ts_seen {
  struct ts_seen_segment {
    struct ts_seen_slot *slot;
    uint32_t count, cap;
  } segment[TS_SEEN_SEGMENTS];
  size_t count;
};

/* The note of a member, or NULL; valid until the next ts_seen_add. */
uint32_t *ts_seen_find(const struct ts_seen *s, struct ts_hash128 hash);
/* True: it is new, and has the note now; false: it was there, and keeps its note. */
bool ts_seen_add(struct ts_seen *s, struct ts_hash128 hash, uint32_t note);
void ts_seen_free(struct ts_seen *s);
/* Bytes held. */
size_t ts_seen_size(const struct ts_seen *s);

#endif
