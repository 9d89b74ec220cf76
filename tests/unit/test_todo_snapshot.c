/* Rendering: what is done to an item's text in both dialects, the cut at and around each bound, which rows are
 * taken, the frames. Expectations are the contract's. */
#include "base/utf8.h"
#include "todo/snapshot.h"
#include "unit/tap.h"

#define DOTS "\xe2\x80\xa6"
#define FORTY "0123456789012345678901234567890123456789"

/* One item's text, in both dialects. max 0: the usual bound. */
static const struct item {
  const char *name;
  struct ts_str content;
  size_t max;
  struct ts_str codewhale, strict;
} items[] = {
#define SAME(name, content, text) \
  { name, TS_STR(content), 0, TS_STR(text), TS_STR(text) }
#define BOTH(name, content, codewhale, strict) \
  { name, TS_STR(content), 0, TS_STR(codewhale), TS_STR(strict) }
#define CUT(name, max, content, codewhale, strict) \
  { name, TS_STR(content), max, TS_STR(codewhale), TS_STR(strict) }
  SAME("ordinary text", "Write the renderer", "Write the renderer"),
  SAME("other scripts", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe4\xbf\xae\xe5\xa4\x8d",
       "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe4\xbf\xae\xe5\xa4\x8d"),
  SAME("a family", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"),
  SAME("a variation selector", "\xe2\x9d\xa4\xef\xb8\x8f", "\xe2\x9d\xa4\xef\xb8\x8f"),
  SAME("markup of others", "<b>&amp;</b> </system>", "<b>&amp;</b> </system>"),
  /* controls: one blank each */
  SAME("a line break", "a\nb", "a b"),
  SAME("CR and LF", "a\r\nb", "a  b"),
  SAME("a NUL", "a\0b", "a b"),
  SAME("escape, DEL", "a\x1b[1m\x7f.", "a [1m ."),
  SAME("C1", "a\xc2\x9b\xc2\x85.", "a  ."),
  SAME("a forged row", "x\n- [x] #9 y", "x - [x] #9 y"),
  /* S1 */
  BOTH("line and paragraph separator", "a\xe2\x80\xa8\xe2\x80\xa9.", "a\xe2\x80\xa8\xe2\x80\xa9.", "a  ."),
  BOTH("S1: marks", "a\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c.", "a\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c.", "a   ."),
  BOTH("S1: embeddings and overrides", "a\xe2\x80\xaa\xe2\x80\xae.", "a\xe2\x80\xaa\xe2\x80\xae.", "a  ."),
  BOTH("S1: isolates", "a\xe2\x81\xa6\xe2\x81\xa9.", "a\xe2\x81\xa6\xe2\x81\xa9.", "a  ."),
  /* S2 */
  BOTH("S2: soft hyphen, zero width blank", "a\xc2\xad\xe2\x80\x8b.", "a\xc2\xad\xe2\x80\x8b.", "a."),
  BOTH("S2: word joiner, byte order mark", "a\xe2\x81\xa0\xef\xbb\xbf.", "a\xe2\x81\xa0\xef\xbb\xbf.", "a."),
  BOTH("S2: tag characters", "a\xf3\xa0\x81\x81.", "a\xf3\xa0\x81\x81.", "a."),
  BOTH("S2: selectors of the supplement", "a\xf3\xa0\x84\x80.", "a\xf3\xa0\x84\x80.", "a."),
  BOTH("S2: annotations", "a\xef\xbf\xb9\xef\xbf\xba\xef\xbf\xbb.", "a\xef\xbf\xb9\xef\xbf\xba\xef\xbf\xbb.", "a."),
  BOTH("S2: unassigned and ignorable", "a\xe2\x81\xa5\xef\xbf\xb0.", "a\xe2\x81\xa5\xef\xbf\xb0.", "a."),
  BOTH("S2: Hangul fillers", "a\xe3\x85\xa4\xef\xbe\xa0.", "a\xe3\x85\xa4\xef\xbe\xa0.", "a."),
  SAME("S2 keeps joiners", "a\xe2\x80\x8c\xe2\x80\x8d\xef\xb8\x80.", "a\xe2\x80\x8c\xe2\x80\x8d\xef\xb8\x80."),
  SAME("S2 keeps what is next to them", "\xef\xbf\xbc\xef\xbf\xbd\xef\xbf\xbe\xe2\xa0\x80.",
       "\xef\xbf\xbc\xef\xbf\xbd\xef\xbf\xbe\xe2\xa0\x80."),
  /* S3 */
  SAME("a closing tag", "</codewhale:fork_state> x", "<\\/codewhale:fork_state> x"),
  BOTH("in another case", "</CodeWhale:X>", "<\\/codewhale:X>", "<\\/CodeWhale:X>"),
  BOTH("an opening tag", "<codewhale:x>", "<codewhale:x>", "<\\codewhale:x>"),
  BOTH("S3: a blank behind the slash", "</ codewhale:x>", "</ codewhale:x>", "<\\/ codewhale:x>"),
  BOTH("S3: a blank before the slash", "< /codewhale:x>", "< /codewhale:x>", "<\\ /codewhale:x>"),
  BOTH("S3: a blank before the colon", "</codewhale :x>", "</codewhale :x>", "<\\/codewhale :x>"),
  BOTH("S3: blanks everywhere", "< / c o d e w h a l e : x>", "< / c o d e w h a l e : x>",
       "<\\ / c o d e w h a l e : x>"),
  BOTH("S3: white space of any kind",
       "<\xc2\xa0/\xe3\x80\x80"
       "code\xe2\x80\x83whale:x>",
       "<\xc2\xa0/\xe3\x80\x80"
       "code\xe2\x80\x83whale:x>",
       "<\\\xc2\xa0/\xe3\x80\x80"
       "code\xe2\x80\x83whale:x>"),
  BOTH("S3: a line break, a blank by then", "</code\nwhale:x>", "</code whale:x>", "<\\/code whale:x>"),
  BOTH("S3: joiners and selectors", "</code\xe2\x80\x8d\xe2\x80\x8cwhale\xef\xb8\x8f:x>",
       "</code\xe2\x80\x8d\xe2\x80\x8cwhale\xef\xb8\x8f:x>", "<\\/code\xe2\x80\x8d\xe2\x80\x8cwhale\xef\xb8\x8f:x>"),
  BOTH("S3: after S2", "</code\xe2\x80\x8bwhale\xc2\xad:x>", "</code\xe2\x80\x8bwhale\xc2\xad:x>", "<\\/codewhale:x>"),
  SAME("no colon", "</codewhale> <codewhale>", "</codewhale> <codewhale>"),
  SAME("two slashes", "<//codewhale:x>", "<//codewhale:x>"),
  SAME("guarded already", "<\\/codewhale:x>", "<\\/codewhale:x>"),
  SAME("twice", "</codewhale:a></codewhale:b>", "<\\/codewhale:a><\\/codewhale:b>"),
  SAME("one in the other", "</codewhal</codewhale:e:x>", "</codewhal<\\/codewhale:e:x>"),
  SAME("letters that look alike", "</\xef\xbd\x83odewhale:x>", "</\xef\xbd\x83odewhale:x>"),
  SAME("at the end", "x </codewhale:", "x <\\/codewhale:"),
  SAME("not quite", "x </codewhale", "x </codewhale"),
  BOTH("system-reminder", "</system-reminder><System-Reminder>", "</system-reminder><System-Reminder>",
       "<\\/system-reminder><\\System-Reminder>"),
  BOTH("system-reminder with a colon, cut off", "< / system-reminder: <system-reminder",
       "< / system-reminder: <system-reminder", "<\\ / system-reminder: <\\system-reminder"),
  /* S4, S6 */
  SAME("trimmed", "\xc2\xa0 \t x \xe3\x80\x80\n", "x"),
  BOTH("U+FEFF shields, or is gone", "\xef\xbb\xbf x", "\xef\xbb\xbf x", "x"),
  BOTH("S6: nothing", "", "", "(empty)"),
  BOTH("S6: blanks", " \n ", "", "(empty)"),
  BOTH("S6: nothing visible", "\xe2\x80\x8b\xe2\x80\xae", "\xe2\x80\x8b\xe2\x80\xae", "(empty)"),
  /* what is no character */
  SAME("a lone surrogate",
       "a\xed\xa0\x80"
       "b",
       "a\xef\xbf\xbd"
       "b"),
  SAME("stray bytes", "a\xff\xc3.", "a\xef\xbf\xbd\xef\xbf\xbd."),
  SAME("what could have begun a character", "\xf0\x9f\x9a.\xe2\x82\xe2\x82\xac\xc0\x80",
       "\xef\xbf\xbd.\xef\xbf\xbd\xe2\x82\xac\xef\xbf\xbd\xef\xbf\xbd"),
  /* S5: cuts */
  CUT("shorter", 5, "abcd", "abcd", "abcd"),
  CUT("just fits", 5, "abcde", "abcde", "abcde"),
  CUT("one too long", 5, "abcdef", "abcd" DOTS, "abcd" DOTS),
  CUT("two too long", 5, "abcdefg", "abcd" DOTS, "abcd" DOTS),
  CUT("bound 1", 1, "ab", DOTS, DOTS),
  CUT("bound 1 fits", 1, "a", "a", "a"),
  CUT("bound 2", 2, "abc", "a" DOTS, "a" DOTS),
  CUT("scalars count, not bytes", 3, "\xe4\xbf\xae\xe5\xa4\x8d\xe4\xbf\xae", "\xe4\xbf\xae\xe5\xa4\x8d\xe4\xbf\xae",
      "\xe4\xbf\xae\xe5\xa4\x8d\xe4\xbf\xae"),
  CUT("what is trimmed does not count", 3, "  abc  ", "abc", "abc"),
  CUT("the guard counts", 17, "</codewhale:x>ab", "<\\/codewhale:x>ab", "<\\/codewhale:x>ab"),
  CUT("the guard counts, one too long", 17, "</codewhale:x>abc", "<\\/codewhale:x>a" DOTS, "<\\/codewhale:x>a" DOTS),
  CUT("inside a guarded tag", 6, "</codewhale:x>", "<\\/co" DOTS, "<\\/co" DOTS),
  CUT("S5: before an accent", 4,
      "abe\xcc\x81"
      "f",
      "abe" DOTS, "ab" DOTS),
  CUT("S5: behind an accent", 5,
      "abe\xcc\x81"
      "fg",
      "abe\xcc\x81" DOTS, "abe\xcc\x81" DOTS),
  CUT("S5: inside a family", 4, "a\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7z", "a\xf0\x9f\x91\xa9\xe2\x80\x8d" DOTS,
      "a" DOTS),
  CUT("S5: inside a flag", 3, "a\xf0\x9f\x87\xab\xf0\x9f\x87\xb7z", "a\xf0\x9f\x87\xab" DOTS, "a" DOTS),
  CUT("S5: between two flags", 4, "a\xf0\x9f\x87\xab\xf0\x9f\x87\xb7\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
      "a\xf0\x9f\x87\xab\xf0\x9f\x87\xb7" DOTS, "a\xf0\x9f\x87\xab\xf0\x9f\x87\xb7" DOTS),
  CUT("S5: Hangul jamo", 3, "a\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab.", "a\xe1\x84\x92" DOTS, "a" DOTS),
  CUT("S5: blanks before the mark go", 5, "ab    c", "ab  " DOTS, "ab" DOTS),
  CUT("S5: the first cluster is too long", 3, "e\xcc\x81\xcc\x82\xcc\x83.", "e\xcc\x81" DOTS, "e\xcc\x81" DOTS),
  CUT("S5: an accent right behind the bound", 3, "abc\xcc\x81", "ab" DOTS, "ab" DOTS),
  CUT("a far away end of a tag", 8, "<                    /codewhale:x>", "<      " DOTS, "<\\" DOTS),
};

static void test_items(void) {
  struct ts_todo_cleaner codewhale = { .dialect = &ts_todo_codewhale }, strict = { .dialect = &ts_todo_strict };
  struct ts_buf out = { 0 };
  for (size_t i = 0; i < TS_COUNT(items); i++) {
    size_t max = items[i].max ? items[i].max : TS_TODO_MAX_ITEM_CHARS;
    ts_buf_clear(&out);
    ts_todo_clean(&codewhale, items[i].content, max, &out);
    IS(ts_buf_str(&out), items[i].codewhale, "codewhale: %s", items[i].name);
    ts_buf_clear(&out);
    ts_todo_clean(&strict, items[i].content, max, &out);
    IS(ts_buf_str(&out), items[i].strict, "strict: %s", items[i].name);
  }
  ts_todo_cleaner_free(&codewhale);
  ts_todo_cleaner_free(&strict);
  ts_buf_free(&out);
}

static void test_tags(void) {
  static const struct ts_todo_tag tags[] = { { TS_STR("note"), false }, { TS_STR("\xc3\xa9t\xc3\xa9"), false } };
  struct ts_todo_cleaner c = { .dialect = &ts_todo_strict, .tag = tags, .tag_count = TS_COUNT(tags) };
  struct ts_buf out = { 0 };
  ts_todo_clean(&c, TS_STR("</NOTE> <note> < / n\xe2\x80\x8dote: <\xc3\xa9T\xc3\xa9> <not> </codewhale:x>"), 200, &out);
  IS(ts_buf_str(&out),
     TS_STR("<\\/NOTE> <\\note> <\\ / n\xe2\x80\x8dote: <\\\xc3\xa9T\xc3\xa9> <not> <\\/codewhale:x>"),
     "more tag names");
  ts_todo_cleaner_free(&c);
  ts_buf_free(&out);
}

/* At and around the usual bounds: n letters give n scalars, or max with the mark. */
static void test_lengths(void) {
  static const size_t bounds[] = { TS_TODO_MAX_ITEM_CHARS, TS_TODO_CARD_ITEM_CHARS };
  static const char *const letters[] = { "a", "\xc3\xa9", "\xe4\xbf\xae", "\xf0\x9f\x9a\x80" };
  struct ts_buf text = { 0 }, out = { 0 };
  for (size_t b = 0; b < TS_COUNT(bounds); b++)
    for (size_t l = 0; l < TS_COUNT(letters); l++)
      for (size_t n = bounds[b] - 2; n <= bounds[b] + 2; n++) {
        struct ts_todo_cleaner c = { .dialect = l % 2 ? &ts_todo_codewhale : &ts_todo_strict };
        ts_buf_clear(&text);
        ts_buf_clear(&out);
        for (size_t i = 0; i < n; i++) ts_buf_addz(&text, letters[l]);
        ts_todo_clean(&c, ts_buf_str(&text), bounds[b], &out);
        size_t count = ts_utf8_count(ts_buf_str(&out));
        bool cut = ts_str_ends(ts_buf_str(&out), TS_STR(DOTS));
        IS_U64(count, n < bounds[b] ? n : bounds[b], "%zu of '%s': length", n, letters[l]);
        OK(cut == (n > bounds[b]), "%zu of '%s': the mark", n, letters[l]);
        ts_todo_cleaner_free(&c);
      }
  ts_buf_free(&text);
  ts_buf_free(&out);
}

/* Lists */

static struct ts_todo_view usual(const struct ts_todo_dialect *d, enum ts_todo_frame frame) {
  return (struct ts_todo_view){ .dialect = d,
                                .frame = frame,
                                .max_items = TS_TODO_MAX_ITEMS,
                                .max_chars = TS_TODO_MAX_CHARS,
                                .max_item_chars = TS_TODO_MAX_ITEM_CHARS };
}

static int render(const struct ts_todo_view *v, const char *json, enum ts_todo_shape shape, struct ts_buf *out,
                  struct ts_buf *err) {
  struct ts_todo_list l = { 0 };
  ts_buf_clear(out);
  ts_buf_clear(err);
  if (ts_todo_list_read(&l, ts_str_z(json), shape, err) < 0) return -1;
  return ts_todo_render(v, &l, out, err);
}

#define WORK                                                                                             \
  "[{\"content\":\"Read\",\"status\":\"completed\"},{\"content\":\"Write\",\"status\":\"in_progress\"}," \
  "{\"content\":\"Run\",\"status\":\"pending\"},{\"content\":\"Drop\",\"status\":\"cancelled\"}]"
#define HEAD "To-do (50% settled)\n"
#define ROW1 "- [x] #1 Read\n"
#define ROW2 "- [~] #2 Write\n"
#define ROW3 "- [ ] #3 Run\n"
#define ROW4 "- [-] #4 Drop\n"

/* Bounds on the list WORK. bound 0: the usual one. */
static const struct bounded {
  const char *name;
  size_t items, chars, item_chars;
  const char *text; /* NULL: refused */
} bounded[] = {
  { "all of it", 0, 0, 0, HEAD ROW1 ROW2 ROW3 ROW4 },
  { "as many rows as items", 4, 0, 0, HEAD ROW1 ROW2 ROW3 ROW4 },
  { "one row less", 3, 0, 0, HEAD ROW1 ROW2 ROW3 "- " DOTS " +1 more To-do items omitted\n" },
  { "one row: the active one", 1, 0, 0, HEAD ROW2 "- " DOTS " +3 more To-do items omitted\n" },
  { "two rows, in document order", 2, 0, 0, HEAD ROW1 ROW2 "- " DOTS " +2 more To-do items omitted\n" },
  /* The header has 19 characters, the rows with their newlines 14, 15, 13 and 14: 75. The omission line takes 32. */
  { "just enough characters", 0, 75, 0, HEAD ROW1 ROW2 ROW3 ROW4 },
  { "one less: rows go until the omission line fits", 0, 74, 0, HEAD ROW2 "- " DOTS " +3 more To-do items omitted\n" },
  { "just enough for a row and the omission line", 0, 66, 0, HEAD ROW2 "- " DOTS " +3 more To-do items omitted\n" },
  { "one less", 0, 65, 0, NULL },
  { "less than the header", 0, 10, 0, NULL },
  { "short items", 0, 0, 3, HEAD "- [x] #1 Re" DOTS "\n- [~] #2 Wr" DOTS "\n" ROW3 "- [-] #4 Dr" DOTS "\n" },
};

static void test_bounds(void) {
  struct ts_buf out = { 0 }, err = { 0 };
  for (size_t i = 0; i < TS_COUNT(bounded); i++) {
    const struct bounded *b = &bounded[i];
    struct ts_todo_view v = usual(&ts_todo_strict, TS_FRAME_BODY);
    if (b->items) v.max_items = b->items;
    if (b->chars) v.max_chars = b->chars;
    if (b->item_chars) v.max_item_chars = b->item_chars;
    int got = render(&v, WORK, TS_TODO_WRITTEN, &out, &err);
    IS_INT(got, b->text ? 0 : -1, "%s: rendered or not", b->name);
    if (b->text) IS_Z(ts_buf_z(&out), b->text, "%s: text", b->name);
  }
  ts_buf_free(&out);
  ts_buf_free(&err);
}

/* More of both dialects: which items come first, and the percentage. */

/* n pending items t1 … tn, then what `more` says. */
static void many(struct ts_buf *json, unsigned n, const char *more) {
  ts_buf_clear(json);
  ts_buf_addc(json, '[');
  for (unsigned i = 1; i <= n; i++)
    ts_buf_addf(json, "%s{\"id\":%u,\"content\":\"t%u\",\"status\":\"pending\"}", i > 1 ? "," : "", i, i);
  ts_buf_addf(json, "%s]", more);
}

static void rows(struct ts_buf *text, unsigned from, unsigned to) {
  for (unsigned i = from; i <= to; i++) ts_buf_addf(text, "- [ ] #%u t%u\n", i, i);
}

static void test_priority(void) {
  struct ts_todo_view strict = usual(&ts_todo_strict, TS_FRAME_BODY), whale = usual(&ts_todo_codewhale, TS_FRAME_BODY);
  struct ts_buf json = { 0 }, out = { 0 }, err = { 0 }, want = { 0 };
  struct ts_todo_list l = { .has_current = true, .current = 28 };
  many(&json, 28,
       ",{\"id\":29,\"content\":\"x\",\"status\":\"in_progress\"},{\"id\":30,\"content\":\"y\",\"status\":\"in_"
       "progress\"}");
  OK(ts_todo_list_read(&l, ts_buf_str(&json), TS_TODO_NUMBERED, &err) == 0, "thirty items");

  (void)ts_todo_render(&strict, &l, &out, &err);
  ts_buf_addz(&want, "To-do (0% settled)\n");
  rows(&want, 1, 22);
  ts_buf_addz(&want, "- [~] #29 x\n- [~] #30 y\n- " DOTS " +6 more To-do items omitted\n");
  IS(ts_buf_str(&out), ts_buf_str(&want), "S7: every item in progress is there, whatever the id says");

  ts_buf_clear(&out);
  (void)ts_todo_render(&whale, &l, &out, &err);
  ts_buf_clear(&want);
  ts_buf_addz(&want, "To-do (0% settled)\n");
  rows(&want, 1, 23);
  ts_buf_addz(&want, "- [ ] #28 t28\n- " DOTS " +6 more To-do items omitted\n");
  IS(ts_buf_str(&out), ts_buf_str(&want), "codewhale: the item that the id names, whatever its status");

  l.current = 99;
  ts_buf_clear(&out);
  (void)ts_todo_render(&whale, &l, &out, &err);
  ts_buf_clear(&want);
  ts_buf_addz(&want, "To-do (0% settled)\n");
  rows(&want, 1, 23);
  ts_buf_addz(&want, "- [~] #29 x\n- " DOTS " +6 more To-do items omitted\n");
  IS(ts_buf_str(&out), ts_buf_str(&want), "codewhale: no such id, so the first in progress");
  ts_buf_free(&json);
  ts_buf_free(&out);
  ts_buf_free(&err);
  ts_buf_free(&want);
}

static const struct percent_case {
  const char *name, *json;
  bool has;
  uint64_t given;
  const char *strict, *codewhale;
} percent_cases[] = {
#define DONE "{\"id\":1,\"content\":\"a\",\"status\":\"completed\"}"
#define OPEN "{\"id\":2,\"content\":\"b\",\"status\":\"pending\"}"
  { "as given", "[" DONE "," OPEN "]", true, 7, "To-do (50% settled)\n", "To-do (7% settled)\n" },
  { "given and impossible", "[" DONE "," OPEN "]", true, 255, "To-do (50% settled)\n", "To-do (255% settled)\n" },
  { "not given", "[" DONE "," OPEN "]", false, 0, "To-do (50% settled)\n", "To-do (50% settled)\n" },
  { "all settled", "[" DONE "]", true, 3, "To-do (100% settled)\n", "To-do (3% settled)\n" },
  { "none", "[" OPEN "]", true, 100, "To-do (0% settled)\n", "To-do (100% settled)\n" },
};

static void test_percent(void) {
  struct ts_todo_view strict = usual(&ts_todo_strict, TS_FRAME_BODY), whale = usual(&ts_todo_codewhale, TS_FRAME_BODY);
  struct ts_buf out = { 0 }, json = { 0 };
  for (size_t i = 0; i < TS_COUNT(percent_cases); i++) {
    const struct percent_case *c = &percent_cases[i];
    struct ts_todo_list l = { .has_percent = c->has, .percent = c->given };
    (void)ts_todo_list_read(&l, ts_str_z(c->json), TS_TODO_NUMBERED, NULL);
    ts_buf_clear(&out);
    (void)ts_todo_render(&strict, &l, &out, NULL);
    OK(ts_str_starts(ts_buf_str(&out), ts_str_z(c->strict)), "strict: %s", c->name);
    ts_buf_clear(&out);
    (void)ts_todo_render(&whale, &l, &out, NULL);
    OK(ts_str_starts(ts_buf_str(&out), ts_str_z(c->codewhale)), "codewhale: %s", c->name);
  }
  struct ts_todo_list l = { 0 };
  ts_buf_addz(&json, "[" OPEN);
  for (int i = 0; i < 300; i++) ts_buf_addz(&json, "," DONE);
  ts_buf_addc(&json, ']');
  (void)ts_todo_list_read(&l, ts_buf_str(&json), TS_TODO_NUMBERED, NULL);
  ts_buf_clear(&out);
  (void)ts_todo_render(&strict, &l, &out, NULL);
  OK(ts_str_starts(ts_buf_str(&out), TS_STR("To-do (99% settled)\n")), "S8: one of 301 open is no 100%%");
  ts_buf_clear(&out);
  (void)ts_todo_render(&whale, &l, &out, NULL);
  OK(ts_str_starts(ts_buf_str(&out), TS_STR("To-do (100% settled)\n")), "codewhale rounds it up");
  ts_buf_free(&out);
  ts_buf_free(&json);
}

/* Frames */

#define BLANK "[{\"content\":\" \",\"status\":\"pending\"}]"
#define LONG "[{\"content\":\"" FORTY FORTY "\",\"status\":\"pending\"}]"

static const struct framed {
  const char *name;
  const struct ts_todo_dialect *dialect;
  enum ts_todo_frame frame;
  const char *json, *text;
} framed[] = {
  { "body", &ts_todo_strict, TS_FRAME_BODY, WORK, HEAD ROW1 ROW2 ROW3 ROW4 },
  { "fork-state", &ts_todo_strict, TS_FRAME_FORK_STATE, WORK,
    "<codewhale:fork_state>\n### To-do\n\n" HEAD ROW1 ROW2 ROW3 ROW4 "</codewhale:fork_state>\n" },
  { "S9: the body in fork-state is not trimmed", &ts_todo_strict, TS_FRAME_FORK_STATE, BLANK,
    "<codewhale:fork_state>\n### To-do\n\nTo-do (0% settled)\n- [ ] #1 (empty)\n</codewhale:fork_state>\n" },
  { "codewhale: it is", &ts_todo_codewhale, TS_FRAME_FORK_STATE, BLANK,
    "<codewhale:fork_state>\n### To-do\n\nTo-do (0% settled)\n- [ ] #1\n</codewhale:fork_state>\n" },
  { "codewhale: the bare body is not", &ts_todo_codewhale, TS_FRAME_BODY, BLANK, "To-do (0% settled)\n- [ ] #1 \n" },
  { "relay", &ts_todo_strict, TS_FRAME_RELAY, WORK, "\nCurrent To-do:\n" HEAD ROW1 ROW2 ROW3 ROW4 },
  { "card", &ts_todo_strict, TS_FRAME_CARD, WORK,
    "To-do 2/4 \u00b7 50% settled\n[x] #1 Read\n[~] #2 Write\n[ ] #3 Run\n" DOTS " +1 more\n" },
  { "card: a long item", &ts_todo_strict, TS_FRAME_CARD, LONG,
    "To-do 0/1 \u00b7 0% settled\n[ ] #1 " FORTY "0123456789012345678901234567890" DOTS "\n" },
  { "JSON", &ts_todo_strict, TS_FRAME_JSON, "[ {\"content\":\"\\u0061\\n\" , \"status\":\"pending\",\"x\":1.0} ]",
    "{\"header\":\"To-do (0% settled)\",\"percent\":0,\"rows\":[{\"id\":1,\"status\":\"pending\",\"text\":\"a\"}],"
    "\"omitted\":0,\"items\":[{\"content\":\"\\u0061\\n\",\"status\":\"pending\",\"x\":1.0}]}\n" },
  { "an empty list: body", &ts_todo_strict, TS_FRAME_BODY, "[]", "" },
  { "an empty list: fork-state", &ts_todo_strict, TS_FRAME_FORK_STATE, " [ ] ", "" },
  { "an empty list: relay", &ts_todo_codewhale, TS_FRAME_RELAY, "[]", "" },
  { "an empty list: card", &ts_todo_codewhale, TS_FRAME_CARD, "[]", "" },
  { "an empty list: JSON", &ts_todo_strict, TS_FRAME_JSON, "[]", "" },
};

static void test_frames(void) {
  struct ts_buf out = { 0 }, err = { 0 };
  for (size_t i = 0; i < TS_COUNT(framed); i++) {
    struct ts_todo_view v = usual(framed[i].dialect, framed[i].frame);
    IS_INT(render(&v, framed[i].json, TS_TODO_WRITTEN, &out, &err), 0, "%s: rendered", framed[i].name);
    IS_Z(ts_buf_z(&out), framed[i].text, "%s: text", framed[i].name);
  }
  ts_buf_free(&out);
  ts_buf_free(&err);
}

/* What is a list, and what is wrong with what is none. */
static const struct shaped {
  const char *name;
  enum ts_todo_shape shape;
  const char *json, *error; /* error NULL: a list */
} shaped[] = {
  { "written", TS_TODO_WRITTEN, WORK, NULL },
  { "other members do not matter", TS_TODO_WRITTEN, "[{\"content\":\"a\",\"status\":\"pending\",\"activeForm\":7}]",
    NULL },
  { "canceled", TS_TODO_WRITTEN, "[{\"content\":\"a\",\"status\":\"canceled\"}]", NULL },
  { "no array", TS_TODO_WRITTEN, "{}", "the list is not an array" },
  { "an item that is no object", TS_TODO_WRITTEN, "[{\"content\":\"a\",\"status\":\"pending\"},[]]",
    "item 2 is not an object" },
  { "no content", TS_TODO_WRITTEN, "[{\"status\":\"pending\"}]", "item 1 has no string 'content'" },
  { "content a number", TS_TODO_WRITTEN, "[{\"content\":42,\"status\":\"pending\"}]",
    "item 1 has no string 'content'" },
  { "no status", TS_TODO_WRITTEN, "[{\"content\":\"a\"}]", "item 1 has no string 'status'" },
  { "an unknown status", TS_TODO_WRITTEN, "[{\"content\":\"a\",\"status\":\"paused\"}]",
    "item 1 (#1) has the unknown status 'paused'" },
  { "spellings are exact", TS_TODO_WRITTEN, "[{\"content\":\"a\",\"status\":\"Canceled\"}]",
    "item 1 (#1) has the unknown status 'Canceled'" },
  { "lenient", TS_TODO_LENIENT, "[{\"content\":\"a\",\"status\":\" DONE\"},{\"content\":\"b\"}]", NULL },
  { "lenient has bounds", TS_TODO_LENIENT, "[{\"content\":\"a\",\"status\":\"later\"}]",
    "item 1 (#1) has the unknown status 'later'" },
  { "numbered", TS_TODO_NUMBERED, "[{\"id\":4294967295,\"content\":\"a\",\"status\":\"pending\"}]", NULL },
  { "no number", TS_TODO_NUMBERED, "[{\"content\":\"a\",\"status\":\"pending\"}]", "item 1 has no whole number 'id'" },
  { "a negative number", TS_TODO_NUMBERED, "[{\"id\":-1,\"content\":\"a\",\"status\":\"pending\"}]",
    "item 1 has no whole number 'id'" },
  { "a number in a string", TS_TODO_NUMBERED, "[{\"id\":\"1\",\"content\":\"a\",\"status\":\"pending\"}]",
    "item 1 has no whole number 'id'" },
  { "the unknown status of a numbered item", TS_TODO_NUMBERED, "[{\"id\":7,\"content\":\"a\",\"status\":\"x\"}]",
    "item 1 (#7) has the unknown status 'x'" },
  { "planned", TS_TODO_PLANNED, "[{\"step\":\"a\",\"status\":\"completed\"}]", NULL },
  { "planned has steps", TS_TODO_PLANNED, "[{\"content\":\"a\",\"status\":\"completed\"}]",
    "item 1 has no string 'step'" },
};

static void test_shapes(void) {
  struct ts_buf err = { 0 };
  for (size_t i = 0; i < TS_COUNT(shaped); i++) {
    struct ts_todo_list l = { 0 };
    ts_buf_clear(&err);
    int got = ts_todo_list_read(&l, ts_str_z(shaped[i].json), shaped[i].shape, &err);
    IS_INT(got, shaped[i].error ? -1 : 0, "%s: a list or not", shaped[i].name);
    IS_Z(ts_buf_z(&err), shaped[i].error ? shaped[i].error : "", "%s: why", shaped[i].name);
  }
  ts_buf_free(&err);
}

int main(void) {
  test_items();
  test_tags();
  test_lengths();
  test_bounds();
  test_priority();
  test_percent();
  test_frames();
  test_shapes();
  return tap_done();
}
