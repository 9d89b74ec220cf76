/* Regular expressions with the meaning of ECMA-262: the only user of PCRE2. Matching searches the whole text
 * for a place where the pattern fits. It ends: memory and steps are bounded, and a pattern that would need
 * more (nested repeats on a hostile text) is undecided. Not shared between threads. */
#ifndef TS_SCHEMA_REGEX_H
#define TS_SCHEMA_REGEX_H

#include "base/buf.h"

struct ts_regex;

/* The pattern is copied. NULL with a sentence in *err: not a regular expression of ECMA-262, or one that
 * PCRE2 can't take. The caller frees it. */
struct ts_regex *ts_regex_compile(struct ts_str pattern, bool nocase, struct ts_buf *err);
/* 1: found; 0: not; -1: not decided within the bounds. Text and pattern may be in tree spelling (json/tree.h);
 * lone surrogates and invalid UTF-8 are seen as U+FFFD. */
int ts_regex_match(struct ts_regex *r, struct ts_str text);
void ts_regex_free(struct ts_regex *r);

#endif
