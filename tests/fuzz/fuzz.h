/* What a fuzz driver gives: the entry that libFuzzer calls, and main.c where there is no libFuzzer. */
#ifndef TS_TESTS_FUZZ_FUZZ_H
#define TS_TESTS_FUZZ_FUZZ_H

#include "base/prelude.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has to be true of every input. */
#define MUST(truth)                                                             \
  do {                                                                          \
    if (!(truth)) {                                                             \
      (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth); \
      abort();                                                                  \
    }                                                                           \
  } while (0)

#endif
