/* What stands between an item's text and the line that a model reads: the rules of both dialects of
 * todo-snapshot as one table, and the one code path that carries them out. */
#ifndef TS_TODO_SANITISE_H
#define TS_TODO_SANITISE_H

#include "base/buf.h"

/* A tag name that no item may write as a tag. */
struct ts_todo_tag {
  struct ts_str name; /* compared in any ASCII case */
  bool colon;         /* only with a colon behind it: a namespace, "<codewhale:…" */
};

/* A dialect: the rules S1 to S9 of the manual, as far as it has them. */
struct ts_todo_dialect {
  const char *name;
  unsigned blank;                /* kinds of characters (todo/text.h) that become one blank each */
  unsigned drop, keep;           /* kinds that are left out, unless they are also of a kind to keep */
  unsigned between;              /* kinds that may stand between any two characters of a guarded tag */
  bool guard_opening;            /* opening tags are guarded as closing ones are */
  bool keep_spelling;            /* a guarded tag keeps its letters; else it is lower-cased */
  bool whole_clusters;           /* cut between grapheme clusters, and no white space before the mark */
  const char *empty;             /* what stands for an item of which nothing is left */
  bool all_active;               /* every item in progress comes first, not just one */
  bool own_percent;              /* counted from the items, below 100 while anything is open */
  bool trim_fork;                /* white space at the end of the body inside fork-state goes */
  const struct ts_todo_tag *tag; /* guarded always */
  size_t tag_count;
};

extern const struct ts_todo_dialect ts_todo_strict, ts_todo_codewhale;

/* Holds the text of one item at a time; reused. */
struct ts_todo_cleaner {
  const struct ts_todo_dialect *dialect;
  const struct ts_todo_tag *tag; /* guarded besides the dialect's own, borrowed */
  size_t tag_count;
  struct ts_buf clean; /* private */
};

/* Appends content (decoded, WTF-8) to *line: clean, guarded, trimmed, and at most max scalars long (max is at
 * least 1), the last of them U+2026 when something is cut off. Time and memory are linear in content. */
void ts_todo_clean(struct ts_todo_cleaner *c, struct ts_str content, size_t max, struct ts_buf *line);
void ts_todo_cleaner_free(struct ts_todo_cleaner *c);

#endif
