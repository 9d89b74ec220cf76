/* The strict scanner: a table of texts, each also at every alignment and block edge, in every engine, and against a
 * recogniser that is too simple to be wrong in the same way. Texts end where memory does, so that an engine that reads
 * behind them crashes. */
#include "json/engine.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "tap.h"
#include "test_json_texts.h"

/* Text that ends at the end of readable memory. */

static struct {
  char *memory;
  size_t size;
} fence;

static void build_fence(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  fence.size = (size / page + 1) * page;
  fence.memory = mmap(NULL, fence.size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fence.memory == MAP_FAILED || mprotect(fence.memory + fence.size, page, PROT_NONE) != 0) ts_out_of_memory();
}

static struct ts_str at_fence(struct ts_str text) {
  char *at = fence.memory + fence.size - text.len;
  if (text.len) memcpy(at, text.ptr, text.len);
  return ts_str(at, text.len);
}

/* A recogniser by recursive descent, one byte at a time. */

enum naive { NAIVE_GOOD, NAIVE_BAD, NAIVE_CUT };
struct naive_text {
  const unsigned char *p, *end;
  enum naive verdict;
};

/* The next byte, -1 at the end or when all is lost. */
static int peek(struct naive_text *t) { return t->verdict == NAIVE_GOOD && t->p < t->end ? *t->p : -1; }

static bool fails(struct naive_text *t) {
  if (t->verdict == NAIVE_GOOD) t->verdict = t->p < t->end ? NAIVE_BAD : NAIVE_CUT;
  return false;
}

static bool takes(struct naive_text *t, const char *any) {
  int c = peek(t);
  if (c <= 0 || !strchr(any, c)) return false;
  t->p++;
  return true;
}

static bool must(struct naive_text *t, const char *any) { return takes(t, any) || fails(t); }

static void naive_blank(struct naive_text *t) {
  while (takes(t, " \t\r\n")) continue;
}

static void naive_string(struct naive_text *t) {
  while (peek(t) >= 0x20 && peek(t) != '"') {
    if (*t->p++ != '\\') continue;
    if (takes(t, "u"))
      for (int i = 0; i < 4; i++) (void)must(t, "0123456789abcdefABCDEF");
    else
      (void)must(t, "\"\\/bfnrt");
  }
  (void)must(t, "\"");
}

static void naive_digits(struct naive_text *t) {
  (void)must(t, "0123456789");
  while (takes(t, "0123456789")) continue;
}

static void naive_number(struct naive_text *t) {
  (void)takes(t, "-");
  if (takes(t, "0")) {
    int c = peek(t);
    if (c >= '0' && c <= '9') (void)fails(t);
  } else {
    naive_digits(t);
  }
  if (takes(t, ".")) naive_digits(t);
  if (takes(t, "eE")) {
    (void)takes(t, "+-");
    naive_digits(t);
  }
}

static void naive_value(struct naive_text *t) {
  naive_blank(t);
  if (takes(t, "\"")) {
    naive_string(t);
  } else if (takes(t, "t")) {
    (void)(must(t, "r") && must(t, "u") && must(t, "e"));
  } else if (takes(t, "f")) {
    (void)(must(t, "a") && must(t, "l") && must(t, "s") && must(t, "e"));
  } else if (takes(t, "n")) {
    (void)(must(t, "u") && must(t, "l") && must(t, "l"));
  } else if (takes(t, "[")) {
    naive_blank(t);
    if (!takes(t, "]")) do
        naive_value(t);
      while (naive_blank(t), takes(t, ",") || (must(t, "]") && false));
  } else if (takes(t, "{")) {
    naive_blank(t);
    if (!takes(t, "}")) do {
        naive_blank(t);
        if (must(t, "\"")) naive_string(t);
        naive_blank(t);
        if (must(t, ":")) naive_value(t);
      } while (naive_blank(t), takes(t, ",") || (must(t, "}") && false));
  } else {
    naive_number(t);
  }
}

