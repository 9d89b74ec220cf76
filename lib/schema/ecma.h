/* Regular expressions of JSON Schema, spelt for PCRE2. Schemas mean ECMA-262 with the u flag; what both know
 * but read differently (\s, ., [^], a quantifier's brace) is spelt out, what only PCRE2 knows ((*VERB), (?>,
 * a++, [:alpha:], \A) is refused or taken literally. As in browsers, a punctuation mark may be escaped
 * without need, and a brace or bracket that opens nothing stands for itself. */
#ifndef TS_SCHEMA_ECMA_H
#define TS_SCHEMA_ECMA_H

#include "base/buf.h"

/* Reads a scalar of text in tree spelling (json/tree.h): C0 80 is U+0000. What is no Unicode scalar (a lone
 * surrogate, a byte that is not UTF-8) is U+FFFD, the only way in which PCRE2 can be shown it. */
uint32_t ts_tree_scalar(struct ts_str text, size_t *at);

/* Appends the pattern as PCRE2 takes it with PCRE2_UTF | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_DOLLAR_ENDONLY.
 * *repeats: it has a quantifier without a small upper bound. -1: not a regular expression of ECMA-262. */
int ts_ecma_translate(struct ts_str pattern, struct ts_buf *out, bool *repeats, struct ts_buf *err);

#endif
