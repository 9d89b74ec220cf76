#include "transcript/files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "io/lines.h"

#define LIST_MAX (1ull << 30) /* bytes of a list of names */

static void add(struct ts_files *f, const char *path, bool is_named, const struct stat *st) {
  bool is_file = st && S_ISREG(st->st_mode);
  ts_xgrow(&f->item, &f->cap, f->count + 1, sizeof *f->item);
  f->item[f->count++] = (struct ts_file){ .path = ts_xstrdup(path),
                                          .is_named = is_named,
                                          .is_odd = !is_named && !is_file,
                                          .size = is_file ? (uint64_t)st->st_size : 0 };
}

/* Does the name of a file say that it may be a transcript? */
static bool is_transcript_name(struct ts_str name) {
  static const char *const packed[] = { ".zst", ".zstd", ".gz" };
  for (size_t i = 0; i < TS_COUNT(packed); i++) {
    if (!ts_str_ends(name, ts_str_z(packed[i]))) continue;
    name.len -= strlen(packed[i]);
    break;
  }
  return ts_str_ends(name, TS_STR(".json")) || ts_str_ends(name, TS_STR(".jsonl"));
}

/* What may be a transcript by its name. A link to a directory is not followed, and one that leads nowhere passed over.
 */
static void visit(struct ts_files *f, const FTSENT *entry, const struct ts_notes *failed) {
  struct stat target;
  switch (entry->fts_info) {
    case FTS_F:
    case FTS_DEFAULT: /* a FIFO, a socket, a device */
      if (is_transcript_name(ts_str_z(entry->fts_name))) add(f, entry->fts_path, false, entry->fts_statp);
      break;
    case FTS_SL:
      if (is_transcript_name(ts_str_z(entry->fts_name)) && stat(entry->fts_path, &target) == 0 &&
          !S_ISDIR(target.st_mode))
        add(f, entry->fts_path, false, &target);
      break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
      ts_note(failed, "%s: cannot read: %s", entry->fts_path, strerror(entry->fts_errno));
      break;
    default:
      break;
  }
}

static void walk(struct ts_files *f, const char *folder, const struct ts_notes *failed) {
  char *const roots[] = { ts_xstrdup(folder), NULL };
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
  if (!tree) {
    ts_note(failed, "%s: cannot read: %s", folder, strerror(errno));
  } else {
    errno = 0;
    for (const FTSENT *entry; (entry = fts_read(tree)) != NULL; errno = 0) visit(f, entry, failed);
    if (errno != 0) ts_note(failed, "%s: cannot read: %s", folder, strerror(errno));
    (void)fts_close(tree);
  }
  free(roots[0]);
}

void ts_files_add(struct ts_files *f, const char *operand, const struct ts_notes *failed) {
  struct stat st;
  bool is_input = strcmp(operand, "-") == 0;
  bool is_there = !is_input && stat(operand, &st) == 0;
  if (is_there && S_ISDIR(st.st_mode))
    walk(f, operand, failed);
  else
    add(f, operand, true, is_there ? &st : NULL);
}

int ts_files_add_list(struct ts_files *f, const char *path, const struct ts_notes *failed, struct ts_buf *err) {
  struct ts_buf names = { 0 };
  struct ts_input *in = ts_input_open(path, err);
  if (!in) return -1;
  int status = ts_input_all(in, LIST_MAX, &names, err);
  ts_input_close(in);
  size_t number = 1;
  for (size_t at = 0; status == 0 && at < names.len; number++) {
    const char *name = names.ptr + at; /* the last one may lack its NUL; the buffer has one */
    size_t len = strnlen(name, names.len - at);
    if (len == 0)
      status = ts_fail(err, "%s: name %zu is empty", path, number);
    else
      ts_files_add(f, name, failed);
    at += len + 1;
  }
  ts_buf_free(&names);
  return status;
}

static int path_order(const void *a, const void *b) {
  return ts_str_cmp(ts_str_z(((const struct ts_file *)a)->path), ts_str_z(((const struct ts_file *)b)->path));
}

int ts_files_gather(struct ts_files *f, int operands, char **operand, const char *names_from,
                    const struct ts_notes *failed, struct ts_buf *err) {
  if (operands == 0 && !names_from) ts_files_add(f, "-", failed);
  if (names_from && ts_files_add_list(f, names_from, failed, err) < 0) return -1;
  for (int i = 0; i < operands; i++) ts_files_add(f, operand[i], failed);
  if (f->count > 0) qsort(f->item, f->count, sizeof *f->item, path_order);
  return 0;
}

struct ts_input *ts_file_open(const struct ts_file *file, bool *skipped, struct ts_buf *err) {
  *skipped = file->is_odd;
  if (!file->is_odd) return ts_input_open(file->path, err);
  (void)ts_fail(err, "%s: not a regular file", file->path);
  return NULL;
}

uint64_t ts_files_size(const struct ts_files *f) {
  uint64_t size = 0;
  for (size_t i = 0; i < f->count; i++) size += f->item[i].size;
  return size;
}

void ts_files_free(struct ts_files *f) {
  for (size_t i = 0; i < f->count; i++) free(f->item[i].path);
  free(f->item);
  *f = (struct ts_files){ 0 };
}