static enum naive naive_scan(struct ts_str text) {
  struct naive_text t = { (const unsigned char *)text.ptr, (const unsigned char *)text.ptr + text.len, NAIVE_GOOD };
  naive_value(&t);
  naive_blank(&t);
  if (t.verdict == NAIVE_GOOD && t.p < t.end) t.verdict = NAIVE_BAD;
  return t.verdict;
}

/* Offset of the first byte that is not UTF-8, from the definition: the shortest form, no surrogates, at most 10FFFF. */
static size_t naive_utf8(const unsigned char *s, size_t len) {
  size_t at = 0;
  while (at < len) {
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = s[at] < 0x80 ? 1 : s[at] < 0xc0 ? 9 : s[at] < 0xe0 ? 2 : s[at] < 0xf0 ? 3 : s[at] < 0xf8 ? 4 : 9;
    if (n > len - at) return at;
    uint32_t c = n == 1 ? s[at] : s[at] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
      if (s[at + i] >> 6 != 2) return at;
      c = c << 6 | (s[at + i] & 0x3fu);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return at;
    at += n;
  }
  return len;
}

/* Comparing */

/* One scanner per engine, so that each also carries on from whatever it read before. */
static struct ts_json scanner[4];
static size_t engines;

static bool same_answer(const struct ts_json *a, const struct ts_json *b) {
  if (!a->reason != !b->reason || a->cut != b->cut || a->depth != b->depth) return false;
  if (a->reason) return a->at == b->at && strcmp(a->reason, b->reason) == 0;
  if (a->end != b->end || a->issues != b->issues || a->count != b->count) return false;
  for (unsigned i = 0; i < TS_JSON_ISSUES; i++)
    if (a->issues >> i & 1 && a->issue_at[i] != b->issue_at[i]) return false;
  return memcmp(a->node, b->node, a->count * sizeof *a->node) == 0;
}

/* Scans with every engine; false when they do not agree with each other or with the naive one. */
static bool scan_all(struct ts_str text) {
  const struct ts_json_engine_row *row = ts_json_engines();
  enum naive naive = naive_scan(text);
  text = at_fence(text);
  engines = 0;
  for (; row->name; row++, engines++) {
    struct ts_json *j = &scanner[engines];
    int got = ts_json_scan_by(row->run, j, text, 0, true, NULL);
    if ((got < 0) != (j->reason != NULL) || (got == 0) != (naive == NAIVE_GOOD)) return false;
    if (j->cut != (naive == NAIVE_CUT)) return false;
    if (engines && !same_answer(&scanner[0], j)) return false;
  }
  return true;
}

static bool is_as_told(const struct json_text *row, size_t shift) {
  const struct ts_json *j = &scanner[0];
  if (row->verdict == IS_GOOD) return !j->reason && j->issues == 0 && j->end == j->text.len;
  if (row->verdict == IS_ODD)
    return !j->reason && j->issues == 1u << row->issue && j->issue_at[row->issue] == row->at + shift;
  return j->reason && j->at == row->at + shift && j->cut == (row->verdict == IS_CUT) &&
         strcmp(j->reason, row->reason) == 0;
}

static void show(const char *how, struct ts_str text) {
  tap_show(how, text);
  for (size_t i = 0; i < engines; i++)
    printf("#   %s: %s at %zu, cut %d, issues %x\n", ts_json_engines()[i].name,
           scanner[i].reason ? scanner[i].reason : "accepted", scanner[i].at, scanner[i].cut, scanner[i].issues);
}

#define PADS 131

/* `before`, pad times `fill`, `after`, all engines alike. */
static struct ts_str padded(struct ts_buf *b, struct ts_str before, char fill, size_t pad, struct ts_str after) {
  ts_buf_set(b, before);
  for (size_t i = 0; i < pad; i++) ts_buf_addc(b, fill);
  ts_buf_add(b, after);
  return ts_buf_str(b);
}

