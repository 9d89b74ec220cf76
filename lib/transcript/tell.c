#include "transcript/tell.h"

#include <inttypes.h>

#include "base/diag.h"
#include "base/utf8.h"

enum { NAMES_SHOWN = 8, ADVICE_SHOWN = 3 };

static void count(struct ts_buf *out, uint64_t n, const char *one) {
  ts_buf_addf(out, "%" PRIu64 " %s%s", n, one, n == 1 ? "" : "s");
}

/* Puts a comma before all but the first item of a list. */
static void item(struct ts_buf *out, size_t start) {
  if (out->len > start) ts_buf_addz(out, ", ");
}

static uint64_t undispatched(const struct ts_summary *s) {
  uint64_t sum = 0;
  for (int i = 0; i <= TS_STATES; i++)
    if (!ts_state_row((enum ts_state)i)->dispatches) sum += s->by_state[i];
  return sum;
}

static uint64_t unjudged(const struct ts_summary *s) { return s->calls - ts_summary_judged(s); }

static void states(const struct ts_summary *s, bool only_bad, struct ts_buf *out) {
  size_t start = out->len;
  for (int i = 0; i <= TS_STATES; i++) {
    const struct ts_state_row *row = ts_state_row((enum ts_state)i);
    if (s->by_state[i] == 0 || (only_bad && row->dispatches)) continue;
    item(out, start);
    ts_buf_addf(out, "%" PRIu64 " %s", s->by_state[i], row->name);
  }
}

static void severities(const struct ts_summary *s, struct ts_buf *out) {
  size_t start = out->len;
  for (int level = TS_LEVELS - 1; level > TS_OFF; level--) {
    uint64_t n = ts_summary_level(s, (enum ts_level)level);
    if (n == 0) continue;
    item(out, start);
    count(out, n, ts_level_name((enum ts_level)level));
  }
  if (out->len == start) ts_buf_addz(out, "no findings");
}

/* --- one line ------------------------------------------------------------------------------------------- */

static void dispatching(const struct ts_summary *s, struct ts_buf *out) {
  uint64_t bad = undispatched(s), judged = ts_summary_judged(s);
  if (bad > 0) {
    ts_buf_addf(out, "%" PRIu64 " %s not dispatch (", bad, bad == 1 ? "does" : "do");
    states(s, true, out);
    ts_buf_addz(out, "), ");
  } else if (judged > 0) {
    ts_buf_addz(out, judged == 1 ? "it dispatches, " : "all dispatch, ");
  }
}

void ts_tell_line(const struct ts_summary *s, struct ts_buf *out) {
  count(out, s->files, "file");
  ts_buf_addz(out, ", ");
  count(out, s->lines, "line");
  ts_buf_addz(out, ", ");
  count(out, s->calls, "call");
  if (s->sub_calls > 0) ts_buf_addf(out, " and %" PRIu64 " nested", s->sub_calls);
  ts_buf_addz(out, ": ");
  if (unjudged(s) == 0) dispatching(s, out);
  severities(s, out);
  if (s->skipped > 0) ts_buf_addf(out, "; %" PRIu64 " skipped", s->skipped);
  if (unjudged(s) > 0) {
    ts_buf_addz(out, "; no catalog");
    if (unjudged(s) < s->calls) ts_buf_addf(out, " for %" PRIu64 " of them", unjudged(s));
    ts_buf_addz(out, ": names and arguments not checked");
  }
}

void ts_tell_records(const struct ts_summary *s, uint64_t records, struct ts_buf *out) {
  count(out, records, "record");
  ts_buf_addz(out, " of ");
  count(out, s->files, "file");
  ts_buf_addz(out, ", ");
  count(out, s->lines, "line");
  if (s->skipped > 0) ts_buf_addf(out, "; %" PRIu64 " skipped", s->skipped);
}

/* --- the report ----------------------------------------------------------------------------------------- */

static bool is_by_catalog(enum ts_rule_id rule) {
  return rule == TS_RULE_REMOVED_CALL || rule == TS_RULE_UNKNOWN_CALL || rule == TS_RULE_ARGUMENTS_MISFIT;
}

/* What is wrong whatever the catalog says. */
static uint64_t faults(const struct ts_summary *s, const struct ts_threshold *t) {
  uint64_t sum = 0;
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_finding f = { .rule = (enum ts_rule_id)i };
    if (!is_by_catalog(f.rule) && ts_threshold_counts(t, &f)) sum += s->by_rule[i][TS_ERROR];
  }
  return sum;
}

