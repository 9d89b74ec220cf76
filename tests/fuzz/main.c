/* Runs a fuzz driver without libFuzzer: over every file of the folders named, as it is and changed in small ways,
 * always the same ones. TAP, one test a file. `-n ROUNDS` sets how often each is changed (default 300). */
#include "fuzz.h"

#include <dirent.h>
#include <unistd.h>

static uint32_t state = 1;

/* Numerical Recipes' generator. */
static size_t below(size_t n) {
  state = state * 1664525u + 1013904223u;
  return n ? (size_t)((uint64_t)state * n >> 32) : 0;
}

/* The input gets memory of its own size, so that a sanitizer sees a read behind it. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  (void)LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

/* One to four changes: a byte set, a piece repeated, a piece taken out, the end cut off. */
static size_t change(uint8_t *data, size_t size, size_t room) {
  static const char likely[] = "\"\\u{}[],:0-.eEtfn/ \n\x80\xc3\xff";
  for (size_t n = 1 + below(4); n > 0 && size > 0; n--) {
    size_t at = below(size), len = 1 + below(size - at < 70 ? size - at : 70);
    switch (below(4)) {
      case 0:
        data[at] = (uint8_t)(below(2) ? (size_t)(unsigned char)likely[below(sizeof likely - 1)] : below(256));
        break;
      case 1:
        if (size + len > room) break;
        memmove(data + at + len, data + at, size - at);
        size += len;
        break;
      case 2:
        memmove(data + at, data + at + len, size - at - len);
        size -= len;
        break;
      default:
        size = below(8) ? size : at;
        break;
    }
  }
  return size;
}

static void run_file(const char *path, size_t rounds) {
  enum { ROOM = 1 << 20 };
  uint8_t *whole = malloc(ROOM), *changed = malloc(ROOM);
  FILE *file = fopen(path, "rb");
  if (!whole || !changed || !file) abort();
  size_t size = fread(whole, 1, ROOM, file);
  (void)fclose(file);
  run(whole, size);
  for (size_t i = 0; i < rounds; i++) {
    memcpy(changed, whole, size);
    run(changed, change(changed, size, ROOM));
  }
  free(whole);
  free(changed);
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static unsigned run_folder(const char *folder, size_t rounds, unsigned count) {
  struct dirent **entry;
  int n = scandir(folder, &entry, visible, alphasort);
  for (int i = 0; i < n; i++) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    run_file(path, rounds);
    printf("ok %u - %s\n", ++count, entry[i]->d_name);
    (void)fflush(stdout);
    free(entry[i]);
  }
  if (n < 0) {
    printf("not ok %u - %s: cannot be read\n", ++count, folder);
    return count;
  }
  free(entry);
  return count;
}

int main(int argc, char **argv) {
  size_t rounds = 300;
  unsigned count = 0;
  for (int option; (option = getopt(argc, argv, "n:")) != -1;) {
    if (option != 'n') return 2;
    rounds = strtoul(optarg, NULL, 10);
  }
  for (int i = optind; i < argc; i++) count = run_folder(argv[i], rounds, count);
  printf("1..%u\n", count);
  return count == 0;
}
