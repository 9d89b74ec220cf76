/* sessions BYTES: a Claude Code transcript of about that size, always the same, on standard output; on standard error
 * what is in it: lines, bad lines, calls, results. Every 20th kind of result is code with many escapes, a few are
 * pictures in base64; lengths vary as in real sessions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static uint64_t rnd(uint64_t below) { /* xorshift64* */
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return (state * 2685821657736338717u >> 33) % below;
}

static uint64_t written, lines, calls, results;
static void put(const char *text) { written += strlen(text), (void)fputs(text, stdout); }
static void put_number(const char *format, uint64_t n) { written += (uint64_t)printf(format, n); }

static void put_text(uint64_t bytes, int code) {
  static const char *const words[] = {
    "value", "index", "the reader", "buffer", "of each", "returns", "state", "until"
  };
  static const char *const bits[] = { "\\n    ", "\\\"key\\\": ", "\\t",         "if (a[i] == 0) ",
                                      "\\u00e9", "// ",           "caf\xc3\xa9 " };
  for (uint64_t end = written + bytes; written < end;) {
    put(words[rnd(8)]);
    put(code ? bits[rnd(7)] : rnd(12) ? " " : "\\n");
  }
}

static void record(const char *type) {
  static uint64_t uuid;
  lines++, uuid++;
  put("{\"parentUuid\":null,\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/u/"
      "proj\",\"sessionId\":\"s");
  put_number("%08" PRIu64, uuid / 500);
  put("\",\"version\":\"2.0.14\",\"type\":\"");
  put(type);
  put_number("\",\"uuid\":\"u%012" PRIu64 "\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"message\":{\"role\":\"",
             uuid);
  put(type);
  put("\",\"content\":[");
}

static void call_and_result(void) {
  static const char *const names[] = { "Bash", "Read", "Edit", "Grep", "TodoWrite", "mcp__db__query" };
  calls++, results++;
  record("assistant");
  put_number("{\"type\":\"tool_use\",\"id\":\"toolu_%012" PRIu64 "\",\"name\":\"", calls);
  put(names[rnd(6)]);
  put("\",\"input\":{\"command\":\"");
  put_text(20 + rnd(300), 0);
  put("\",\"timeout\":120000}}]}}\n");
  record("user");
  put_number("{\"tool_use_id\":\"toolu_%012" PRIu64 "\",\"type\":\"tool_result\",\"content\":\"", calls);
  if (rnd(250) == 0)
    for (uint64_t n = 100000 + rnd(400000); n > 0; n--) written++, (void)putchar("ABCdef0123+/xyz9"[rnd(16)]);
  else
    put_text(100 + rnd(6000), rnd(20) != 0);
  put("\",\"is_error\":false}]},\"toolUseResult\":{\"stdout\":\"");
  put_text(50 + rnd(3000), 1);
  put("\",\"interrupted\":false}}\n");
}

int main(int argc, char **argv) {
  uint64_t size = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
  while (written < size) {
    record("assistant");
    put("{\"type\":\"text\",\"text\":\"");
    put_text(40 + rnd(900), 0);
    put("\"}]}}\n");
    call_and_result();
  }
  (void)fprintf(stderr, "%" PRIu64 " 0 %" PRIu64 " %" PRIu64 "\n", lines, calls, results);
  return fflush(stdout) != 0;
}
