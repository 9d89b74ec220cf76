/* What a format of transcripts is to the reader: a row of the one table of formats. Each dialect_*.c turns the
 * records of its format into events; the reader finds the records (lines, or elements of a document), looks after
 * faults and places, and keeps the record's index in r->json while a dialect looks at it. Private to
 * lib/transcript. */
#ifndef TS_TRANSCRIPT_DIALECT_H
#define TS_TRANSCRIPT_DIALECT_H

#include "json/scan.h"
#include "transcript/reader.h"

/* Where decoded text of an event lives until the next one: only escaped strings need it. */
enum ts_slot {
  TS_SLOT_SESSION,
  TS_SLOT_AGENT,
  TS_SLOT_ID,
  TS_SLOT_KEY,
  TS_SLOT_NAME,
  TS_SLOT_TURN,
  TS_SLOT_ARGUMENTS,
  TS_SLOT_OTHER,
  TS_SLOTS,
};

/* Turns bytes of a text into lines and columns. */
struct ts_place_finder {
  struct ts_str text;
  bool one_line;
  uint64_t line; /* of text[at] */
  size_t at, line_start;
};

/* Is a file of the format that it was said to be of? */
struct ts_claim {
  bool open;                     /* it was said, and nothing has shown it yet */
  bool records;                  /* there are any */
  bool maybe;                    /* there are some that this format may well have */
  const struct ts_format *other; /* the first format that a record is known to be of */
};

struct ts_reader {
  const struct ts_format *format;
  struct ts_claim claim;
  void *state; /* the dialect's own, format->state_size bytes, zeroed */
  struct ts_json json;
  struct ts_json arguments; /* index of the last arguments that stood in a string */
  size_t arguments_at;      /* where that string begins in r->json.text */
  struct ts_place_finder places;
  uint64_t line, column; /* of the record in hand */
  bool stopped;          /* the callback has had enough */
  ts_event_fn *events;
  void *context;
  struct ts_buf slot[TS_SLOTS], message;
  struct ts_read_stats *stats;
};

/* A whole-file document, or a line that holds a conversation: an object some of whose members are read before
 * (heads) the elements of others (lists). */
#define TS_PARTS 8
struct ts_document_shape {
  struct ts_str parts[TS_PARTS]; /* keys: heads, then lists */
  size_t heads, count;
  const struct ts_json_shape *element;                            /* of a list */
  void (*begin)(struct ts_reader *r);                             /* NULL: nothing to do */
  void (*head)(struct ts_reader *r, size_t i, struct ts_str raw); /* member parts[i] is there */
  void (*take)(struct ts_reader *r);                              /* an element, indexed in r->json */
};

struct ts_format {
  const char *name;
  const struct ts_json_shape *shape; /* of a record */
  size_t state_size;
  void (*record)(struct ts_reader *r); /* the record in r->json, of any kind and shape */
  /* Is the object in r->json surely a top-level record of this format, and no part of one? NULL: any object. */
  bool (*is_record)(const struct ts_reader *r);
  /* Was the record in r->json taken from another file, and told there what is wrong with its text? NULL: no. */
  bool (*is_copy)(const struct ts_reader *r);
  const struct ts_document_shape *document; /* NULL: it has none */
  void (*finish)(struct ts_reader *r);      /* the file is read; NULL: nothing to do */
  void (*free_state)(void *state);          /* NULL: nothing to do */
};

extern const struct ts_format ts_format_claude_code, ts_format_codex, ts_format_dsh, ts_format_codewhale_session,
    ts_format_codewhale_events, ts_format_codewhale_exec, ts_format_openai, ts_format_anthropic, ts_format_gemini,
    ts_format_pi, ts_format_mcp, ts_format_neutral;

/* --- reading the index ---------------------------------------------------------------------------------- */

/* The text of a string, borrowed from the record or decoded into the slot; empty for everything else. */
struct ts_str ts_slot_text(struct ts_reader *r, uint32_t node, enum ts_slot slot);
/* The raw value, empty when absent. */
static inline struct ts_str ts_raw(const struct ts_json *j, uint32_t node) {
  return node ? ts_json_raw(j, node) : ts_str(NULL, 0);
}
static inline bool ts_is_true(const struct ts_json *j, uint32_t node) { return ts_json_is(j, node, TS_JSON_TRUE); }
/* A string that says something. */
bool ts_has_text(const struct ts_json *j, uint32_t node);
/* The arguments of a call, as an object or as a string that holds one. */
void ts_arguments(struct ts_reader *r, uint32_t node, struct ts_event *e);
/* The row of `table` whose word the string says, or -1; ends with an empty row. */
int ts_word(const struct ts_json *j, uint32_t node, const struct ts_str *table);

/* --- telling -------------------------------------------------------------------------------------------- */

/* Fills in the place of the record in hand and hands the event on. */
void ts_emit(struct ts_reader *r, struct ts_event *e);
/* The same for one of several in a record: on a line of its own its column is that of the node. */
void ts_emit_part(struct ts_reader *r, struct ts_event *e, uint32_t node);
/* A message of the conversation. */
void ts_emit_message(struct ts_reader *r, const struct ts_event *like);
/* A finding about a call that is not handed on yet, at its place; the rule's own vector. */
void ts_remark_call(struct ts_reader *r, const struct ts_event *call, enum ts_rule_id rule, const char *format, ...)
    TS_PRINTF(4, 5);
/* A finding at byte `at` of the text in hand; the rule's own vector. */
void ts_remark(struct ts_reader *r, enum ts_rule_id rule, size_t at, const char *format, ...) TS_PRINTF(4, 5);

/* --- the reader's own ----------------------------------------------------------------------------------- */

/* Takes up a text whose first byte is in line `line`. */
void ts_reader_text(struct ts_reader *r, struct ts_str text, uint64_t line, bool one_line);
/* What r->json holds is a record (or, whose findings have been told with the document, an element of its list): its
 * place, its findings, its events. */
void ts_reader_record(struct ts_reader *r);
void ts_reader_element(struct ts_reader *r);
/* The place of what follows: byte `at` of the text. */
void ts_reader_at(struct ts_reader *r, size_t at);
void ts_reader_finding(struct ts_reader *r, const struct ts_event *e);
/* The object in r->json, or (broken) the one that begins at byte `at` of the text and does not end well, by
 * r->format->document. */
void ts_document_object(struct ts_reader *r);
/* A list without an object around it, at byte `start` of the text in hand. */
void ts_document_list(struct ts_reader *r, size_t start);
void ts_document_broken(struct ts_reader *r, size_t at);
/* Does the object there, broken or not, have one of the lists? Overwrites r->json. */
bool ts_document_has_lists(struct ts_reader *r, size_t at);
/* The whole text is one document. */
void ts_document_read(struct ts_reader *r);
/* The line is not one JSON value, and not blank. */
void ts_recover(struct ts_reader *r, const struct ts_line *line, struct ts_input *in);

#endif
