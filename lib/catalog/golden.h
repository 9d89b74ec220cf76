/* A golden file: the first-turn block of every mode and profile, to be kept beside the catalog and compared with
 * it, byte for byte. Per block two lines: a record that says which one it is, how long and its SHA-256, and the
 * block itself, as it is sent:
 *   {"type":"golden","api":"anthropic","mode":"plan","profile":"arcee","active":4,"bytes":913,"sha256":"…"}
 *   [{"name":…},…] */
#ifndef TS_CATALOG_GOLDEN_H
#define TS_CATALOG_GOLDEN_H

#include "catalog/firstturn.h"
#include "report/findings.h"

/* Appends the golden file of c, with the surface's features; its mode and profile do not matter. */
void ts_golden_write(const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api, struct ts_buf *out);

/* Compares c with the golden file `text`, whose name is `file`. Each block that is not the same is reported as
 * golden-stale: the first tool that differs, at which byte, and how many lie behind it. -1: text is no golden
 * file, is damaged, or was made for another API. */
int ts_golden_check(const struct ts_catalog *c, const struct ts_surface *s, enum ts_api api, struct ts_str file,
                    struct ts_str text, ts_finding_fn *report, void *context, struct ts_buf *err);

#endif
