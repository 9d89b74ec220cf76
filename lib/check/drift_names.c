/* Names: gone, come, renamed, led elsewhere, used again. */
#include <inttypes.h>

#include "base/xalloc.h"
#include "check/alias_schema.h"
#include "check/drift_run.h"
#include "json/tree.h"
#include "json/write.h"

/* --- come and gone ------------------------------------------------------------------------------------------ */

static void check_dropped(struct ts_drift_run *d, struct ts_pair *p) {
  if (p->before->state == TS_REMOVED)
    ts_drift_report(d, TS_RULE_TOMBSTONE_PRUNED, (struct ts_drift_spot){ .pair = p },
                    "the record that '%.*s' was removed is gone: callers are no longer told%s%.*s",
                    TS_FMT(p->before->name), p->before->replacement.len > 0 ? " to use " : "",
                    TS_FMT(p->before->replacement));
  else
    ts_drift_report(d, TS_RULE_NAME_DROPPED, (struct ts_drift_spot){ .pair = p }, "'%.*s' (%s) is gone without a trace",
                    TS_FMT(p->before->name), ts_state_row(p->before->state)->name);
}

static void check_added(struct ts_drift_run *d, struct ts_pair *p) {
  struct ts_drift_spot spot = { .pair = p, .vector = { .level[TS_POLICY] = TS_NOTE } };
  if (p->after->state == TS_ACTIVE) spot.vector.level[TS_CACHE] = TS_WARNING;
  ts_drift_report(d, TS_RULE_NAME_ADDED, spot, "'%.*s' is new (%s)", TS_FMT(p->after->name),
                  ts_state_row(p->after->state)->name);
}

/* --- renamed ------------------------------------------------------------------------------------------------- */

/* What two tools have in common if one is the other under a new name: "name:type" of each parameter, sorted. */
static int text_order(const void *a, const void *b) { return ts_str_cmp(ts_buf_str(a), ts_buf_str(b)); }

static void add_parameter(const struct ts_tree *property, struct ts_buf *out) {
  const struct ts_tree *type = ts_tree_get(property, "type");
  ts_buf_add(out, ts_tree_key(property));
  ts_buf_addc(out, ':');
  if (type) ts_tree_write(type, out);
}

/* False when the schema declares no parameter: then nothing is in common. */
static bool signature(const struct ts_tool *t, struct ts_buf *out) {
  struct ts_tree *schema = t->input_schema.len > 0 ? ts_tree_parse(t->input_schema, NULL) : NULL;
  const struct ts_tree *properties = schema ? ts_tree_get(schema, "properties") : NULL;
  size_t count = properties && ts_tree_kind(properties) == TS_JSON_OBJECT ? ts_tree_count(properties) : 0, n = 0;
  struct ts_buf *parameter = ts_xcalloc(count, sizeof *parameter);
  for (const struct ts_tree *p = count ? ts_tree_first(properties) : NULL; p; p = ts_tree_after(p))
    add_parameter(p, &parameter[n++]);
  if (n > 0) qsort(parameter, n, sizeof *parameter, text_order);
  for (size_t i = 0; i < n; i++) {
    ts_buf_add(out, ts_buf_str(&parameter[i]));
    ts_buf_addc(out, '\0');
    ts_buf_free(&parameter[i]);
  }
  free(parameter);
  ts_tree_free(schema);
  return n > 0;
}

/* The tools that are new, by what they may have in common with one that is gone. */
struct arrivals {
  struct ts_map by_implementation, by_signature;
  struct ts_arena arena;
  bool *taken; /* by number of the pair */
};

