/* SHA-256, from libmd. */
#ifndef TS_BASE_DIGEST_H
#define TS_BASE_DIGEST_H

#include "base/str.h"

#define TS_SHA256_HEX 65 /* 64 hex digits and a NUL */

/* hex gets the digest of the parts, joined by `joint` (-1: nothing between them). */
void ts_sha256(const struct ts_str *parts, size_t count, int joint, char hex[TS_SHA256_HEX]);

#endif
