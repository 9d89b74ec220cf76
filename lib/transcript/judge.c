#include "transcript/judge.h"

#include "base/xalloc.h"

#define BLANKS " \t\r\n"
#define EXPLAINED_MAX 1000 /* sentences that are kept: a search for suggestions looks at every name of the catalog */

struct ts_judge {
  const struct ts_catalog *catalog;
  const struct ts_surface *surface;
  struct ts_fit *fit;
  struct ts_json json;
  struct ts_buf problem, text;
  struct ts_misfit misfit;
  struct ts_arena arena; /* of the three below */
  struct ts_map explained;
  struct ts_str sentence[EXPLAINED_MAX];
  size_t sentences;
};

static const char *const names[] = {
  [TS_CALL_FIT] = "fit",
  [TS_CALL_MISFIT] = "misfit",
  [TS_CALL_UNCHECKED] = "unchecked",
  [TS_CALL_MALFORMED] = "malformed",
};

const char *ts_call_arguments_name(enum ts_call_arguments a) { return names[a]; }

struct ts_judge *ts_judge_new(const struct ts_catalog *c, const struct ts_surface *s) {
  struct ts_judge *j = ts_xcalloc(1, sizeof *j);
  j->catalog = c;
  j->surface = s;
  if (c) j->fit = ts_fit_new(c, s);
  return j;
}

void ts_judge_free(struct ts_judge *j) {
  if (!j) return;
  ts_fit_free(j->fit);
  ts_json_free(&j->json);
  ts_buf_free(&j->problem);
  ts_buf_free(&j->text);
  ts_misfit_free(&j->misfit);
  ts_arena_free(&j->arena);
  ts_map_free(&j->explained);
  free(j);
}

static const char *kind_name(const struct ts_json *j) {
  static const char *const kinds[] = {
    [TS_JSON_NULL] = "null",       [TS_JSON_FALSE] = "a boolean", [TS_JSON_TRUE] = "a boolean",
    [TS_JSON_NUMBER] = "a number", [TS_JSON_STRING] = "text",     [TS_JSON_ARRAY] = "a list",
    [TS_JSON_OBJECT] = "object"
  };
  return kinds[j->node[0].kind];
}

/* What the scanner says of arguments that are no object of a scanned record. */
static const struct ts_json *scan(struct ts_judge *j, const struct ts_event *e, struct ts_str arguments) {
  if (e->scanned) return e->scanned;
  (void)ts_json_scan(&j->json, arguments, &ts_json_span);
  return &j->json;
}

/* The arguments as an object, or why they are none. */
static bool read_arguments(struct ts_judge *j, const struct ts_event *e, struct ts_str *object) {
  *object = ts_str_trim(e->arguments, BLANKS);
  if (e->form == TS_ARGUMENTS_NONE || object->len == 0) {
    *object = TS_STR("{}");
    return true;
  }
  if (!e->arguments_string && object->ptr[0] == '{') return true;
  const struct ts_json *json = scan(j, e, *object);
  ts_buf_clear(&j->problem);
  if (json->reason) {
    if (ts_str_starts(*object, TS_STR("[REDACTED")))
      ts_buf_addz(&j->problem, "they were redacted");
    else
      ts_buf_addf(&j->problem, "not JSON: %s at byte %zu", json->reason, json->at + 1);
    return false;
  }
  if (ts_json_root_is(json, TS_JSON_OBJECT)) return true;
  if (ts_json_root_is(json, TS_JSON_NULL) && !e->arguments_string) {
    *object = TS_STR("{}");
    return true;
  }
  ts_buf_addf(&j->problem, "%s, not an object", kind_name(json));
  return false;
}

bool ts_judge_route(const struct ts_judge *j, struct ts_str name, struct ts_route *out) {
  *out = (struct ts_route){ .name = name, .state = TS_UNKNOWN_NAME };
  if (j->catalog) ts_resolve(j->catalog, j->surface, name, out);
  return j->catalog != NULL;
}

void ts_judge_call(struct ts_judge *j, const struct ts_event *e, struct ts_verdict *out) {
  static const enum ts_call_arguments of_fit[] = {
    [TS_FITS] = TS_CALL_FIT, [TS_MISFITS] = TS_CALL_MISFIT, [TS_FIT_UNCHECKED] = TS_CALL_UNCHECKED
  };
  struct ts_str object;
  *out = (struct ts_verdict){ .arguments = TS_CALL_UNCHECKED };
  out->judged = ts_judge_route(j, e->name, &out->route);
  if (e->form == TS_ARGUMENTS_INPUT) return;
  if (!read_arguments(j, e, &object)) {
    out->arguments = TS_CALL_MALFORMED;
    out->problem = ts_buf_str(&j->problem);
  } else if (out->route.dispatches) {
    out->arguments = of_fit[ts_fit_check(j->fit, &out->route, object, NULL, &j->misfit)];
    out->misfit = &j->misfit;
  }
}

bool ts_judge_replays(struct ts_judge *j, const struct ts_event *e) {
  struct ts_verdict v;
  ts_judge_call(j, e, &v);
  return v.route.dispatches && (v.arguments == TS_CALL_FIT || v.arguments == TS_CALL_UNCHECKED);
}

struct ts_str ts_judge_explain(struct ts_judge *j, const struct ts_route *r) {
  if (j->sentences == EXPLAINED_MAX) {
    ts_map_free(&j->explained);
    ts_arena_reset(&j->arena);
    j->sentences = 0;
  }
  size_t known = ts_map_get(&j->explained, r->name);
  if (known != TS_MAP_NONE) return j->sentence[known];
  ts_buf_clear(&j->text);
  ts_route_explain(j->catalog, j->surface, r, &j->text);
  struct ts_str name = ts_arena_dup(&j->arena, r->name);
  *ts_map_at(&j->explained, name, 0) = j->sentences;
  return j->sentence[j->sentences++] = ts_arena_dup(&j->arena, ts_buf_str(&j->text));
}

static void quote(struct ts_buf *out, const char *before, struct ts_str text) {
  ts_buf_addf(out, "%s'", before);
  ts_buf_add(out, text);
  ts_buf_addc(out, '\'');
}

void ts_misfit_explain(const struct ts_misfit *why, struct ts_str name, struct ts_buf *out) {
  quote(out, "arguments of ", name);
  ts_buf_addz(out, " do not fit");
  if (why->pointer.len > 0) quote(out, " at ", ts_buf_str(&why->pointer));
  ts_buf_addz(out, ": expected ");
  ts_buf_add(out, ts_buf_str(&why->expected));
  ts_buf_addz(out, ", came ");
  ts_buf_add(out, ts_buf_str(&why->came));
}