/* The row by itself, behind blanks, inside a longer string, and as an element. */
static bool row_holds(const struct json_text *row, struct ts_buf *b) {
  bool string = row->text.len > 0 && row->text.ptr[0] == '"' && row->verdict != IS_GOOD;
  for (size_t pad = 0; pad < PADS; pad++) {
    struct ts_str text = padded(b, TS_STR(""), ' ', pad, row->text);
    if (!scan_all(text) || !is_as_told(row, pad)) return show("behind blanks", text), false;
    text = padded(b, TS_STR("["), '1', pad, row->text);
    if (!scan_all(text)) return show("behind digits", text), false;
    text = padded(b, TS_STR("[\""), 'x', pad, TS_STR("\","));
    ts_buf_add(b, row->text);
    ts_buf_addz(b, "]");
    if (!scan_all(ts_buf_str(b))) return show("as an element", ts_buf_str(b)), false;
    if (row->text.len == 0 || row->text.ptr[0] != '"') continue;
    text = padded(b, TS_STR("\""), 'x', pad, ts_str_sub(row->text, 1, row->text.len));
    if (!scan_all(text) || (string && !is_as_told(row, pad))) return show("in a longer string", text), false;
    text = padded(b, TS_STR("\"\\"), '\\', pad * 2 + 1, ts_str_sub(row->text, 1, row->text.len));
    if (!scan_all(text) || (string && !is_as_told(row, pad * 2 + 2))) return show("behind backslashes", text), false;
  }
  return true;
}

static void test_table(void) {
  struct ts_buf b = { 0 };
  for (size_t i = 0; i < TS_COUNT(json_texts); i++)
    OK(row_holds(&json_texts[i], &b), "text %zu: %.*s", i, TS_FMT(json_texts[i].text));
  ts_buf_free(&b);
}

static const char sample[] =
    "{\"type\":\"message\",\"empty\":[{},[ ]],\"text\":\"a line\\nand \\\"quotes\\\" and a path C:\\\\tmp\\\\ and more "
    "of it, so that it is "
    "longer than one block: \\u00e9\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\\\\\\\\\\"\", \"numbers\" : "
    "[0,-1.5e+10,12345,1E-2],\n"
    "\"words\":[null,true,false],\"nested\":{\"a\":{\"b\":[[[1]]],\"a key that is longer than thirty-two "
    "bytes\":\"\"}}}";

static void test_cuts(void) {
  struct ts_str whole = ts_str(sample, sizeof sample - 1);
  bool good = scan_all(whole) && !scanner[0].reason && scanner[0].issues == 0;
  OK(good, "the sample is accepted");
  size_t cuts = 0;
  for (size_t len = 0; len < whole.len; len++)
    if (scan_all(ts_str_sub(whole, 0, len)) && scanner[0].cut && scanner[0].at == len) cuts++;
  IS_U64(cuts, whole.len, "cut anywhere it is cut, there");
}

static void test_one_wrong_byte(void) {
  size_t differ = 0;
  char text[sizeof sample];
  for (size_t at = 0; at < sizeof sample - 1; at++)
    for (unsigned c = 0; c < 256; c++) {
      memcpy(text, sample, sizeof text);
      text[at] = (char)c;
      differ += !scan_all(ts_str(text, sizeof sample - 1));
    }
  IS_U64(differ, 0, "any one byte replaced by any other: all agree");
}

static uint32_t random_state = 1;
static uint32_t random_below(uint32_t n) { /* Numerical Recipes' generator: the same texts in every run */
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)random_state * n >> 32);
}

static void test_random(void) {
  static const char *const alphabet[] = { "\"\\u0dD8eE{}[],:1-. \x80\xc3\xa9tfnrl", "\\\\\\\\\"un0", "\\\\ud8cC00\"",
                                          "{}[],:\"a1 " };
  size_t differ = 0, good = 0;
  char text[300];
  for (size_t round = 0; round < 60000; round++) {
    const char *letters = alphabet[round % TS_COUNT(alphabet)];
    size_t len = 1 + random_below(round % 8 ? 24 : 299), begin = round % 3 ? 1 : 0;
    text[0] = '"';
    for (size_t i = begin; i < len; i++) text[i] = letters[random_below((uint32_t)strlen(letters))];
    if (round % 3 == 1) text[len - 1] = '"';
    if (!scan_all(ts_str(text, len))) {
      if (differ++ == 0) show("random", ts_str(text, len));
    }
    good += !scanner[0].reason;
  }
  IS_U64(differ, 0, "random texts: all agree");
  OK(good > 1000, "%zu of them are accepted", good);
}

