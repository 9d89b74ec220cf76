/* The CRC-32 of zip, gzip and PNG (polynomial 0xEDB88320, reflected). */
#ifndef TS_BASE_CRC32_H
#define TS_BASE_CRC32_H

#include "base/str.h"

/* Goes on from the CRC of what came before; 0 at the start. */
uint32_t ts_crc32(uint32_t crc, struct ts_str bytes);

#endif
