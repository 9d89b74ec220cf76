/* What a record says: schemas, descriptions, hints, and the bytes they are written in. */
#include "check/drift_run.h"
#include "json/tree.h"
#include "json/write.h"
#include "schema/subset.h"

/* --- schemas -------------------------------------------------------------------------------------------------- */

struct schema_check {
  struct ts_drift_run *d;
  struct ts_pair *pair;
  const char *member; /* "/input_schema" */
};

static void take_change(void *context, const struct ts_schema_change *change) {
  struct schema_check *s = context;
  struct ts_buf pointer = { 0 };
  ts_buf_addz(&pointer, s->member);
  ts_buf_add(&pointer, change->pointer);
  ts_drift_report(s->d, change->rule,
                  (struct ts_drift_spot){ .pair = s->pair,
                                          .pointer = ts_buf_z(&pointer),
                                          .old_value = change->old_value,
                                          .new_value = change->new_value,
                                          .witness = change->witness,
                                          .vector = change->vector },
                  "'%.*s': %.*s", TS_FMT(s->pair->after->name), TS_FMT(change->message));
  ts_buf_free(&pointer);
}

/* A record without a schema takes anything, and promises nothing. */
static void compare_schemas(struct ts_drift_run *d, struct ts_pair *p, struct ts_str before, struct ts_str after,
                            bool output) {
  if (ts_str_eq(before, after)) return;
  struct schema_check s = { d, p, output ? "/output_schema" : "/input_schema" };
  struct ts_schema *old = ts_schema_parse(before.len > 0 ? before : TS_STR("{}"), NULL);
  struct ts_schema *new = ts_schema_parse(after.len > 0 ? after : TS_STR("{}"), NULL);
  if (old && new)
    ts_schema_compare(old, new, output, take_change, &s);
  else
    ts_drift_report(d, TS_RULE_REF_OR_UNSUPPORTED,
                    (struct ts_drift_spot){ .pair = p, .pointer = s.member, .old_value = before, .new_value = after },
                    "'%.*s': a schema that is no JSON Schema changed", TS_FMT(p->after->name));
  ts_schema_free(old);
  ts_schema_free(new);
}

/* --- texts and hints ------------------------------------------------------------------------------------------ */

/* Descriptions may be long: both sides are shown around the place where they begin to differ. */
static void add_excerpt(struct ts_buf *out, struct ts_str text, size_t from) {
  enum { BEFORE = 20, SHOWN = 100 };
  size_t start = from > BEFORE ? from - BEFORE : 0;
  while (start > 0 && ((unsigned char)text.ptr[start] & 0xc0) == 0x80) start--;
  size_t end = start + SHOWN < text.len ? start + SHOWN : text.len;
  while (end < text.len && ((unsigned char)text.ptr[end] & 0xc0) == 0x80) end--;
  ts_buf_addf(out, "\"%s%.*s%s\"", start > 0 ? "..." : "", TS_FMT(ts_str_sub(text, start, end - start)),
              end < text.len ? "..." : "");
}

static void check_description(struct ts_drift_run *d, struct ts_pair *p) {
  struct ts_str before = p->before->description, after = p->after->description;
  if (ts_str_eq(before, after)) return;
  size_t same = 0;
  while (same < before.len && same < after.len && before.ptr[same] == after.ptr[same]) same++;
  struct ts_buf old_text = { 0 }, new_text = { 0 };
  add_excerpt(&old_text, before, same);
  add_excerpt(&new_text, after, same);
  ts_drift_report(d, TS_RULE_DESCRIPTION_CHANGED,
                  (struct ts_drift_spot){ .pair = p,
                                          .pointer = "/description",
                                          .old_value = p->before->description_json,
                                          .new_value = p->after->description_json },
                  "'%.*s': description %s became %s", TS_FMT(p->after->name), ts_buf_z(&old_text), ts_buf_z(&new_text));
  ts_buf_free(&old_text);
  ts_buf_free(&new_text);
}

/* Hints of MCP's annotations, what they are when they are left out, and which value is the harmless one. */
static const struct {
  const char *name, *pointer;
  bool absent, harmless;
} hints[] = {
  { "readOnlyHint", "/annotations/readOnlyHint", false, true },
  { "destructiveHint", "/annotations/destructiveHint", true, false },
};

static bool hint(struct ts_str annotations, const char *name, bool absent) {
  struct ts_tree *t = annotations.len > 0 ? ts_tree_parse(annotations, NULL) : NULL;
  const struct ts_tree *value = t ? ts_tree_get(t, name) : NULL;
  bool is = absent;
  if (value && ts_tree_kind(value) == TS_JSON_TRUE) is = true;
  if (value && ts_tree_kind(value) == TS_JSON_FALSE) is = false;
  ts_tree_free(t);
  return is;
}

static void check_hints(struct ts_drift_run *d, struct ts_pair *p) {
  if (ts_str_eq(p->before->annotations, p->after->annotations)) return;
  for (size_t i = 0; i < TS_COUNT(hints); i++) {
    bool before = hint(p->before->annotations, hints[i].name, hints[i].absent),
         after = hint(p->after->annotations, hints[i].name, hints[i].absent);
    if (before != hints[i].harmless || after == hints[i].harmless) continue;
    ts_drift_report(d, TS_RULE_HINT_WEAKENED,
                    (struct ts_drift_spot){ .pair = p,
                                            .pointer = hints[i].pointer,
                                            .old_value = before ? TS_STR("true") : TS_STR("false"),
                                            .new_value = after ? TS_STR("true") : TS_STR("false") },
                    "'%.*s': %s was %s and is %s now", TS_FMT(p->after->name), hints[i].name, before ? "true" : "false",
                    after ? "true" : "false");
  }
}

/* --- bytes ---------------------------------------------------------------------------------------------------- */

static bool same_json(struct ts_str before, struct ts_str after) {
  struct ts_tree *a = ts_tree_parse(before, NULL), *b = ts_tree_parse(after, NULL);
  bool same = a && b && ts_tree_equal(a, b);
  ts_tree_free(a);
  ts_tree_free(b);
  return same;
}

static void check_bytes(struct ts_drift_run *d, struct ts_pair *p) {
  const struct {
    const char *pointer;
    struct ts_str before, after;
  } member[] = {
    { "/description", p->before->description_json, p->after->description_json },
    { "/input_schema", p->before->input_schema, p->after->input_schema },
    { "/annotations", p->before->annotations, p->after->annotations },
  };
  for (size_t i = 0; i < TS_COUNT(member); i++) {
    bool both = member[i].before.len > 0 && member[i].after.len > 0;
    if (!both || ts_str_eq(member[i].before, member[i].after) || !same_json(member[i].before, member[i].after))
      continue;
    ts_drift_report(
        d, TS_RULE_BYTES_ONLY,
        (struct ts_drift_spot){
            .pair = p, .pointer = member[i].pointer, .old_value = member[i].before, .new_value = member[i].after },
        "'%.*s': %s is the same JSON in other bytes", TS_FMT(p->after->name), member[i].pointer + 1);
  }
}

void ts_drift_contents(struct ts_drift_run *d) {
  for (size_t i = 0; i < d->pair_count; i++) {
    struct ts_pair *p = &d->pair[i];
    if (!p->before || !p->after || p->before->is_alias != p->after->is_alias) continue;
    compare_schemas(d, p, p->before->input_schema, p->after->input_schema, false);
    compare_schemas(d, p, p->before->output_schema, p->after->output_schema, true);
    if (p->after->is_alias) continue;
    check_description(d, p);
    check_hints(d, p);
    check_bytes(d, p);
  }
}
