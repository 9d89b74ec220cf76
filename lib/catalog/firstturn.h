/* The first-turn block: the exact bytes of the tools array that a model is shown, in the shape of one API. They
 * depend on nothing but the catalog, the surface and the API: never on the order of records, the locale or the
 * run. Active native tools by name, then active MCP tools by name, then synthetic ones; doubled names by their
 * bytes. No alias gets here, and no member of the lifecycle: only the members that the API knows are copied. */
#ifndef TS_CATALOG_FIRSTTURN_H
#define TS_CATALOG_FIRSTTURN_H

#include "catalog/surface.h"

enum ts_api { TS_API_ANTHROPIC, TS_API_OPENAI, TS_API_RESPONSES, TS_API_GEMINI, TS_API_MCP, TS_APIS };
const char *ts_api_name(enum ts_api api);
/* TS_APIS when the word names none. */
enum ts_api ts_api_find(struct ts_str word);
#define TS_API_VALUES "anthropic|openai|responses|gemini|mcp"

/* One tool of a block, and where its bytes are. */
struct ts_head_tool {
  const struct ts_tool *tool;
  size_t start, end;
};

struct ts_head {
  struct ts_buf bytes; /* one line, without its newline */
  struct ts_head_tool *tool;
  size_t count, cap;
};

/* Builds the block into *h, replacing what it had. The tools are borrowed from the catalog. */
void ts_head_build(struct ts_head *h, const struct ts_catalog *c, const struct ts_scope *scope, enum ts_api api);
void ts_head_free(struct ts_head *h);
/* How many of the block's tools are native: the part that is the same in every mode. */
size_t ts_head_native(const struct ts_head *h);

/* The input schema as it is shown in the scope, appended to *out: byte for byte the catalog's, unless actions
 * that are not to be had here leave the enum of its `action`. -1: none is left, so the tool can't be called. */
int ts_tool_schema(const struct ts_scope *scope, const struct ts_tool *t, struct ts_buf *out);

#endif
