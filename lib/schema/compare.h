/* Comparing schemas, inside: shared by the files that make up subset.h; private to lib/schema.
 *
 * The side whose values must be accepted is A, the side that must accept them is B: old and new, but swapped
 * for results, and again below `not`. A is looked at as a view, B one subschema at a time: A's values fit B if
 * every keyword of B is implied by something in the view. */
#ifndef TS_SCHEMA_COMPARE_H
#define TS_SCHEMA_COMPARE_H

#include "schema/schema.h"
#include "schema/subset.h"

#define TS_WIDE 16                /* so many parts of a view, or listed values, are looked at for one step */
#define TS_ABSENT ts_str(NULL, 0) /* no value, where raw JSON is meant */

/* All subschemas that a value must fit at once: references and allOf are flattened. In the comparison's arena. */
struct ts_view {
  struct ts_sub **part;
  bool *chosen; /* of this part's anyOf or oneOf one branch is a part as well */
  size_t count;
  unsigned types; /* only values of these types are meant */
  bool cut;       /* there are more parts than are looked at */
};

struct ts_bound {
  struct ts_str number; /* empty: none */
  bool excluded;        /* the number itself is out */
  const char *keyword;
};

/* What a view comes down to. */
struct ts_facts {
  unsigned types;    /* that its values can have; 0: there is no value */
  unsigned declared; /* by `type` alone, whatever the view is meant for */
  bool finite;       /* its values are the ones listed */
  bool listed;       /* by enum or const */
  const struct ts_tree **value;
  size_t value_count;
  struct ts_bound lower, upper;
  struct ts_limits length, items, members;
  bool unique;
};

/* Where in a value a comparison is: the way up to the whole, with what A says of what lies around it. */
enum ts_step_kind {
  TS_AT_MEMBER,   /* called `key` */
  TS_AT_MATCHING, /* a member whose name matches `pattern`, such as `key` */
  TS_AT_REST,     /* a member that neither A nor `beside` (of B) speaks of, such as `key` */
  TS_AT_ELEMENT,  /* number `index` */
  TS_AT_TAIL,     /* an element from `index` on */
  TS_AT_NAME,     /* the name of a member */
  TS_AT_CHOICE,   /* the value itself, which `beside`, all of B's branches, must refuse */
};
struct ts_spot {
  const struct ts_spot *up; /* NULL: the object or array is the whole value */
  const struct ts_view *around;
  enum ts_step_kind kind;
  struct ts_str key; /* tree spelling */
  size_t index;
  struct ts_pattern *pattern;
  struct ts_sub *beside;
};

/* A question that is being answered: is all that fits a accepted by b, so many values below the whole? */
struct ts_pair {
  const struct ts_pair *up;
  const struct ts_view *a;
  const struct ts_sub *b;
  unsigned below;
  unsigned depth; /* of questions within questions */
};

struct ts_noting {
  const struct ts_noting *up;
  const struct ts_view *a, *b;
};

/* A subschema is compared for what would be found; nothing is reported. */
struct ts_trial {
  size_t faults;         /* narrowed or undecided */
  struct ts_str witness; /* the shortest; empty: none */
};

struct ts_compare {
  struct ts_schema *a, *b;
  struct ts_arena arena;
  const struct ts_tree *null_value, *true_value, *false_value;
  struct ts_tree *constants; /* an array that owns those */
  bool output;
  bool flipped;                   /* A is the new side here */
  unsigned quiet;                 /* only an answer is wanted, nothing is reported */
  struct ts_trial *trial;         /* NULL: this is none */
  size_t steps;                   /* subschemas compared */
  size_t checks_left;             /* steps that may still go into which listed values fit */
  struct ts_buf pointer;          /* where we are */
  unsigned below;                 /* members and elements on the way here */
  const struct ts_pair *pairs;    /* questions that are being answered, … */
  const struct ts_noting *noting; /* … and views that are being compared for notes */
  size_t noted;
  struct ts_schema_change *change; /* found so far, owned; text in the arena */
  size_t change_count, change_cap;
};

/* view.c */
struct ts_view ts_view_of(struct ts_compare *c, struct ts_sub *sub);
struct ts_view ts_view_with(struct ts_compare *c, const struct ts_view *v, struct ts_sub *sub);
struct ts_facts ts_view_facts(struct ts_compare *c, const struct ts_view *v);
/* 1, 0 or -1: do all parts accept the value? */
int ts_view_check(const struct ts_view *v, const struct ts_tree *value);
/* A part whose anyOf or oneOf is still to be chosen from, or SIZE_MAX; its branches; the view with one of them. */
size_t ts_view_choice(const struct ts_view *v);
const struct ts_subs *ts_branches(const struct ts_sub *sub);
struct ts_view ts_view_choose(struct ts_compare *c, const struct ts_view *v, size_t part, struct ts_sub *branch);
/* What is said of a member, of members that nobody declares, of an element. */
struct ts_view ts_view_member(struct ts_compare *c, const struct ts_view *v, struct ts_str key);
struct ts_view ts_view_names(struct ts_compare *c, const struct ts_view *v); /* of its propertyNames; strings only */
struct ts_view ts_view_rest(struct ts_compare *c, const struct ts_view *v);
struct ts_view ts_view_element(struct ts_compare *c, const struct ts_view *v, size_t index);
/* Any value fits it; none does. */
bool ts_view_is_open(const struct ts_view *v);
bool ts_view_is_empty(struct ts_compare *c, const struct ts_view *v);
/* The schema that a part has for a property, NULL when it does not declare it; the same for a whole view (the
 * first); is the name required? */
