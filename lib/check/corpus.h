/* Saved calls as the measure of a change: how many of them stop replaying. */
#ifndef TS_CHECK_CORPUS_H
#define TS_CHECK_CORPUS_H

#include "catalog/catalog.h"
#include "transcript/saved.h"

/* {0} is empty: no name has a call. */
struct ts_corpus {
  struct ts_saved saved;
  /* private */
  struct ts_corpus_name *name;
  size_t name_count, name_cap;
  struct ts_map by_name;
};

/* Reads all transcripts below a directory (or one file), as tsreplay walks it, and tries their calls on both catalogs,
 * which are finished and borrowed until ts_corpus_free. -1: a file could not be read, or there is not one transcript.
 */
int ts_corpus_load(struct ts_corpus *c, const char *path, const struct ts_catalog *before,
                   const struct ts_catalog *after, struct ts_buf *err);
/* Of a finding that concerns replay as more than a note: sets its counts, and its message to *message with "(3 of 1,204
 * saved calls of 'read_file')" behind it. Other findings stay as they are. */
void ts_corpus_weigh(const struct ts_corpus *c, struct ts_finding *f, struct ts_buf *message);
/* "1,204 saved calls in 17 files", appended. */
void ts_corpus_summary(const struct ts_corpus *c, struct ts_buf *out);
void ts_corpus_free(struct ts_corpus *c);

#endif
