/* --mode, --profile and --feature: which part of a catalog a program looks at. */
#ifndef TS_CLI_SURFACE_H
#define TS_CLI_SURFACE_H

#include "catalog/catalog.h"
#include "cli/opt.h"

/* Their rows in a program's table of options; the keys are above those that programs number themselves. */
enum { TS_OPT_MODE = 5000, TS_OPT_PROFILE, TS_OPT_FEATURE };
#define TS_SURFACE_OPTIONS                                                                        \
  { TS_OPT_MODE, 0, "mode", "MODE", "look at the surface in this mode (agent)", NULL },           \
      { TS_OPT_PROFILE, 0, "profile", "PROFILE", "look at the surface of this profile", NULL }, { \
    TS_OPT_FEATURE, 0, "feature", "FEATURE", "turn on only these features; repeatable", NULL      \
  }

/* Takes one of the three: true; false when key is none of them. The argument is borrowed. */
bool ts_surface_option(struct ts_surface *s, int key, const char *argument);
/* Has the catalog that mode and that profile? A feature that no record names is fine: it may be off everywhere. */
int ts_surface_check(const struct ts_surface *s, const struct ts_catalog *c, struct ts_buf *err);
void ts_surface_free(struct ts_surface *s);

#endif
