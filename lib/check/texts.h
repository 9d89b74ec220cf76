/* Every text of a tool that a model is shown: its name and description, its titles, and all of its input schema. */
#ifndef TS_CHECK_TEXTS_H
#define TS_CHECK_TEXTS_H

#include "catalog/catalog.h"

enum ts_text_kind {
  TS_TEXT_NAME,  /* of the tool, or of a parameter or definition in its schema */
  TS_TEXT_PROSE, /* a description, or a title in the schema */
  TS_TEXT_TITLE, /* what lists call the tool: for people first */
  TS_TEXT_DATA,  /* a value that a call may have (enum, const, default, examples), and whatever else is in a schema */
};

struct ts_text {
  enum ts_text_kind kind;
  struct ts_str text; /* decoded */
  bool is_key;        /* the key of a member, not its value */
  /* private: where it is */
  const char *member;
  const struct ts_text_spot *spot;
  const struct ts_json *json;
  uint32_t node;
};

/* Each text in the order of the record, borrowed for the call. Of what the schema says twice, the names in `required`,
 * there is only the first; regular expressions (`pattern`) name characters, and are left out. */
typedef void ts_text_fn(void *context, const struct ts_tool *t, const struct ts_text *text);
void ts_each_text(const struct ts_tool *t, ts_text_fn *fn, void *context);
/* The JSON pointer of a text into the record, appended; only while ts_each_text hands it out. */
void ts_text_pointer(const struct ts_text *text, struct ts_buf *out);

#endif
