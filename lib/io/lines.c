#include "io/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "io/unpack.h"

enum { BLOCK = 256 * 1024 };

/* What was read and not yet handed out is buf[begin..end). */
struct ts_input {
  struct ts_unpack *source;
  char *buf;
  size_t cap, begin, end;
  bool started; /* the byte order mark has been looked for */
  bool ended;   /* nothing more comes: the end, or `failure` */
  struct ts_buf failure;
  uint64_t lines;  /* handed out */
  uint64_t offset; /* of buf[begin] */
};

static struct ts_input *make(struct ts_unpack *source) {
  struct ts_input *in = ts_xcalloc(1, sizeof *in);
  in->source = source;
  return in;
}

struct ts_input *ts_input_open(const char *path, struct ts_buf *err) {
  bool is_stdin = strcmp(path, "-") == 0;
  const char *name = is_stdin ? "standard input" : path;
  int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  struct stat st;
  int why = fd < 0 || fstat(fd, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
  if (why == 0) return make(ts_unpack_open(fd, name));
  if (fd > STDIN_FILENO) (void)close(fd);
  (void)ts_fail(err, "%s: cannot open: %s", name, strerror(why));
  return NULL;
}

struct ts_input *ts_input_memory(struct ts_str bytes) {
  return make(ts_unpack_memory(bytes));
}

void ts_input_close(struct ts_input *in) {
  if (!in) return;
  ts_unpack_close(in->source);
  ts_buf_free(&in->failure);
  free(in->buf);
  free(in);
}

/* Reads behind `at` bytes of the buffer: what came, 0 when nothing more will. */
static size_t read_at(struct ts_input *in, size_t at) {
  if (in->ended) return 0;
  ts_xgrow(&in->buf, &in->cap, at + BLOCK, 1);
  ssize_t n = ts_unpack_read(in->source, in->buf + at, BLOCK, &in->failure);
  if (n > 0) return (size_t)n;
  in->ended = true;
  return 0;
}

/* False: nothing more comes. What is there moves to the front only when there is no room behind it. */
static bool fill(struct ts_input *in) {
  if (in->begin > 0 && in->cap - in->end < BLOCK) {
    memmove(in->buf, in->buf + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
  }
  size_t n = read_at(in, in->end);
  in->end += n;
  return n > 0;
}

static void skip(struct ts_input *in, size_t bytes) {
  in->begin += bytes;
  in->offset += bytes;
}

static void start(struct ts_input *in) {
  const struct ts_str bom = TS_STR("\xef\xbb\xbf");
  if (in->started) return;
  in->started = true;
  while (in->end < bom.len && fill(in)) continue;
  if (ts_str_starts(ts_str(in->buf, in->end), bom)) skip(in, bom.len);
}

/* 0 at the end, -1 when it came too early. */
static int finish(const struct ts_input *in, struct ts_buf *err) {
  return in->failure.len > 0 ? ts_fail(err, "%s", ts_buf_z(&in->failure)) : 0;
}

/* Keeps the first `max` bytes of the line at begin and reads over the rest of it. */
static void take_beginning(struct ts_input *in, size_t max, struct ts_line *line) {
  size_t from = in->begin, keep = from + max, at = keep, end = in->end;
  const char *lf;
  while (!(lf = memchr(in->buf + at, '\n', end - at))) {
    in->offset += end - at;
    size_t n = read_at(in, at = keep);
    end = keep + n;
    if (n == 0) break;
  }
  size_t after = lf ? (size_t)(lf - in->buf) + 1 : end;
  line->text = ts_str(in->buf + from, max);
  line->too_long = true;
  line->ended = lf != NULL;
  in->offset += max + (after - at);
  in->begin = after;
  in->end = end;
}

static void take(struct ts_input *in, size_t len, bool ended, uint64_t max, struct ts_line *line) {
  struct ts_str text = ts_str(in->buf + in->begin, len);
  if (ended && len > 0 && text.ptr[len - 1] == '\r') text.len--;
  line->too_long = text.len > max;
  line->text = ts_str_sub(text, 0, line->too_long ? (size_t)max : text.len);
  line->ended = ended;
  skip(in, len + (ended ? 1 : 0));
}

int ts_input_line(struct ts_input *in, uint64_t max_line, struct ts_line *line, struct ts_buf *err) {
  size_t searched = 0, have;
  const char *lf = NULL;
  start(in);
  for (;;) {
    have = in->end - in->begin;
    if (have > searched) lf = memchr(in->buf + in->begin + searched, '\n', have - searched);
    searched = have;
    if (lf || have > max_line + 1 || !fill(in)) break; /* + 1: a CR is no part of the line */
  }
  if (have == 0) return finish(in, err);
  line->number = ++in->lines;
  line->offset = in->offset;
  if (!lf && have > max_line + 1)
    take_beginning(in, (size_t)max_line, line);
  else
    take(in, lf ? (size_t)(lf - in->buf) - in->begin : have, lf != NULL, max_line, line);
  return 1;
}

void ts_input_waits(struct ts_input *in, bool (*wait)(void *context, int fd), void *context) {
  ts_unpack_waits(in->source, wait, context);
}

int ts_input_peek(struct ts_input *in, size_t want, struct ts_str *bytes, struct ts_buf *err) {
  start(in);
  while (in->end - in->begin < want && fill(in)) continue;
  *bytes = ts_str(in->buf + in->begin, in->end - in->begin);
  return bytes->len > 0 ? 0 : finish(in, err);
}

static int too_long(const struct ts_input *in, uint64_t max, struct ts_buf *err) {
  return ts_fail(err, "%s: longer than %llu bytes", ts_unpack_name(in->source), (unsigned long long)max);
}

int ts_input_all(struct ts_input *in, uint64_t max, struct ts_buf *out, struct ts_buf *err) {
  start(in);
  uint64_t total = 0;
  do {
    struct ts_str bytes = ts_str(in->buf + in->begin, in->end - in->begin);
    total += bytes.len;
    if (total > max) return too_long(in, max, err);
    ts_buf_add(out, bytes);
    skip(in, bytes.len);
  } while (fill(in));
  return finish(in, err);
}

uint64_t ts_input_bytes(const struct ts_input *in) { return in->offset; }
uint64_t ts_input_consumed(const struct ts_input *in) { return ts_unpack_consumed(in->source); }
