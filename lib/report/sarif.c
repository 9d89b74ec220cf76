/* SARIF 2.1.0 (OASIS), with what GitHub code scanning asks of it: the descriptions and help of every rule, a
 * place for every result, and a fingerprint that is one result's alone. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "report/format.h"

struct state {
  struct ts_jw w;
  struct ts_map repeats; /* fingerprint -> how often it came: code scanning takes equal ones as one result */
  struct ts_arena arena; /* its keys */
};

static const char *const levels[TS_LEVELS] = {
  [TS_OFF] = "none", [TS_NOTE] = "note", [TS_UNKNOWN] = "warning", [TS_WARNING] = "warning", [TS_ERROR] = "error",
};

static void member_text(struct ts_jw *w, const char *key, struct ts_str text) {
  ts_jw_key(w, key);
  ts_jw_open(w, '{');
  ts_jw_member(w, "text", text);
  ts_jw_close(w, '}');
}

static void write_rule(struct ts_jw *w, const char *program, const struct ts_rule *rule) {
  struct ts_buf help = { 0 };
  ts_buf_addf(&help, "%s `%s --explain %s` says more.", rule->purpose, program, rule->id);
  ts_jw_open(w, '{');
  ts_jw_member(w, "id", ts_str_z(rule->id));
  member_text(w, "shortDescription", ts_str_z(rule->purpose));
  member_text(w, "fullDescription", ts_str_z(rule->purpose));
  member_text(w, "help", ts_buf_str(&help));
  ts_jw_key(w, "defaultConfiguration");
  ts_jw_open(w, '{');
  ts_jw_member(w, "level", ts_str_z(levels[ts_vector_worst(&rule->vector)]));
  ts_jw_close(w, '}');
  ts_jw_key(w, "properties");
  ts_jw_open(w, '{');
  ts_jw_key(w, "tags");
  ts_jw_open(w, '[');
  ts_jw_str(w, ts_str_z(ts_part_name(rule->part)));
  ts_jw_close(w, ']');
  ts_jw_close(w, '}');
  ts_jw_close(w, '}');
  ts_buf_free(&help);
}

static bool is_listed(const struct ts_report *r, const struct ts_rule *rule) {
  return (r->spec.parts >> rule->part & 1) != 0;
}

static void sarif_open(struct ts_report *r) {
  struct state *s = r->state = ts_xcalloc(1, sizeof *s);
  struct ts_jw *w = &s->w;
  *w = ts_jw(r->out);
  ts_jw_open(w, '{');
  ts_jw_member(w, "$schema", TS_STR("https://json.schemastore.org/sarif-2.1.0.json"));
  ts_jw_member(w, "version", TS_STR("2.1.0"));
  ts_jw_key(w, "runs");
  ts_jw_open(w, '[');
  ts_jw_open(w, '{');
  ts_jw_key(w, "tool");
  ts_jw_open(w, '{');
  ts_jw_key(w, "driver");
  ts_jw_open(w, '{');
  ts_jw_member(w, "name", ts_str_z(r->spec.program));
  ts_jw_member(w, "version", ts_str_z(r->spec.version));
  ts_jw_key(w, "rules");
  ts_jw_open(w, '[');
  for (int i = 0; i < TS_RULES; i++) {
    const struct ts_rule *rule = ts_rule((enum ts_rule_id)i);
    if (is_listed(r, rule)) write_rule(w, r->spec.program, rule);
  }
  ts_jw_close(w, ']');
  ts_jw_close(w, '}');
  ts_jw_close(w, '}');
  ts_jw_key(w, "results");
  ts_jw_open(w, '[');
}

/* Where the rule stands among those that sarif_open listed. */
static void write_rule_index(struct ts_report *r, enum ts_rule_id id) {
  struct ts_jw *w = &((struct state *)r->state)->w;
  uint64_t index = 0;
  if (!is_listed(r, ts_rule(id))) return;
  for (int i = 0; i < (int)id; i++) index += is_listed(r, ts_rule((enum ts_rule_id)i));
  ts_jw_member_u64(w, "ruleIndex", index);
}

/* A file name as a URI: relative, so that it is resolved against the repository, or file:///…; the colon of a
 * relative one would begin a scheme. */
