#include "base/crc32.h"

#include "unit/tap.h"

int main(void) {
  static const struct {
    struct ts_str text;
    uint32_t crc;
  } rows[] = { /* from zlib */
               { TS_STR(""), 0 },
               { TS_STR("a"), 0xe8b7be43 },
               { TS_STR("123456789"), 0xcbf43926 },
               { TS_STR("Bash\0toolu_1"), 0x79c2b155 },
               { TS_STR("\0\0\0\0"), 0x2144df1c },
               { TS_STR("\xff\xfe\x80"), 0x265ea2ec }
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_str text = rows[i].text;
    IS_U64(ts_crc32(0, text), rows[i].crc, "row %zu", i);
    uint32_t half = ts_crc32(0, ts_str_sub(text, 0, text.len / 2));
    IS_U64(ts_crc32(half, ts_str_sub(text, text.len / 2, SIZE_MAX)), rows[i].crc, "row %zu, in two pieces", i);
  }
  return tap_done();
}
