/* Words for what a schema refuses: what was expected and what came. Private to lib/schema. */
#ifndef TS_SCHEMA_MISFIT_H
#define TS_SCHEMA_MISFIT_H

#include "schema/schema.h"

enum ts_fault {
  TS_FAULT_NEVER,
  TS_FAULT_TYPE,
  TS_FAULT_ENUM,
  TS_FAULT_CONST,
  TS_FAULT_MINIMUM,
  TS_FAULT_MAXIMUM,
  TS_FAULT_ABOVE,
  TS_FAULT_BELOW,
  TS_FAULT_MULTIPLE,
  TS_FAULT_LENGTH_MIN,
  TS_FAULT_LENGTH_MAX,
  TS_FAULT_PATTERN,
  TS_FAULT_ITEMS_MIN,
  TS_FAULT_ITEMS_MAX,
  TS_FAULT_UNIQUE,
  TS_FAULT_CONTAINS_MIN,
  TS_FAULT_CONTAINS_MAX,
  TS_FAULT_MEMBERS_MIN,
  TS_FAULT_MEMBERS_MAX,
  TS_FAULT_REQUIRED,
  TS_FAULT_DEPENDENT,
  TS_FAULT_NAME,
  TS_FAULT_UNDECLARED,
  TS_FAULT_ANY,
  TS_FAULT_ONE,
  TS_FAULT_NOT,
  TS_FAULTS,
};

/* What a fault is about besides the subschema and the value. */
struct ts_fault_detail {
  struct ts_str name;  /* of a member, in tree spelling */
  struct ts_str other; /* what asks for it */
  size_t first, second;
};

void ts_fault_expected(struct ts_buf *out, enum ts_fault fault, const struct ts_sub *sub,
                       const struct ts_fault_detail *detail);
void ts_fault_came(struct ts_buf *out, enum ts_fault fault, const struct ts_sub *sub, const struct ts_tree *value,
                   const struct ts_fault_detail *detail);

#endif
