#include "transcript/merge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "report/readback.h"

struct reading {
  struct ts_merge *m;
  struct ts_json json;
  struct ts_readback back;
  struct ts_buf compact;
};

static int take_finding(struct reading *r, struct ts_buf *err) {
  struct ts_merge *m = r->m;
  struct ts_finding f;
  if (ts_finding_read(&r->back, &r->json, &f, err) < 0) return -1;
  ts_buf_clear(&r->compact);
  ts_json_minify(&r->compact, ts_json_raw(&r->json, 0));
  ts_buf_addc(&r->compact, '\n');
  ts_xgrow(&m->finding, &m->finding_cap, m->finding_count + 1, sizeof *m->finding);
  struct ts_merge_finding *kept = &m->finding[m->finding_count++];
  kept->file = ts_arena_dup(&m->arena, f.place.file);
  kept->place = (struct ts_placed){ f.place.line, f.place.column, ts_arena_dup(&m->arena, ts_buf_str(&r->compact)) };
  m->by_rule[f.rule]++;
  return 0;
}

static int take_record(struct reading *r, struct ts_str text, struct ts_buf *err) {
  if (ts_json_scan(&r->json, text, NULL) < 0)
    return ts_fail(err, "not JSON: %s at byte %zu", r->json.reason, r->json.at + 1);
  uint32_t type = TS_JSON_GET(&r->json, 0, "type");
  if (TS_JSON_SAYS(&r->json, type, "finding")) return take_finding(r, err);
  if (!TS_JSON_SAYS(&r->json, type, "summary"))
    return ts_fail(err, "neither a finding nor a summary: --merge takes what --partial writes");
  r->m->summaries++;
  return ts_summary_read(&r->m->sum, &r->json, err);
}

int ts_merge_read(struct ts_merge *m, struct ts_input *in, struct ts_str name, uint64_t max_line, struct ts_buf *err) {
  struct reading r = { .m = m };
  struct ts_buf why = { 0 };
  struct ts_line line;
  int status;
  while ((status = ts_input_line(in, max_line, &line, err)) > 0) {
    if (!line.too_long && ts_str_trim(line.text, " \t\r").len == 0) continue;
    if (line.too_long)
      (void)ts_fail(&why, "longer than --max-line");
    else if (take_record(&r, line.text, &why) == 0)
      continue;
    status = ts_fail(err, "%.*s:%" PRIu64 ": %s", TS_FMT(name), line.number, ts_buf_z(&why));
    break;
  }
  ts_json_free(&r.json);
  ts_readback_free(&r.back);
  ts_buf_free(&r.compact);
  ts_buf_free(&why);
  return status;
}

static int finding_order(const void *x, const void *y) {
  const struct ts_merge_finding *a = x, *b = y;
  int order = ts_str_cmp(a->file, b->file);
  return order ? order : ts_placed_cmp(&a->place, &b->place);
}

int ts_merge_end(struct ts_merge *m, struct ts_buf *err) {
  if (m->summaries == 0) return ts_fail(err, "nothing to merge: there is no summary");
  for (int i = 0; i < TS_RULES; i++)
    if (m->by_rule[i] > ts_summary_rule(&m->sum, (enum ts_rule_id)i))
      return ts_fail(err, "a summary is missing: there are more %s findings than the summaries count",
                     ts_rule((enum ts_rule_id)i)->id);
  if (m->finding_count > 0) qsort(m->finding, m->finding_count, sizeof *m->finding, finding_order);
  return 0;
}

void ts_merge_findings(const struct ts_merge *m, ts_record_fn *record, void *context) {
  for (size_t i = 0; i < m->finding_count; i++) record(context, m->finding[i].place.record);
}

void ts_merge_free(struct ts_merge *m) {
  ts_summary_free(&m->sum);
  free(m->finding);
  ts_arena_free(&m->arena);
  memset(m, 0, sizeof *m);
}
