/* The options of a program as one table: getopt_long's arguments, the text of --help and the completions are
 * made from it, and the manual is tested against it. */
#ifndef TS_CLI_OPT_H
#define TS_CLI_OPT_H

#include "base/buf.h"

struct ts_opt {
  int key;            /* what the handler is given: the short letter, or a number above 255 */
  char letter;        /* short option, or 0 */
  const char *name;   /* long option; NULL: a heading for --help */
  const char *arg;    /* name of its argument as shown ("SOURCE"); NULL: none; "[WHEN]": optional */
  const char *help;   /* one line */
  const char *values; /* fixed values, "a|b|c", or "FILE", "DIR" for completion; NULL: none. Fixed values are
                       * checked by the parser */
};

struct ts_program {
  const char *name;
  const char *summary;      /* one line, as in the manual's NAME section */
  const char *synopsis;     /* "[-c SOURCE]... [FILE|DIR]..." */
  const struct ts_opt *opt; /* ends with a zero row; --help, --version are added */
  const char *epilog;       /* after the options in --help; NULL: nothing */
};

/* Parses argv. For each option, in order, calls set(context, key, argument or NULL, err): 0, or -1 with a
 * sentence. Returns the index of the first operand (operands are moved behind the options, `--` ends them).
 * --help and --version print and exit 0 (2 when that fails); a usage error prints one line and exits 2. */
typedef int ts_opt_fn(void *context, int key, const char *argument, struct ts_buf *err);
int ts_opt_parse(const struct ts_program *p, int argc, char **argv, ts_opt_fn *set, void *context);

/* Numbers and sizes as options take them: decimal, for sizes with k, M, G (powers of 1024) behind. */
int ts_opt_number(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct ts_buf *err);
int ts_opt_size(const char *text, uint64_t *value, struct ts_buf *err);

enum { TS_EXIT_OK = 0, TS_EXIT_FINDINGS = 1, TS_EXIT_FAILED = 2 };
#define TS_VERSION "0.1.0"

#endif
