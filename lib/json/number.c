/* Exact comparison of JSON number spellings. A number is sign 0.d1d2d3… * 10^(exponent + point), its digits without
 * zeros at either end; the exponent stays text, because it may be of any size. */
#include "json/tree.h"

struct decimal {
  struct ts_str digits;   /* from the first digit that is not 0 to the last, a point perhaps among them; empty: zero */
  struct ts_str exponent; /* its digits */
  int64_t point;          /* digits before the point, or, negative, zeros behind it */
  size_t count;           /* digits in `digits` */
  bool negative, small;   /* the number's sign; the exponent's */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t skip_digits(struct ts_str s, size_t at) {
  while (at < s.len && is_digit(s.ptr[at])) at++;
  return at;
}

static void read_exponent(struct decimal *d, struct ts_str s, size_t at) {
  if (at >= s.len) return;
  at++;
  d->small = s.ptr[at] == '-';
  if (!is_digit(s.ptr[at])) at++;
  d->exponent = ts_str_sub(s, at, s.len);
}

static struct decimal read_decimal(struct ts_str s) {
  struct decimal d = { .negative = s.len > 0 && s.ptr[0] == '-' };
  size_t from = d.negative, point = skip_digits(s, from), end = point;
  if (end < s.len && s.ptr[end] == '.') end = skip_digits(s, end + 1);
  read_exponent(&d, s, end);
  while (from < end && !(is_digit(s.ptr[from]) && s.ptr[from] != '0')) from++;
  if (from == end) return (struct decimal){ 0 };
  while (s.ptr[end - 1] == '0' || s.ptr[end - 1] == '.') end--;
  d.point = from < point ? (int64_t)(point - from) : -(int64_t)(from - point - 1);
  d.digits = ts_str_sub(s, from, end - from);
  d.count = d.digits.len - (from < point && point < end);
  return d;
}

/* The digit of place i, counted from the left in a number of n places; 0 in front of the text. */
static int64_t place(struct ts_str digits, size_t n, size_t i) {
  return i < n - digits.len ? 0 : digits.ptr[i - (n - digits.len)] - '0';
}

/* a's exponent less b's, held within +-2^50: what is added to it is below 2^33, so its sign stays right. */
static int64_t exponent_gap(const struct decimal *a, const struct decimal *b) {
  const int64_t most = (int64_t)1 << 50;
  size_t n = a->exponent.len > b->exponent.len ? a->exponent.len : b->exponent.len;
  int64_t gap = 0;
  for (size_t i = 0; i < n; i++) {
    int64_t one = place(a->exponent, n, i), other = place(b->exponent, n, i);
    gap = gap * 10 + (a->small ? -one : one) - (b->small ? -other : other);
    if (gap > most) return most;
    if (gap < -most) return -most;
  }
  return gap;
}

static char next_digit(struct ts_str s, size_t *at) {
  if (*at < s.len && s.ptr[*at] == '.') ++*at;
  return *at < s.len ? s.ptr[(*at)++] : '0';
}

/* Without their signs; neither is zero. */
static int compare_sizes(const struct decimal *a, const struct decimal *b) {
  int64_t gap = exponent_gap(a, b) + a->point - b->point;
  if (gap != 0) return gap < 0 ? -1 : 1;
  for (size_t i = 0, k = 0; i < a->digits.len || k < b->digits.len;) {
    char one = next_digit(a->digits, &i), other = next_digit(b->digits, &k);
    if (one != other) return one < other ? -1 : 1;
  }
  return 0;
}

static int sign(const struct decimal *d) { return d->count == 0 ? 0 : d->negative ? -1 : 1; }

/* Most numbers are spelt with a few digits and nothing else. */
static bool read_short(struct ts_str s, uint64_t *n) {
  *n = 0;
  if (s.len == 0 || s.len > 18) return false;
  for (size_t i = 0; i < s.len; i++) {
    if (!is_digit(s.ptr[i])) return false;
    *n = *n * 10 + (uint64_t)(s.ptr[i] - '0');
  }
  return true;
}

int ts_number_cmp(struct ts_str a, struct ts_str b) {
  uint64_t m, n;
  if (read_short(a, &m) && read_short(b, &n)) return (m > n) - (m < n);
  struct decimal x = read_decimal(a), y = read_decimal(b);
  int one = sign(&x), other = sign(&y);
  if (one != other) return one < other ? -1 : 1;
  if (one == 0) return 0;
  return one * compare_sizes(&x, &y);
}

bool ts_number_is_integer(struct ts_str spelling) {
  static const struct decimal none = { 0 };
  struct decimal d = read_decimal(spelling);
  return d.count == 0 || exponent_gap(&d, &none) + d.point >= (int64_t)d.count;
}
