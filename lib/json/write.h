/* Writing JSON, one record after the other, into a ts_buf: no blanks, members in the order given. The writer
 * puts the commas; opening and closing must match. Text written as a string is escaped only as far as JSON
 * demands (quote, backslash, C0; short escapes where there are any), a surrogate written as three bytes
 * (WTF-8) becomes \udxxx again, and a byte that is not UTF-8 becomes U+FFFD. */
#ifndef TS_JSON_WRITE_H
#define TS_JSON_WRITE_H

#include "base/buf.h"

struct ts_jw {
  struct ts_buf *out; /* borrowed; only appended to */
  bool comma;         /* private: the next item needs one before it */
};

static inline struct ts_jw ts_jw(struct ts_buf *out) { return (struct ts_jw){ out, false }; }
void ts_jw_open(struct ts_jw *w, char bracket);  /* '{' or '[' */
void ts_jw_close(struct ts_jw *w, char bracket); /* '}' or ']' */
void ts_jw_key(struct ts_jw *w, const char *key);
void ts_jw_key_str(struct ts_jw *w, struct ts_str key);
void ts_jw_str(struct ts_jw *w, struct ts_str text);
/* Bytes that are one JSON value already: white space between tokens is dropped, every other byte stays. */
void ts_jw_raw(struct ts_jw *w, struct ts_str json);
void ts_jw_u64(struct ts_jw *w, uint64_t n);
void ts_jw_i64(struct ts_jw *w, int64_t n);
void ts_jw_bool(struct ts_jw *w, bool b);
void ts_jw_null(struct ts_jw *w);

/* key and value in one; the optional ones write nothing for empty text. */
void ts_jw_member(struct ts_jw *w, const char *key, struct ts_str text);
void ts_jw_member_if(struct ts_jw *w, const char *key, struct ts_str text);
void ts_jw_member_raw(struct ts_jw *w, const char *key, struct ts_str json);
void ts_jw_member_raw_if(struct ts_jw *w, const char *key, struct ts_str json);
void ts_jw_member_u64(struct ts_jw *w, const char *key, uint64_t n);
void ts_jw_member_bool(struct ts_jw *w, const char *key, bool b);

/* A quoted, escaped string on its own; and accepted JSON without the white space between its tokens. */
void ts_json_quote(struct ts_buf *out, struct ts_str text);
void ts_json_minify(struct ts_buf *out, struct ts_str json);

#endif