static void note_arrivals(struct ts_drift_run *d, struct arrivals *a) {
  struct ts_buf key = { 0 };
  a->taken = ts_xcalloc(d->pair_count, sizeof *a->taken);
  for (size_t i = 0; i < d->pair_count; i++) {
    const struct ts_tool *t = d->pair[i].after;
    if (d->pair[i].before || !ts_tool_visible(t)) continue;
    if (t->implementation.len > 0) (void)ts_map_at(&a->by_implementation, t->implementation, i);
    ts_buf_clear(&key);
    if (signature(t, &key)) (void)ts_map_at(&a->by_signature, ts_arena_dup(&a->arena, ts_buf_str(&key)), i);
  }
  ts_buf_free(&key);
}

/* The pair that may be the new name of t, or NULL; each is given once. */
static const struct ts_pair *find_arrival(struct ts_drift_run *d, struct arrivals *a, const struct ts_tool *t) {
  struct ts_buf key = { 0 };
  size_t at = t->implementation.len > 0 ? ts_map_get(&a->by_implementation, t->implementation) : TS_MAP_NONE;
  if (at == TS_MAP_NONE && signature(t, &key)) at = ts_map_get(&a->by_signature, ts_buf_str(&key));
  ts_buf_free(&key);
  if (at == TS_MAP_NONE || a->taken[at]) return NULL;
  a->taken[at] = true;
  return &d->pair[at];
}

static void check_renamed(struct ts_drift_run *d) {
  struct arrivals a = { 0 };
  note_arrivals(d, &a);
  for (size_t i = 0; i < d->pair_count; i++) {
    struct ts_pair *p = &d->pair[i];
    const struct ts_pair *arrival = ts_tool_visible(p->before) && !p->after ? find_arrival(d, &a, p->before) : NULL;
    if (arrival)
      ts_drift_report(d, TS_RULE_NAME_RENAMED_UNDECLARED,
                      (struct ts_drift_spot){ .pair = p, .new_value = arrival->after->name_json },
                      "'%.*s' seems to be '%.*s' now, and no alias keeps the old name", TS_FMT(p->before->name),
                      TS_FMT(arrival->after->name));
  }
  free(a.taken);
  ts_map_free(&a.by_implementation);
  ts_map_free(&a.by_signature);
  ts_arena_free(&a.arena);
}

/* --- led elsewhere -------------------------------------------------------------------------------------------- */

static void check_replacement(struct ts_drift_run *d, struct ts_pair *p) {
  const struct ts_tool *before = p->before, *after = p->after;
  if (!before->is_alias || !after->is_alias || ts_str_eq(before->replacement, after->replacement)) return;
  const struct ts_tool *old_tool = ts_find_visible(d->before, before->replacement),
                       *new_tool = ts_find_visible(d->after, after->replacement);
  struct ts_buf witness = { 0 }, old_name = { 0 }, new_name = { 0 };
  ts_json_quote(&old_name, before->replacement);
  ts_json_quote(&new_name, after->replacement);
  struct ts_drift_spot spot = { .pair = p, .pointer = "/replacement", .vector = { .level[TS_REPLAY] = TS_WARNING } };
  spot.old_value = ts_buf_str(&old_name);
  spot.new_value = ts_buf_str(&new_name);
  bool refused = old_tool && new_tool && ts_alias_schema_fits(after, old_tool->input_schema, new_tool, &witness) == 0;
  if (refused) spot.vector.level[TS_REPLAY] = TS_ERROR;
  spot.witness = ts_buf_str(&witness);
  ts_drift_report(d, TS_RULE_REPLACEMENT_CHANGED, spot, "'%.*s' led to '%.*s' and leads to '%.*s' now%s",
                  TS_FMT(before->name), TS_FMT(before->replacement), TS_FMT(after->replacement),
                  refused ? ", which refuses arguments that the old one took" : "");
  ts_buf_free(&witness);
  ts_buf_free(&old_name);
  ts_buf_free(&new_name);
}

