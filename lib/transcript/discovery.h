/* Which tools a session had been told of: by a search result, or by the list of a request. What was told ends with
 * the window it was told in. */
#ifndef TS_TRANSCRIPT_DISCOVERY_H
#define TS_TRANSCRIPT_DISCOVERY_H

#include "base/seen.h"
#include "json/scan.h"
#include "transcript/pairing.h"

/* {0} is ready. Memory: 24 bytes a session that was told something, and a name and window. */
struct ts_discovery {
  struct ts_seen sessions, names;
  struct ts_json json;
  struct ts_buf scratch;
};

/* Takes a TS_EVENT_DISCOVERY or a TS_EVENT_CATALOG of the window w. */
void ts_discovery_event(struct ts_discovery *d, const struct ts_event *e, struct ts_window w);
/* Was this session ever told anything? */
bool ts_discovery_recorded(const struct ts_discovery *d, struct ts_str session);
/* Was it told of this tool, in this window? */
bool ts_discovery_has(const struct ts_discovery *d, struct ts_str session, struct ts_window w, struct ts_str name);
/* A conversation is over: what follows was told nothing. */
void ts_discovery_forget(struct ts_discovery *d);
void ts_discovery_free(struct ts_discovery *d);

#endif
