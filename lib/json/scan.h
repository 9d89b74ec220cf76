/* The strict JSON recogniser (RFC 8259) that stands in front of everything: one pass over the text, no tree.
 * It says whether the text is one JSON value, where and why not, and reports what cJSON would hide. On the
 * way it writes an index of the values: one 16-byte node each, in document order, so that members can be
 * found and their bytes passed on untouched. A struct ts_json is reused for any number of texts: its memory
 * only grows to the largest of them, and nothing is allocated per text. {0} is ready for use.
 *
 * The text is borrowed and must live as long as the index is read. It needs no padding and may hold NULs.
 * Texts are below 4 GiB. Offsets are bytes from the start of the text. */
#ifndef TS_JSON_SCAN_H
#define TS_JSON_SCAN_H

#include "base/buf.h"

enum ts_json_kind {
  TS_JSON_NULL,
  TS_JSON_FALSE,
  TS_JSON_TRUE,
  TS_JSON_NUMBER,
  TS_JSON_STRING,
  TS_JSON_ARRAY,
  TS_JSON_OBJECT,
};

/* What a text may have although it is JSON, or (bad UTF-8) although it is JSON otherwise. */
enum ts_json_issue {
  TS_JSON_NUL_ESCAPE,     /* \u0000 */
  TS_JSON_LONE_SURROGATE, /* \ud800 without its other half */
  TS_JSON_DUPLICATE_KEY,  /* compared after unescaping; at the later key */
  TS_JSON_BIG_INTEGER,    /* an integer beyond +-2^53 */
  TS_JSON_BAD_UTF8,       /* inside a string; elsewhere it is an error */
  TS_JSON_ISSUES,
};

struct ts_json_node {
  uint32_t start, end; /* the value's bytes: text[start..end), quotes and brackets included */
  uint32_t next;       /* the node behind this one and all below it */
  uint8_t kind;        /* enum ts_json_kind */
  uint8_t escaped;     /* a string with a backslash in it */
  uint16_t want;       /* of a key that a shape wants: which of its wants */
};

/* Which members an index shall hold: the others are checked, but have no node. NULL stands for "all of it". */
struct ts_json_shape {
  const struct ts_json_want *wants; /* members of an object, or NULL for none */
  size_t count;
  const struct ts_json_shape *element; /* of an array's elements; NULL: elements have no nodes */
};
struct ts_json_want {
  struct ts_str key;
  const struct ts_json_shape *shape; /* NULL: the value and all below it; &ts_json_span: its span alone */
};
extern const struct ts_json_shape ts_json_span;

#define TS_JSON_DEPTH_MAX 65536 /* deeper texts are refused: the stack is memory that a line may cost */

struct ts_json {
  struct ts_str text;
  struct ts_json_node *node; /* node[0] is the value itself */
  uint32_t count;
  size_t end; /* behind the value (and, for ts_json_scan, the white space after it) */
  /* A refused text: why, lower case ("unexpected byte 0x41"), until the next scan, and where: of a wrong escape
   * the backslash, of a leading zero the zero, of a cut text its end. reason is NULL when it is accepted. */
  const char *reason;
  size_t at;
  bool cut;                        /* refused because the text ended inside the value, or before it */
  bool stray;                      /* the value is an object with a member that the shape does not want */
  uint32_t depth;                  /* deepest nesting seen; a scalar is 0 */
  unsigned issues;                 /* bit 1 << enum ts_json_issue */
  size_t issue_at[TS_JSON_ISSUES]; /* where the first of each kind is */
  /* private */
  size_t node_cap, frame_cap, key_cap, key_count;
  struct ts_json_frame *frame; /* the open containers */
  uint32_t depth_now;          /* how many of them */
  uint64_t *key;               /* the keys of the open objects */
  uint64_t seed;               /* of the keys' hashes */
  struct ts_buf scratch;       /* an escaped key, unescaped */
  char reason_text[64];
};

/* The whole text is one value, white space around it allowed: 0, else -1 with reason, at, cut. */
int ts_json_scan(struct ts_json *j, struct ts_str text, const struct ts_json_shape *shape);
/* One value that begins at or, after white space, behind `from`: 0 with end behind it, whatever follows. */
int ts_json_scan_at(struct ts_json *j, struct ts_str text, size_t from, const struct ts_json_shape *shape);
void ts_json_free(struct ts_json *j);

/* Reading the index. Node 0 is nobody's member, so 0 means "none" below. */

/* The value of the member named key (compared after unescaping, case-sensitive); of doubled keys the last. */
uint32_t ts_json_get(const struct ts_json *j, uint32_t object, struct ts_str key);
#define TS_JSON_GET(j, object, literal) ts_json_get(j, object, TS_STR(literal))
/* The members that a shape names: out[i] becomes the value of shape->wants[i], of doubled keys the last; 0: absent.
 * Node 0, or one that is no object, has none. Quick where the text was scanned with that shape, right in any case. */
void ts_json_fields(const struct ts_json *j, uint32_t node, const struct ts_json_shape *shape, uint32_t *out);
void ts_json_root_fields(const struct ts_json *j, const struct ts_json_shape *shape, uint32_t *out);
/* First element, or key of the first member (its value is the node behind it); and the one after it.
 * On a node that is neither object nor array: 0. */
uint32_t ts_json_first(const struct ts_json *j, uint32_t container);
uint32_t ts_json_after(const struct ts_json *j, uint32_t container, uint32_t child);
/* Is node there (not 0) and of this kind? Use ts_json_root_is for the root. */
static inline bool ts_json_is(const struct ts_json *j, uint32_t node, enum ts_json_kind kind) {
  return node != 0 && j->node[node].kind == kind;
}
static inline bool ts_json_root_is(const struct ts_json *j, enum ts_json_kind kind) {
  return j->count > 0 && j->node[0].kind == kind;
}
/* The value's bytes as they stand in the text. */
static inline struct ts_str ts_json_raw(const struct ts_json *j, uint32_t node) {
  return ts_str(j->text.ptr + j->node[node].start, j->node[node].end - j->node[node].start);
}
/* A string's text: borrowed from the scanned text when nothing is escaped, else decoded into *scratch (whose
 * text is replaced). Lone surrogates become three bytes (WTF-8), \u0000 a NUL. Empty for other kinds. */
struct ts_str ts_json_text(const struct ts_json *j, uint32_t node, struct ts_buf *scratch);
/* Is it a string that says just this? */
bool ts_json_says(const struct ts_json *j, uint32_t node, struct ts_str text);
#define TS_JSON_SAYS(j, node, literal) ts_json_says(j, node, TS_STR(literal))
/* A non-negative integer without fraction or exponent that fits: true. */
bool ts_json_u64(const struct ts_json *j, uint32_t node, uint64_t *value);

/* Decodes what stands between the quotes of a string that the scanner has accepted, appending to *out. */
void ts_json_decode(struct ts_str body, struct ts_buf *out);
/* The RFC 6901 pointer of the value (or key) at byte `at` of an accepted text, appended to *out. Slow: for
 * messages. */
void ts_json_pointer(struct ts_str text, size_t at, struct ts_buf *out);

#endif