static void verdict(const struct ts_summary *s, const struct ts_threshold *t, bool colour, struct ts_buf *out) {
  uint64_t bad = undispatched(s), misfit = s->by_rule[TS_RULE_ARGUMENTS_MISFIT][TS_ERROR], wrong = faults(s, t);
  bool good = bad + misfit + wrong == 0;
  if (colour) ts_buf_addz(out, good ? "\x1b[1;32m" : "\x1b[1;31m"); /* bold green, bold red */
  ts_buf_addz(out, good && s->calls == 0 ? "Nothing to replay" : good ? "Would replay" : "Would not replay");
  if (colour) ts_buf_addz(out, "\x1b[0m");
  ts_buf_addz(out, ": ");
  size_t start = out->len;
  if (bad > 0)
    ts_buf_addf(out, "%" PRIu64 " of %" PRIu64 " calls %s not dispatch", bad, s->calls, bad == 1 ? "does" : "do");
  if (misfit > 0) {
    item(out, start);
    ts_buf_addf(out, "%" PRIu64 " would be refused for %s arguments", misfit, misfit == 1 ? "its" : "their");
  }
  if (wrong > 0) {
    item(out, start);
    count(out, wrong, "fault");
    ts_buf_addz(out, " in what was recorded");
  }
  if (good) {
    count(out, s->calls, "call");
    ts_buf_addf(out, ", %" PRIu64 " answered", s->answered);
  }
  ts_buf_addz(out, ".\n");
}

static void row_name(struct ts_buf *out, const char *name) { ts_buf_addf(out, "  %-10s", name); }

/* The names that do not dispatch, those with most calls first. */
static void bad_names(const struct ts_summary *s, struct ts_buf *out) {
  size_t shown[NAMES_SHOWN], count_shown = 0, all = 0;
  for (size_t i = 0; i < s->name_count; i++) {
    const struct ts_name_use *u = &s->name[i];
    if (!u->judged || ts_state_row(u->state)->dispatches) continue;
    all++;
    size_t at = count_shown < NAMES_SHOWN ? count_shown++ : NAMES_SHOWN;
    for (; at > 0 && s->name[shown[at - 1]].calls < u->calls; at--)
      if (at < NAMES_SHOWN) shown[at] = shown[at - 1];
    if (at < NAMES_SHOWN) shown[at] = i;
  }
  for (size_t i = 0; i < count_shown; i++) {
    const struct ts_name_use *u = &s->name[shown[i]];
    row_name(out, i == 0 ? "names" : "");
    ts_visible(out, u->name);
    ts_buf_addf(out, ": %s", ts_state_row(u->state)->name);
    if (u->replacement.len > 0) ts_buf_addz(out, ", use ");
    ts_visible(out, u->replacement);
    ts_buf_addz(out, " (");
    count(out, u->calls, "call");
    ts_buf_addz(out, ")\n");
  }
  if (all > count_shown) {
    row_name(out, "");
    ts_buf_addf(out, "and %zu more: --names lists them all\n", all - count_shown);
  }
}

static void findings(const struct ts_summary *s, struct ts_buf *out) {
  for (int level = TS_LEVELS - 1; level > TS_OFF; level--) {
    uint64_t n = ts_summary_level(s, (enum ts_level)level);
    if (n == 0) continue;
    row_name(out, level == TS_ERROR ? "errors" : level == TS_WARNING ? "warnings" : "notes");
    size_t start = out->len;
    for (int i = 0; i < TS_RULES; i++) {
      if (s->by_rule[i][level] == 0) continue;
      item(out, start);
      ts_buf_addf(out, "%" PRIu64 " %s", s->by_rule[i][level], ts_rule((enum ts_rule_id)i)->id);
    }
    ts_buf_addc(out, '\n');
  }
}

/* In the order in which they help most. */
static const struct {
  enum ts_rule_id rule;
  const char *advice;
} advices[] = {
  { TS_RULE_REMOVED_CALL, "give the removed names an alias that dispatches, or keep an older catalog for these files" },
  { TS_RULE_UNKNOWN_CALL, "add the unknown names to the catalog as aliases; tscat --resolve NAME says what is near" },
  { TS_RULE_ARGUMENTS_MISFIT, "give the alias an argument map, or the tool a wider schema" },
  { TS_RULE_INTERRUPTED_CALL, "a session that still runs is fine: --fail-on interrupted-call=off" },
  { TS_RULE_UNANSWERED_CALL, "a call without a result must be dropped, or given an error result, before it is sent" },
  { TS_RULE_ORPHAN_RESULT, "a result without its call must be dropped before it is sent" },
  { TS_RULE_DUPLICATE_RESULT, "keep one result a call" },
  { TS_RULE_WEDGED_RECORD, "move the results to the beginning of the message behind their calls" },
  { TS_RULE_GLUED_RECORDS, "put a newline between the records" },
  { TS_RULE_TORN_LINE, "the line is lost as far as it was cut; everything behind it was read" },
  { TS_RULE_BAD_LINE, "the line is lost; everything behind it was read" },
};

static void advise(const struct ts_summary *s, struct ts_buf *out) {
  size_t given = 0;
  for (size_t i = 0; i < TS_COUNT(advices) && given < ADVICE_SHOWN; i++) {
    if (s->by_rule[advices[i].rule][TS_ERROR] == 0) continue;
    row_name(out, given++ == 0 ? "next" : "");
    ts_buf_addf(out, "%s\n", advices[i].advice);
  }
  if (unjudged(s) == 0) return;
  row_name(out, given == 0 ? "next" : "");
  ts_buf_addz(out, "no catalog: names and arguments were not checked; give one with -c\n");
}

