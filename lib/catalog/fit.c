#include "catalog/fit.h"

#include "base/xalloc.h"
#include "catalog/argmap.h"
#include "catalog/firstturn.h"

struct slot {
  bool tried;
  struct ts_schema *schema; /* NULL: the record has none, or one that is no schema */
};

struct ts_fit {
  const struct ts_catalog *catalog;
  struct ts_scope scope;
  bool as_shown;     /* hold arguments against what is shown in the scope */
  struct slot *slot; /* by the record's place in the catalog */
};

struct ts_fit *ts_fit_new(const struct ts_catalog *c, const struct ts_surface *s) {
  struct ts_fit *f = ts_xcalloc(1, sizeof *f);
  f->catalog = c;
  f->as_shown = (s->mode.len > 0 || s->some_features) && ts_scope_open(&f->scope, c, s, NULL) == 0;
  f->slot = ts_xcalloc(c->tool_count, sizeof *f->slot);
  return f;
}

void ts_fit_free(struct ts_fit *f) {
  if (!f) return;
  for (size_t i = 0; i < f->catalog->tool_count; i++) ts_schema_free(f->slot[i].schema);
  ts_scope_close(&f->scope);
  free(f->slot);
  free(f);
}

static struct ts_schema *parse_shown(const struct ts_scope *scope, const struct ts_tool *t) {
  struct ts_buf text = { 0 };
  (void)ts_tool_schema(scope, t, &text); /* with no action left it takes nothing */
  struct ts_schema *schema = ts_schema_parse(ts_buf_str(&text), NULL);
  ts_buf_free(&text);
  return schema;
}

static struct ts_schema *schema_of(struct ts_fit *f, const struct ts_tool *t) {
  struct slot *s = &f->slot[t - f->catalog->tool];
  if (!s->tried && t->input_schema.len > 0)
    s->schema = f->as_shown ? parse_shown(&f->scope, t) : ts_schema_parse(t->input_schema, NULL);
  s->tried = true;
  return s->schema;
}

/* Against every record of the name that is of the same kind as `first`; the misfit told is the first record's. */
static enum ts_fit_verdict check_twins(struct ts_fit *f, const struct ts_tool *first, struct ts_str arguments,
                                       struct ts_misfit *why) {
  struct ts_tree *tree = NULL;
  enum ts_fit_verdict verdict = TS_FIT_UNCHECKED;
  for (const struct ts_tool *t = first; t && verdict != TS_FITS; t = ts_catalog_twin(f->catalog, t)) {
    struct ts_schema *schema = t->is_alias == first->is_alias ? schema_of(f, t) : NULL;
    if (!schema) continue;
    if (!tree) tree = ts_tree_parse(arguments, NULL);
    int fits = tree ? ts_schema_check(schema, tree, verdict == TS_MISFITS ? NULL : why) : -1;
    if (fits >= 0) verdict = fits ? TS_FITS : TS_MISFITS;
  }
  ts_tree_free(tree);
  return verdict;
}

static enum ts_fit_verdict map_arguments(const struct ts_tool *alias, struct ts_str arguments, struct ts_buf *mapped,
                                         struct ts_misfit *why) {
  struct ts_buf err = { 0 };
  ts_buf_clear(mapped);
  int status = ts_argmap_apply(alias, arguments, mapped, &err);
  if (status != 0) {
    ts_buf_clear(mapped);
    if (why) {
      ts_buf_clear(&why->pointer);
      ts_buf_set(&why->expected, TS_STR("arguments that the alias can map"));
      ts_buf_set(&why->came, ts_buf_str(&err));
    }
  }
  ts_buf_free(&err);
  return status == 0 ? TS_FITS : TS_MISFITS;
}

enum ts_fit_verdict ts_fit_check(struct ts_fit *f, const struct ts_route *r, struct ts_str arguments,
                                 struct ts_buf *mapped, struct ts_misfit *why) {
  struct ts_buf own = { 0 };
  if (!mapped) mapped = &own;
  bool through_alias = r->called != r->tool;
  enum ts_fit_verdict first = through_alias ? check_twins(f, r->called, arguments, why) : TS_FIT_UNCHECKED;
  enum ts_fit_verdict map = map_arguments(r->called, arguments, mapped, first == TS_MISFITS ? NULL : why);
  enum ts_fit_verdict second = TS_FIT_UNCHECKED;
  if (first != TS_MISFITS && map == TS_FITS) second = check_twins(f, r->tool, ts_buf_str(mapped), why);
  ts_buf_free(&own);
  if (first == TS_MISFITS || map == TS_MISFITS || second == TS_MISFITS) return TS_MISFITS;
  return first == TS_FITS || second == TS_FITS ? TS_FITS : TS_FIT_UNCHECKED;
}
