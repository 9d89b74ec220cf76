/* A yardstick: what a program does that gives every line of a Claude Code transcript to cJSON. It counts lines, lines
 * that are no JSON, calls per name (the total is printed) and results, as tsreplay's summary does. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long lines, bad, calls, results;

static const cJSON *get(const cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }

static int says(const cJSON *item, const char *word) {
  return cJSON_IsString(item) && strcmp(item->valuestring, word) == 0;
}

static void count(const cJSON *record) {
  const cJSON *block;
  cJSON_ArrayForEach(block, get(get(record, "message"), "content")) {
    if (says(get(block, "type"), "tool_use") && says(get(record, "type"), "assistant"))
      calls += cJSON_IsString(get(block, "name")) && cJSON_IsString(get(block, "id"));
    if (says(get(block, "type"), "tool_result") && says(get(record, "type"), "user")) results++;
  }
}

int main(int argc, char **argv) {
  FILE *f = argc == 2 ? fopen(argv[1], "re") : NULL;
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  if (!f) return 2;
  (void)setvbuf(f, NULL, _IOFBF, 1 << 20);
  while ((n = getline(&line, &size, f)) > 0) {
    lines++;
    if (line[n - 1] == '\n') line[n - 1] = '\0';
    cJSON *record = cJSON_ParseWithOpts(line, NULL, 1);
    if (record)
      count(record);
    else
      bad++;
    cJSON_Delete(record);
  }
  printf("%lu %lu %lu %lu\n", lines, bad, calls, results);
  free(line);
  return fclose(f) != 0;
}
