#include "check/gate.h"

/* One run: what is found goes into `found`, in the order of its part, and from there into the report. */
struct run {
  const struct ts_gate *gate;
  struct ts_findings lint, drift, integrity;
  size_t waived;
};

static bool is_waived(void *context, const struct ts_finding *f) {
  const struct ts_gate *g = context;
  return g->waivers && ts_waivers_match(g->waivers, f);
}

static void keep(struct run *r, struct ts_findings *list, const struct ts_finding *f) {
  if (is_waived((void *)(uintptr_t)r->gate, f))
    r->waived++;
  else
    ts_findings_add(list, f);
}

static void keep_lint(void *context, const struct ts_finding *f) {
  struct run *r = context;
  keep(r, &r->lint, f);
}

static void keep_drift(void *context, const struct ts_finding *f) {
  struct run *r = context;
  struct ts_finding weighed = *f;
  struct ts_buf message = { 0 };
  if (r->gate->corpus) ts_corpus_weigh(r->gate->corpus, &weighed, &message);
  keep(r, &r->drift, &weighed);
  ts_buf_free(&message);
}

static int check(struct run *r, struct ts_buf *err) {
  const struct ts_gate *g = r->gate;
  if (g->catalog->tool_count == 0 && (!g->before || g->before->tool_count == 0))
    return ts_fail(err, "nothing to check: there is not one tool");
  if (g->before && g->before->incomplete)
    return ts_fail(err, "the catalog to compare with is incomplete: its list ends with a cursor to the next page");
  for (size_t i = 0; i < g->catalog->finding_count; i++) keep_lint(r, &g->catalog->finding[i]); /* made by loading */
  if (g->lint && ts_lint(g->catalog, &g->lint_options, keep_lint, r, err) != 0) return -1;
  if (g->before) {
    struct ts_drift_options drift = g->drift_options;
    drift.waived = is_waived;
    drift.waived_context = (void *)(uintptr_t)g;
    ts_drift(g->before, g->catalog, &drift, keep_drift, r);
  }
  return 0;
}

static unsigned parts(const struct ts_gate *g) {
  return (g->lint ? 1u << TS_LINT : 0) | (g->before ? 1u << TS_DRIFT : 0);
}

static void sort(struct run *r, struct ts_findings *all) {
  ts_findings_sort_by_place(&r->lint);
  ts_findings_sort_by_name(&r->drift);
  const struct ts_findings *lists[] = { &r->integrity, &r->lint, &r->drift };
  for (size_t i = 0; i < TS_COUNT(lists); i++)
    for (size_t k = 0; k < lists[i]->count; k++) ts_findings_add(all, &lists[i]->item[k]);
  if (strcmp(ts_reporter_name(r->gate->reporter), "text") == 0) ts_findings_sort_by_severity(all);
}

static void count_words(struct ts_buf *out, const struct ts_report *report, size_t waived) {
  static const char *const names[TS_LEVELS] = {
    [TS_ERROR] = "error", [TS_WARNING] = "warning", [TS_UNKNOWN] = "unknown", [TS_NOTE] = "note"
  };
  const char *joint = "";
  for (int level = TS_LEVELS - 1; level > TS_OFF; level--) {
    size_t n = ts_report_count_of(report, (enum ts_level)level);
    if (n == 0) continue;
    ts_buf_addf(out, "%s%zu %s%s", joint, n, names[level], n == 1 || level == TS_UNKNOWN ? "" : "s");
    joint = ", ";
  }
  if (ts_report_count(report) == 0) ts_buf_addz(out, "in order: no findings");
  if (waived > 0) ts_buf_addf(out, ", %zu waived", waived);
}

/* 1 when a finding counts. */
static int report(struct run *r, struct ts_buf *out, struct ts_buf *summary) {
  struct ts_findings all = { 0 };
  struct ts_report_spec spec = r->gate->spec;
  int counts = 0;
  spec.parts = parts(r->gate);
  sort(r, &all);
  struct ts_report *p = ts_report_open(r->gate->reporter, &spec, out);
  for (size_t i = 0; i < all.count; i++) {
    ts_report_finding(p, &all.item[i]);
    counts |= ts_threshold_counts(&spec.threshold, &all.item[i]);
  }
  count_words(summary, p, r->waived);
  ts_report_close(p);
  ts_findings_free(&all);
  return counts;
}

int ts_gate_run(const struct ts_gate *g, struct ts_buf *out, struct ts_buf *summary, struct ts_buf *err) {
  struct run r = { .gate = g };
  int status = check(&r, err);
  if (status == 0 && g->waivers) ts_waivers_finish(g->waivers, parts(g), ts_findings_add, &r.integrity);
  if (status == 0) status = report(&r, out, summary);
  ts_findings_free(&r.lint);
  ts_findings_free(&r.drift);
  ts_findings_free(&r.integrity);
  return status;
}
