/* Private to the scanner: what its engines share. An engine is the loop of engine.inc compiled for one kind of
 * processor; all of them give the same answers. Only lib/json includes this, and its tests, which compare the engines
 * with one another. */
#ifndef TS_JSON_ENGINE_H
#define TS_JSON_ENGINE_H

#include "json/scan.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TS_JSON_PORTABLE)
#define TS_JSON_X86 1
#else
#define TS_JSON_X86 0 /* -DTS_JSON_PORTABLE leaves the portable engine alone */
#endif

/* Reads one value at or behind byte `from` of j->text: 0 with j->end behind it, else -1. The caller has reset j. */
typedef int ts_json_engine(struct ts_json *j, size_t from, const struct ts_json_shape *shape);
int ts_json_engine_avx2(struct ts_json *j, size_t from, const struct ts_json_shape *shape);
int ts_json_engine_sse2(struct ts_json *j, size_t from, const struct ts_json_shape *shape);
int ts_json_engine_portable(struct ts_json *j, size_t from, const struct ts_json_shape *shape);

/* Every engine that this machine can run, the best first; a NULL ends them. */
struct ts_json_engine_row {
  const char *name;
  ts_json_engine *run;
};
const struct ts_json_engine_row *ts_json_engines(void);
/* ts_json_scan and ts_json_scan_at in one, with a given engine. */
int ts_json_scan_by(ts_json_engine *run, struct ts_json *j, struct ts_str text, size_t from, bool whole,
                    const struct ts_json_shape *shape);

/* An open array or object, or, at the bottom, the text itself. */
struct ts_json_frame {
  const struct ts_json_shape *shape; /* of an object; of an array's or the text's value: of its elements */
  uint64_t wanted;                   /* an object's filter over the wanted keys, see ts_json_key_bit */
  uint64_t seen;                     /* and over the hashes of the keys so far */
  size_t first_key;                  /* an object's keys are j->key[first_key..key_count) */
  uint32_t node;
  unsigned char close; /* the bracket that ends it, 0 for the text */
  bool stray;          /* an object has a member that is not wanted */
};

#define TS_JSON_NO_NODE UINT32_MAX
extern const struct ts_json_shape ts_json_unwanted; /* the shape of a value that has no node */

/* Refusals. All return -1 or NULL, whatever the caller returns. */
int ts_json_refuse(struct ts_json *j, size_t at, const char *reason);
int ts_json_refuse_byte(struct ts_json *j, size_t at);       /* "unexpected byte 0x41" */
int ts_json_refuse_cut(struct ts_json *j, const char *what); /* "text ends inside " what */

/* Records an issue unless one of its kind at a lower offset is known. */
void ts_json_note_issue(struct ts_json *j, enum ts_json_issue issue, size_t at);

/* Room. */
struct ts_json_frame *ts_json_bottom(struct ts_json *j);
struct ts_json_frame *ts_json_open(struct ts_json *j, size_t at, const struct ts_json_shape *shape);
void ts_json_grow_nodes(struct ts_json *j);

/* Doubled keys. An entry of j->key is the upper half of the key's hash and its offset. */
#define TS_JSON_FEW_KEYS 32
uint64_t ts_json_key_hash(const struct ts_json *j, struct ts_str key); /* any length */
/* The same for at most 16 bytes in two words, filled up with NULs. Multiplication folded to half its width. */
static inline uint64_t ts_json_short_hash(uint64_t seed, uint64_t low, uint64_t high, size_t len) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)(low ^ seed) * (high ^ (seed >> 32 | seed << 32) ^ (0x9e3779b97f4a7c15u + len));
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}
void ts_json_check_key(struct ts_json *j, size_t first_key, uint64_t entry);
void ts_json_check_keys(struct ts_json *j, size_t first_key);

/* Which of 64 bits stands for a wanted key of this length and first byte (0 for the empty key). */
static inline uint64_t ts_json_key_bit(size_t len, unsigned char first) {
  return (uint64_t)1 << ((len * 7 + first) & 63);
}

/* Strings. */

/* What a backslash and this byte stand for; 0: no escape, or 'u', which has its own reading. */
extern const unsigned char ts_json_plain_escape[256];
/* The slow and exact reading of the string whose body begins at `from`: NULL with the reason, or its end. */
const unsigned char *ts_json_string_exact(struct ts_json *j, size_t from);
/* Reads the \u escape whose 'u' is at u, in a text that ends at end: behind it, or behind the second half of a
 * surrogate pair; NULL when it is wrong or cut. */
const unsigned char *ts_json_unicode_escape(struct ts_json *j, const unsigned char *u, const unsigned char *end);
/* Reads an accepted body byte by byte, unescaped. */
struct ts_json_reader {
  const unsigned char *p, *end;
  unsigned char byte[4]; /* of the escape read last: those from `at` on are still to come */
  unsigned char at, count;
};
static inline struct ts_json_reader ts_json_reader(struct ts_str body) {
  const unsigned char *p = (const unsigned char *)body.ptr;
  return (struct ts_json_reader){ .p = p, .end = body.len ? p + body.len : p };
}
int ts_json_read(struct ts_json_reader *r); /* -1 at the end */
/* Does the accepted body say text? */
bool ts_json_body_is(struct ts_str body, struct ts_str text);
/* The body of the accepted string whose opening quote is at `at`. */
struct ts_str ts_json_body_at(struct ts_str text, size_t at);

#endif
