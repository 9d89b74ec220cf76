/* What -c SOURCE means: a file, "-", builtin:NAME, or REV:PATH (a file of that very name wins). */
#ifndef TS_CLI_SOURCE_H
#define TS_CLI_SOURCE_H

#include "catalog/catalog.h"

/* How tscat and tsreplay read a revision; the other programs pass NULL and REV:PATH is refused with a hint.
 * 0 with the bytes appended to *text; -1 with a sentence. */
typedef int ts_revision_fn(void *context, struct ts_str revision, struct ts_str path, struct ts_buf *text,
                           struct ts_buf *err);

struct ts_sources {
  const char **name; /* as given with -c, in order; the array is owned, the names are borrowed */
  size_t count, cap;
  ts_revision_fn *revision;
  void *revision_context;
};

#define TS_SOURCE_MAX (256ull << 20) /* bytes of one catalog after decompression: as long as a transcript's line */

enum ts_default_source { TS_SOURCE_NONE, TS_SOURCE_CODEWHALE }; /* what stands in when nothing is found */

/* Loads and finishes the catalog. Without -c: $TSCATALOG, else ./tscatalog.jsonl, else the fallback. 1: loaded;
 * 0: there is none (TS_SOURCE_NONE); -1: *err says what is wrong. The caller frees *c in every case. */
int ts_sources_load(const struct ts_sources *s, enum ts_default_source fallback, struct ts_catalog *c,
                    struct ts_buf *err);
/* The bytes of one source, appended to *text. */
int ts_source_read(const struct ts_sources *s, const char *name, struct ts_buf *text, struct ts_buf *err);
/* Is name REV:PATH, and no file? Then where the two parts are; borrowed. */
bool ts_source_is_revision(const char *name, struct ts_str *revision, struct ts_str *path);
void ts_sources_add(struct ts_sources *s, const char *name);
void ts_sources_free(struct ts_sources *s);

#endif
