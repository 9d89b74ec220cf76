/* The distinct calls of transcripts, so that they can be held against one catalog after another while the files are
 * read once. Memory: that of the distinct names and arguments. */
#ifndef TS_TRANSCRIPT_SAVED_H
#define TS_TRANSCRIPT_SAVED_H

#include "base/arena.h"
#include "base/map.h"
#include "transcript/files.h"
#include "transcript/reader.h"

struct ts_saved_call {
  struct ts_event call; /* name and arguments, and how these were written; text is owned by the ts_saved */
  uint64_t count;       /* how often it was made */
  struct ts_place first;
};

/* {0} is empty. */
struct ts_saved {
  struct ts_saved_call *call; /* in the order of their first places */
  size_t count, cap;
  uint64_t files, calls, skipped; /* skipped: found in a directory, and of no known format */
  uint64_t faults;                /* what readers remarked, warnings and worse */
  /* private */
  struct ts_map by_key;
  struct ts_arena arena;
};

/* How they are read; all borrowed. */
struct ts_saved_reading {
  const struct ts_files *files;
  struct ts_read_options read;
  unsigned threads;
  struct ts_notes remark, failure; /* on the caller's thread: files that are passed over; that could not be read */
  void (*progress)(void *context, uint64_t more); /* bytes of files that are done; NULL: nobody looks */
  void *context;
};

/* The same for any number of threads. -1: a file could not be read, and `failure` was told; the others are there. */
int ts_saved_read(struct ts_saved *s, const struct ts_saved_reading *reading);
void ts_saved_free(struct ts_saved *s);

#endif
