/* --allow and --deny: which calls may be served at all. A pattern is a name, or the beginning of names with a
 * `*` behind. It is held against the called name, the tool it reaches, and every alias that reaches the same
 * tool and sets nothing but what the call has (an `action`, say), so that no call slips through under its other
 * name. A call that leaves out what an alias sets might be the alias's or not: that counts for a prohibition, and does
 * not for a permission. */
#ifndef TS_DISPATCH_POLICY_H
#define TS_DISPATCH_POLICY_H

#include "catalog/resolve.h"

struct ts_policy {
  struct ts_str *allow, *deny; /* borrowed from what was added */
  size_t allow_count, allow_cap, deny_count, deny_cap;
  bool has_allow; /* an empty list was given: it allows nothing */
};

/* Adds a comma-separated list, which must outlive the policy. */
void ts_policy_allow(struct ts_policy *p, const char *list);
void ts_policy_deny(struct ts_policy *p, const char *list);
void ts_policy_free(struct ts_policy *p);

bool ts_pattern_matches(struct ts_str pattern, struct ts_str name);
/* May the call of route r be served? `arguments`: an accepted JSON object, as the tool takes it, or empty.
 * Deny wins. When not, *why has one sentence. */
bool ts_policy_permits(const struct ts_policy *p, const struct ts_catalog *c, const struct ts_route *r,
                       struct ts_str arguments, struct ts_buf *why);

#endif
