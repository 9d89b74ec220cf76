/* Versions as SemVer 2.0.0 has them (semver.org): MAJOR.MINOR.PATCH, a prerelease behind `-`, build metadata
 * behind `+`. Strict: no leading `v` or zero, no missing part. Numbers may be of any size. */
#ifndef TS_CATALOG_VERSION_H
#define TS_CATALOG_VERSION_H

#include "base/str.h"

/* The parts of a version, borrowed from the text that was parsed. */
struct ts_version {
  struct ts_str core[3];    /* digits */
  struct ts_str prerelease; /* dot-separated identifiers; empty: a release */
};

/* 0, or -1 when text is no version. */
int ts_version_parse(struct ts_str text, struct ts_version *v);
/* Precedence (section 11): <0, 0, >0. rc.7 < rc.8 < the release; build metadata does not count. */
int ts_version_cmp(const struct ts_version *a, const struct ts_version *b);
/* Says text when something happens? Empty text (null, or absent) and `TBD` do not: never early, never late. */
static inline bool ts_version_is_set(struct ts_str text) { return text.len > 0 && !ts_str_is(text, "TBD"); }

#endif
