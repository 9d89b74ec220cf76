#include "catalog/lifecycle.h"

#include "unit/tap.h"

int main(void) {
  static const struct {
    const char *name;
    bool first_turn, searchable, dispatches, notice, alias;
  } rows[] = {
    [TS_ACTIVE] = { "active", true, false, true, false, false },
    [TS_DEFERRED] = { "deferred", false, true, true, false, false },
    [TS_HIDDEN] = { "hidden-compatibility", false, false, true, false, true },
    [TS_DEPRECATED] = { "deprecated", false, false, true, true, true },
    [TS_REMOVED] = { "removed", false, false, false, false, true },
    [TS_UNKNOWN_NAME] = { "unknown", false, false, false, false, false },
  };
  for (unsigned s = 0; s < TS_COUNT(rows); s++) {
    const struct ts_state_row *row = ts_state_row((enum ts_state)s);
    IS_Z(row->name, rows[s].name, "state %u: name", s);
    OK(row->first_turn == rows[s].first_turn, "%s: first turn", row->name);
    OK(row->searchable == rows[s].searchable, "%s: search", row->name);
    OK(row->dispatches == rows[s].dispatches, "%s: dispatch", row->name);
    OK(row->notice == rows[s].notice, "%s: notice", row->name);
    OK(row->alias == rows[s].alias, "%s: alias", row->name);
    enum ts_state found = ts_state_find(ts_str_z(row->name));
    OK(found == (s == TS_UNKNOWN_NAME ? TS_STATES : (enum ts_state)s), "%s: found by its word", row->name);
  }
  static const char *const none[] = { "", "Active", "hidden", "active ", "hidden_compatibility" };
  for (size_t i = 0; i < TS_COUNT(none); i++)
    OK(ts_state_find(ts_str_z(none[i])) == TS_STATES, "'%s' is no state", none[i]);
  return tap_done();
}
