/* The yardstick for reading transcripts: each line of FILE as a cJSON tree, the calls of claude-code taken from it.
 * Prints what tsreplay's summary counts: lines, bad lines, calls, results, and the sum of the CRC-32 of name, NUL and
 * id of every call.   cjson_lines FILE */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t lines, bad, calls, results, crc_sum;
static uint32_t table[256];

static void make_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
}

static uint32_t crc(uint32_t sum, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) sum = table[(sum ^ (unsigned char)text[i]) & 255] ^ sum >> 8;
  return sum;
}

static const char *text_of(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

/* The names per tool: few, so a list will do. */
static struct name {
  char text[128];
  uint64_t count;
} names[256];

static void count_call(const char *name, const char *id) {
  size_t i = 0;
  calls++;
  crc_sum += ~crc(crc(~0u, name, strlen(name) + 1), id, strlen(id)) & 0xffffffffu;
  while (i < 255 && names[i].count > 0 && strcmp(names[i].text, name) != 0) i++;
  if (names[i].count++ == 0) (void)snprintf(names[i].text, sizeof names[i].text, "%s", name);
}

static void take_line(const char *line, size_t len) {
  cJSON *record = cJSON_ParseWithLengthOpts(line, len + 1, NULL, 1), *block;
  lines++;
  bad += record == NULL;
  const char *type = text_of(record, "type");
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(record, "message");
  cJSON_ArrayForEach(block, cJSON_GetObjectItemCaseSensitive(message, "content")) {
    const char *kind = text_of(block, "type");
    if (strcmp(type, "assistant") == 0 && strcmp(kind, "tool_use") == 0)
      count_call(text_of(block, "name"), text_of(block, "id"));
    if (strcmp(type, "user") == 0 && strcmp(kind, "tool_result") == 0) results++;
  }
  cJSON_Delete(record);
}

/* Hands out the whole lines of buf[0..end), each with a NUL in the place of its newline; returns where the rest begins.
 */
static size_t take_lines(char *buf, size_t end) {
  size_t from = 0;
  for (char *lf; (lf = memchr(buf + from, '\n', end - from)) != NULL; from = (size_t)(lf - buf) + 1) {
    *lf = '\0';
    if (lf > buf + from) take_line(buf + from, (size_t)(lf - buf) - from);
  }
  return from;
}

int main(int argc, char **argv) {
  size_t cap = 4 << 20, end = 0;
  char *buf = malloc(cap);
  int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
  if (!buf || fd < 0) {
    fprintf(stderr, "usage: cjson_lines FILE\n");
    return 2;
  }
  make_table();
  for (ssize_t n; (n = read(fd, buf + end, cap - end - 1)) > 0;) {
    size_t from = take_lines(buf, end += (size_t)n);
    memmove(buf, buf + from, end -= from);
    if (end + 1 < cap) continue;
    buf = realloc(buf, cap *= 2);
    if (!buf) return 2;
  }
  buf[end] = '\0';
  if (end > 0) take_line(buf, end);
  printf("{\"lines\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"calls\":%" PRIu64 ",\"results\":%" PRIu64 ",\"crc_sum\":%" PRIu64
         "}\n",
         lines, bad, calls, results, crc_sum);
  free(buf);
  return 0;
}
