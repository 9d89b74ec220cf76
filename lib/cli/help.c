/* The text of --help, made from the table of options. It is ASCII, so that bytes are columns. */
#include "base/wrap.h"
#include "cli/opt.h"

#define LEFT_MAX 28 /* an option that is wider stands on a line of its own, above its help */

bool ts_opt_is_fixed(const struct ts_opt *o) { return o->values && strchr(o->values, '|'); }

void ts_opt_values(const char *values, struct ts_buf *out) {
  for (; *values; values++) ts_buf_addz(out, *values == '|' ? ", " : (char[]){ *values, 0 });
}

static void add_usage(struct ts_buf *out, const struct ts_program *p) {
  const char *form = p->synopsis, *lead = "usage:";
  for (;;) {
    size_t len = strcspn(form, "\n"), from = out->len;
    struct ts_buf line = { 0 };
    ts_buf_addf(out, "%s %s ", lead, p->name);
    ts_buf_add(&line, ts_str(form, len));
    ts_wrap(out, ts_buf_z(&line), out->len - from, out->len - from, true);
    ts_buf_addc(out, '\n');
    ts_buf_free(&line);
    if (form[len] == '\0') return;
    form += len + 1;
    lead = "      ";
  }
}

/* "  -c, --catalog=SOURCE" */
static void add_left(struct ts_buf *out, const struct ts_opt *o) {
  if (o->letter)
    ts_buf_addf(out, "  -%c", o->letter);
  else
    ts_buf_addz(out, "    ");
  if (o->name) ts_buf_addf(out, "%s --%s", o->letter ? "," : " ", o->name);
  if (!o->arg) return;
  if (!ts_opt_is_optional(o))
    ts_buf_addf(out, "%c%s", o->name ? '=' : ' ', o->arg);
  else
    ts_buf_addf(out, o->name ? "[=%s" : "%s", o->arg + (o->name != NULL));
}

static size_t left_width(const struct ts_opt *o) {
  struct ts_buf left = { 0 };
  add_left(&left, o);
  size_t width = left.len;
  ts_buf_free(&left);
  return width;
}

static void add_option(struct ts_buf *out, const struct ts_opt *o, size_t column) {
  struct ts_buf help = { 0 };
  size_t left = left_width(o);
  add_left(out, o);
  if (left + 2 > column) {
    ts_buf_addc(out, '\n');
    left = 0;
  }
  ts_buf_addf(out, "%*s", (int)(column - left), "");
  ts_buf_addz(&help, o->help);
  if (ts_opt_is_fixed(o)) {
    ts_buf_addz(&help, " (");
    ts_opt_values(o->values, &help);
    ts_buf_addc(&help, ')');
  }
  ts_wrap(out, ts_buf_z(&help), column, column, false);
  ts_buf_addc(out, '\n');
  ts_buf_free(&help);
}

void ts_opt_help(const struct ts_program *p, struct ts_buf *out) {
  static const struct ts_opt common[] = {
    { 'h', 'h', "help", NULL, "print this help", NULL },
    { 0, 0, "version", NULL, "print name and version", NULL },
  };
  size_t widest = left_width(&common[0]);
  const struct ts_opt *end = p->opt;
  for (; end->name || end->letter || end->help; end++) {
    size_t width = end->name || end->letter ? left_width(end) : 0;
    if (width > widest && width <= LEFT_MAX) widest = width;
  }
  add_usage(out, p);
  ts_buf_addf(out, "%s\n\n", p->summary);
  for (const struct ts_opt *o = p->opt; o < end; o++) {
    if (o->name || o->letter)
      add_option(out, o, widest + 2);
    else
      ts_buf_addf(out, "%s%s:\n", o == p->opt ? "" : "\n", o->help);
  }
  for (size_t i = 0; i < TS_COUNT(common); i++) add_option(out, &common[i], widest + 2);
  if (p->epilog) ts_buf_addf(out, "\n%s%s", p->epilog, ts_str_ends(ts_str_z(p->epilog), TS_STR("\n")) ? "" : "\n");
}
