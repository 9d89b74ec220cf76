#include "base/digest.h"

#include <sys/types.h>

#include <sha2.h>

void ts_sha256(const struct ts_str *parts, size_t count, int joint, char hex[TS_SHA256_HEX]) {
  SHA2_CTX context;
  uint8_t separator = (uint8_t)joint;
  SHA256Init(&context);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && joint >= 0) SHA256Update(&context, &separator, 1);
    if (parts[i].len > 0) SHA256Update(&context, (const uint8_t *)parts[i].ptr, parts[i].len);
  }
  (void)SHA256End(&context, hex);
}
