/* --only-state and --only-name: which calls a view is about. */
#ifndef TS_TRANSCRIPT_SELECTION_H
#define TS_TRANSCRIPT_SELECTION_H

#include "catalog/resolve.h"

/* {0} selects every call. */
struct ts_selection {
  bool some_states, some_names;
  bool state[TS_STATES + 1]; /* the last one: unknown */
  struct ts_str *name;       /* the array is owned, the names are borrowed */
  size_t name_count, name_cap;
};

/* Takes comma-separated words, on top of what is there. */
int ts_selection_states(struct ts_selection *s, struct ts_str list, struct ts_buf *err);
int ts_selection_names(struct ts_selection *s, struct ts_str list, struct ts_buf *err);
static inline bool ts_selection_is_all(const struct ts_selection *s) { return !s->some_states && !s->some_names; }
/* judged false: the state is not known, so no choice of states selects it. */
bool ts_selection_has(const struct ts_selection *s, struct ts_str name, bool judged, enum ts_state state);
void ts_selection_free(struct ts_selection *s);

#endif
