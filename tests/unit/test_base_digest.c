#include "base/digest.h"

#include "unit/tap.h"

/* Digests of whole texts are those that FIPS 180-2 gives. */
static const struct {
  const char *name;
  struct ts_str part[3];
  size_t count;
  int joint;
  const char *want;
} rows[] = {
  { "nothing", { { NULL, 0 } }, 0, -1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
  { "an empty part", { TS_STR("") }, 1, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
  { "no text", { { NULL, 0 } }, 1, -1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
  { "abc", { TS_STR("abc") }, 1, -1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  { "abc in three parts",
    { TS_STR("a"), TS_STR(""), TS_STR("bc") },
    3,
    -1,
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  { "abc joined by b",
    { TS_STR("a"), TS_STR("c") },
    2,
    'b',
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  { "56 bytes",
    { TS_STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") },
    1,
    -1,
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
  /* printf 'a\0b' | sha256sum */
  { "joined by NUL",
    { TS_STR("a"), TS_STR("b") },
    2,
    0,
    "59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138" },
};

int main(void) {
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    char hex[TS_SHA256_HEX];
    ts_sha256(rows[i].part, rows[i].count, rows[i].joint, hex);
    IS_Z(hex, rows[i].want, "%s", rows[i].name);
  }
  return tap_done();
}