/* Every sequence of four bytes that matter, in a string, at the place where it crosses from one register to the next.
 */
static void test_utf8(void) {
  static const unsigned char byte[] = { 0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
                                        0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff };
  enum { LEN = 100, N = sizeof byte };
  unsigned char text[LEN];
  size_t wrong = 0;
  for (size_t n = 0; n < N * N * N * N; n++) {
    size_t at = 27 + n % 10;
    memset(text, 'x', LEN);
    text[0] = text[LEN - 1] = '"';
    for (size_t i = 0, left = n; i < 4; i++, left /= N) text[at + i] = byte[left % N];
    size_t bad = naive_utf8(text, LEN);
    struct ts_str fenced = at_fence(ts_str((const char *)text, LEN));
    for (const struct ts_json_engine_row *row = ts_json_engines(); row->name; row++) {
      struct ts_json *j = &scanner[0];
      if (ts_json_scan_by(row->run, j, fenced, 0, true, NULL) < 0) wrong++;
      if (bad == LEN ? j->issues != 0 : j->issues != 1u << TS_JSON_BAD_UTF8 || j->issue_at[TS_JSON_BAD_UTF8] != bad)
        wrong++;
    }
  }
  IS_U64(wrong, 0, "all sequences of the bytes that matter in UTF-8");
}

static void test_depth(void) {
  struct ts_buf b = { 0 };
  size_t most = TS_JSON_DEPTH_MAX;
  for (size_t i = 0; i < most; i++) ts_buf_addz(&b, i % 2 ? "{\"\":" : "[");
  ts_buf_addc(&b, '1');
  struct ts_buf deep = { 0 };
  ts_buf_add(&deep, ts_buf_str(&b));
  for (size_t i = most; i-- > 0;) ts_buf_addc(&deep, i % 2 ? '}' : ']');
  struct ts_json *j = &scanner[0];
  OK(ts_json_scan(j, ts_buf_str(&deep), &ts_json_span) == 0 && j->depth == most, "65536 deep is accepted");
  ts_buf_cut(&b, b.len - 1);
  OK(ts_json_scan(j, ts_buf_str(&b), NULL) < 0 && j->cut, "65536 deep and cut");
  ts_buf_addz(&b, "[1");
  OK(ts_json_scan(j, ts_buf_str(&b), NULL) < 0 && !j->cut && j->at == b.len - 2, "65537 deep is refused there");
  IS_Z(j->reason, "nested deeper than 65536", "and why");
  OK(ts_json_scan(j, TS_STR("[[1],[2,{}]]"), NULL) == 0, "the same scanner again");
  IS_U64(j->depth, 3, "depth");
  OK(ts_json_scan(j, TS_STR("7"), NULL) == 0 && j->depth == 0, "a scalar's depth is 0");
  ts_buf_free(&b);
  ts_buf_free(&deep);
}

/* An object with `count` keys made by `format`, the last of them `last`. */
static void many_keys(struct ts_buf *b, size_t count, const char *format, const char *last) {
  ts_buf_set(b, TS_STR("{"));
  for (size_t i = 0; i + 1 < count; i++) {
    ts_buf_addc(b, '"');
    ts_buf_addf(b, format, i);
    ts_buf_addz(b, "\":0,");
  }
  ts_buf_addf(b, "\"%s\":0}", last);
}

