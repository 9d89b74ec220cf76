/* The records of tsrecord(5) that programs hand to each other, findings (report/finding.h) and summaries apart.
 * Each writer appends one line: members in the order of the manual, those that are unknown (empty) left out.
 * All text is borrowed, and only for the call that takes it. Names and ids are decoded text; what ends in
 * _json is raw JSON and passes byte for byte, the white space between its tokens apart. */
#ifndef TS_REPORT_RECORD_H
#define TS_REPORT_RECORD_H

#include "base/buf.h"

/* Where a record was read from. */
struct ts_origin_place {
  struct ts_str file;
  uint64_t line; /* from 1; 0: unknown */
  struct ts_str format;
};

/* What every record about a call begins with. */
struct ts_call_key {
  struct ts_str session, agent, id, name;
};

enum ts_arguments_kind {
  TS_ARGUMENTS_ABSENT, /* nothing is written; readers take it as {} */
  TS_ARGUMENTS_RAW,    /* one JSON value: "arguments":… */
  TS_ARGUMENTS_TEXT,   /* text that was to be JSON and is none: "arguments":"…", a string that readers judge */
  TS_ARGUMENTS_FREE,   /* text that never was to be JSON: "input":"…" */
};

struct ts_call_record {
  struct ts_call_key key;
  enum ts_arguments_kind arguments_kind;
  struct ts_str arguments;
  struct ts_str at_json; /* the session log's own time */
  struct ts_origin_place source;
  struct ts_str more_json; /* further members, without braces: `"turn":"3"` */
};

struct ts_result_record {
  struct ts_call_key key;
  bool is_error;
  struct ts_str content_json; /* when empty, content is written: */
  struct ts_str content;      /* any bytes; in base64 where they are not UTF-8 */
  struct ts_str metadata_json;
  struct ts_str more_json; /* further members, without braces: `"value":{…}` */
};

/* A route, and with arguments_word and source a verdict. */
struct ts_route_record {
  struct ts_call_key key;
  struct ts_str canonical;
  struct ts_str state; /* a state's name, or "unknown" */
  bool dispatches;
  bool unjudged;                /* verdict: no catalog says whether it dispatches, so that is null */
  struct ts_str arguments_word; /* verdict: "fit", "misfit", "unchecked", "malformed" */
  struct ts_origin_place source;
  struct ts_str more_json; /* route: further members, without braces: `"suggestions":[…]` */
};

void ts_call_write(struct ts_buf *out, const struct ts_call_record *r);
void ts_result_write(struct ts_buf *out, const struct ts_result_record *r);
void ts_route_write(struct ts_buf *out, const struct ts_route_record *r);
void ts_verdict_write(struct ts_buf *out, const struct ts_route_record *r);

/* RFC 4648, with padding, appended. */
void ts_base64(struct ts_buf *out, struct ts_str bytes);

#endif
