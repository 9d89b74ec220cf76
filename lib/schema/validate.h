/* Checking a value against a JSON Schema: the keywords of drafts 7 and 2020-12 that the drift rules know.
 * `format` is an annotation. Regular expressions are ECMA-262 in meaning (PCRE2 with UTF). A keyword that is
 * not known, or a remote $ref, accepts; ts_schema_undecided tells. */
#ifndef TS_SCHEMA_VALIDATE_H
#define TS_SCHEMA_VALIDATE_H

#include "json/tree.h"

struct ts_schema;

/* From raw JSON; NULL with a sentence in *err when it is not JSON or no object or boolean. Patterns are
 * compiled once; local $refs are resolved lazily. The caller frees it. Not shared between threads. */
struct ts_schema *ts_schema_parse(struct ts_str text, struct ts_buf *err);
void ts_schema_free(struct ts_schema *s);

struct ts_misfit {
  struct ts_buf pointer;  /* into the value, RFC 6901 */
  struct ts_buf expected; /* "string", "one of [\"a\",\"b\"]", "property 'path'" */
  struct ts_buf came;     /* "number 3", "nothing" */
};
void ts_misfit_free(struct ts_misfit *m);

/* 1: fits; 0: does not, and *why (which may be NULL) says where and what was expected: the first fault in the
 * order of the value; -1: could not be decided (a pattern that PCRE2 refuses, recursion without end). */
int ts_schema_check(struct ts_schema *s, const struct ts_tree *value, struct ts_misfit *why);

#endif