static void test_many_keys(void) {
  static const struct {
    const char *format, *last;
    size_t twin; /* how many keys before the last are another: a doubled key is at the last one's place or nowhere */
  } rows[] = {
    { "%zx", "last", 0 },    { "%zx", "0", 1 },
    { "%zx", "\\u0030", 1 }, { "%08zx-and-a-long-tail", "x", 0 },
    { "\\u%04zx", "xx", 0 }, { "%08zx-and-a-long-tail", "00000001-and-a-long\\u002dtail", 1 },
    { "k%zu", "k7", 1 },
  };
  static const size_t counts[] = { 2, 20, 32, 33, 34, 70, 1000, 50000 };
  struct ts_buf b = { 0 };
  for (size_t r = 0; r < TS_COUNT(rows); r++)
    for (size_t c = 0; c < TS_COUNT(counts); c++) {
      many_keys(&b, counts[c], rows[r].format, rows[r].last);
      struct ts_json *j = &scanner[0];
      bool doubled = rows[r].twin && (counts[c] > 9 || rows[r].last[0] != 'k') && (r != 5 || counts[c] > 2);
      size_t at = b.len - strlen(rows[r].last) - 5;
      int got = ts_json_scan(j, ts_buf_str(&b), &ts_json_span);
      bool found = got == 0 && j->issues == 1u << TS_JSON_DUPLICATE_KEY && j->issue_at[TS_JSON_DUPLICATE_KEY] == at;
      unsigned nul = r == 4 ? 1u << TS_JSON_NUL_ESCAPE : 0; /* \u0000 is the first of these keys */
      OK(doubled ? found : got == 0 && j->issues == nul, "%zu keys like %s, then %s", counts[c], rows[r].format,
         rows[r].last);
    }
  many_keys(&b, 1000000, "%zu", "999998");
  OK(ts_json_scan(&scanner[0], ts_buf_str(&b), &ts_json_span) == 0 && scanner[0].issues == 1u << TS_JSON_DUPLICATE_KEY,
     "a million keys, the last two alike");
  ts_buf_free(&b);
}

/* The first doubled key of the text counts, whichever object is closed first, and whether few or many. */
static void test_first_double(void) {
  struct ts_buf b = { 0 };
  ts_buf_addz(&b, "{\"k\":0,");
  for (int i = 0; i < 40; i++) ts_buf_addf(&b, "\"%d\":0,", i);
  size_t outer = b.len;
  ts_buf_addz(&b, "\"k\":{\"a\":1,\"a\":2},");
  ts_buf_addz(&b, "\"39\":0,\"k\":0}");
  OK(ts_json_scan(&scanner[0], ts_buf_str(&b), NULL) == 0, "two doubled keys");
  IS_U64(scanner[0].issue_at[TS_JSON_DUPLICATE_KEY], outer, "the outer one stands first");
  ts_buf_free(&b);
}

static void test_scan_at(void) {
  static const struct {
    struct ts_str text;
    size_t from;
    bool good;
    size_t end, at;
  } rows[] = {
    { TS_STR("{\"a\":1}{\"b\":2}"), 0, true, 7, 0 },
    { TS_STR("{\"a\":1}{\"b\":2}"), 7, true, 14, 0 },
    { TS_STR("{\"a\":1} \n [2] x"), 7, true, 13, 0 },
    { TS_STR("1 2"), 0, true, 1, 0 },
    { TS_STR("truefalse"), 4, true, 9, 0 },
    { TS_STR("\"a\"\"b"), 0, true, 3, 0 },
    { TS_STR("\"a\"\"b"), 3, false, 0, 5 },
    { TS_STR("[1] "), 3, false, 0, 4 },
    { TS_STR("[1]"), 3, false, 0, 3 },
    { TS_STR("xx{}yy"), 2, true, 4, 0 },
    { TS_STR("[1]]"), 3, false, 0, 3 },
    { TS_STR("-1.5e3,"), 0, true, 6, 0 },
    { TS_STR("1"), 1, false, 0, 1 },
    { TS_STR("1"), 9, false, 0, 1 },
    { TS_STR(""), 0, false, 0, 0 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_json *j = &scanner[0];
    int got = ts_json_scan_at(j, rows[i].text, rows[i].from, NULL);
    OK((got == 0) == rows[i].good, "value %zu: found or not", i);
    IS_U64(rows[i].good ? j->end : j->at, rows[i].good ? rows[i].end : rows[i].at, "value %zu: where", i);
  }
}

int main(void) {
  build_fence(4096);
  test_table();
  test_cuts();
  test_one_wrong_byte();
  test_random();
  test_utf8();
  test_depth();
  test_many_keys();
  test_first_double();
  test_scan_at();
  for (size_t i = 0; i < TS_COUNT(scanner); i++) ts_json_free(&scanner[i]);
  return tap_done();
}
