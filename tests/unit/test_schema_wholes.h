/* More pairs of schemas, as in test_schema_pairs.h: how small the witnesses are that those are put into, and what counts
 * at a schema's top. */
#ifndef TS_TESTS_UNIT_TEST_SCHEMA_WHOLES_H
#define TS_TESTS_UNIT_TEST_SCHEMA_WHOLES_H

#include "unit/test_schema_pairs.h"

/* clang-format off */
static const struct schema_pair whole_pairs[] = {

  /* small witnesses */
  { J({"properties":{"s":{"type":"string","minLength":4},"n":{"type":"number"}},"required":["s"]}),
    J({"properties":{"s":{"type":"string","minLength":4},"n":{"type":"string"}},"required":["s"]}),
    "error type-changed /properties/n/type {\"s\":\"aaaa\",\"n\":0}\n" },
  { J({"properties":{"s":{"minLength":3,"type":"string","pattern":"^.*x.*$"},"n":{"type":"number"}},"required":["s"]}),
    J({"properties":{"s":{"minLength":3,"type":"string","pattern":"^.*x.*$"},"n":{"type":"string"}},"required":["s"]}),
    "error type-changed /properties/n/type {\"s\":\"axa\",\"n\":0}\n" },
  { J({"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"minProperties":2}),
    J({"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"integer"}},"minProperties":2}),
    "error type-changed /properties/c/type {\"a\":\"\",\"c\":\"\"}\n" },
  { J({"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"minProperties":2,"maxProperties":2}),
    J({"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"integer"}},"minProperties":2,"maxProperties":2}),
    "error type-changed /properties/c/type {\"a\":\"\",\"c\":\"\"}\n" },
  { J({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2}),
    J({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2,"additionalProperties":false}),
    "error object-closed /additionalProperties {\"a\":\"\",\"x\":0}\n" },
  { J({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2}),
    J({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2,"propertyNames":{"minLength":1}}),
    "error items-introduced /propertyNames {\"a\":\"\",\"\":0}\n" },
  { J({"required":["d"]}), J({"required":["d"],"additionalProperties":{"const":true}}),
    "error object-closed /additionalProperties {\"d\":0}\n" },
  { J({"required":["c"],"maxProperties":1}), J({"required":["c"],"maxProperties":1,"additionalProperties":{"const":"k"}}),
    "error object-closed /additionalProperties {\"c\":0}\n" },
  { J({"required":["c"],"maxProperties":1,"patternProperties":{"^.{2,}$":true}}),
    J({"required":["c"],"maxProperties":1,"patternProperties":{"^.{2,}$":true},"additionalProperties":{"const":"k"}}),
    "error object-closed /additionalProperties {\"c\":0}\n" },
  { J({"required":["xa"],"maxProperties":1,"patternProperties":{"^x":{"type":"string"}}}),
    J({"required":["xa"],"maxProperties":1,"patternProperties":{"^x":{"type":"integer"}}}),
    "error type-changed /patternProperties/^x/type {\"xa\":\"\"}\n" },
  { J({"propertyNames":{"enum":["a","b"]}}), J({"propertyNames":{"enum":["a","b"]},"additionalProperties":false}),
    "error object-closed /additionalProperties {\"a\":0}\n" },
  { J({"properties":{"a":{},"b":{}},"propertyNames":{"enum":["a","b","dd"]}}),
    J({"properties":{"a":{},"b":{}},"propertyNames":{"enum":["a","b","dd"]},"additionalProperties":{"type":"string"}}),
    "error object-closed /additionalProperties {\"dd\":0}\n" },
  { J({"properties":{"query":{"type":"string"}},"required":["query"],"maxProperties":1}),
    J({"properties":{"query":{"type":"string"}},"required":["query"],"maxProperties":1,"propertyNames":{"maxLength":3}}),
    "error items-introduced /propertyNames {\"query\":\"\"}\n" },
  { J({"properties":{"query":{"type":"string"}},"required":["query"]}),
    J({"properties":{"query":{"type":"string"}},"required":["query"],"propertyNames":{"pattern":"^.$"}}),
    "error items-introduced /propertyNames {\"query\":\"\"}\n" },
  { J({"properties":{"l":{"type":"array","contains":{"type":"string"}}}}),
    J({"properties":{"l":{"type":"array","contains":{"type":"string"},"items":{"type":"string"}}}}),
    "error items-introduced /properties/l/items {\"l\":[\"\",0]}\n" },
  { J({"properties":{"l":{"type":"array","contains":{"type":"string"},"minContains":2}}}),
    J({"properties":{"l":{"type":"array","contains":{"type":"string"},"minContains":2,"prefixItems":[{"type":"string"}]}}}),
    "error items-introduced /properties/l/prefixItems/0 {\"l\":[0,\"\",\"\"]}\n" },

  /* whole schemas: arguments are objects */
  { J(true), J(false), "error type-narrowed \"\" {}\n" },
  { J(false), J(true), "note type-widened /type\n" },
  { J({}), J(true), "" },
  { J(true), J({"type":"object"}), "" },
  { J({"type":"object"}), J({}), "" },
  { J(false), J({"type":"object"}), "note type-widened /type\n" },
  { J({"type":["object","string"]}), J({"type":"object"}), "" },
  { J({"type":["object","string"]}), J({"type":["object","null"],"minLength":3}), "" },
  { J({"type":"object"}), J({"type":"array"}), "error type-changed /type {}\n" },
  { J({}), J({"type":"array"}), "error type-narrowed /type {}\n" },
  { J({"type":"array"}), J({"type":"object"}), "note type-widened /type\n" },
  { J({}), J({"not":{"type":"string"}}), "" },
  { J({}), J({"not":{"type":"object","required":["a"]}}), "error allof-added /not {\"a\":0}\n" },
  { J({}), J({"allOf":[{"type":["object","array"]},{"minLength":1}]}), "" },
  { J({}), J({"anyOf":[{"type":"object"},{"type":"null"}]}), "" },
  { J({"anyOf":[{"type":"object"},{"type":"null"}]}), J({"anyOf":[{"type":"object"}]}), "" },
  { J({"enum":["a",{},{"x":1}]}), J({"enum":[{},{"x":1}]}), "" },
  { J({"enum":["a",{},{"x":1}]}), J({"enum":["a",{}]}), "error enum-value-removed /enum {\"x\":1}\n" },
  { J({"items":{"type":"string"},"pattern":"^a"}), J({"items":{"type":"integer"},"pattern":"^b"}), "" },
  { J({"properties":{"s":{"type":"string","pattern":"^(?=a)b$"}}}),
    J({"properties":{"s":{"type":"string","pattern":"^(?=a)b$","minLength":5}}}),
    "unknown bound-tightened /properties/s/minLength\n" },
  { J({"properties":{"s":{"type":"string","pattern":"^(?=a)b$","properties":{}}}}), J({"properties":{"s":{"type":"integer"}}}),
    "unknown type-changed /properties/s/type\n" },
};
/* clang-format on */

#endif
