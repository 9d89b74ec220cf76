#include "transcript/selection.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/xalloc.h"

/* The next word of a comma-separated list; false: there is none. An empty list has one empty word. */
static bool next_word(struct ts_str *list, bool *more, struct ts_str *word) {
  if (!*more) return false;
  size_t comma = ts_str_find(*list, TS_STR(","));
  *word = ts_str_sub(*list, 0, comma);
  *more = comma != SIZE_MAX;
  *list = ts_str_sub(*list, word->len + 1, SIZE_MAX);
  return true;
}

int ts_selection_states(struct ts_selection *s, struct ts_str list, struct ts_buf *err) {
  struct ts_str word;
  for (bool more = true; next_word(&list, &more, &word);) {
    enum ts_state state = ts_state_find(word);
    if (state == TS_STATES && !ts_str_is(word, ts_state_row(TS_UNKNOWN_NAME)->name))
      return ts_fail(err, "no such state: '%.*s'", TS_FMT(word));
    s->state[state] = true;
  }
  s->some_states = true;
  return 0;
}

int ts_selection_names(struct ts_selection *s, struct ts_str list, struct ts_buf *err) {
  struct ts_str word;
  for (bool more = true; next_word(&list, &more, &word);) {
    if (word.len == 0) return ts_fail(err, "an empty name");
    ts_xgrow(&s->name, &s->name_cap, s->name_count + 1, sizeof *s->name);
    s->name[s->name_count++] = word;
  }
  s->some_names = true;
  return 0;
}

bool ts_selection_has(const struct ts_selection *s, struct ts_str name, bool judged, enum ts_state state) {
  if (s->some_states && (!judged || !s->state[state])) return false;
  for (size_t i = 0; i < s->name_count; i++)
    if (ts_str_eq(s->name[i], name)) return true;
  return !s->some_names;
}

void ts_selection_free(struct ts_selection *s) {
  free(s->name);
  *s = (struct ts_selection){ 0 };
}
