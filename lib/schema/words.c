/* Changes in words: the parameter's path, and what became of it. */
#include "schema/compare.h"

enum { SHOWN = 80 }; /* bytes of a value in a message */

/* %o and %n are the old and the new value, %k is the keyword. The later texts stand in when the old value is missing,
 * the new one is missing, one of them is `false`, the schemas are of results, or the keyword is `not`. */
static const struct {
  enum ts_rule_id rule;
  const char *both, *no_old, *no_new, *refused, *result, *negated;
} sentences[] = {
  { TS_RULE_PARAM_ADDED_REQUIRED, .both = "is new and required", .result = "is new, and was refused before" },
  { TS_RULE_PARAM_NOW_REQUIRED, .both = "was optional and is required now", .result = "is always there now" },
  { TS_RULE_PARAM_REMOVED_CLOSED, .both = "is gone, and members that are not declared are refused" },
  { TS_RULE_PARAM_REMOVED_OPEN, .both = "is gone: it is silently ignored", .result = "is gone" },
  { TS_RULE_PARAM_ADDED_OPTIONAL, .both = "is new and optional", .result = "is new" },
  { TS_RULE_PARAM_NOW_OPTIONAL, .both = "was required and is optional now", .result = "may be missing now" },
  { TS_RULE_PARAM_RENAMED, .both = "seems to be called %n now" },
  { TS_RULE_TYPE_NARROWED, .both = "type %o is only %n now", .no_old = "must be of type %n now",
    .no_new = "takes no %o any more", .refused = "takes no value any more" },
  { TS_RULE_TYPE_CHANGED, .both = "type %o became %n" },
  { TS_RULE_TYPE_WIDENED, .both = "type %o is %n now", .no_old = "takes %n as well",
    .no_new = "%o is no longer asked for", .refused = "takes values now", .negated = "may fit %o now" },
  { TS_RULE_ENUM_VALUE_REMOVED, .both = "no longer takes %o" },
  { TS_RULE_ENUM_VALUE_ADDED, .both = "takes %n as well" },
  { TS_RULE_ENUM_INTRODUCED, .both = "takes nothing but %n now" },
  { TS_RULE_ENUM_DROPPED, .both = "takes more than %o now" },
  { TS_RULE_BOUND_TIGHTENED, .both = "%k %o became %n", .no_old = "%k is %n now", .no_new = "%k %o is gone" },
  { TS_RULE_BOUND_LOOSENED, .both = "%k %o became %n", .no_old = "%k is %n now", .no_new = "%k %o is gone" },
  { TS_RULE_PATTERN_ADDED, .both = "must match %n now" },
  { TS_RULE_PATTERN_REMOVED, .both = "need not match %o any more" },
  { TS_RULE_PATTERN_CHANGED, .both = "must match %n now, no longer %o" },
  { TS_RULE_ITEMS_INTRODUCED, .both = "must fit %n now", .refused = "must not be there any more" },
  { TS_RULE_ALLOF_ADDED, .both = "must also fit %n now", .negated = "must not fit %n now" },
  { TS_RULE_ANYOF_BRANCH_REMOVED, .both = "no longer takes what fits %o" },
  { TS_RULE_ANYOF_BRANCH_ADDED, .both = "also takes what fits %n now" },
  { TS_RULE_ONEOF_CHANGED, .both = "oneOf changed from %o to %n", .no_old = "oneOf is %n now",
    .no_new = "oneOf %o is gone" },
  { TS_RULE_OBJECT_CLOSED, .both = "members that are not declared must fit %n now",
    .refused = "members that are not declared are refused now" },
  { TS_RULE_OBJECT_OPENED, .both = "members that are not declared need not fit %o any more",
    .refused = "members that are not declared are accepted now" },
  { TS_RULE_DEFAULT_CHANGED, .both = "default %o became %n", .no_old = "has the default %n now",
    .no_new = "has no default any more; it was %o" },
  { TS_RULE_DESCRIPTION_CHANGED, .both = "is described by %n now, no longer by %o", .no_old = "is described by %n now",
    .no_new = "has no description any more; it was %o" },
  { TS_RULE_REF_OR_UNSUPPORTED, .both = "%k changed from %o to %n", .no_old = "%k is %n now",
    .no_new = "%k %o is gone" },
};

static void add_shown(struct ts_buf *out, struct ts_str json) {
  size_t end = json.len < SHOWN ? json.len : SHOWN;
  while (end < json.len && end > 0 && ((unsigned char)json.ptr[end] & 0xc0) == 0x80) end--;
  ts_buf_add(out, ts_str_sub(json, 0, end));
  if (end < json.len) ts_buf_addz(out, "\xe2\x80\xa6");
}

static struct ts_str last_token(struct ts_str pointer) {
  size_t from = pointer.len;
  while (from > 0 && pointer.ptr[from - 1] != '/') from--;
  return ts_str_sub(pointer, from, pointer.len);
}

