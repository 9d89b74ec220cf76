#include "io/unpack.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/diag.h"
#include "base/xalloc.h"

enum { BLOCK = 256 * 1024, MAGIC_MAX = 4 };

/* How one kind of compression is undone. `read` is ts_unpack_read without the look at the first bytes. */
struct codec {
  const char *name;
  struct ts_str magic;
  void (*open)(struct ts_unpack *u);
  ssize_t (*read)(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err);
  void (*close)(struct ts_unpack *u);
};

struct ts_unpack {
  int fd; /* -1: memory */
  struct ts_str memory;
  char *name;
  const struct codec *codec; /* NULL: nothing was read yet */
  char *block;               /* compressed: read, not yet decoded is block[begin..end) */
  size_t begin, end;
  uint64_t consumed;
  bool (*wait)(void *context, int fd);
  void *wait_context;
  ZSTD_DStream *zstd;
  size_t zstd_wants; /* bytes that finish the next block of the frame; 0: between two frames */
  z_stream gzip;
  bool inside; /* a frame or member has begun and has not ended */
  bool full;   /* the last decoded piece filled its room: more may be waiting in the decoder */
};

static ssize_t read_memory(struct ts_unpack *u, char *to, size_t room) {
  size_t n = room < u->memory.len ? room : u->memory.len;
  if (n > 0) memcpy(to, u->memory.ptr, n);
  u->memory = ts_str_sub(u->memory, n, SIZE_MAX);
  return (ssize_t)n;
}

/* A descriptor may be non-blocking when another program shares it. */
static bool wait_for(int fd) {
  struct pollfd p = { .fd = fd, .events = POLLIN };
  return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

static ssize_t read_raw(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  ssize_t n;
  if (u->fd < 0) {
    n = read_memory(u, to, room);
  } else if (u->wait && !u->wait(u->wait_context, u->fd)) {
    n = 0;
  } else {
    do n = read(u->fd, to, room);
    while (n < 0 && (errno == EINTR || ((errno == EAGAIN || errno == EWOULDBLOCK) && wait_for(u->fd))));
  }
  if (n < 0) return ts_fail(err, "%s: cannot read: %s", u->name, strerror(errno));
  u->consumed += (uint64_t)n;
  return n;
}

/* More bytes for the decoder: 1, 0 at the end, -1. */
static int refill(struct ts_unpack *u, struct ts_buf *err) {
  if (u->begin < u->end) return 1;
  u->begin = u->end = 0;
  ssize_t n = read_raw(u, u->block, BLOCK, err);
  if (n > 0) u->end = (size_t)n;
  return n > 0 ? 1 : (int)n;
}

static ssize_t cut_off(const struct ts_unpack *u, struct ts_buf *err) {
  return ts_fail(err, "%s: the %s data is cut off: what comes before the cut was read", u->name, u->codec->name);
}

static ssize_t damaged(const struct ts_unpack *u, const char *why, struct ts_buf *err) {
  return ts_fail(err, "%s: the %s data is damaged (%s): what comes before the damage was read", u->name, u->codec->name,
                 why ? why : "unknown error");
}

/* --- plain ---------------------------------------------------------------------------------------------- */

static void plain_open(struct ts_unpack *u) { (void)u; }
static void plain_close(struct ts_unpack *u) { (void)u; }

/* Reads to where it is wanted: what is not compressed never lies in the block. */
static ssize_t plain_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  return read_raw(u, to, room, err);
}

/* --- zstd ----------------------------------------------------------------------------------------------- */

static void zstd_open(struct ts_unpack *u) {
  u->zstd = ZSTD_createDStream();
  if (!u->zstd) ts_out_of_memory();
  u->zstd_wants = ZSTD_initDStream(u->zstd);
}

static void zstd_close(struct ts_unpack *u) { (void)ZSTD_freeDStream(u->zstd); }

/* The decoder is fed no more than it asks for, one block of a frame: given more it would lose the good blocks
 * before a damaged one. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the decoder writes there */
static ssize_t zstd_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  ZSTD_outBuffer out = { to, room, 0 };
  while (out.pos == 0) {
    int more = u->full ? 1 : refill(u, err);
    if (more < 0) return -1;
    if (more == 0) return u->inside ? cut_off(u, err) : 0;
    size_t have = u->end - u->begin, take = have < u->zstd_wants ? have : u->zstd_wants;
    ZSTD_inBuffer in = { u->block + u->begin, take, 0 };
    size_t wants = ZSTD_decompressStream(u->zstd, &out, &in);
    if (ZSTD_isError(wants)) return damaged(u, ZSTD_getErrorName(wants), err);
    u->begin += in.pos;
    u->inside = wants != 0;
    u->zstd_wants = wants ? wants : ZSTD_initDStream(u->zstd);
    u->full = out.pos == room && u->inside;
  }
  return (ssize_t)out.pos;
}

