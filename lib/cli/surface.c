#include "cli/surface.h"

#include "base/xalloc.h"

bool ts_surface_option(struct ts_surface *s, int key, const char *argument) {
  switch (key) {
    case TS_OPT_MODE:
      s->mode = ts_str_z(argument);
      return true;
    case TS_OPT_PROFILE:
      s->profile = ts_str_z(argument);
      return true;
    case TS_OPT_FEATURE:
      s->some_features = true;
      s->feature = ts_xrealloc(s->feature, s->feature_count + 1, sizeof *s->feature);
      s->feature[s->feature_count++] = ts_str_z(argument);
      return true;
    default:
      return false;
  }
}

int ts_surface_check(const struct ts_surface *s, const struct ts_catalog *c, struct ts_buf *err) {
  bool mode = s->mode.len == 0, profile = s->profile.len == 0;
  for (size_t i = 0; i < c->mode_count; i++) mode = mode || ts_str_eq(c->mode[i].name, s->mode);
  for (size_t i = 0; i < c->profile_count; i++) profile = profile || ts_str_eq(c->profile[i].name, s->profile);
  if (!mode) return ts_fail(err, "the catalog has no mode '%.*s'", TS_FMT(s->mode));
  if (!profile) return ts_fail(err, "the catalog has no profile '%.*s'", TS_FMT(s->profile));
  return 0;
}

void ts_surface_free(struct ts_surface *s) {
  free(s->feature);
  *s = (struct ts_surface){ 0 };
}
