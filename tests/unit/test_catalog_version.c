#include "catalog/version.h"

#include "unit/tap.h"

static void parse(void) {
  static const struct {
    const char *text;
    bool good;
  } rows[] = {
    { "0.0.0", true },
    { "1.2.3", true },
    { "10.20.30", true },
    { "1.0.0-alpha", true },
    { "1.0.0-alpha.1", true },
    { "1.0.0-0.3.7", true },
    { "1.0.0-x.7.z.92", true },
    { "1.0.0-x-y-z.--", true },
    { "1.0.0+20130313144700", true },
    { "1.0.0-beta+exp.sha.5114f85", true },
    { "1.0.0+21AF26D3---117B344092BD", true },
    { "1.0.0-0A.is.legal", true },
    { "1.0.0+001", true },
    { "99999999999999999999999.999999999999999999.99999999999999999", true },
    { "", false },
    { "1", false },
    { "1.2", false },
    { "1.2.3.4", false },
    { "v1.2.3", false },
    { "01.2.3", false },
    { "1.02.3", false },
    { "1.2.03", false },
    { "1.2.3-", false },
    { "1.2.3+", false },
    { "1.2.3-01", false },
    { "1.2.3-a..b", false },
    { "1.2.3-a.", false },
    { "1.2.3-\xc3\xa4", false },
    { "1.2.3 ", false },
    { " 1.2.3", false },
    { "1.2.-3", false },
    { "1..3", false },
    { "1.2.3+a+b", false },
    { "1.2.3-a_b", false },
    { "TBD", false },
    { "-1.0.0", false },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_version v;
    IS_INT(ts_version_parse(ts_str_z(rows[i].text), &v), rows[i].good ? 0 : -1, "'%s'", rows[i].text);
  }
  struct ts_version v;
  IS_INT(ts_version_parse(TS_STR("1.2.3\0"), &v), -1, "a NUL behind");
  IS_INT(ts_version_parse((struct ts_str){ NULL, 0 }, &v), -1, "no text");
}

/* The list is in ascending order; each is compared with each. */
static void order(void) {
  static const char *const rising[] = {
    "0.9.9",
    "1.0.0-0",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-99999999999999999999",
    "1.0.0-A",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.7",
    "1.0.0-rc.8",
    "1.0.0-rc.8.0",
    "1.0.0",
    "1.0.1",
    "1.1.0",
    "1.9.0",
    "1.10.0",
    "2.0.0-a",
    "2.0.0",
    "10.0.0",
    "99999999999999999998.0.0",
    "99999999999999999999.0.0",
  };
  for (size_t i = 0; i < TS_COUNT(rising); i++)
    for (size_t k = 0; k < TS_COUNT(rising); k++) {
      struct ts_version a, b;
      bool good = ts_version_parse(ts_str_z(rising[i]), &a) == 0 && ts_version_parse(ts_str_z(rising[k]), &b) == 0;
      int got = good ? ts_version_cmp(&a, &b) : 9;
      IS_INT((got > 0) - (got < 0), (i > k) - (i < k), "%s against %s", rising[i], rising[k]);
    }
  struct ts_version a, b;
  OK(ts_version_parse(TS_STR("1.0.0+a"), &a) == 0 && ts_version_parse(TS_STR("1.0.0+b"), &b) == 0 &&
         ts_version_cmp(&a, &b) == 0,
     "build metadata does not count");
}

int main(void) {
  parse();
  order();
  OK(!ts_version_is_set(TS_STR("")) && !ts_version_is_set(TS_STR("TBD")), "null and TBD say nothing");
  OK(ts_version_is_set(TS_STR("1.0.0")) && ts_version_is_set(TS_STR("tbd")), "anything else does");
  return tap_done();
}