/* --- gzip ----------------------------------------------------------------------------------------------- */

static void gzip_open(struct ts_unpack *u) {
  enum { GZIP_ONLY = 16 };
  if (inflateInit2(&u->gzip, GZIP_ONLY + MAX_WBITS) != Z_OK) ts_out_of_memory();
}

static void gzip_close(struct ts_unpack *u) { (void)inflateEnd(&u->gzip); }

/* Between two members: NULs, as tapes are padded with, are skipped like gzip(1) does. */
static int gzip_next_member(struct ts_unpack *u, struct ts_buf *err) {
  int more;
  while ((more = refill(u, err)) > 0 && u->block[u->begin] == '\0') u->begin++;
  if (more > 0) u->inside = true;
  return more;
}

static ssize_t gzip_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  size_t done = 0;
  while (done == 0) {
    int more = u->full ? 1 : u->inside ? refill(u, err) : gzip_next_member(u, err);
    if (more < 0) return -1;
    if (more == 0) return u->inside ? cut_off(u, err) : 0;
    uInt out = room < BLOCK ? (uInt)room : BLOCK;
    u->gzip.next_in = (unsigned char *)u->block + u->begin;
    u->gzip.avail_in = (uInt)(u->end - u->begin);
    u->gzip.next_out = (unsigned char *)to;
    u->gzip.avail_out = out;
    int status = inflate(&u->gzip, Z_NO_FLUSH);
    u->begin = u->end - u->gzip.avail_in;
    done = out - u->gzip.avail_out;
    u->full = u->gzip.avail_out == 0 && status == Z_OK;
    if (status == Z_STREAM_END) {
      u->inside = false;
      if (inflateReset(&u->gzip) != Z_OK) return damaged(u, "the decoder cannot start again", err);
    } else if (status != Z_OK && status != Z_BUF_ERROR && done == 0) {
      return damaged(u, u->gzip.msg, err); /* with bytes in hand these go first: inflate fails again */
    }
  }
  return (ssize_t)done;
}

/* --- the table ------------------------------------------------------------------------------------------ */

static const struct codec codecs[] = {
  { "zstd", { "\x28\xb5\x2f\xfd", 4 }, zstd_open, zstd_read, zstd_close },
  { "gzip", { "\x1f\x8b", 2 }, gzip_open, gzip_read, gzip_close },
  { "plain", { "", 0 }, plain_open, plain_read, plain_close }, /* last: begins everything */
};

/* The first read goes to where plain bytes are wanted; only what has to be decoded moves to the block. Pipes may hand
 * over one byte at a time. */
static ssize_t first_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  size_t have = 0;
  ssize_t n = 1;
  while (n > 0 && have < MAGIC_MAX && have < room) {
    n = read_raw(u, to + have, room - have, err);
    if (n > 0) have += (size_t)n;
  }
  if (have == 0) return n;
  const struct codec *c = codecs;
  while (!ts_str_starts(ts_str(to, have), c->magic)) c++;
  u->codec = c;
  c->open(u);
  if (c->read == plain_read) return (ssize_t)have;
  u->block = ts_xmalloc(have > BLOCK ? have : BLOCK);
  memcpy(u->block, to, have);
  u->end = have;
  return c->read(u, to, room, err);
}

static struct ts_unpack *make(int fd, struct ts_str memory, const char *name) {
  struct ts_unpack *u = ts_xcalloc(1, sizeof *u);
  u->fd = fd;
  u->memory = memory;
  u->name = ts_xstrdup(name);
  return u;
}

struct ts_unpack *ts_unpack_open(int fd, const char *name) {
  return make(fd, ts_str(NULL, 0), name);
}
struct ts_unpack *ts_unpack_memory(struct ts_str bytes) {
  return make(-1, bytes, "memory");
}

void ts_unpack_close(struct ts_unpack *u) {
  if (!u) return;
  if (u->codec) u->codec->close(u);
  if (u->fd > STDIN_FILENO) (void)close(u->fd); /* read only: nothing can be lost */
  free(u->block);
  free(u->name);
  free(u);
}

void ts_unpack_waits(struct ts_unpack *u, bool (*wait)(void *context, int fd), void *context) {
  u->wait = wait;
  u->wait_context = context;
}

ssize_t ts_unpack_read(struct ts_unpack *u, char *to, size_t room, struct ts_buf *err) {
  return u->codec ? u->codec->read(u, to, room, err) : first_read(u, to, room, err);
}

uint64_t ts_unpack_consumed(const struct ts_unpack *u) { return u->consumed; }

const char *ts_unpack_name(const struct ts_unpack *u) { return u->name; }
