/* What a transcript says, without its dialect: the reader turns every format into these events, in the order
 * of the file, and everything above (pairing, audit, to-do projection, neutral records) reads nothing else.
 * All text of an event is borrowed from the reader and valid until the next event. It may hold NULs, halves of
 * surrogate pairs (WTF-8), and bytes that are not UTF-8 (told as bad-utf8): ids and names are what their bytes are,
 * arguments with such bytes are no JSON. */
#ifndef TS_TRANSCRIPT_EVENT_H
#define TS_TRANSCRIPT_EVENT_H

#include "json/scan.h"
#include "report/finding.h"

enum ts_event_kind {
  TS_EVENT_CALL,
  TS_EVENT_RESULT,
  TS_EVENT_SUB_CALL, /* nested (dsh code dispatch): counted apart, paired among themselves */
  TS_EVENT_SUB_RESULT,
  TS_EVENT_MESSAGE,   /* anything else that shows the conversation went on: decides what the tail is */
  TS_EVENT_WINDOW,    /* a compaction: closes the calls before it silently, those of (session, agent) alone: each agent
                       * has a context of its own */
  TS_EVENT_END,       /* a conversation is complete, of whatever sessions, and another one follows in the same file
                       * (one conversation a line, several files in a neutral stream): what is open is at its tail, and
                       * nothing that follows pairs with it or knows its catalog and discoveries */
  TS_EVENT_CATALOG,   /* the list of tools now in force: `tools` */
  TS_EVENT_DISCOVERY, /* a search result or declared list named tool `name` */
  TS_EVENT_TODO,      /* dsh todo/write: `content` is its data member */
  TS_EVENT_FINDING,   /* the reader's own remark: `rule`, `message`, place; the record may follow all the same */
};

enum ts_arguments_form {
  TS_ARGUMENTS_NONE,  /* absent, null or blank text: means {} */
  TS_ARGUMENTS_JSON,  /* `arguments` is JSON as it stands in the record, or the decoded text of a string that
                       * holds JSON; it may turn out malformed */
  TS_ARGUMENTS_INPUT, /* `arguments` is raw text, decoded: no JSON, never checked (codex custom tools) */
};

struct ts_event {
  enum ts_event_kind kind;
  struct ts_str session, agent;
  struct ts_str id;   /* as the file has it, decoded; may be empty */
  struct ts_str key;  /* what pairs a call with its result, when that is not id; else empty */
  bool no_ids;        /* this format (legacy function_call) has no ids: pair in order, by name */
  struct ts_str name; /* of the tool; a result has it only where the format records it */
  enum ts_arguments_form form;
  struct ts_str arguments;
  bool arguments_string;         /* the record had them as a string */
  const struct ts_json *scanned; /* TS_ARGUMENTS_JSON from a string: what the scanner says of them, without the blanks
                                  * around: accepted, or the reason why not; NULL: nobody has asked it */
  bool self_answered;            /* the call never has a result record of its own, or carries it (gemini) */
  struct ts_str content;         /* a result's content, raw JSON; empty when there is none */
  bool is_error;
  bool misplaced;      /* a result that does not lead its message: wedged-record, if it answers the call before */
  struct ts_str turn;  /* the model's turn or message: calls of one turn are parallel; empty: unknown, each
                        * call its own turn */
  struct ts_str at;    /* time as the file writes it (a JSON value, raw), or empty */
  struct ts_str tools; /* raw JSON array, TS_EVENT_CATALOG */
  enum ts_rule_id rule;
  struct ts_vector vector; /* of a finding: all TS_OFF: the rule's own */
  struct ts_str message;
  uint64_t line;   /* of the record, from 1 */
  uint64_t column; /* where the record, or the call or result in it, or the fault begins in it, in bytes, from 1 */
};

/* Returns 0 to go on, -1 to stop reading. */
typedef int ts_event_fn(void *context, const struct ts_event *e);

#endif
