#include "catalog/catalog.h"

#include "catalog/builtin_data.h"

static const struct builtin {
  const char *name;
  const unsigned char *bytes;
  size_t len;
} builtins[] = {
  { "codewhale", ts_builtin_codewhale, sizeof ts_builtin_codewhale },
  { "policy", ts_builtin_policy, sizeof ts_builtin_policy },
};

struct ts_str ts_builtin(struct ts_str name) {
  for (size_t i = 0; i < TS_COUNT(builtins); i++)
    if (ts_str_is(name, builtins[i].name)) return ts_str((const char *)builtins[i].bytes, builtins[i].len);
  return ts_str(NULL, 0);
}
