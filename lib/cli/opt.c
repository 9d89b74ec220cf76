#include "cli/opt.h"

#include <getopt.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "io/out.h"

#define KEY_VERSION 0x7fffffff /* of no program's table */

static bool is_heading(const struct ts_opt *o) { return !o->name && !o->letter; }
static bool is_end(const struct ts_opt *o) { return is_heading(o) && !o->help; }

/* What getopt_long wants to be told. */
struct getopt_view {
  struct ts_buf letters;
  struct option *longs;
  size_t count, cap;
};

static void view_long(struct getopt_view *v, const char *name, int has_arg, int key) {
  ts_xgrow(&v->longs, &v->cap, v->count + 1, sizeof *v->longs);
  v->longs[v->count++] = (struct option){ name, has_arg, NULL, key };
}

static void view_make(struct getopt_view *v, const struct ts_opt *o) {
  static const char *const colons[] = { [no_argument] = "", [required_argument] = ":", [optional_argument] = "::" };
  ts_buf_addz(&v->letters, ":h"); /* the colon in front: tell a missing argument from an unknown option */
  for (; !is_end(o); o++) {
    if (is_heading(o)) continue;
    int has_arg = !o->arg ? no_argument : ts_opt_is_optional(o) ? optional_argument : required_argument;
    if (o->letter) ts_buf_addf(&v->letters, "%c%s", o->letter, colons[has_arg]);
    if (o->name) view_long(v, o->name, has_arg, o->key);
  }
  view_long(v, "help", no_argument, 'h');
  view_long(v, "version", no_argument, KEY_VERSION);
  view_long(v, NULL, 0, 0);
}

bool ts_opt_is_optional(const struct ts_opt *o) {
  return o->arg && o->arg[0] == '[' && o->arg[strlen(o->arg) - 1] == ']';
}

static const struct ts_opt *find_key(const struct ts_opt *o, int key) {
  while (!is_end(o) && (is_heading(o) || o->key != key)) o++;
  return is_end(o) ? NULL : o;
}

void ts_opt_usage(const struct ts_program *p, const char *format, ...) {
  struct ts_buf sentence = { 0 };
  va_list args;
  va_start(args, format);
  ts_buf_addv(&sentence, format, args);
  va_end(args);
  ts_diag("%s (try '%s --help')", ts_buf_z(&sentence), p->name);
  ts_buf_free(&sentence);
  exit(TS_EXIT_FAILED);
}

TS_NORETURN static void print_and_exit(struct ts_buf *text) {
  struct ts_out out;
  struct ts_buf err = { 0 };
  ts_out_open(&out, STDOUT_FILENO);
  ts_out_add(&out, ts_buf_str(text));
  ts_buf_free(text);
  int status = TS_EXIT_OK;
  if (ts_out_close(&out, &err) < 0) {
    ts_diag("%s", ts_buf_z(&err));
    status = TS_EXIT_FAILED;
  }
  ts_buf_free(&err);
  exit(status);
}

/* getopt_long has said '?', and optopt tells why: 0 is a long option that is unknown or short for several, the
 * key of one that exists has an argument that it does not take, anything else is an unknown letter. */
TS_NORETURN static void refuse_option(const struct ts_program *p, const struct getopt_view *v, const char *word) {
  bool is_known = optopt == 'h' || optopt == KEY_VERSION || find_key(p->opt, optopt);
  if (optopt != 0 && !is_known) ts_opt_usage(p, "unknown option '-%c'", (char)optopt);
  struct ts_str name = ts_str(word + 2, strcspn(word + 2, "="));
  if (optopt != 0) ts_opt_usage(p, "option '--%.*s' takes no argument", TS_FMT(name));
  struct ts_buf fits = { 0 };
  size_t count = 0;
  for (size_t i = 0; v->longs[i].name; i++)
    if (ts_str_starts(ts_str_z(v->longs[i].name), name))
      ts_buf_addf(&fits, "%s--%s", count++ > 0 ? ", " : "", v->longs[i].name);
  if (count < 2) ts_opt_usage(p, "unknown option '--%.*s'", TS_FMT(name));
  ts_opt_usage(p, "option '--%.*s' may be any of %s", TS_FMT(name), ts_buf_z(&fits));
}

/* Is value one of "a|b|c"? */
static bool is_listed(const char *values, struct ts_str value) {
  for (const char *v = values;; v++) {
    size_t len = strcspn(v, "|");
    if (ts_str_eq(ts_str(v, len), value)) return true;
    v += len;
    if (*v == '\0') return false;
  }
}

static int check_value(const char *values, struct ts_str value, struct ts_buf *err) {
  if (is_listed(values, value)) return 0;
  struct ts_buf words = { 0 };
  ts_opt_values(values, &words);
  ts_fail(err, "no value '%.*s': use %s", TS_FMT(value), ts_buf_z(&words));
  ts_buf_free(&words);
  return -1;
}

