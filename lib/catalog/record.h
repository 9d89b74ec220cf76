/* Records of tscatalog(5): their members in order, how other shapes' members map onto them, and how a record is
 * read. The one place that knows the members. */
#ifndef TS_CATALOG_RECORD_H
#define TS_CATALOG_RECORD_H

#include "catalog/load.h"

enum ts_record_kind {
  TS_RECORD_CATALOG,
  TS_RECORD_TOOL,
  TS_RECORD_ALIAS,
  TS_RECORD_PROFILE,
  TS_RECORD_MODE,
  TS_RECORD_STATE,
  TS_RECORDS,
};
/* TS_RECORDS when the word names none. */
enum ts_record_kind ts_record_kind(struct ts_str type);

/* How an object becomes a record. */
struct ts_record_form {
  enum ts_record_kind kind;
  bool foreign;        /* it may use other shapes' keys: inputSchema, parameters … */
  bool served;         /* it is of a served list: only the keys of such lists are read, what means something else
                        * in a record goes into `served` */
  bool typed_function; /* served: its `type` said only that it is a tool */
  struct ts_str name;  /* raw, for an object that has none */
  struct ts_str state; /* instead of the state it has; empty: its own */
  struct ts_str outer; /* members to begin `served` with, raw, joined by commas */
};

/* Appends the record that the object at node makes, in normal form: members in order, unknown ones behind them in
 * the order read, no blanks. Doubled keys must have been refused. */
void ts_record_write(const struct ts_json *j, uint32_t node, const struct ts_record_form *form, struct ts_buf *out);
/* Makes the record and puts it into the catalog. */
int ts_record_take(struct ts_loader *l, uint32_t node, const struct ts_record_form *form);

#endif
