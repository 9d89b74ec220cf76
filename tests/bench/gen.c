/* Writes a claude-code transcript of about BYTES bytes to FILE, the same in every run, and prints what is in it.
 *   gen BYTES FILE
 * Prompts, calls of a few tools, results of all lengths with newlines, quotes and letters beyond ASCII. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static uint64_t written, lines, calls, results, crc_sum, seed = 88172645463325252u;
static uint32_t table[256];

static uint32_t next(uint32_t below) { /* xorshift */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 33) % below;
}

static void put(const char *text) {
  written += strlen(text);
  fputs(text, out);
}

static void end_line(void) {
  put("\n");
  lines++;
}

/* Text as it stands in JSON. */
static void put_words(uint32_t count) {
  static const char *const words[] = { "the",
                                       "anchor",
                                       "holds",
                                       "at",
                                       "slack",
                                       "water",
                                       "if(x) {\\n",
                                       "\\\"",
                                       "\\t",
                                       "berth",
                                       "gr\xc3\xbc\xc3\x9f",
                                       "crane",
                                       "C:\\\\log",
                                       "return",
                                       "0;\\n    }",
                                       "=>",
                                       "4711",
                                       "\xe6\xb8\xaf" };
  while (count-- > 0) {
    put(words[next(sizeof words / sizeof *words)]);
    put(" ");
  }
}

static void count_call(const char *name, const char *id) {
  uint32_t sum = ~0u;
  const char *const parts[] = { name, id };
  for (int p = 0; p < 2; p++)
    for (size_t i = 0; i < strlen(parts[p]) + (p == 0); i++)
      sum = table[(sum ^ (unsigned char)parts[p][i]) & 255] ^ sum >> 8;
  crc_sum += ~sum & 0xffffffffu;
  calls++;
}

/* The beginning of a record: who says it. */
static void begin(const char *type) {
  static uint64_t number;
  char head[256];
  (void)snprintf(head, sizeof head,
                 "{\"parentUuid\":\"u%09" PRIu64 "\",\"isSidechain\":false,\"sessionId\":\"s%06" PRIu64
                 "\",\"version\":\"2.1.9\",\"type\":\"%s\",\"uuid\":\"u%09" PRIu64 "\",\"message\":",
                 number, number / 2000, type, number + 1);
  number++;
  put(head);
}

static void round_trip(void) {
  static const char *const names[] = { "Bash", "Read", "Edit", "Grep", "Write", "Task", "mcp__crane__lift" };
  char id[32];
  const char *name = names[next(7) * next(2)];
  (void)snprintf(id, sizeof id, "toolu_%012" PRIu64, calls);
  begin("assistant");
  put("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"");
  put_words(next(60));
  put("\"},{\"type\":\"tool_use\",\"id\":\"");
  put(id);
  put("\",\"name\":\"");
  put(name);
  put("\",\"input\":{\"path\":\"/harbour/log\",\"limit\":120,\"text\":\"");
  put_words(next(40));
  put("\"}}]}}");
  end_line();
  count_call(name, id);
  begin("user");
  put("{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"");
  put(id);
  put("\",\"content\":\"");
  put_words(next(20) ? next(600) : next(60000));
  put("\"}]}}");
  end_line();
  results++;
}

int main(int argc, char **argv) {
  uint64_t size = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
  out = size > 0 ? fopen(argv[2], "w") : NULL;
  if (!out) {
    fprintf(stderr, "usage: gen BYTES FILE\n");
    return 2;
  }
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  while (written < size) round_trip();
  if (fclose(out) != 0) return 2;
  printf("{\"lines\":%" PRIu64 ",\"bad\":0,\"calls\":%" PRIu64 ",\"results\":%" PRIu64 ",\"crc_sum\":%" PRIu64 "}\n",
         lines, calls, results, crc_sum);
  return 0;
}
