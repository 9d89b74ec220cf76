#include "schema/misfit.h"

#include <inttypes.h>

#include "json/write.h"

enum {
  NAME_MOST = 60,   /* code points of a name or pattern that a sentence shows */
  VALUES_MOST = 200 /* bytes of the values of an enum */
};

static void add_name(struct ts_buf *out, struct ts_str name) {
  struct ts_buf quoted = { 0 };
  ts_tree_quote(&quoted, name, NAME_MOST);
  ts_buf_addf(out, "'%.*s'", (int)quoted.len - 2, quoted.ptr + 1);
  ts_buf_free(&quoted);
}

static void add_count(struct ts_buf *out, const char *at, uint64_t n, const char *one, const char *many) {
  ts_buf_addf(out, "%s%" PRIu64 " %s", at, n, n == 1 ? one : many);
}

static void add_values(struct ts_buf *out, const struct ts_tree *list) {
  if (ts_tree_count(list) == 1) {
    ts_value_brief(out, ts_tree_first(list));
    return;
  }
  size_t from = out->len;
  ts_buf_addz(out, "one of [");
  for (const struct ts_tree *v = ts_tree_first(list); v; v = ts_tree_after(v)) {
    if (v != ts_tree_first(list)) ts_buf_addc(out, ',');
    if (out->len - from > VALUES_MOST) {
      ts_buf_addz(out, "\xe2\x80\xa6");
      break;
    }
    ts_value_brief(out, v);
  }
  ts_buf_addc(out, ']');
}

/* Where a row of the table below finds its number or count in the subschema. */
#define AT(name) offsetof(struct ts_sub, name)
static const struct {
  const char *text;       /* before the number or count */
  size_t at;              /* of a spelling, or, when `one` is there, a count; 0: none */
  const char *one, *many; /* what is counted */
} expectations[TS_FAULTS] = {
  [TS_FAULT_MINIMUM] = { "a number of at least ", AT(minimum), NULL, NULL },
  [TS_FAULT_MAXIMUM] = { "a number of at most ", AT(maximum), NULL, NULL },
  [TS_FAULT_ABOVE] = { "a number above ", AT(above), NULL, NULL },
  [TS_FAULT_BELOW] = { "a number below ", AT(below), NULL, NULL },
  [TS_FAULT_MULTIPLE] = { "a multiple of ", AT(multiple_of), NULL, NULL },
  [TS_FAULT_LENGTH_MIN] = { "at least ", AT(length.min), "character", "characters" },
  [TS_FAULT_LENGTH_MAX] = { "at most ", AT(length.max), "character", "characters" },
  [TS_FAULT_ITEMS_MIN] = { "at least ", AT(items_count.min), "item", "items" },
  [TS_FAULT_ITEMS_MAX] = { "at most ", AT(items_count.max), "item", "items" },
  [TS_FAULT_MEMBERS_MIN] = { "at least ", AT(members.min), "property", "properties" },
  [TS_FAULT_MEMBERS_MAX] = { "at most ", AT(members.max), "property", "properties" },
  [TS_FAULT_CONTAINS_MIN] = { "at least ", AT(contained.min), "item as `contains` says", "items as `contains` says" },
  [TS_FAULT_CONTAINS_MAX] = { "at most ", AT(contained.max), "item as `contains` says", "items as `contains` says" },
  [TS_FAULT_UNIQUE] = { "items that all differ", 0, NULL, NULL },
  [TS_FAULT_NEVER] = { "nothing here", 0, NULL, NULL },
  [TS_FAULT_ANY] = { "a value that fits one of the alternatives", 0, NULL, NULL },
  [TS_FAULT_ONE] = { "a value that fits exactly one of the alternatives", 0, NULL, NULL },
  [TS_FAULT_NOT] = { "a value that does not fit `not`", 0, NULL, NULL },
};

static void expect_listed(struct ts_buf *out, enum ts_fault fault, const struct ts_sub *sub) {
  const char *at = (const char *)sub + expectations[fault].at;
  ts_buf_addz(out, expectations[fault].text);
  if (expectations[fault].one)
    add_count(out, "", *(const uint64_t *)at, expectations[fault].one, expectations[fault].many);
  else if (expectations[fault].at)
    ts_buf_add(out, *(const struct ts_str *)at);
}

void ts_fault_expected(struct ts_buf *out, enum ts_fault fault, const struct ts_sub *sub,
                       const struct ts_fault_detail *detail) {
  switch (fault) {
    case TS_FAULT_TYPE:
      ts_type_text(out, sub->types);
      break;
    case TS_FAULT_ENUM:
      add_values(out, sub->values);
      break;
    case TS_FAULT_CONST:
      ts_value_brief(out, sub->constant);
      break;
    case TS_FAULT_PATTERN:
      ts_buf_addz(out, "text that matches ");
      ts_tree_quote(out, sub->pattern->text, NAME_MOST);
      break;
    case TS_FAULT_REQUIRED:
    case TS_FAULT_DEPENDENT:
      ts_buf_addz(out, "property ");
      add_name(out, detail->name);
      if (fault == TS_FAULT_REQUIRED) break;
      ts_buf_addz(out, ", which ");
      add_name(out, detail->other);
      ts_buf_addz(out, " needs");
      break;
    case TS_FAULT_NAME:
      ts_buf_addz(out, "another property name");
      break;
    case TS_FAULT_UNDECLARED:
      ts_buf_addz(out, "no property ");
      add_name(out, detail->name);
      break;
    default:
      expect_listed(out, fault, sub);
  }
}

static void add_value(struct ts_buf *out, const struct ts_tree *v) {
  static const char *const names[] = {
    [TS_JSON_NULL] = "",          [TS_JSON_FALSE] = "boolean ", [TS_JSON_TRUE] = "boolean ",
    [TS_JSON_NUMBER] = "number ", [TS_JSON_STRING] = "string ", [TS_JSON_ARRAY] = "array ",
    [TS_JSON_OBJECT] = "object ",
  };
  ts_buf_addz(out, names[ts_tree_kind(v)]);
  ts_value_brief(out, v);
}

void ts_fault_came(struct ts_buf *out, enum ts_fault fault, const struct ts_sub *sub, const struct ts_tree *value,
                   const struct ts_fault_detail *detail) {
  (void)sub;
  switch (fault) {
    case TS_FAULT_REQUIRED:
    case TS_FAULT_DEPENDENT:
      ts_buf_addz(out, "nothing");
      break;
    case TS_FAULT_NAME:
      add_name(out, detail->name);
      break;
    case TS_FAULT_LENGTH_MIN:
    case TS_FAULT_LENGTH_MAX:
      add_count(out, "", ts_tree_length(ts_tree_text(value)), "character", "characters");
      break;
    case TS_FAULT_ITEMS_MIN:
    case TS_FAULT_ITEMS_MAX:
      add_count(out, "", ts_tree_count(value), "item", "items");
      break;
    case TS_FAULT_MEMBERS_MIN:
    case TS_FAULT_MEMBERS_MAX:
      add_count(out, "", ts_tree_count(value), "property", "properties");
      break;
    case TS_FAULT_CONTAINS_MIN:
    case TS_FAULT_CONTAINS_MAX:
      add_count(out, "", detail->first, "such item", "such items");
      break;
    case TS_FAULT_UNIQUE:
      ts_buf_addf(out, "items %zu and %zu alike", detail->first, detail->second);
      break;
    case TS_FAULT_ONE:
      add_value(out, value);
      ts_buf_addf(out, ", which fits %zu", detail->first);
      break;
    default:
      add_value(out, value);
  }
}