void ts_tell_report(struct ts_summary *s, const struct ts_threshold *t, bool colour, struct ts_buf *out) {
  ts_summary_sort(s);
  verdict(s, t, colour, out);
  row_name(out, "read");
  count(out, s->files, "file");
  ts_buf_addz(out, ", ");
  count(out, s->lines, "line");
  if (s->bad_lines > 0) ts_buf_addf(out, " (%" PRIu64 " bad)", s->bad_lines);
  if (s->skipped > 0) ts_buf_addf(out, ", %" PRIu64 " skipped", s->skipped);
  ts_buf_addz(out, "\n");
  row_name(out, "calls");
  ts_buf_addf(out, "%" PRIu64 ", %" PRIu64 " answered", s->calls, s->answered);
  if (s->sub_calls > 0) ts_buf_addf(out, "; %" PRIu64 " nested", s->sub_calls);
  if (ts_summary_judged(s) > 0) ts_buf_addz(out, "; ");
  states(s, false, out);
  ts_buf_addc(out, '\n');
  bad_names(s, out);
  findings(s, out);
  advise(s, out);
}

/* --- tables --------------------------------------------------------------------------------------------- */

static void pad(struct ts_buf *out, size_t from, size_t width) {
  size_t have = ts_utf8_width(ts_str_sub(ts_buf_str(out), from, SIZE_MAX));
  for (; have < width; have++) ts_buf_addc(out, ' ');
}

void ts_tell_names(struct ts_summary *s, struct ts_buf *out) {
  struct ts_buf name = { 0 };
  size_t width = strlen("NAME");
  ts_summary_sort(s);
  for (size_t i = 0; i < s->name_count; i++) {
    ts_buf_clear(&name);
    ts_visible(&name, s->name[i].name);
    size_t w = ts_utf8_width(ts_buf_str(&name));
    if (w > width) width = w;
  }
  size_t from = out->len;
  ts_buf_addz(out, "NAME");
  pad(out, from, width);
  ts_buf_addf(out, "  %8s  %6s  %-24s  %-24s  %-20s  %s\n", "CALLS", "FILES", "FIRST", "LAST", "STATE", "REPLACEMENT");
  for (size_t i = 0; i < s->name_count; i++) {
    const struct ts_name_use *u = &s->name[i];
    struct ts_buf first = { 0 }, last = { 0 };
    if (u->first != TS_WHEN_UNKNOWN) ts_when_write(&first, u->first);
    if (u->last != TS_WHEN_UNKNOWN) ts_when_write(&last, u->last);
    from = out->len;
    ts_visible(out, u->name);
    pad(out, from, width);
    ts_buf_addf(out, "  %8" PRIu64 "  %6" PRIu64 "  %-24s  %-24s  %-20s  ", u->calls, u->files,
                first.len ? ts_buf_z(&first) : "-", last.len ? ts_buf_z(&last) : "-",
                u->judged ? ts_state_row(u->state)->name : "-");
    if (u->replacement.len > 0)
      ts_visible(out, u->replacement);
    else
      ts_buf_addc(out, '-');
    ts_buf_addc(out, '\n');
    ts_buf_free(&first);
    ts_buf_free(&last);
  }
  ts_buf_free(&name);
}

static void member(const struct ts_json *j, uint32_t object, const char *key, const char *before, struct ts_buf *out) {
  struct ts_buf scratch = { 0 };
  struct ts_str text = ts_json_text(j, ts_json_get(j, object, ts_str_z(key)), &scratch);
  if (text.len > 0) ts_buf_addz(out, before);
  ts_visible(out, text);
  ts_buf_free(&scratch);
}

void ts_tell_verdict(const struct ts_json *record, struct ts_buf *out) {
  uint32_t source = TS_JSON_GET(record, 0, "source"), dispatches = TS_JSON_GET(record, 0, "dispatches");
  uint32_t name = TS_JSON_GET(record, 0, "name"), canonical = TS_JSON_GET(record, 0, "canonical");
  bool runs = ts_json_is(record, dispatches, TS_JSON_TRUE), judged = !ts_json_is(record, dispatches, TS_JSON_NULL);
  bool renamed = canonical != 0 && !ts_str_eq(ts_json_raw(record, name), ts_json_raw(record, canonical));
  uint64_t line = 0;
  if (source) member(record, source, "file", "", out);
  if (source && ts_json_u64(record, TS_JSON_GET(record, source, "line"), &line)) ts_buf_addf(out, ":%" PRIu64, line);
  if (source) ts_buf_addz(out, ": ");
  if (name == 0) ts_buf_addz(out, "(no name)");
  member(record, 0, "name", "", out);
  if (runs && renamed) member(record, 0, "canonical", " -> ", out);
  member(record, 0, "state", ": ", out);
  if (!judged)
    ts_buf_addz(out, ": no catalog");
  else if (!runs)
    ts_buf_addz(out, ", does not dispatch");
  if (judged && !runs && renamed) member(record, 0, "canonical", ": use ", out);
  member(record, 0, "arguments", ", arguments ", out);
  ts_buf_addc(out, '\n');
}
