/* Checking a value against a JSON Schema: the keywords of draft 2020-12 and older drafts' spellings of them.
 * `format` is an annotation. Regular expressions are ECMA-262 in meaning (PCRE2 with UTF). `nullable:true`
 * adds null to `type`. What stands beside a $ref counts. A keyword that is not known, or whose value has the
 * wrong shape ("required":true), is ignored, as those do who serve such schemas. */
#ifndef TS_SCHEMA_VALIDATE_H
#define TS_SCHEMA_VALIDATE_H

#include "json/tree.h"

struct ts_schema;

/* From raw JSON; NULL with a sentence in *err when it is not JSON or no object or boolean. The caller frees
 * it. Patterns are compiled once, when first needed; local references are resolved. Not shared between
 * threads: a check writes into it. */
struct ts_schema *ts_schema_parse(struct ts_str text, struct ts_buf *err);
void ts_schema_free(struct ts_schema *s);

struct ts_misfit {
  struct ts_buf pointer;  /* into the value, RFC 6901 */
  struct ts_buf expected; /* "string", "one of [\"a\",\"b\"]", "property 'path'" */
  struct ts_buf came;     /* "number 3", "nothing"; long values shortened */
};
void ts_misfit_free(struct ts_misfit *m);

/* 1: fits; 0: does not, and *why (which may be NULL; {0} or used before) says where and what was expected: the
 * first fault in the order of the value; -1: could not be decided: a reference that is not local or leads
 * nowhere, a pattern that is no regular expression, recursion without end, or more work than a sane schema
 * makes (values deeper than about 10,000 against a schema that recurses with them). What is decided without
 * those parts is decided: a value that another keyword refuses does not fit. Needs up to 6 MiB of stack. */
int ts_schema_check(struct ts_schema *s, const struct ts_tree *value, struct ts_misfit *why);

#endif
