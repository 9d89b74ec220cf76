#include "transcript/summary.h"

#include "unit/tap.h"

/* Summaries as records; each is read, and what any order of adding writes is compared. */
static const char *const records[] = {
  "{\"type\":\"summary\",\"files\":1,\"skipped\":0,\"lines\":8,\"bad_lines\":1,\"bytes\":751,\"calls\":3,\"answered\":"
  "2,"
  "\"sub_calls\":0,\"results\":3,\"by_state\":{\"active\":1,\"removed\":1,\"unknown\":1},\"by_rule\":{\"removed-call\":"
  "1,"
  "\"torn-line\":1},\"by_severity\":{\"error\":{\"removed-call\":1},\"warning\":{\"torn-line\":1}},\"names\":{\"a\":"
  "{\"calls\":2,\"files\":1,\"first\":\"2026-01-02T00:00:00.000Z\",\"last\":\"2026-01-05T00:00:00.000Z\",\"state\":"
  "\"removed\",\"replacement\":\"x\"},\"b\":{\"calls\":1,\"files\":1,\"state\":\"unknown\"}},\"crc_sum\":"
  "18446744073709551615}\n",
  "{\"type\":\"summary\",\"files\":2,\"skipped\":1,\"lines\":4,\"bad_lines\":0,\"bytes\":10,\"calls\":5,\"answered\":5,"
  "\"sub_calls\":7,\"results\":5,\"by_state\":{\"active\":5},\"by_rule\":{\"torn-line\":2},\"by_severity\":{\"error\":"
  "{\"torn-line\":2}},\"names\":{\"a\":{\"calls\":5,\"files\":2,\"first\":\"2026-01-01T00:00:00.000Z\",\"last\":"
  "\"2026-01-01T00:00:00.000Z\",\"state\":\"removed\",\"replacement\":\"w\"}},\"crc_sum\":3}\n",
  "{\"type\":\"summary\",\"files\":1,\"skipped\":0,\"lines\":1,\"bad_lines\":0,\"bytes\":1,\"calls\":2,\"answered\":0,"
  "\"sub_calls\":0,\"results\":0,\"by_state\":{},\"by_rule\":{},\"by_severity\":{},\"names\":{\"a\":{\"calls\":1,"
  "\"files\":1},\"c\\u0000\":{\"calls\":1,\"files\":1,\"state\":\"active\"}}}\n",
};

static const char *const sum =
    "{\"type\":\"summary\",\"files\":4,\"skipped\":1,\"lines\":13,\"bad_lines\":1,\"bytes\":762,\"calls\":10,"
    "\"answered\":7,"
    "\"sub_calls\":7,\"results\":8,\"by_state\":{\"active\":6,\"removed\":1,\"unknown\":1},\"by_rule\":{\"removed-"
    "call\":1,"
    "\"torn-line\":3},\"by_severity\":{\"error\":{\"removed-call\":1,\"torn-line\":2},\"warning\":{\"torn-line\":1}},"
    "\"names\":{\"a\":{\"calls\":8,\"files\":4,\"first\":\"2026-01-01T00:00:00.000Z\",\"last\":"
    "\"2026-01-05T00:00:00.000Z\",\"state\":\"removed\",\"replacement\":\"w\"},\"b\":{\"calls\":1,\"files\":1,"
    "\"state\":"
    "\"unknown\"},\"c\\u0000\":{\"calls\":1,\"files\":1,\"state\":\"active\"}},\"crc_sum\":2}\n";

static void read_record(struct ts_summary *s, size_t i) {
  struct ts_json j = { 0 };
  struct ts_buf err = { 0 };
  OK(ts_json_scan(&j, ts_str_z(records[i]), NULL) == 0 && ts_summary_read(s, &j, &err) == 0, "record %zu is read: %s",
     i, ts_buf_z(&err));
  ts_json_free(&j);
  ts_buf_free(&err);
}

static void is_written(struct ts_summary *s, const char *want, const char *what) {
  struct ts_buf out = { 0 };
  ts_summary_write(s, &out);
  IS_Z(ts_buf_z(&out), want, "%s", what);
  ts_buf_free(&out);
}

static void identity(void) {
  for (size_t i = 0; i < TS_COUNT(records); i++) {
    struct ts_summary s = { 0 };
    read_record(&s, i);
    is_written(&s, records[i], "a record is written as it was read");
    ts_summary_free(&s);
  }
}

/* All orders; read one on top of the other, added from the left, added from the right. */
static void any_order(void) {
  static const size_t orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  for (size_t i = 0; i < TS_COUNT(orders); i++) {
    struct ts_summary on_top = { 0 }, part[3] = { 0 }, left = { 0 }, right = { 0 };
    for (size_t k = 0; k < 3; k++) {
      read_record(&on_top, orders[i][k]);
      read_record(&part[k], orders[i][k]);
      ts_summary_add(&left, &part[k]);
    }
    ts_summary_add(&part[1], &part[2]);
    ts_summary_add(&right, &part[0]);
    ts_summary_add(&right, &part[1]);
    is_written(&on_top, sum, "read one on top of the other");
    is_written(&left, sum, "added from the left");
    is_written(&right, sum, "added from the right");
    for (size_t k = 0; k < 3; k++) ts_summary_free(&part[k]);
    ts_summary_free(&on_top);
    ts_summary_free(&left);
    ts_summary_free(&right);
  }
}

static void thresholds(void) {
  struct ts_summary s = { 0 };
  struct ts_threshold t;
  static const struct {
    const char *spec;
    bool counts;
  } rows[] = { { "all=error", true },
               { "removed-call=off", false },
               { "removed-call=off,torn-line=warning", true },
               { "removed-call=off,torn-line=error", false },
               { "R=off", false },
               { "R=off,torn-line=note", true } };
  read_record(&s, 0);
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    ts_threshold_default(&t);
    OK(ts_threshold_parse(&t, ts_str_z(rows[i].spec), NULL) == 0, "%s is a threshold", rows[i].spec);
    OK(ts_summary_counts(&s, &t) == rows[i].counts, "%s: counts", rows[i].spec);
  }
  IS_U64(ts_summary_rule(&s, TS_RULE_TORN_LINE), 1, "findings of a rule");
  IS_U64(ts_summary_level(&s, TS_ERROR), 1, "of a severity");
  IS_U64(ts_summary_judged(&s), 3, "calls that were judged");
  ts_summary_free(&s);
}

/* The worst state and, of those that go with it, the first replacement, whatever the order. */
static void joining(void) {
  static const struct {
    enum ts_state state;
    const char *replacement;
  } seen[] = {
    { TS_ACTIVE, "" }, { TS_DEPRECATED, "b" }, { TS_DEPRECATED, "" }, { TS_DEPRECATED, "a" }, { TS_HIDDEN, "A" }
  };
  for (size_t start = 0; start < TS_COUNT(seen); start++) {
    struct ts_summary s = { 0 };
    struct ts_name_use *u = ts_summary_name(&s, TS_STR("n"));
    for (size_t i = 0; i < TS_COUNT(seen); i++) {
      size_t k = (start + i) % TS_COUNT(seen);
      ts_summary_judge(&s, u, seen[k].state, ts_str_z(seen[k].replacement));
    }
    IS_INT(u->state, TS_DEPRECATED, "from %zu on: the worst state", start);
    IS_Z(u->replacement.ptr, "a", "from %zu on: its first replacement", start);
    ts_summary_free(&s);
  }
}

int main(void) {
  identity();
  any_order();
  thresholds();
  joining();
  return tap_done();
}