static int check_values(const struct ts_opt *o, const char *argument, struct ts_buf *err) {
  if (!argument || !ts_opt_is_fixed(o)) return 0;
  if (!ts_str_ends(ts_str_z(o->arg), TS_STR(",..."))) return check_value(o->values, ts_str_z(argument), err);
  for (;;) {
    size_t len = strcspn(argument, ",");
    if (check_value(o->values, ts_str(argument, len), err) < 0) return -1;
    if (argument[len] == '\0') return 0;
    argument += len + 1;
  }
}

/* One answer of getopt_long. */
static void take(const struct ts_program *p, const struct getopt_view *v, int key, char **argv, ts_opt_fn *set,
                 void *context) {
  struct ts_buf text = { 0 };
  const char *word = argv[optind - 1];
  if (key == '?') refuse_option(p, v, word);
  if (key == KEY_VERSION) ts_buf_addf(&text, "%s %s\n", p->name, TS_VERSION);
  const struct ts_opt *o = find_key(p->opt, key == ':' ? optopt : key);
  if (key == 'h' && !o) ts_opt_help(p, &text);
  if (text.len > 0) print_and_exit(&text);
  if (key == ':' && word[1] == '-') ts_opt_usage(p, "option '%s' needs %s", word, o->arg);
  if (key == ':') ts_opt_usage(p, "option '-%c' needs %s", (char)optopt, o->arg);
  if (check_values(o, optarg, &text) < 0 || set(context, key, optarg, &text) < 0) {
    if (o->name) ts_opt_usage(p, "--%s: %s", o->name, ts_buf_z(&text));
    ts_opt_usage(p, "-%c: %s", o->letter, ts_buf_z(&text));
  }
  ts_buf_free(&text);
}

int ts_opt_parse(const struct ts_program *p, int argc, char **argv, ts_opt_fn *set, void *context) {
  struct getopt_view view = { 0 };
  ts_diag_program(p->name);
  view_make(&view, p->opt);
  opterr = 0;
  optind = 0; /* glibc's word for starting afresh */
  for (int key; (key = getopt_long(argc, argv, ts_buf_z(&view.letters), view.longs, NULL)) != -1;)
    take(p, &view, key, argv, set, context);
  ts_buf_free(&view.letters);
  free(view.longs);
  return optind;
}

/* Digits only: strtoull would also take blanks and a sign. Returns what stands behind them. */
static const char *read_digits(const char *text, uint64_t *value, bool *too_big) {
  *value = 0;
  *too_big = false;
  for (; *text >= '0' && *text <= '9'; text++) {
    uint64_t digit = (uint64_t)(*text - '0');
    if (*value > (UINT64_MAX - digit) / 10)
      *too_big = true;
    else
      *value = *value * 10 + digit;
  }
  return text;
}

unsigned ts_opt_bits(const char *words, unsigned (*find)(struct ts_str word)) {
  unsigned bits = 0;
  for (size_t len; *words; words += len + (words[len] == ',')) {
    len = strcspn(words, ",");
    bits |= 1u << find(ts_str(words, len));
  }
  return bits;
}

int ts_opt_number(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct ts_buf *err) {
  bool too_big;
  uint64_t number;
  const char *end = read_digits(text, &number, &too_big);
  if (end == text || *end != '\0') return ts_fail(err, "'%s' is not a whole number", text);
  if (too_big || number < min || number > max) {
    if (max == UINT64_MAX) return ts_fail(err, "'%s' is out of range: at least %" PRIu64, text, min);
    return ts_fail(err, "'%s' is out of range: %" PRIu64 " to %" PRIu64, text, min, max);
  }
  *value = number;
  return 0;
}

int ts_opt_size(const char *text, uint64_t *value, struct ts_buf *err) {
  static const struct {
    char letter;
    unsigned shift;
  } units[] = { { '\0', 0 }, { 'k', 10 }, { 'K', 10 }, { 'M', 20 }, { 'G', 30 } };
  bool too_big;
  uint64_t number;
  const char *end = read_digits(text, &number, &too_big);
  size_t unit = 0;
  while (unit < TS_COUNT(units) && units[unit].letter != *end) unit++;
  if (end == text || unit == TS_COUNT(units) || (*end != '\0' && end[1] != '\0'))
    return ts_fail(err, "'%s' is not a size: write digits, and k, M or G behind them", text);
  if (too_big || number > UINT64_MAX >> units[unit].shift) return ts_fail(err, "'%s' is too large", text);
  *value = number << units[unit].shift;
  return 0;
}

int ts_opt_seconds(const char *text, uint64_t max_seconds, uint64_t *ms, struct ts_buf *err) {
  bool too_big;
  uint64_t seconds, part = 0;
  const char *point = read_digits(text, &seconds, &too_big), *end = point;
  size_t digits = 0;
  if (*point == '.') digits = strspn(end = point + 1, "0123456789");
  for (size_t i = 0; i < 3; i++) part = part * 10 + (i < digits ? (uint64_t)(end[i] - '0') : 0);
  end += digits;
  if (*end != '\0' || (point == text && digits == 0) || digits > 3)
    return ts_fail(err, "'%s' is no number of seconds: write 2 or 0.25", text);
  if (too_big || seconds > max_seconds) return ts_fail(err, "'%s' is out of range: 0 to %" PRIu64, text, max_seconds);
  *ms = seconds * 1000 + part;
  return 0;
}
