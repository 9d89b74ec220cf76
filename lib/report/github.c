/* Workflow commands of GitHub Actions: ::error file=…,line=…,col=…,title=…::message. A step may show ten
 * annotations of a level; what is beyond them is counted in one notice, the tenth of the notices. */
#include "base/diag.h"
#include "base/xalloc.h"
#include "report/format.h"

#define SHOWN_MAX 10

enum command { ERROR, WARNING, NOTICE, COMMANDS };

static const struct {
  const char *name, *one;
} commands[COMMANDS] = {
  { "error", "error" },
  { "warning", "warning" },
  { "notice", "note" },
};

static const uint8_t command_of[TS_LEVELS] = {
  [TS_OFF] = NOTICE, [TS_NOTE] = NOTICE, [TS_UNKNOWN] = WARNING, [TS_WARNING] = WARNING, [TS_ERROR] = ERROR,
};

struct state {
  size_t seen[COMMANDS];
  struct ts_buf tenth; /* the tenth notice, held back: its place may be needed for the count of the rest */
};

/* The runner decodes these, and only these; other hidden characters are made visible. Properties of a command are
 * parted by commas and a colon ends them. */
static void add_escaped(struct ts_buf *out, struct ts_str s, bool is_property) {
  for (size_t i = 0, from = 0; i <= s.len; i++) {
    char c = i < s.len ? s.ptr[i] : '\0';
    bool is_escaped = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    if (i < s.len && !is_escaped) continue;
    ts_visible(out, ts_str_sub(s, from, i - from));
    if (i < s.len) ts_buf_addf(out, "%%%02X", (unsigned)c);
    from = i + 1;
  }
}

static void add_command(struct ts_buf *out, enum command command, const struct ts_finding *f) {
  const struct ts_place *p = &f->place;
  struct ts_buf sentence = { 0 };
  ts_buf_addf(out, "::%s ", commands[command].name);
  if (p->file.len > 0) {
    ts_buf_addz(out, "file=");
    add_escaped(out, p->file, true);
    if (p->line > 0) ts_buf_addf(out, ",line=%llu", (unsigned long long)p->line);
    if (p->line > 0 && p->column > 0) ts_buf_addf(out, ",col=%llu", (unsigned long long)p->column);
    ts_buf_addc(out, ',');
  }
  ts_buf_addf(out, "title=%s::", ts_rule(f->rule)->id);
  ts_report_sentence(&sentence, f);
  add_escaped(out, ts_buf_str(&sentence), false);
  ts_buf_free(&sentence);
  ts_buf_addc(out, '\n');
}

static void github_open(struct ts_report *r) { r->state = ts_xcalloc(1, sizeof(struct state)); }

static void github_finding(struct ts_report *r, const struct ts_finding *f) {
  struct state *s = r->state;
  enum command command = (enum command)command_of[ts_finding_severity(f)];
  size_t number = ++s->seen[command];
  bool is_held = command == NOTICE && number == SHOWN_MAX;
  if (number <= SHOWN_MAX) add_command(is_held ? &s->tenth : r->out, command, f);
}

static void github_close(struct ts_report *r) {
  struct state *s = r->state;
  size_t rest[COMMANDS], all = 0;
  for (int i = 0; i < COMMANDS; i++) {
    rest[i] = s->seen[i] > SHOWN_MAX ? s->seen[i] - SHOWN_MAX : 0;
    all += rest[i];
  }
  if (all == 0) {
    ts_buf_add(r->out, ts_buf_str(&s->tenth));
  } else {
    const char *before = "";
    rest[NOTICE] += s->tenth.len > 0;
    ts_buf_addf(r->out, "::notice title=%s::not shown: ", r->spec.program);
    for (int i = 0; i < COMMANDS; i++) {
      if (rest[i] == 0) continue;
      ts_buf_addz(r->out, before);
      ts_report_number(r->out, rest[i], commands[i].one);
      before = ", ";
    }
    ts_buf_addc(r->out, '\n');
  }
  ts_buf_free(&s->tenth);
}

const struct ts_reporter ts_report_github = {
  .name = "github", .open = github_open, .finding = github_finding, .close = github_close
};
