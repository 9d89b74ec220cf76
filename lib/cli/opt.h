/* The options of a program as one table: getopt_long's arguments, the text of --help and the completions are
 * made from it, and the manual is tested against it. The table and everything in it is static and borrowed. */
#ifndef TS_CLI_OPT_H
#define TS_CLI_OPT_H

#include "base/buf.h"

struct ts_opt {
  int key;            /* what the handler is given: the short letter, or a number above 255 */
  char letter;        /* short option, or 0 */
  const char *name;   /* long option; NULL (and no letter): help is a heading for --help */
  const char *arg;    /* name of its argument as shown ("SOURCE"); NULL: none; "[WHEN]" as a whole: optional */
  const char *help;   /* one line */
  const char *values; /* fixed values, "a|b|c", or "FILE", "DIR" for completion; NULL: none. Fixed values are
                       * checked by the parser, each of a list where arg ends with ",..." ("STATE,..."), and
                       * --help names them behind the help */
};

struct ts_program {
  const char *name;
  const char *summary;      /* one line, as in the manual's NAME section */
  const char *synopsis;     /* "[-c SOURCE]... [FILE|DIR]..."; a newline begins another form */
  const struct ts_opt *opt; /* ends with a zero row; --help, --version are added */
  const char *epilog;       /* after the options in --help, whole lines; NULL: nothing */
};

/* Parses argv. For each option, in order, calls set(context, key, argument or NULL, err): 0, or -1 with a
 * sentence. Returns the index of the first operand (operands are moved behind the options, `--` ends them).
 * --help and --version print and exit 0 (2 when that fails); a usage error prints one line and exits 2. */
typedef int ts_opt_fn(void *context, int key, const char *argument, struct ts_buf *err);
int ts_opt_parse(const struct ts_program *p, int argc, char **argv, ts_opt_fn *set, void *context);
/* For what only the program can know: prints the sentence and where to look, and exits 2. */
TS_NORETURN void ts_opt_usage(const struct ts_program *p, const char *format, ...) TS_PRINTF(2, 3);
/* Appends the text of --help. */
void ts_opt_help(const struct ts_program *p, struct ts_buf *out);

/* May its argument be left out? */
bool ts_opt_is_optional(const struct ts_opt *o);
/* Has it fixed values? And those values as a person reads them: "a, b, c", appended. */
bool ts_opt_is_fixed(const struct ts_opt *o);
void ts_opt_values(const char *values, struct ts_buf *out);

/* A list of words, which the parser has checked, as bits 1 << find(word). */
unsigned ts_opt_bits(const char *words, unsigned (*find)(struct ts_str word));

/* Numbers and sizes as options take them: decimal, for sizes with k, M, G (powers of 1024) behind. */
int ts_opt_number(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct ts_buf *err);
int ts_opt_size(const char *text, uint64_t *value, struct ts_buf *err);
/* Seconds, with up to three digits behind a point, as milliseconds. */
int ts_opt_seconds(const char *text, uint64_t max_seconds, uint64_t *ms, struct ts_buf *err);

enum { TS_EXIT_OK = 0, TS_EXIT_FINDINGS = 1, TS_EXIT_FAILED = 2 };
#define TS_VERSION "0.1.0"

#endif
