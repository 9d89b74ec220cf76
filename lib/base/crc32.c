#include "base/crc32.h"

uint32_t ts_crc32(uint32_t crc, struct ts_str bytes) {
  /* Half a byte at a time: names and ids are short, so a table that stays in the cache is as good as a big one. */
  static const uint32_t half[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
  crc = ~crc;
  for (size_t i = 0; i < bytes.len; i++) {
    crc ^= (unsigned char)bytes.ptr[i];
    crc = crc >> 4 ^ half[crc & 15];
    crc = crc >> 4 ^ half[crc & 15];
  }
  return ~crc;
}
