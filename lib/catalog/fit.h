/* Do the arguments of a call fit? They are held against the schema of the name that was called, where the alias
 * has one of its own, then, mapped by the alias, against the tool's. Where several records carry one name they
 * fit if any of these takes them. Where the surface names a mode or features, a schema has the actions that are shown
 * there and no others; else all of them. Schemas are parsed once, when first needed. One ts_fit per thread. */
#ifndef TS_CATALOG_FIT_H
#define TS_CATALOG_FIT_H

#include "catalog/resolve.h"
#include "schema/validate.h"

struct ts_fit;

/* For a finished catalog; both are borrowed and must outlive it. */
struct ts_fit *ts_fit_new(const struct ts_catalog *c, const struct ts_surface *s);
void ts_fit_free(struct ts_fit *f);

enum ts_fit_verdict {
  TS_FITS,
  TS_MISFITS,       /* *why says where and how (it may be NULL) */
  TS_FIT_UNCHECKED, /* no schema, or one that cannot be decided */
};

/* `arguments` is an accepted JSON object. *mapped (which may be NULL) is replaced by the arguments as the tool
 * takes them; where the map cannot be applied they misfit and *mapped is empty. The route must dispatch. */
enum ts_fit_verdict ts_fit_check(struct ts_fit *f, const struct ts_route *r, struct ts_str arguments,
                                 struct ts_buf *mapped, struct ts_misfit *why);

#endif
