#include "cli/view.h"

#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/surface.h"

#define BIT(name) (1u << (TS_OPT_##name - TS_OPT_NAMES))
#define VIEW(name) (1u << TS_VIEW_##name)

/* What says something only together with something else. */
static const struct companion {
  unsigned option;
  const char *name;
  unsigned views;     /* bit 1 << enum ts_view_kind */
  const char *others; /* how the user chooses them */
} companions[] = {
  { BIT(NAMES), "--names", VIEW(LIST), "--state, --origin and --search" },
  { BIT(TABLE), "--table", VIEW(LIST) | VIEW(MEASURE), "--state, --origin, --search and --measure" },
  { BIT(STATE), "--state", VIEW(LIST), "--origin, --names and --table" },
  { BIT(ORIGIN), "--origin", VIEW(LIST), "--state, --names and --table" },
  { BIT(SEARCH), "--search", VIEW(LIST), "--match, --limit, --names and --table" },
  { BIT(API), "--api", VIEW(LIST) | VIEW(FIRST_TURN) | VIEW(GOLDEN) | VIEW(MEASURE),
    "--first-turn, --golden, --measure, --lint and --against" },
  { BIT(UPDATE), "--update", VIEW(GOLDEN), "--golden" },
};

static const struct choice {
  unsigned option;
  enum ts_view_kind kind;
} views[] = {
  { BIT(RESOLVE), TS_VIEW_ROUTES },
  { BIT(FIRST_TURN), TS_VIEW_FIRST_TURN },
  { BIT(GOLDEN), TS_VIEW_GOLDEN },
  { BIT(MEASURE), TS_VIEW_MEASURE },
};

static int choose(struct ts_view_options *o, struct ts_buf *err) {
  size_t count = 0;
  for (size_t i = 0; i < TS_COUNT(views); i++)
    if (o->given & views[i].option) {
      o->view.kind = views[i].kind;
      count++;
    }
  if (count > 1) return ts_fail(err, "only one of --resolve, --first-turn, --golden and --measure at a time");
  for (size_t i = 0; i < TS_COUNT(companions); i++) {
    const struct companion *c = &companions[i];
    if ((o->given & c->option) && !(c->views & 1u << o->view.kind))
      return ts_fail(err, "%s goes with %s only", c->name, c->others);
  }
  return 0;
}

/* The view writes the golden file instead. */
static int settle_update(struct ts_view_options *o, struct ts_buf *err) {
  const char *ci = getenv("CI");
  if (!(o->given & BIT(UPDATE))) return 0;
  o->view.kind = TS_VIEW_UPDATE;
  if (!ci || !*ci) return 0;
  return ts_fail(err, "--update is refused where $CI is set: what writes its own golden file checks nothing");
}

int ts_view_options_settle(struct ts_view_options *o, struct ts_buf *err) {
  struct ts_view *v = &o->view;
  const struct ts_surface *s = &v->surface;
  bool selects = o->given & (BIT(STATE) | BIT(ORIGIN)), part = s->mode.len + s->profile.len > 0;
  if (choose(o, err) < 0) return -1;
  if ((v->kind == TS_VIEW_GOLDEN || v->kind == TS_VIEW_MEASURE) && part)
    return ts_fail(err, "--golden and --measure look at every mode and profile");
  if ((o->given & BIT(NAMES)) && (o->given & BIT(TABLE))) return ts_fail(err, "either --names or --table");
  if ((o->given & (BIT(MATCH) | BIT(LIMIT))) && !v->query)
    return ts_fail(err, "--match and --limit go with --search only");
  if (v->query && selects)
    return ts_fail(err, "--search looks through deferred tools, and takes no --state or --origin");
  v->whole = !selects && !v->query && !part && !s->some_features;
  return settle_update(o, err);
}

bool ts_view_options_plain(const struct ts_view_options *o) { return (o->given & ~BIT(API)) == 0; }

static unsigned find_state(struct ts_str word) { return ts_state_find(word); }
static unsigned find_origin(struct ts_str word) { return ts_origin_find(word); }

static void add_name(struct ts_view_options *o, const char *name) {
  struct ts_view *v = &o->view;
  ts_xgrow(&v->name, &o->name_cap, v->name_count + 1, sizeof *v->name);
  v->name[v->name_count++] = ts_str_z(name);
}

int ts_view_option(struct ts_view_options *o, int key, const char *argument, struct ts_buf *err) {
  struct ts_view *v = &o->view;
  uint64_t n = v->limit;
  if (ts_surface_option(&v->surface, key, argument)) return 1;
  if (key < TS_OPT_NAMES || key > TS_OPT_MEASURE) return 0;
  o->given |= 1u << (key - TS_OPT_NAMES);
  if (key == TS_OPT_LIMIT && ts_opt_number(argument, 1, UINT32_MAX, &n, err) < 0) return -1;
  v->limit = (size_t)n;
  if (key == TS_OPT_NAMES) v->form = TS_FORM_NAMES;
  if (key == TS_OPT_TABLE) v->form = TS_FORM_TABLE;
  if (key == TS_OPT_STATE) v->filter.states |= ts_opt_bits(argument, find_state);
  if (key == TS_OPT_ORIGIN) v->filter.origins |= ts_opt_bits(argument, find_origin);
  if (key == TS_OPT_SEARCH) v->query = argument;
  if (key == TS_OPT_MATCH) v->match = strcmp(argument, "regex") == 0 ? TS_MATCH_REGEX : TS_MATCH_TERMS;
  if (key == TS_OPT_API) v->api = ts_api_find(ts_str_z(argument));
  if (key == TS_OPT_GOLDEN) v->golden = argument;
  if (key == TS_OPT_RESOLVE) add_name(o, argument);
  return 1;
}

void ts_view_options_free(struct ts_view_options *o) {
  ts_surface_free(&o->view.surface);
  free(o->view.name);
  *o = (struct ts_view_options){ 0 };
}
