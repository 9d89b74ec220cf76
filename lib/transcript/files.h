/* Which files are to be read: operands, lists of names and what is below directories, in bytewise order of their
 * names, so that the order in which they were given, or a directory lists them, does not matter. */
#ifndef TS_TRANSCRIPT_FILES_H
#define TS_TRANSCRIPT_FILES_H

#include "base/buf.h"
#include "base/diag.h"

struct ts_input;

struct ts_file {
  char *path;    /* owned */
  bool is_named; /* by the user; false: found in a directory */
  bool is_odd;   /* found there, and neither a file nor a link to one: not to be opened, for that may take for ever */
  uint64_t size; /* bytes, 0 when unknown: for progress */
};

/* {0} is empty. */
struct ts_files {
  struct ts_file *item;
  size_t count, cap;
};

/* Adds what an operand names: a file ("-": standard input), or all *.json and *.jsonl (also .zst, .zstd, .gz) below
 * a directory. Links are followed when they are named or lead to a file; one that leads nowhere is none. What is not
 * there is found out when it is opened; a directory that cannot be read is told to `failed`, and the rest is added. */
void ts_files_add(struct ts_files *f, const char *operand, const struct ts_notes *failed);
/* The same for each name of a list in which a NUL ends each name; path "-" is standard input. -1: it cannot be read,
 * or a name in it is empty. */
int ts_files_add_list(struct ts_files *f, const char *path, const struct ts_notes *failed, struct ts_buf *err);
/* All of that for a program: its operands, and the list that names_from (NULL: none) names; neither is standard
 * input. Sorted. */
int ts_files_gather(struct ts_files *f, int operands, char **operand, const char *names_from,
                    const struct ts_notes *failed, struct ts_buf *err);
/* Opens it for reading. NULL: *err says why; *skipped: it was found in a directory, and is none to read. */
struct ts_input *ts_file_open(const struct ts_file *file, bool *skipped, struct ts_buf *err);
/* Bytes of all, as far as known. */
uint64_t ts_files_size(const struct ts_files *f);
void ts_files_free(struct ts_files *f);

#endif
