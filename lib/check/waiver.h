/* Waivers: findings that somebody has decided to live with, for a reason and up to a version. The file is JSONL,
 * an object a line, and every member is text:
 *
 *   {"fingerprint":"0123456789abcdef","reason":"…","expires":"1.2.0"}
 *   {"rule":"name-dropped","name":"exec","pointer":"","reason":"…","expires":"1.2.0"}
 *
 * A waiver covers the findings that agree with all of fingerprint, rule, name and pointer that it has; one of the
 * first two must be there. reason and expires are mandatory. It ends when the catalog reaches the version of
 * `expires`. Members that are not known are refused: a misspelt `name` would cover every name. Integrity rules
 * can't be waived. */
#ifndef TS_CHECK_WAIVER_H
#define TS_CHECK_WAIVER_H

#include "report/findings.h"

struct ts_waiver;
struct ts_waivers {
  struct ts_waiver *item;
  size_t count, cap;
  struct ts_arena arena;
  struct ts_str version; /* of the catalog */
  bool has_version;      /* and it is SemVer */
  bool by_fingerprint;   /* some waiver needs that of a finding */
};

/* Reads the file at path on top of what all has ({0} at first). version is the catalog's, the new one's when two
 * are compared; empty or not SemVer: no waiver is known to have ended. -1: *err says `file:line:column: …`. */
int ts_waivers_load(struct ts_waivers *all, const char *path, struct ts_str version, struct ts_buf *err);
/* Is f covered? Remembers which waivers were of use. */
bool ts_waivers_match(struct ts_waivers *all, const struct ts_finding *f);
/* When all findings have been matched: reports each waiver that has ended, names no rule that can be waived, or
 * (where its rule is of one of the parts that were checked, bits 1 << enum ts_part) covered nothing. In the order
 * of the file. */
void ts_waivers_finish(const struct ts_waivers *all, unsigned parts, ts_finding_fn *report, void *context);
void ts_waivers_free(struct ts_waivers *w);

#endif
