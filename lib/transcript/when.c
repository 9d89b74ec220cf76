#include "transcript/when.h"

/* Days since 1970-01-01 of a date of the Gregorian calendar, and back; the year begins in March, so that the leap
 * day is its last. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  int64_t era = year / 400, of_era = year % 400;
  int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day) {
  days += 719468;
  int64_t era = days / 146097, of = days % 146097;
  int64_t of_era = (of - of / 1460 + of / 36524 - of / 146096) / 365;
  int64_t of_year = of - (365 * of_era + of_era / 4 - of_era / 100), m = (5 * of_year + 2) / 153;
  *day = of_year - (153 * m + 2) / 5 + 1;
  *month = m < 10 ? m + 3 : m - 9;
  *year = era * 400 + of_era + (*month <= 2);
}

#define FIRST (-62135596800000) /* 0001-01-01T00:00:00Z, in milliseconds */
#define LAST 253402300799999    /* 9999-12-31T23:59:59.999Z */

struct reader {
  struct ts_str s;
  bool bad;
};

static bool take(struct reader *r, const char *any) {
  if (r->s.len == 0 || r->s.ptr[0] == 0 || !strchr(any, r->s.ptr[0])) return false;
  r->s = ts_str_sub(r->s, 1, SIZE_MAX);
  return true;
}

static void need(struct reader *r, const char *any) {
  if (!take(r, any)) r->bad = true;
}

/* Exactly `count` digits, from min to max. */
static int64_t digits(struct reader *r, size_t count, int64_t min, int64_t max) {
  int64_t value = 0;
  for (size_t i = 0; i < count; i++) {
    if (i >= r->s.len || r->s.ptr[i] < '0' || r->s.ptr[i] > '9') {
      r->bad = true;
      return 0;
    }
    value = value * 10 + (r->s.ptr[i] - '0');
  }
  r->s = ts_str_sub(r->s, count, SIZE_MAX);
  if (value < min || value > max) r->bad = true;
  return value;
}

static bool at_digit(struct ts_str s) { return s.len > 0 && s.ptr[0] >= '0' && s.ptr[0] <= '9'; }

static int64_t fraction(struct reader *r) {
  int64_t ms = 0;
  if (!at_digit(r->s)) r->bad = true;
  for (int64_t unit = 100; at_digit(r->s); unit /= 10) {
    ms += unit * (r->s.ptr[0] - '0');
    r->s = ts_str_sub(r->s, 1, SIZE_MAX);
  }
  return ms;
}

/* Minutes east of Greenwich. */
static int64_t zone(struct reader *r) {
  if (r->s.len == 0 || take(r, "Zz")) return 0;
  bool west = r->s.ptr[0] == '-';
  need(r, "+-");
  int64_t minutes = digits(r, 2, 0, 23) * 60;
  (void)take(r, ":");
  minutes += digits(r, 2, 0, 59);
  return west ? -minutes : minutes;
}

static int64_t parse_text(struct ts_str s) {
  struct reader r = { s, false };
  int64_t year = digits(&r, 4, 1, 9999);
  need(&r, "-");
  int64_t month = digits(&r, 2, 1, 12);
  need(&r, "-");
  int64_t day = digits(&r, 2, 1, 31);
  need(&r, "Tt ");
  int64_t seconds = digits(&r, 2, 0, 23) * 3600;
  need(&r, ":");
  seconds += digits(&r, 2, 0, 59) * 60;
  need(&r, ":");
  seconds += digits(&r, 2, 0, 60); /* 60: a leap second */
  int64_t ms = take(&r, ".,") ? fraction(&r) : 0;
  seconds -= zone(&r) * 60;
  if (r.bad || r.s.len > 0) return TS_WHEN_UNKNOWN;
  return (days_of(year, month, day) * 86400 + seconds) * 1000 + ms;
}

/* The unit is told by the size: 10^11 seconds are the year 5138, 10^11 milliseconds 1973. */
static int64_t parse_number(struct ts_str s) {
  const int64_t limit = 100000000000;
  int64_t value = 0;
  if (!at_digit(s)) return TS_WHEN_UNKNOWN;
  for (; at_digit(s); s = ts_str_sub(s, 1, SIZE_MAX)) {
    if (value > INT64_MAX / 10 - 1) return TS_WHEN_UNKNOWN;
    value = value * 10 + (s.ptr[0] - '0');
  }
  struct reader r = { s, false };
  int64_t ms = take(&r, ".") ? fraction(&r) : 0;
  if (r.bad || r.s.len > 0) return TS_WHEN_UNKNOWN;
  if (value < limit) return value * 1000 + ms;
  while (value >= limit * 1000) value /= 1000;
  return value;
}

int64_t ts_when_parse(struct ts_str json) {
  bool text = json.len >= 2 && json.ptr[0] == '"';
  int64_t when = text ? parse_text(ts_str_sub(json, 1, json.len - 2)) : parse_number(json);
  return when < FIRST || when > LAST ? TS_WHEN_UNKNOWN : when;
}

void ts_when_write(struct ts_buf *out, int64_t when) {
  int64_t ms = when - FIRST, year, month, day;
  date_of(ms / 86400000 + FIRST / 86400000, &year, &month, &day);
  ms %= 86400000;
  ts_buf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (int)year, (int)month, (int)day, (int)(ms / 3600000),
              (int)(ms / 60000 % 60), (int)(ms / 1000 % 60), (int)(ms % 1000));
}