static void check_inverted(struct ts_drift_run *d, struct ts_pair *p) {
  const struct ts_tool *after = p->after;
  if (!after->is_alias || after->replacement.len == 0) return;
  const struct ts_tool *other = ts_catalog_find(d->before, after->replacement);
  if (other && other->is_alias && ts_str_eq(other->replacement, after->name))
    ts_drift_report(d, TS_RULE_ALIAS_INVERTED, (struct ts_drift_spot){ .pair = p, .pointer = "/replacement" },
                    "'%.*s' was replaced by '%.*s', and now it is the other way round", TS_FMT(after->replacement),
                    TS_FMT(after->name));
}

/* --- used again ----------------------------------------------------------------------------------------------- */

static void check_reused(struct ts_drift_run *d, struct ts_pair *p) {
  if (p->before->state != TS_REMOVED || p->after->state == TS_REMOVED) return;
  struct ts_drift_spot spot = { .pair = p, .pointer = "/state" };
  bool restored =
      p->after->is_alias && (p->after->replacement.len == 0 || ts_find_visible(d->after, p->after->replacement));
  if (restored) spot.vector.level[TS_REPLAY] = TS_NOTE;
  ts_drift_report(d, TS_RULE_NAME_REUSED, spot,
                  restored ? "'%.*s' was removed and dispatches again (%s): its replay is restored"
                           : "'%.*s' was removed and is in use again (%s): old calls reach something else",
                  TS_FMT(p->after->name), ts_state_row(p->after->state)->name);
}

static void check_owner(struct ts_drift_run *d, struct ts_pair *p) {
  const struct ts_tool *before = p->before, *after = p->after;
  if (before->is_alias || after->is_alias) return;
  if (before->origin == after->origin && ts_str_eq(before->server, after->server)) return;
  ts_drift_report(
      d, TS_RULE_OWNER_MOVED,
      (struct ts_drift_spot){ .pair = p, .pointer = before->origin != after->origin ? "/origin" : "/server" },
      "'%.*s' came from %s%s%.*s and comes from %s%s%.*s now", TS_FMT(after->name), ts_origin_name(before->origin),
      before->server.len > 0 ? " " : "", TS_FMT(before->server), ts_origin_name(after->origin),
      after->server.len > 0 ? " " : "", TS_FMT(after->server));
}

/* A name that was retired although its replacement was not there, and now it comes. */
static void check_late(struct ts_drift_run *d, struct ts_pair *p) {
  const struct ts_tool *before = p->before;
  if (!before->is_alias || before->replacement.len == 0 || ts_find_visible(d->before, before->replacement)) return;
  if (!ts_find_visible(d->after, before->replacement) || !ts_str_eq(before->replacement, p->after->replacement)) return;
  ts_drift_report(d, TS_RULE_REPLACEMENT_LATER, (struct ts_drift_spot){ .pair = p, .pointer = "/replacement" },
                  "'%.*s' was retired before its replacement '%.*s' was there", TS_FMT(before->name),
                  TS_FMT(before->replacement));
}

static void check_mass(struct ts_drift_run *d) {
  uint64_t gone = 0;
  for (size_t i = 0; i < d->pair_count; i++) gone += ts_pair_gone(&d->pair[i]) && !d->pair[i].waived;
  if (gone <= d->options->mass) return;
  ts_drift_report(d, TS_RULE_MASS_REMOVAL, (struct ts_drift_spot){ .name = d->after->name },
                  "%" PRIu64 " names go at once, at most %" PRIu64 " may without a waiver", gone, d->options->mass);
}

void ts_drift_names(struct ts_drift_run *d) {
  for (size_t i = 0; i < d->pair_count; i++) {
    struct ts_pair *p = &d->pair[i];
    if (p->after) check_inverted(d, p);
    if (!p->after) {
      check_dropped(d, p);
    } else if (!p->before) {
      check_added(d, p);
    } else {
      check_replacement(d, p);
      check_reused(d, p);
      check_owner(d, p);
      check_late(d, p);
    }
  }
  check_renamed(d);
  check_mass(d);
}
