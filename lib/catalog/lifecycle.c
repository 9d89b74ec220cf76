#include "catalog/lifecycle.h"

static const struct ts_state_row states[TS_STATES + 1] = {
  [TS_ACTIVE] = { "active", .first_turn = true, .dispatches = true },
  [TS_DEFERRED] = { "deferred", .searchable = true, .dispatches = true },
  [TS_HIDDEN] = { "hidden-compatibility", .dispatches = true, .alias = true },
  [TS_DEPRECATED] = { "deprecated", .dispatches = true, .notice = true, .alias = true },
  [TS_REMOVED] = { "removed", .alias = true },
  [TS_UNKNOWN_NAME] = { .name = "unknown" },
};

const struct ts_state_row *ts_state_row(enum ts_state s) { return &states[s]; }

enum ts_state ts_state_find(struct ts_str word) {
  for (unsigned s = 0; s < TS_STATES; s++)
    if (ts_str_is(word, states[s].name)) return (enum ts_state)s;
  return TS_STATES;
}
