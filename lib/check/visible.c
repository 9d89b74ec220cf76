#include "check/visible.h"

const struct ts_tool *ts_find_visible(const struct ts_catalog *c, struct ts_str name) {
  const struct ts_tool *t = ts_catalog_find(c, name);
  while (t && !ts_tool_visible(t)) t = ts_catalog_twin(c, t);
  return t;
}

const struct ts_tool *ts_find_alias(const struct ts_catalog *c, struct ts_str name) {
  const struct ts_tool *t = ts_catalog_find(c, name);
  while (t && !t->is_alias) t = ts_catalog_twin(c, t);
  return t;
}
