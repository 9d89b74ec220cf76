/* A parsed schema, as validate, subset and witness see it; not for other floors. A schema is a graph of
 * subschemas: one for every place where a schema may stand, made when the schema is parsed, with local
 * references resolved. All of it belongs to the ts_schema and is freed with it.
 *
 * The keywords are those of draft 2020-12; older drafts' spellings (array form of items, additionalItems,
 * definitions, dependencies, boolean exclusiveMinimum) are read into the same members, and nullable:true
 * (OpenAPI) adds null to `type`. A keyword of a wrong shape is ignored, as providers do, and makes the
 * subschema `odd`. */
#ifndef TS_SCHEMA_SCHEMA_H
#define TS_SCHEMA_SCHEMA_H

#include "base/arena.h"
#include "base/map.h"
#include "schema/regex.h"
#include "schema/validate.h"
#include "schema/value.h"

struct ts_sub;

struct ts_subs {
  struct ts_sub **item;
  size_t count; /* 0: the keyword is not there */
};

struct ts_texts {
  struct ts_str *item;
  size_t count;
};

struct ts_limits {
  uint64_t min, max; /* UINT64_MAX: none */
};

/* A name that `properties` or `required` speaks of. */
struct ts_property {
  struct ts_str name;
  struct ts_sub *schema; /* NULL: only required */
  bool required;
};

/* `pattern`, or a row of patternProperties. Compiled when it is first needed. */
struct ts_pattern {
  struct ts_str text;
  struct ts_regex *regex;
  bool refused;          /* not a regular expression: undecided wherever it is asked */
  struct ts_sub *schema; /* of patternProperties */
};

/* dependentRequired, dependentSchemas, dependencies: what a property asks for when it is there. */
struct ts_dependency {
  struct ts_str name;
  struct ts_texts required;
  struct ts_sub *schema; /* or NULL */
};

/* Which steps of a check a subschema needs. */
enum {
  TS_USES_TYPE = 1,
  TS_USES_VALUES = 2,
  TS_USES_NUMBER = 4,
  TS_USES_STRING = 8,
  TS_USES_ARRAY = 16,
  TS_USES_OBJECT = 32,
  TS_USES_LOGIC = 64,
  TS_USES_UNEVALUATED = 128,
};

struct ts_sub {
  const struct ts_tree *tree; /* where it stands; NULL: made for a comparison */
  struct ts_sub *resource;    /* what "#" means here */
  bool never;                 /* the schema `false` */
  const char *odd;            /* a keyword that was ignored because it has a wrong shape; NULL: none */
  bool undecided;             /* a reference that can't be followed, or nesting beyond reason */
  bool refers;                /* a reference stands here or below */
  uint8_t uses;               /* TS_USES_…; of the keywords, set when all are read */

  uint8_t types;                  /* of `type` */
  const struct ts_tree *values;   /* `enum`: an array */
  struct ts_texts words;          /* its strings, sorted */
  bool other_values;              /* it has values that are no strings */
  const struct ts_tree *constant; /* `const` */

  struct ts_str minimum, maximum, above, below, multiple_of; /* spellings; empty: none */
  struct ts_limits length;
  struct ts_pattern *pattern;

  struct ts_subs prefix; /* prefixItems, or items as an array */
  struct ts_sub *items;  /* of the items behind the prefix; NULL: any */
  struct ts_sub *contains;
  struct ts_limits contained, items_count;
  bool unique;

  struct ts_property *property; /* sorted by name */
  size_t property_count, required_count;
  struct ts_pattern *patterns; /* patternProperties */
  size_t pattern_count;
  struct ts_sub *additional, *names; /* additionalProperties, propertyNames; NULL: any */
  struct ts_limits members;
  struct ts_dependency *dependency;
  size_t dependency_count;

  struct ts_subs all, any, one;
  struct ts_sub *negated, *condition, *then, *otherwise; /* not, if, then, else */
  struct ts_str reference;                               /* $ref, or empty */
  struct ts_sub *target;                                 /* what it refers to */
  bool only_refers;                                      /* and that is all: the target stands for it */
  struct ts_sub *unevaluated_items, *unevaluated_members;

  /* While the schema is read: keywords that mean something only together. */
  const struct ts_tree *properties_tree, *required_tree;
  struct ts_sub *additional_items;
  bool items_is_list, nullable, minimum_excluded, maximum_excluded;

  uint8_t types_listed, types_declared; /* kept by types_within (view.c); 0: not asked yet */
  uint64_t hash;                        /* of the tree, kept by ts_is_part (cover.c); 0: not asked yet */
  const struct ts_tree *active;         /* the value being checked just now: seeing it again is recursion without end */
  struct ts_sub *next;                  /* all of a schema */
};

struct ts_schema {
  struct ts_tree *tree;
  struct ts_sub *root;
  struct ts_sub *all; /* every subschema, a list */
  struct ts_arena arena;
  struct ts_sub *any; /* the schemas `true` and `false` */
  struct ts_sub *none;
  struct ts_map by_tree; /* address of a tree -> address of its subschema */
};

/* A subschema without keywords, owned by s, and one that refuses everything is s->none. */
struct ts_sub *ts_sub_new(struct ts_schema *s);
/* Says in `uses` which keywords are set; for subschemas made by hand. */
void ts_sub_finish(struct ts_sub *sub);
const struct ts_property *ts_sub_property(const struct ts_sub *sub, struct ts_str name);
/* Does the pattern find something in text? 1, 0, -1 (undecided). */
int ts_pattern_match(struct ts_pattern *p, struct ts_str text);
/* 1, 0 or -1 as ts_schema_check, for one subschema. */
int ts_sub_check(struct ts_sub *sub, const struct ts_tree *value);
/* The same with so many steps at most, which it takes from *left. */
int ts_sub_check_within(struct ts_sub *sub, const struct ts_tree *value, size_t *left);

/* Resolves the references of every subschema, reading what they refer to when it is no subschema yet
 * (refs.c). */
void ts_schema_link(struct ts_schema *s);
/* Reads the subschema at a tree, once (schema.c). */
struct ts_sub *ts_schema_read(struct ts_schema *s, const struct ts_tree *tree, struct ts_sub *resource);

#endif
