/* A catalog in memory: the records of tscatalog(5), whatever shape they came in, in the order read. It owns
 * everything it points at; records are valid until ts_catalog_free and never change after loading. */
#ifndef TS_CATALOG_CATALOG_H
#define TS_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "catalog/lifecycle.h"
#include "report/finding.h"

enum ts_origin { TS_NATIVE, TS_MCP, TS_SYNTHETIC, TS_ORIGINS };
const char *ts_origin_name(enum ts_origin origin);
/* TS_ORIGINS when the word names none. */
enum ts_origin ts_origin_find(struct ts_str word);

/* One action of an action family. */
struct ts_action {
  struct ts_str name, feature; /* feature: empty: always there */
  struct ts_str *mode;         /* where it may be used */
  size_t mode_count;
  bool some_modes; /* only in those of `mode`; false: in all */
};

/* A tool or an alias. Text members are decoded; `…_json` members are raw JSON as read, white space between
 * tokens dropped; absent ones are empty (ptr NULL). */
struct ts_tool {
  struct ts_str name;
  enum ts_state state;
  bool is_alias;
  enum ts_origin origin;
  struct ts_str implementation, niche, family, feature, server;
  bool exclusive;
  struct ts_str name_json, description_json;
  struct ts_str description;
  struct ts_str input_schema, output_schema, annotations, actions, title; /* raw JSON */
  struct ts_action *action_list;                                          /* what `actions` says */
  size_t action_count;
  struct ts_str replacement;
  struct ts_str action;    /* alias: short for arguments.set.action */
  struct ts_str arguments; /* alias: the argument map, raw JSON */
  struct ts_str note;
  struct ts_str first_deprecated_version, planned_removal_version, not_before; /* empty: null or absent */
  bool has_replay_supported, replay_supported;                                 /* default: true, for removed false */
  struct ts_str served; /* raw object: members of a tool in a served list that mean something else in a record, such
                         * as `state` or a provider's `type`; kept, never read */
  struct ts_str record; /* the whole record as the normalised print has it, one line of raw JSON */
  struct ts_place place;
  size_t twin; /* private: the next record of this name, or SIZE_MAX */
};

struct ts_profile {
  struct ts_str name;
  bool has_first_turn;
  struct ts_str *first_turn, *exclude;
  size_t first_turn_count, exclude_count;
  struct ts_str record;
  struct ts_place place;
};

struct ts_mode {
  struct ts_str name;
  struct ts_str mcp; /* the state of MCP tools in it, as written */
  bool mcp_active;
  struct ts_str record; /* empty: a default, not declared */
  struct ts_place place;
};

struct ts_catalog {
  struct ts_str name, version; /* empty: unknown */
  bool has_budget;
  uint64_t budget_active, budget_bytes; /* UINT64_MAX: no bound */
  struct ts_str header;                 /* the catalog record, raw JSON, or empty */
  struct ts_place header_place;
  struct ts_tool *tool; /* tools and aliases, doubled names included */
  size_t tool_count, tool_cap;
  struct ts_profile *profile; /* by name */
  size_t profile_count, profile_cap;
  struct ts_mode *mode; /* plan, agent, yolo, whether declared or not, then what else is declared, by name */
  size_t mode_count, mode_cap;
  struct ts_finding *finding; /* made while loading: page-repeated, pages-incomplete, … (text in arena) */
  size_t finding_count, finding_cap;
  bool incomplete; /* an MCP list that ends with a nextCursor */
  struct ts_arena arena;
  struct ts_map by_name;      /* private: name -> first tool */
  struct ts_loading *loading; /* private: what is known only until ts_catalog_finish */
};

/* Reads one source on top of what c has (an overlay): tools and aliases are added, a header, a profile or a
 * mode replaces the one of that name. `name` is the file name for places. The text may be JSON or JSONL in any
 * shape of tscatalog(5); it is copied as far as needed. No record at all is no error. -1: not a catalog; *err
 * says `file:line:column: …`. Call ts_catalog_finish when the last source is read.
 *
 * Invalid UTF-8 and doubled members are errors: nobody knows what such a record says. Only inside a value of a
 * served list that is passed on as it is (a schema, annotations) a doubled key is let through, as the finding
 * duplicate-key: the bytes are the server's, and every reader takes the last one. */
int ts_catalog_read(struct ts_catalog *c, struct ts_str name, struct ts_str text, struct ts_buf *err);
/* Applies state records and defaults, builds the name table, tells whether the pages of a list are complete.
 * -1: a state record names no tool. */
int ts_catalog_finish(struct ts_catalog *c, struct ts_buf *err);
/* A tools array as a transcript carries it: the list is the surface, all active. */
int ts_catalog_read_tools(struct ts_catalog *c, struct ts_str name, struct ts_str tools, struct ts_buf *err);
void ts_catalog_free(struct ts_catalog *c);

/* The text of an embedded catalog ("codewhale", "policy"), or empty. */
struct ts_str ts_builtin(struct ts_str name);

/* The first record of that name, or NULL; and the next one that carries the same name (doubled names). */
const struct ts_tool *ts_catalog_find(const struct ts_catalog *c, struct ts_str name);
const struct ts_tool *ts_catalog_twin(const struct ts_catalog *c, const struct ts_tool *t);

/* Which part of the catalog is looked at: --mode, --profile, --feature. {0} is mode agent, no profile, all
 * features. */
struct ts_surface {
  struct ts_str mode;    /* empty: agent */
  struct ts_str profile; /* empty: none */
  struct ts_str *feature;
  size_t feature_count;
  bool some_features; /* only those in feature are on; false: all are */
};

#endif
