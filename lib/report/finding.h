/* A finding: one rule broken at one place. All text is borrowed, and only for the call that takes it. */
#ifndef TS_REPORT_FINDING_H
#define TS_REPORT_FINDING_H

#include "json/write.h"
#include "report/rules.h"

struct ts_place {
  struct ts_str file;
  uint64_t line;   /* from 1; 0: unknown */
  uint64_t column; /* in bytes, from 1; 0: unknown */
};

struct ts_finding {
  enum ts_rule_id rule;
  struct ts_vector vector; /* all TS_OFF: the rule's own */
  struct ts_str message;   /* names both sides; plain text, made visible by the writers */
  struct ts_str session, agent, id, name;
  struct ts_str pointer;                /* JSON pointer, or empty */
  bool has_pointer;                     /* "" is a pointer too: the whole value */
  struct ts_str old_value, new_value;   /* raw JSON, or empty */
  struct ts_str witness;                /* raw JSON, or empty */
  bool has_corpus;                      /* it was held against saved calls: */
  uint64_t corpus_breaks, corpus_calls; /* so many of so many of that name replayed before, and do not now */
  struct ts_place place;
};

/* 16 hex digits and a NUL: SHA-256 over rule id, name, pointer, old, new, joined by NUL. */
#define TS_FINGERPRINT 17
void ts_finding_fingerprint(const struct ts_finding *f, char out[TS_FINGERPRINT]);
/* The vector in force, and the worst in it. */
struct ts_vector ts_finding_vector(const struct ts_finding *f);
enum ts_level ts_finding_severity(const struct ts_finding *f);
/* {"R":"error"}: the audiences that are concerned. */
void ts_vector_write(struct ts_jw *w, const struct ts_vector *v);
/* Appends the finding record of tsrecord(5) and a newline. */
void ts_finding_write(struct ts_buf *out, const struct ts_finding *f);

/* --fail-on: which findings count. Each setting is the mildest level that does, TS_OFF: none does. */
struct ts_threshold {
  uint8_t rule[TS_RULES];         /* enum ts_level; TS_UNSET: not given */
  uint8_t audience[TS_AUDIENCES]; /* likewise */
  uint8_t unknown, all;
};
#define TS_UNSET 255
void ts_threshold_default(struct ts_threshold *t);
/* Reads WHAT=LEVEL,… on top of what t has (WHAT alone means error). -1, with t unchanged, when it is no such
 * list, when it would silence an integrity error, or when WHAT alone could never be an error. */
int ts_threshold_parse(struct ts_threshold *t, struct ts_str spec, struct ts_buf *err);
/* Does f count towards exit status 1? For each audience that f concerns, the more special setting decides:
 * rule, audience letter, unknown, all. What is unknown counts as a warning. An integrity error always counts. */
bool ts_threshold_counts(const struct ts_threshold *t, const struct ts_finding *f);

#endif
