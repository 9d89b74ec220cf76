#include "transcript/carried.h"

static struct ts_carried_list *in_force(struct ts_carried *c, struct ts_str session) {
  for (size_t i = 0; i < TS_CARRIED_LISTS; i++) {
    struct ts_carried_list *l = &c->list[i];
    if (l->in_force && ts_str_eq(ts_buf_str(&l->session), session)) return l;
  }
  return NULL;
}

static struct ts_carried_list *kept(struct ts_carried *c, struct ts_str tools) {
  for (size_t i = 0; i < TS_CARRIED_LISTS; i++) {
    struct ts_carried_list *l = &c->list[i];
    if (l->judge && !l->in_force && ts_str_eq(ts_buf_str(&l->tools), tools)) return l;
  }
  return NULL;
}

static void drop(struct ts_carried_list *l) {
  ts_judge_free(l->judge);
  ts_catalog_free(&l->catalog);
  l->judge = NULL;
  l->catalog = (struct ts_catalog){ 0 };
  l->in_force = false;
}

/* A free slot, else the one that was not used for the longest time. */
static struct ts_carried_list *make_room(struct ts_carried *c) {
  struct ts_carried_list *oldest = &c->list[0];
  for (size_t i = 1; i < TS_CARRIED_LISTS; i++)
    if (c->list[i].used < oldest->used) oldest = &c->list[i];
  drop(oldest);
  return oldest;
}

/* NULL with an empty *err: the list is empty. */
static struct ts_carried_list *load(struct ts_carried *c, struct ts_str file, const struct ts_event *e,
                                    const struct ts_surface *surface, struct ts_buf *err) {
  struct ts_catalog catalog = { 0 };
  int status = ts_catalog_read_tools(&catalog, file, e->tools, err);
  if (status == 0) status = ts_catalog_finish(&catalog, err);
  if (status < 0 || catalog.tool_count == 0) {
    ts_catalog_free(&catalog);
    return NULL;
  }
  struct ts_carried_list *l = make_room(c);
  ts_buf_set(&l->tools, e->tools);
  l->catalog = catalog;
  l->judge = ts_judge_new(&l->catalog, surface);
  return l;
}

int ts_carried_take(struct ts_carried *c, struct ts_str file, const struct ts_event *e,
                    const struct ts_surface *surface, struct ts_buf *err) {
  struct ts_carried_list *before = in_force(c, e->session);
  ts_buf_clear(err);
  if (before && ts_str_eq(ts_buf_str(&before->tools), e->tools)) return 0;
  struct ts_carried_list *l = kept(c, e->tools);
  if (!l) l = load(c, file, e, surface, err);
  if (!l) return err->len > 0 ? -1 : 0;
  if (before) before->in_force = false;
  ts_buf_set(&l->session, e->session);
  l->in_force = true;
  l->used = ++c->clock;
  return 0;
}

struct ts_judge *ts_carried_judge(struct ts_carried *c, struct ts_str session) {
  struct ts_carried_list *l = in_force(c, session);
  if (l) l->used = ++c->clock;
  return l ? l->judge : NULL;
}

void ts_carried_forget(struct ts_carried *c) {
  for (size_t i = 0; i < TS_CARRIED_LISTS; i++) c->list[i].in_force = false;
}

void ts_carried_free(struct ts_carried *c) {
  for (size_t i = 0; i < TS_CARRIED_LISTS; i++) {
    drop(&c->list[i]);
    ts_buf_free(&c->list[i].session);
    ts_buf_free(&c->list[i].tools);
  }
  *c = (struct ts_carried){ 0 };
}