struct ts_sub *ts_declared(const struct ts_sub *sub, struct ts_str key);
struct ts_sub *ts_view_declared(const struct ts_view *v, struct ts_str key);
bool ts_view_requires(const struct ts_view *v, struct ts_str key);
/* additionalProperties and items, or unevaluated… where it means the same; NULL: any. */
struct ts_sub *ts_rest_members(const struct ts_sub *sub);
struct ts_sub *ts_rest_items(const struct ts_sub *sub);
/* unevaluated… that depends on what other subschemas have looked at. */
bool ts_depends(const struct ts_sub *sub);
/* Accepts whatever there is. */
bool ts_accepts_all(const struct ts_sub *sub);
/* A subschema without keywords, on the caller's stack, to be given one and ts_sub_finish. */
struct ts_sub ts_blank(void);

/* cover.c, cover_object.c, cover_choice.c: is every value of A accepted by b? Reports what is not, unless
 * quiet; true: proved. */
bool ts_cover(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot);
bool ts_cover_quietly(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b);
/* Is b one of A's own parts, or written just like one? */
bool ts_is_part(const struct ts_view *a, struct ts_sub *b);
/* So much was compared that nothing is followed any more. */
bool ts_is_spent(const struct ts_compare *c);
/* The same of a member, an element or a name. */
bool ts_cover_below(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot);
bool ts_cover_object(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot);
bool ts_cover_array(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot);
bool ts_cover_choice(struct ts_compare *c, const struct ts_view *a, struct ts_sub *b, const struct ts_spot *spot);
/* Each dependency of a part of `asked` is one of `known`, too. */
bool ts_knows_dependencies(struct ts_compare *c, const struct ts_view *known, const struct ts_sub *asked);
/* The branch that was made of an alternative of A, number `index` in `before` (NULL and SIZE_MAX: A has none): it is
 * of the same kind, and no other alternative of A is just like it. SIZE_MAX: none, or several. */
size_t ts_find_heir(struct ts_compare *c, const struct ts_view *a, const struct ts_subs *before,
                    const struct ts_subs *branches, size_t index);
/* Both accept the same values. */
bool ts_same(struct ts_compare *c, struct ts_sub *one, struct ts_sub *other);

/* A's values are listed (or there is none), and all fit it: an exact answer. */
bool ts_all_fit(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition);

/* notes.c: what B accepts besides, and words that changed. */
void ts_note_changes(struct ts_compare *c, const struct ts_view *a, const struct ts_view *b);

/* change.c: findings. Values are raw JSON of A's and B's side; `keyword` is put behind the pointer. */
struct ts_str ts_json_of(struct ts_compare *c, const struct ts_tree *tree);
struct ts_str ts_sub_json(struct ts_compare *c, const struct ts_sub *sub);
struct ts_str ts_keyword_json(struct ts_compare *c, const struct ts_sub *sub, const char *keyword);
struct ts_str ts_types_json(struct ts_compare *c, unsigned types); /* absent: all of them */
struct ts_str ts_count_json(struct ts_compare *c, uint64_t n);     /* absent: 0 and UINT64_MAX */
struct ts_str ts_values_json(struct ts_compare *c, const struct ts_tree **value, size_t count); /* one, or a list */
/* A keyword of b, standing alone in `condition`, is not implied by A: an error if a witness is found. False,
 * so that `return ts_narrowed(…)` reads well; true when the values of A, which are few, all fit it. */
bool ts_narrowed(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition, const struct ts_spot *spot,
                 enum ts_rule_id rule, const char *keyword, struct ts_str a_json, struct ts_str b_json);
/* The same with a witness that is known already; empty: none was found. */
bool ts_narrowed_by(struct ts_compare *c, struct ts_str witness, enum ts_rule_id rule, const char *keyword,
                    struct ts_str a_json, struct ts_str b_json);
bool ts_undecided(struct ts_compare *c, enum ts_rule_id rule, const char *keyword, struct ts_str a_json,
                  struct ts_str b_json);
/* No narrowing: as bad as the rule is by itself. */
void ts_change_note(struct ts_compare *c, enum ts_rule_id rule, const char *keyword, struct ts_str a_json,
                    struct ts_str b_json);
/* words.c: sets path and message of a change, which live in the two buffers. */
void ts_change_words(struct ts_schema_change *change, bool result, struct ts_buf *path, struct ts_buf *message);
/* Going down the schema for the findings' pointers, and back. */
size_t ts_enter(struct ts_compare *c, const char *keyword, struct ts_str token);
size_t ts_enter_index(struct ts_compare *c, const char *keyword, size_t index);
void ts_leave(struct ts_compare *c, size_t mark);

/* May the member of this name, the element at this index be meant? (witness.c) */
bool ts_spot_has_name(const struct ts_spot *spot, struct ts_str name);
bool ts_spot_has_index(const struct ts_spot *spot, size_t index);

/* witness.c: a small value of the whole that A's schema accepts and B's refuses, and whose part at `spot` is
 * of the view and refused by `condition`; empty when none was found. In the arena. */
struct ts_str ts_witness(struct ts_compare *c, const struct ts_view *a, struct ts_sub *condition,
                         const struct ts_spot *spot);

#endif
