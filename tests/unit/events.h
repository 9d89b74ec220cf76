/* Events as text, one a line, for tests that compare them: `line:column kind key=value …`, in the order of struct
 * ts_event, what is empty left out. */
#ifndef TS_TESTS_UNIT_EVENTS_H
#define TS_TESTS_UNIT_EVENTS_H

#include "base/diag.h"
#include "transcript/reader.h"

static inline void show_text(struct ts_buf *out, const char *key, struct ts_str text) {
  if (text.len == 0) return;
  ts_buf_addf(out, " %s=", key);
  ts_visible(out, text);
}

static inline void show_flag(struct ts_buf *out, const char *word, bool is_set) {
  if (is_set) ts_buf_addf(out, " %s", word);
}

static inline void show_finding(struct ts_buf *out, const struct ts_event *e) {
  ts_buf_addf(out, " %s", ts_rule(e->rule)->id);
  for (int a = 0; a < TS_AUDIENCES; a++)
    if (e->vector.level[a])
      ts_buf_addf(out, " %c=%s", ts_audience_letter((enum ts_audience)a),
                  ts_level_name((enum ts_level)e->vector.level[a]));
  ts_buf_addz(out, ": ");
  ts_visible(out, e->message);
}

static inline void show_event(struct ts_buf *out, const struct ts_event *e) {
  static const char *const kinds[] = {
    [TS_EVENT_CALL] = "call",
    [TS_EVENT_RESULT] = "result",
    [TS_EVENT_SUB_CALL] = "sub-call",
    [TS_EVENT_SUB_RESULT] = "sub-result",
    [TS_EVENT_MESSAGE] = "message",
    [TS_EVENT_WINDOW] = "window",
    [TS_EVENT_END] = "end",
    [TS_EVENT_CATALOG] = "catalog",
    [TS_EVENT_DISCOVERY] = "discovery",
    [TS_EVENT_TODO] = "todo",
    [TS_EVENT_FINDING] = "finding",
  };
  static const char *const forms[] = { "no-arguments", "arguments", "input" };
  ts_buf_addf(out, "%llu:%llu %s", (unsigned long long)e->line, (unsigned long long)e->column, kinds[e->kind]);
  show_text(out, "session", e->session);
  show_text(out, "agent", e->agent);
  show_text(out, "id", e->id);
  show_text(out, "key", e->key);
  show_flag(out, "no-ids", e->no_ids);
  show_text(out, "name", e->name);
  show_text(out, forms[e->form], e->arguments);
  show_flag(out, "string", e->arguments_string);
  show_flag(out, "self-answered", e->self_answered);
  show_text(out, "content", e->content);
  show_flag(out, "error", e->is_error);
  show_flag(out, "misplaced", e->misplaced);
  show_text(out, "turn", e->turn);
  show_text(out, "at", e->at);
  show_text(out, "tools", e->tools);
  if (e->kind == TS_EVENT_FINDING) show_finding(out, e);
  ts_buf_addc(out, '\n');
}

static inline int show_into(void *context, const struct ts_event *e) {
  show_event(context, e);
  return 0;
}

/* All of one transcript, and behind it `= status format lines/bad` or the sentence. */
static inline void show_transcript(struct ts_input *in, const struct ts_read_options *options, struct ts_buf *out) {
  struct ts_buf err = { 0 };
  struct ts_read_stats stats;
  int status = ts_transcript_read(in, TS_STR("file"), options, show_into, out, &stats, &err);
  ts_buf_addf(out, "= %d %s, %llu lines, %llu bad", status, stats.format ? ts_format_name(stats.format) : "no format",
              (unsigned long long)stats.lines, (unsigned long long)stats.bad_lines);
  ts_buf_addf(out, "%s%s\n", err.len ? "; " : "", ts_buf_z(&err));
  ts_buf_free(&err);
}

#endif