/* Takes the first token off a pointer. */
static struct ts_str take_token(struct ts_str *pointer) {
  struct ts_str rest = ts_str_sub(*pointer, 1, pointer->len);
  size_t end = ts_str_find(rest, TS_STR("/"));
  *pointer = ts_str_sub(rest, end, rest.len);
  return ts_str_sub(rest, 0, end);
}

static void add_unescaped(struct ts_buf *out, struct ts_str token) {
  for (size_t i = 0; i < token.len; i++) {
    bool escape = token.ptr[i] == '~' && i + 1 < token.len;
    ts_buf_addc(out, !escape ? token.ptr[i] : token.ptr[i + 1] == '1' ? '/' : '~');
    i += escape;
  }
}

/* What stands for a step of the pointer in a path; `*` is a member of any name. */
static const struct {
  const char *keyword, *shown;
} steps[] = {
  { "items", "[]" },    { "additionalItems", "[]" },     { "unevaluatedItems", "[]" },
  { "contains", "[]" }, { "additionalProperties", "*" }, { "unevaluatedProperties", "*" },
};

static void add_step(struct ts_buf *out, struct ts_str token, bool last) {
  for (size_t i = 0; i < TS_COUNT(steps); i++) {
    if (!ts_str_is(token, steps[i].keyword)) continue;
    bool member = steps[i].shown[0] == '*';
    if (member && last) return; /* the object itself is meant */
    if (member && out->len > 0) ts_buf_addc(out, '.');
    ts_buf_addz(out, steps[i].shown);
  }
}

/* "/properties/edits/items/properties/old/type" is "edits[].old". *within: a keyword that it leads through and that is
 * not seen in the path; NULL: none. */
static void add_path(struct ts_buf *out, struct ts_str pointer, const char **within) {
  *within = NULL;
  while (pointer.len > 0) {
    struct ts_str token = take_token(&pointer);
    bool any = ts_str_is(token, "patternProperties"), index = ts_str_is(token, "prefixItems");
    if (pointer.len > 0 && ts_str_is(token, "not")) *within = "not";
    if (ts_str_is(token, "propertyNames")) *within = "propertyNames";
    if (pointer.len == 0 || !(ts_str_is(token, "properties") || any || index)) {
      add_step(out, token, pointer.len == 0);
      continue;
    }
    struct ts_str name = take_token(&pointer);
    if (!index && out->len > 0) ts_buf_addc(out, '.');
    if (any) ts_buf_addc(out, '*');
    if (index) ts_buf_addf(out, "[%.*s]", TS_FMT(name));
    if (!any && !index) add_unescaped(out, name);
  }
}

static const char *unfollowed(const struct ts_schema_change *change) {
  if (change->old_value.len + change->new_value.len == 0) return "is too much to be compared";
  bool alike = ts_str_eq(change->old_value, change->new_value);
  return alike ? "%k may mean something else now" : NULL;
}

static const char *sentence_of(const struct ts_schema_change *change, bool result) {
  bool refused = ts_str_is(change->old_value, "false") || ts_str_is(change->new_value, "false");
  const char *text = change->rule == TS_RULE_REF_OR_UNSUPPORTED ? unfollowed(change) : NULL;
  for (size_t i = 0; i < TS_COUNT(sentences) && !text; i++) {
    if (sentences[i].rule != change->rule) continue;
    if (ts_str_is(last_token(change->pointer), "not")) text = sentences[i].negated;
    if (!text && result) text = sentences[i].result;
    if (!text && refused) text = sentences[i].refused;
    if (!text && change->old_value.len == 0) text = sentences[i].no_old;
    if (!text && change->new_value.len == 0) text = sentences[i].no_new;
    if (!text) text = sentences[i].both;
  }
  return text ? text : ts_rule(change->rule)->id;
}

static void add_sentence(struct ts_buf *out, const struct ts_schema_change *change, const char *text) {
  for (; *text; text++) {
    if (text[0] != '%') {
      ts_buf_addc(out, *text);
      continue;
    }
    text++;
    add_shown(out, *text == 'o' ? change->old_value : *text == 'n' ? change->new_value : last_token(change->pointer));
  }
}

void ts_change_words(struct ts_schema_change *change, bool result, struct ts_buf *path, struct ts_buf *message) {
  ts_buf_clear(path);
  ts_buf_clear(message);
  const char *within;
  add_path(path, change->pointer, &within);
  if (path->len > 0)
    ts_buf_addf(message, "%s '%.*s': ", result ? "result" : "parameter", TS_FMT(ts_buf_str(path)));
  else
    ts_buf_addz(message, result ? "the result: " : "the arguments: ");
  if (within) ts_buf_addf(message, "in `%s`: ", within);
  add_sentence(message, change, sentence_of(change, result));
  change->path = ts_buf_str(path);
  change->message = ts_buf_str(message);
}
