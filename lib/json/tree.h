/* Trees, for what is looked at again and again: schemas, and arguments that are checked against them. The
 * tree is cJSON's, but it is built from the strict scanner's index, never by cJSON_Parse, so that nothing
 * is lost: a number keeps its spelling, a string its NULs and lone surrogates. This is the only file that
 * includes cJSON.h's users' view; lib/schema walks the tree through the functions below.
 *
 * Numbers are cJSON_Raw items (valuestring is the spelling). In strings and keys U+0000 is the two bytes
 * C0 80 and a lone surrogate three bytes (WTF-8): neither can come from valid UTF-8, so byte comparison of
 * two tree strings is comparison of their texts. */
#ifndef TS_JSON_TREE_H
#define TS_JSON_TREE_H

#include "json/scan.h"

struct ts_tree; /* one value of a tree; really a cJSON */

#define TS_TREE_DEPTH_MAX 20000   /* cJSON_Delete and the checks recurse */
#define TS_TREE_VALUES_MAX 400000 /* a tree takes about 80 bytes a value: 32 MB, however small the values are */

/* The tree of text, which the caller frees; NULL with a sentence in *err when it is not one JSON value or
 * deeper than TS_TREE_DEPTH_MAX or of more values than TS_TREE_VALUES_MAX. Doubled keys: the last value, at the first
 * one's position. */
struct ts_tree *ts_tree_parse(struct ts_str text, struct ts_buf *err);
/* The same below a node of an index that holds everything below it. */
struct ts_tree *ts_tree_of(const struct ts_json *j, uint32_t node, struct ts_buf *err);
void ts_tree_free(struct ts_tree *t);

enum ts_json_kind ts_tree_kind(const struct ts_tree *t);
/* Children of an object or array, in order; NULL at the end. */
const struct ts_tree *ts_tree_first(const struct ts_tree *t);
const struct ts_tree *ts_tree_after(const struct ts_tree *t);
size_t ts_tree_count(const struct ts_tree *t);
/* Key of a member (tree spelling); of the member with that key, NULL when absent or t is no object. */
struct ts_str ts_tree_key(const struct ts_tree *t);
const struct ts_tree *ts_tree_get(const struct ts_tree *t, const char *key);
/* A string's text in tree spelling, a number's spelling; empty for other kinds. */
struct ts_str ts_tree_text(const struct ts_tree *t);
/* A number as a double (for bounds). */
double ts_tree_number(const struct ts_tree *t);
/* Equal as JSON: key order ignored, 1 = 1.0 = 10e-1, integers of any size compared exactly. */
bool ts_tree_equal(const struct ts_tree *a, const struct ts_tree *b);
/* Compares two JSON number spellings exactly: <0, 0, >0. */
int ts_number_cmp(struct ts_str a, struct ts_str b);
/* No fraction: 1, 1.0 and 10e-1 are, 1.5 is not. */
bool ts_number_is_integer(struct ts_str spelling);
/* Serialised without blanks, NULs and surrogates escaped again. */
void ts_tree_write(const struct ts_tree *t, struct ts_buf *out);

#endif