static void add_uri(struct ts_buf *out, struct ts_str file) {
  while (ts_str_starts(file, TS_STR("./")) && file.len > 2) file = ts_str_sub(file, 2, SIZE_MAX);
  if (file.len == 0) file = TS_STR(".");
  if (file.ptr[0] == '/') ts_buf_addz(out, "file://");
  for (size_t i = 0; i < file.len; i++) {
    char c = file.ptr[i];
    bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                    c == '.' || c == '_' || c == '~' || c == '/';
    if (is_plain)
      ts_buf_addc(out, c);
    else
      ts_buf_addf(out, "%%%02X", (unsigned)(unsigned char)c);
  }
}

/* Lines and columns from 1; what is unknown is the beginning. The end is behind one character. */
static void write_place(struct ts_jw *w, const struct ts_place *p) {
  struct ts_buf uri = { 0 };
  uint64_t line = p->line > 0 ? p->line : 1, column = p->line > 0 && p->column > 0 ? p->column : 1;
  add_uri(&uri, p->file);
  ts_jw_key(w, "locations");
  ts_jw_open(w, '[');
  ts_jw_open(w, '{');
  ts_jw_key(w, "physicalLocation");
  ts_jw_open(w, '{');
  ts_jw_key(w, "artifactLocation");
  ts_jw_open(w, '{');
  ts_jw_member(w, "uri", ts_buf_str(&uri));
  ts_jw_close(w, '}');
  ts_jw_key(w, "region");
  ts_jw_open(w, '{');
  ts_jw_member_u64(w, "startLine", line);
  ts_jw_member_u64(w, "startColumn", column);
  ts_jw_member_u64(w, "endLine", line);
  ts_jw_member_u64(w, "endColumn", column + 1);
  ts_jw_close(w, '}');
  ts_jw_close(w, '}');
  ts_jw_close(w, '}');
  ts_jw_close(w, ']');
  ts_buf_free(&uri);
}

static void write_fingerprints(struct state *s, const struct ts_finding *f) {
  char fingerprint[TS_FINGERPRINT];
  struct ts_buf line_hash = { 0 };
  ts_finding_fingerprint(f, fingerprint);
  struct ts_str key = ts_str_z(fingerprint);
  if (ts_map_get(&s->repeats, key) == TS_MAP_NONE) key = ts_arena_dup(&s->arena, key);
  ts_buf_addf(&line_hash, "%s:%zu", fingerprint, ++*ts_map_at(&s->repeats, key, 0));
  ts_jw_key(&s->w, "partialFingerprints");
  ts_jw_open(&s->w, '{');
  ts_jw_member(&s->w, "primaryLocationLineHash", ts_buf_str(&line_hash));
  ts_jw_member(&s->w, "toolsurface/v1", ts_str_z(fingerprint));
  ts_jw_close(&s->w, '}');
  ts_buf_free(&line_hash);
}

/* "[text](target)" would be shown as a link: the bracket is escaped as the standard says. */
static void add_message(struct ts_buf *out, const struct ts_finding *f) {
  struct ts_buf sentence = { 0 };
  ts_report_sentence(&sentence, f);
  struct ts_str rest = ts_buf_str(&sentence);
  for (size_t at; (at = ts_str_find(rest, TS_STR("]("))) != SIZE_MAX; rest = ts_str_sub(rest, at + 2, SIZE_MAX)) {
    ts_visible(out, ts_str_sub(rest, 0, at));
    ts_buf_addz(out, "\\](");
  }
  ts_visible(out, rest);
  ts_buf_free(&sentence);
}

static void sarif_finding(struct ts_report *r, const struct ts_finding *f) {
  struct state *s = r->state;
  struct ts_jw *w = &s->w;
  struct ts_buf message = { 0 };
  add_message(&message, f);
  ts_jw_open(w, '{');
  ts_jw_member(w, "ruleId", ts_str_z(ts_rule(f->rule)->id));
  write_rule_index(r, f->rule);
  ts_jw_member(w, "level", ts_str_z(levels[ts_finding_severity(f)]));
  member_text(w, "message", ts_buf_str(&message));
  write_place(w, &f->place);
  write_fingerprints(s, f);
  ts_jw_close(w, '}');
  ts_buf_free(&message);
}

static void sarif_close(struct ts_report *r) {
  struct state *s = r->state;
  ts_jw_close(&s->w, ']');
  ts_jw_close(&s->w, '}');
  ts_jw_close(&s->w, ']');
  ts_jw_close(&s->w, '}');
  ts_buf_addc(r->out, '\n');
  ts_map_free(&s->repeats);
  ts_arena_free(&s->arena);
}

const struct ts_reporter ts_report_sarif = {
  .name = "sarif", .open = sarif_open, .finding = sarif_finding, .close = sarif_close
};
