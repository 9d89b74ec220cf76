/* The tables that programs and readers share agree: formats, views, states. */
#include "transcript/show.h"

#include "unit/tap.h"

static void formats(void) {
  struct ts_buf names = { 0 };
  const struct ts_format *f;
  for (size_t i = 0; (f = ts_format_at(i)) != NULL; i++) ts_buf_addf(&names, "%s%s", i ? "|" : "", ts_format_name(f));
  IS_Z(ts_buf_z(&names), TS_FORMATS, "--from takes every format of the table, and no other");
  ts_buf_free(&names);
}

static void views(void) {
  static const char *const options[] = {
    "verdicts", "list", "calls", "results", "events", "names", "partial", "merge"
  };
  OK(ts_view_find(NULL) != NULL && ts_view_find(NULL)->option == NULL, "there is a view without an option");
  for (size_t i = 0; i < TS_COUNT(options); i++) {
    const struct ts_view_row *v = ts_view_find(options[i]);
    OK(v && strcmp(v->option, options[i]) == 0, "--%s is a view", options[i]);
  }
  OK(ts_view_find("catalog") == NULL && ts_view_find("") == NULL, "other options are none");
}

static void selections(void) {
  static const struct {
    const char *states, *names, *error;
  } rows[] = { { "removed,unknown", NULL, NULL },
               { "active", "a,b", NULL },
               { "", NULL, "no such state: ''" },
               { "active,", NULL, "no such state: ''" },
               { "Active", NULL, "no such state: 'Active'" },
               { NULL, "a,,b", "an empty name" } };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_selection s = { 0 };
    struct ts_buf err = { 0 };
    int status = 0;
    if (rows[i].states) status = ts_selection_states(&s, ts_str_z(rows[i].states), &err);
    if (rows[i].names && status == 0) status = ts_selection_names(&s, ts_str_z(rows[i].names), &err);
    IS_Z(ts_buf_z(&err), rows[i].error ? rows[i].error : "", "row %zu: error", i);
    IS_INT(status, rows[i].error ? -1 : 0, "row %zu: status", i);
    ts_selection_free(&s);
    ts_buf_free(&err);
  }
  struct ts_selection s = { 0 };
  OK(ts_selection_has(&s, TS_STR("a"), false, TS_UNKNOWN_NAME), "nothing chosen: everything is");
  (void)ts_selection_states(&s, TS_STR("removed,unknown"), NULL);
  OK(ts_selection_has(&s, TS_STR("a"), true, TS_REMOVED) && ts_selection_has(&s, TS_STR("a"), true, TS_UNKNOWN_NAME),
     "states that are chosen");
  OK(!ts_selection_has(&s, TS_STR("a"), true, TS_ACTIVE), "one that is not");
  OK(!ts_selection_has(&s, TS_STR("a"), false, TS_REMOVED), "one that nobody knows");
  (void)ts_selection_names(&s, TS_STR("b"), NULL);
  OK(!ts_selection_has(&s, TS_STR("a"), true, TS_REMOVED) && ts_selection_has(&s, TS_STR("b"), true, TS_REMOVED),
     "state and name");
  ts_selection_free(&s);
}

/* The manual has every rule, each once. */
static void manual(void) {
  struct ts_buf page = { 0 }, err = { 0 };
  struct ts_input *in = ts_input_open("man/toolsurface.7", &err);
  OK(in && ts_input_all(in, 1 << 20, &page, &err) == 0, "the manual is read: %s", ts_buf_z(&err));
  for (int i = 0; i < TS_RULES; i++) {
    struct ts_buf item = { 0 };
    ts_buf_addf(&item, "\n.It Li %s :", ts_rule((enum ts_rule_id)i)->id);
    size_t at = ts_str_find(ts_buf_str(&page), ts_buf_str(&item));
    struct ts_str rest = ts_str_sub(ts_buf_str(&page), at == SIZE_MAX ? page.len : at + 1, SIZE_MAX);
    OK(at != SIZE_MAX && !ts_str_has(rest, ts_buf_str(&item)), "%s is in it once", ts_rule((enum ts_rule_id)i)->id);
    ts_buf_free(&item);
  }
  ts_input_close(in);
  ts_buf_free(&page);
  ts_buf_free(&err);
}

int main(void) {
  manual();
  formats();
  views();
  selections();
  return tap_done();
}
