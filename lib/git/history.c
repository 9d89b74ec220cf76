#include "git/history.h"

#include <git2.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "git/graph.h"

struct ts_repo {
  git_repository *git;
  char *start; /* the directory it was opened from, absolute */
  struct ts_arena arena;
  struct ts_map shallow; /* raw ids of the boundary commits of a shallow clone */
};

/* --- opening ------------------------------------------------------------------------------------------- */

static const char *why(void) {
  const git_error *e = git_error_last();
  return e && e->message ? e->message : "unknown error of libgit2";
}

/* Extensions that change nothing for a reader of objects; without this libgit2 refuses the repository. */
static void start_libgit2(bool trust) {
  static const char *extensions[] = { "worktreeconfig", "partialclone", "preciousobjects" };
  git_libgit2_init();
  git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, TS_COUNT(extensions));
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, trust ? 0 : 1);
}

/* The boundary of a shallow clone: libgit2 before 1.7 does not know it, and would look for its parents. */
static void read_shallow(struct ts_repo *r) {
  struct ts_buf path = { 0 };
  ts_buf_addf(&path, "%s/shallow", git_repository_commondir(r->git));
  FILE *f = fopen(ts_buf_z(&path), "re");
  char line[TS_GIT_ID + 1];
  while (f && fgets(line, sizeof line, f)) {
    git_oid id;
    line[strcspn(line, "\n")] = '\0';
    if (git_oid_fromstr(&id, line) != 0) continue;
    struct ts_str raw = ts_arena_dup(&r->arena, ts_str((const char *)id.id, sizeof id.id));
    (void)ts_map_at(&r->shallow, raw, 1);
  }
  if (f) (void)fclose(f);
  ts_buf_free(&path);
}

/* Where the repository is that may not be opened, as safe.directory wants it named. */
static void find_place(const char *start, struct ts_buf *out) {
  git_buf found = { 0 };
  if (git_repository_discover(&found, start, 0, NULL) == 0) ts_buf_add(out, ts_str(found.ptr, found.size));
  git_buf_dispose(&found);
  if (ts_str_ends(ts_buf_str(out), TS_STR("/"))) ts_buf_cut(out, out->len - 1);
  if (ts_str_ends(ts_buf_str(out), TS_STR("/.git"))) ts_buf_cut(out, out->len - strlen("/.git"));
  if (out->len == 0) ts_buf_addz(out, start);
}

/* libgit2 1.5 says "not found" of a repository of somebody else when no safe.directory is configured at all. */
static bool is_foreign(int code) {
  return code == GIT_EOWNER || (code == GIT_ENOTFOUND && ts_str_has(ts_str_z(why()), TS_STR("safe.directory")));
}

static int fail_open(const char *start, int code, struct ts_buf *err) {
  if (!is_foreign(code)) {
    if (code == GIT_ENOTFOUND)
      return ts_fail(err, "not a git repository (or any of the parent directories): '%s'", start);
    return ts_fail(err, "cannot open the git repository at '%s': %s", start, why());
  }
  struct ts_buf place = { 0 };
  find_place(start, &place);
  (void)ts_fail(err,
                "the repository '%s' belongs to another user; to trust it: git config --global --add "
                "safe.directory %s (or give --trust-repo)",
                ts_buf_z(&place), ts_buf_z(&place));
  ts_buf_free(&place);
  return -1;
}

struct ts_repo *ts_repo_open(const char *start, bool trust, struct ts_buf *err) {
  start_libgit2(trust);
  git_repository *git = NULL;
  int code = git_repository_open_ext(&git, start, GIT_REPOSITORY_OPEN_FROM_ENV, NULL);
  char *absolute = code == 0 ? realpath(start, NULL) : NULL;
  if (!absolute) {
    (void)(code == 0 ? ts_fail(err, "cannot find the directory '%s'", start) : fail_open(start, code, err));
    git_repository_free(git);
    git_libgit2_shutdown();
    return NULL;
  }
  struct ts_repo *r = ts_xcalloc(1, sizeof *r);
  *r = (struct ts_repo){ .git = git, .start = absolute };
  read_shallow(r);
  return r;
}

void ts_repo_close(struct ts_repo *r) {
  if (!r) return;
  git_repository_free(r->git);
  ts_map_free(&r->shallow);
  ts_arena_free(&r->arena);
  free(r->start);
  free(r);
  git_libgit2_shutdown();
}

/* --- what is missing, and the command that brings it ----------------------------------------------------- */

static bool is_shallow(const struct ts_repo *r) { return r->shallow.count > 0; }

/* The remote to fetch from: origin, or the only one there is. */
static void remote_name(struct ts_repo *r, struct ts_buf *out) {
  git_strarray remotes = { 0 };
  ts_buf_clear(out);
  if (git_remote_list(&remotes, r->git) == 0 && remotes.count > 0) {
    ts_buf_addz(out, remotes.strings[0]);
    for (size_t i = 0; i < remotes.count; i++)
      if (strcmp(remotes.strings[i], "origin") == 0) ts_buf_set(out, TS_STR("origin"));
  }
  git_strarray_dispose(&remotes);
  if (out->len == 0) ts_buf_addz(out, "origin");
}

static int fail_object(struct ts_repo *r, const git_oid *id, struct ts_buf *err) {
  struct ts_buf remote = { 0 };
  char hex[TS_GIT_ID];
  remote_name(r, &remote);
  git_oid_tostr(hex, sizeof hex, id);
  (void)ts_fail(err, "object %s is missing from this clone; to bring it: git fetch %s %s", hex, ts_buf_z(&remote), hex);
  ts_buf_free(&remote);
  return TS_GIT_FAILED;
}

/* "origin/main" is fetched as its branch; anything else may lie behind the boundary of a shallow clone. */
static enum ts_git_absent fail_revision(struct ts_repo *r, struct ts_str revision, struct ts_buf *err) {
  struct ts_buf remote = { 0 }, prefix = { 0 };
  remote_name(r, &remote);
  ts_buf_addf(&prefix, "%s/", ts_buf_z(&remote));
  if (ts_str_starts(revision, ts_buf_str(&prefix))) {
    struct ts_str branch = ts_str_sub(revision, prefix.len, revision.len);
    (void)ts_fail(err, "no revision '%.*s'; to bring it: git fetch %s %.*s:refs/remotes/%.*s", TS_FMT(revision),
                  ts_buf_z(&remote), TS_FMT(branch), TS_FMT(revision));
  } else if (is_shallow(r)) {
    (void)ts_fail(err, "no revision '%.*s' in this shallow clone; to bring it: git fetch --unshallow --tags %s",
                  TS_FMT(revision), ts_buf_z(&remote));
  } else {
    (void)ts_fail(err, "no revision '%.*s'", TS_FMT(revision));
  }
  ts_buf_free(&remote);
  ts_buf_free(&prefix);
  return TS_GIT_NO_REVISION;
}

/* --- looking things up ----------------------------------------------------------------------------------- */

static enum ts_git_absent find_commit(struct ts_repo *r, struct ts_str revision, git_commit **commit,
                                      struct ts_buf *err) {
  struct ts_buf spec = { 0 };
  git_object *object = NULL, *peeled = NULL;
  ts_buf_add(&spec, revision);
  int code =
      memchr(ts_buf_z(&spec), '\0', spec.len) ? GIT_ENOTFOUND : git_revparse_single(&object, r->git, ts_buf_z(&spec));
  ts_buf_free(&spec);
  if (code == 0) code = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
  git_object_free(object);
  *commit = (git_commit *)peeled;
  if (code == 0) return TS_GIT_FOUND;
  if (code == GIT_EAMBIGUOUS) {
    (void)ts_fail(err, "revision '%.*s' is ambiguous", TS_FMT(revision));
    return TS_GIT_NO_REVISION;
  }
  return fail_revision(r, revision, err);
}

/* The blob of path in a commit's tree: TS_GIT_FOUND, _NO_PATH (absent, or not a file) or _FAILED. */
static enum ts_git_absent find_blob(struct ts_repo *r, const git_commit *commit, const char *path, git_oid *id,
                                    struct ts_buf *err) {
  git_tree *tree = NULL;
  if (git_commit_tree(&tree, commit) != 0) {
    fail_object(r, git_commit_tree_id(commit), err);
    return TS_GIT_FAILED;
  }
  git_tree_entry *entry = NULL;
  int code = git_tree_entry_bypath(&entry, tree, path);
  git_tree_free(tree);
  if (code != 0) return TS_GIT_NO_PATH;
  bool file = git_tree_entry_type(entry) == GIT_OBJECT_BLOB && git_tree_entry_filemode(entry) != GIT_FILEMODE_LINK;
  git_oid_cpy(id, git_tree_entry_id(entry));
  git_tree_entry_free(entry);
  return file ? TS_GIT_FOUND : TS_GIT_NO_PATH;
}

static enum ts_git_absent read_blob(struct ts_repo *r, const git_oid *id, struct ts_buf *text, struct ts_buf *err) {
  git_blob *blob = NULL;
  int code = git_blob_lookup(&blob, r->git, id);
  if (code == GIT_ENOTFOUND) return (enum ts_git_absent)fail_object(r, id, err);
  if (code != 0) return (enum ts_git_absent)ts_fail(err, "cannot read an object: %s", why());
  ts_buf_add(text, ts_str(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob)));
  git_blob_free(blob);
  return TS_GIT_FOUND;
}

int ts_repo_path(const struct ts_repo *r, const char *path, struct ts_buf *out, struct ts_buf *err) {
  const char *tree = git_repository_workdir(r->git);
  char *root = tree ? realpath(tree, NULL) : NULL;
  struct ts_buf whole = { 0 };
  if (path[0] != '/') ts_buf_addf(&whole, "%s/", r->start);
  ts_buf_addz(&whole, path);
  /* The file itself may be gone; its directory is what has to be resolved. */
  size_t slash = whole.len;
  while (slash > 0 && whole.ptr[slash - 1] != '/') slash--;
  struct ts_buf folder = { 0 };
  ts_buf_add(&folder, ts_str(whole.ptr, slash));
  char *resolved = root ? realpath(ts_buf_z(&folder), NULL) : NULL;
  int status = 0;
  size_t base = root ? strlen(root) : 0;
  if (!root) {
    ts_buf_addz(out, path[0] == '.' && path[1] == '/' ? path + 2 : path);
  } else if (!resolved || strncmp(resolved, root, base) != 0 || (resolved[base] != '/' && resolved[base] != '\0')) {
    status = ts_fail(err, "'%s' is outside of the repository at '%s'", path, root);
  } else {
    if (resolved[base] == '/') ts_buf_addf(out, "%s/", resolved + base + 1);
    ts_buf_addz(out, whole.ptr + slash);
  }
  ts_buf_free(&whole);
  ts_buf_free(&folder);
  free(resolved);
  free(root);
  return status;
}

enum ts_git_absent ts_repo_read(struct ts_repo *r, struct ts_str revision, struct ts_str path, struct ts_buf *text,
                                struct ts_buf *err) {
  git_commit *commit = NULL;
  struct ts_buf name = { 0 };
  ts_buf_add(&name, path);
  bool relative = ts_str_starts(path, TS_STR("./")) || ts_str_starts(path, TS_STR("../"));
  struct ts_buf rooted = { 0 };
  if (relative && ts_repo_path(r, ts_buf_z(&name), &rooted, err) != 0) {
    ts_buf_free(&name);
    ts_buf_free(&rooted);
    return TS_GIT_FAILED;
  }
  if (!relative) ts_buf_set(&rooted, path);
  enum ts_git_absent status = find_commit(r, revision, &commit, err);
  git_oid id;
  if (status == TS_GIT_FOUND) {
    status = find_blob(r, commit, ts_buf_z(&rooted), &id, err);
    if (status == TS_GIT_NO_PATH)
      (void)ts_fail(err, "no file '%s' at revision '%.*s'", ts_buf_z(&rooted), TS_FMT(revision));
  }
  if (status == TS_GIT_FOUND) status = read_blob(r, &id, text, err);
  git_commit_free(commit);
  ts_buf_free(&name);
  ts_buf_free(&rooted);
  return status;
}

int ts_repo_blob(struct ts_repo *r, const char *hex, struct ts_buf *text, struct ts_buf *err) {
  git_oid id;
  if (git_oid_fromstr(&id, hex) != 0) return ts_fail(err, "not an object id: '%s'", hex);
  return read_blob(r, &id, text, err) == TS_GIT_FOUND ? 0 : -1;
}

/* --- the graph of commits -------------------------------------------------------------------------------- */

struct loader {
  struct ts_repo *r;
  const char *path;
  struct ts_graph graph;
  struct ts_map number; /* raw id -> number of the commit */
  git_oid *id, *blob;   /* ids by number */
  size_t id_cap, blob_count, blob_cap;
  struct ts_map blob_number;
  struct ts_arena arena;
  bool boundary; /* a shallow clone's boundary was met */
  struct ts_history *out;
  struct ts_buf *err;
};

static struct ts_str raw(struct ts_arena *a, const git_oid *id) {
  return ts_arena_dup(a, ts_str((const char *)id->id, sizeof id->id));
}

/* The number of a commit, adding it when it is new. */
static size_t number_of(struct loader *l, const git_oid *id) {
  size_t known = ts_map_get(&l->number, ts_str((const char *)id->id, sizeof id->id));
  if (known != TS_MAP_NONE) return known;
  size_t n = ts_graph_add(&l->graph, 0);
  ts_xgrow(&l->id, &l->id_cap, n + 1, sizeof *l->id);
  git_oid_cpy(&l->id[n], id);
  (void)ts_map_at(&l->number, raw(&l->arena, id), n);
  return n;
}

static int load_commit(struct loader *l, size_t n) {
  git_commit *commit = NULL;
  if (git_commit_lookup(&commit, l->r->git, &l->id[n]) != 0) return fail_object(l->r, &l->id[n], l->err);
  l->graph.commit[n].time = git_commit_time(commit);
  bool boundary = ts_map_get(&l->r->shallow, ts_str((const char *)l->id[n].id, sizeof l->id[n].id)) != TS_MAP_NONE;
  size_t count = boundary ? 0 : git_commit_parentcount(commit);
  size_t *parents = ts_xcalloc(count, sizeof *parents);
  for (size_t i = 0; i < count; i++) parents[i] = number_of(l, git_commit_parent_id(commit, (unsigned)i));
  ts_graph_parents(&l->graph, n, parents, count);
  free(parents);
  l->boundary = l->boundary || boundary;
  git_commit_free(commit);
  return 0;
}

/* Loads what `tip` reaches. Commits are numbered as they are met, so those not loaded yet are the last ones. */
static int load_graph(struct loader *l, const git_oid *tip, size_t *number) {
  size_t next = l->graph.count;
  *number = number_of(l, tip);
  for (; next < l->graph.count; next++)
    if (load_commit(l, next) != 0) return -1;
  return 0;
}

static int blob_of(void *context, size_t n) {
  struct loader *l = context;
  struct ts_commit *c = &l->graph.commit[n];
  if (c->blob != TS_BLOB_UNREAD) return 0;
  git_commit *commit = NULL;
  git_oid id;
  if (git_commit_lookup(&commit, l->r->git, &l->id[n]) != 0) return fail_object(l->r, &l->id[n], l->err);
  enum ts_git_absent found = find_blob(l->r, commit, l->path, &id, l->err);
  git_commit_free(commit);
  if (found == TS_GIT_FAILED) return -1;
  c->blob = TS_BLOB_ABSENT;
  if (found == TS_GIT_NO_PATH) return 0;
  size_t *slot = ts_map_at(&l->blob_number, raw(&l->arena, &id), l->blob_count);
  if (*slot == l->blob_count) {
    ts_xgrow(&l->blob, &l->blob_cap, l->blob_count + 1, sizeof *l->blob);
    git_oid_cpy(&l->blob[l->blob_count++], &id);
  }
  c->blob = (int64_t)*slot;
  return 0;
}

static void blob_hex(const struct loader *l, int64_t blob, char hex[TS_GIT_ID]) {
  hex[0] = '\0';
  if (blob >= 0) git_oid_tostr(hex, TS_GIT_ID, &l->blob[blob]);
}

static void iso_date(const git_time *t, char out[32]) {
  time_t local = (time_t)t->time + (time_t)t->offset * 60;
  struct tm tm;
  size_t n = gmtime_r(&local, &tm) ? strftime(out, 32, "%Y-%m-%dT%H:%M:%S", &tm) : 0;
  int minutes = t->offset < 0 ? -t->offset : t->offset;
  (void)snprintf(out + n, 32 - n, "%c%02d:%02d", t->offset < 0 ? '-' : '+', minutes / 60 % 100, minutes % 60);
}

static void list_before(struct loader *l, const struct ts_commit *c, struct ts_revision *v) {
  v->before = ts_arena_alloc(&l->out->arena, (c->parent_count ? c->parent_count : 1) * sizeof *v->before);
  for (size_t i = 0; i < c->parent_count; i++) {
    char hex[TS_GIT_ID];
    bool twice = false;
    blob_hex(l, l->graph.commit[l->graph.parent[c->first_parent + i]].blob, hex);
    for (size_t k = 0; k < v->before_count; k++) twice = twice || strcmp(v->before[k], hex) == 0;
    if (!twice) memcpy(v->before[v->before_count++], hex, sizeof hex);
  }
  if (v->before_count == 0) v->before_count = 1; /* a root: before it there was nothing */
}

static int add_version(void *context, size_t n) {
  struct loader *l = context;
  const struct ts_commit *c = &l->graph.commit[n];
  git_commit *commit = NULL;
  if (git_commit_lookup(&commit, l->r->git, &l->id[n]) != 0) return fail_object(l->r, &l->id[n], l->err);
  ts_xgrow(&l->out->revision, &l->out->cap, l->out->count + 1, sizeof *l->out->revision);
  struct ts_revision *v = &l->out->revision[l->out->count++];
  *v = (struct ts_revision){ 0 };
  git_oid_tostr(v->commit, sizeof v->commit, &l->id[n]);
  blob_hex(l, c->blob, v->blob);
  iso_date(&git_commit_author(commit)->when, v->date);
  list_before(l, c, v);
  git_commit_free(commit);
  return 0;
}

/* --- tags -------------------------------------------------------------------------------------------------- */

struct tag {
  struct ts_str name;
  git_oid commit;
  int64_t time; /* the commit's */
};
struct tags {
  struct ts_repo *r;
  struct ts_arena *arena;
  struct tag *tag;
  size_t count, cap;
};

static int add_tag(const char *name, git_oid *id, void *context) {
  struct tags *t = context;
  git_object *object = NULL, *commit = NULL;
  if (git_object_lookup(&object, t->r->git, id, GIT_OBJECT_ANY) == 0 &&
      git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0) {
    ts_xgrow(&t->tag, &t->cap, t->count + 1, sizeof *t->tag);
    struct tag *tag = &t->tag[t->count++];
    const char *prefix = "refs/tags/";
    tag->name =
        ts_arena_dup(t->arena, ts_str_z(strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : name));
    git_oid_cpy(&tag->commit, git_object_id(commit));
    tag->time = git_commit_time((git_commit *)commit);
  }
  git_object_free(commit);
  git_object_free(object);
  return 0;
}

/* Oldest first; of one commit the name that sorts first. */
static int tag_order(const void *a, const void *b) {
  const struct tag *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return ts_str_cmp(x->name, y->name);
}

static void read_tags(struct ts_repo *r, struct ts_arena *arena, struct tags *t) {
  *t = (struct tags){ .r = r, .arena = arena };
  (void)git_tag_foreach(r->git, add_tag, t);
  if (t->count > 0) qsort(t->tag, t->count, sizeof *t->tag, tag_order);
}

/* --- questions to the graph -------------------------------------------------------------------------------- */

static void loader_free(struct loader *l) {
  ts_graph_free(&l->graph);
  ts_map_free(&l->number);
  ts_map_free(&l->blob_number);
  free(l->id);
  free(l->blob);
  ts_arena_free(&l->arena);
}

/* Loads what a revision reaches. */
static enum ts_git_absent load_revision(struct loader *l, struct ts_str revision, size_t *number) {
  git_commit *commit = NULL;
  enum ts_git_absent found = find_commit(l->r, revision, &commit, l->err);
  if (found == TS_GIT_FOUND && load_graph(l, git_commit_id(commit), number) != 0) found = TS_GIT_FAILED;
  git_commit_free(commit);
  return found;
}

static void tag_versions(struct loader *l) {
  struct tags tags;
  read_tags(l->r, &l->out->arena, &tags);
  for (size_t i = 0; i < tags.count; i++) {
    size_t n = ts_map_get(&l->number, ts_str((const char *)tags.tag[i].commit.id, sizeof tags.tag[i].commit.id));
    if (n != TS_MAP_NONE) ts_graph_tag(&l->graph, n, i);
  }
  for (size_t i = 0; i < l->out->count; i++) {
    git_oid id;
    (void)git_oid_fromstr(&id, l->out->revision[i].commit);
    size_t tag = l->graph.commit[ts_map_get(&l->number, ts_str((const char *)id.id, sizeof id.id))].tag;
    if (tag != TS_TAG_NONE) l->out->revision[i].tag = tags.tag[tag].name;
  }
  free(tags.tag);
}

static int read_range(struct loader *l, struct ts_str from, struct ts_str to) {
  size_t tip, base;
  if (load_revision(l, to, &tip) != TS_GIT_FOUND) return -1;
  if (from.len > 0) {
    if (load_revision(l, from, &base) != TS_GIT_FOUND || blob_of(l, base) != 0) return -1;
    blob_hex(l, l->graph.commit[base].blob, l->out->base);
    ts_graph_exclude(&l->graph, base);
  }
  if (ts_graph_walk(&l->graph, tip, blob_of, add_version, l) != 0) return -1;
  tag_versions(l);
  return 0;
}

int ts_history_read(struct ts_repo *r, struct ts_str range, struct ts_str path, const struct ts_notes *notes,
                    struct ts_history *out, struct ts_buf *err) {
  size_t dots = ts_str_find(range, TS_STR(".."));
  struct ts_str from = dots == SIZE_MAX ? TS_STR("") : ts_str_sub(range, 0, dots);
  struct ts_str to = dots == SIZE_MAX ? range : ts_str_sub(range, dots + 2, range.len);
  if (ts_str_starts(to, TS_STR("."))) return ts_fail(err, "a range is A..B, not '%.*s'", TS_FMT(range));
  if (dots == 0) from = TS_STR("HEAD");
  if (to.len == 0) to = TS_STR("HEAD");
  *out = (struct ts_history){ 0 };
  struct ts_buf name = { 0 };
  ts_buf_add(&name, path);
  struct loader l = { .r = r, .path = ts_buf_z(&name), .out = out, .err = err };
  int status = read_range(&l, from, to);
  for (size_t i = 0; status == 0 && i < out->count / 2; i++) { /* the walk gave the newest first */
    struct ts_revision v = out->revision[i];
    out->revision[i] = out->revision[out->count - 1 - i];
    out->revision[out->count - 1 - i] = v;
  }
  if (status == 0 && l.boundary) ts_note(notes, "this is a shallow clone: its history begins at its boundary");
  if (status != 0) ts_history_free(out);
  loader_free(&l);
  ts_buf_free(&name);
  return status;
}

void ts_history_free(struct ts_history *h) {
  free(h->revision);
  ts_arena_free(&h->arena);
  *h = (struct ts_history){ 0 };
}

/* Best common ancestor: of the commits that both reach, one that no other of them reaches; the newest. */
enum ts_git_absent ts_repo_merge_base(struct ts_repo *r, struct ts_str revision, char id[TS_GIT_ID],
                                      struct ts_buf *err) {
  struct loader l = { .r = r, .err = err };
  size_t head, other, best = SIZE_MAX;
  enum ts_git_absent found = load_revision(&l, TS_STR("HEAD"), &head);
  if (found == TS_GIT_FOUND) found = load_revision(&l, revision, &other);
  if (found == TS_GIT_FOUND) best = ts_graph_merge_base(&l.graph, head, other);
  if (found == TS_GIT_FOUND && best == SIZE_MAX) {
    struct ts_buf remote = { 0 };
    remote_name(r, &remote);
    if (l.boundary)
      (void)ts_fail(err,
                    "this shallow clone lacks the fork point of HEAD and '%.*s'; to bring it: git fetch --unshallow %s",
                    TS_FMT(revision), ts_buf_z(&remote));
    else
      (void)ts_fail(err, "HEAD and '%.*s' have no common commit", TS_FMT(revision));
    ts_buf_free(&remote);
    found = TS_GIT_FAILED;
  }
  if (found == TS_GIT_FOUND) git_oid_tostr(id, TS_GIT_ID, &l.id[best]);
  loader_free(&l);
  return found;
}

enum ts_git_absent ts_repo_latest_tag(struct ts_repo *r, struct ts_str path, struct ts_buf *name, struct ts_buf *err) {
  struct ts_buf zpath = { 0 };
  ts_buf_add(&zpath, path);
  struct loader l = { .r = r, .path = ts_buf_z(&zpath), .err = err };
  size_t head;
  enum ts_git_absent found = load_revision(&l, TS_STR("HEAD"), &head);
  struct tags tags = { 0 };
  if (found == TS_GIT_FOUND) read_tags(r, &l.arena, &tags);
  bool done = false;
  for (size_t i = tags.count; i > 0 && !done && found == TS_GIT_FOUND; i--) {
    const struct tag *tag = &tags.tag[i - 1];
    size_t n = ts_map_get(&l.number, ts_str((const char *)tag->commit.id, sizeof tag->commit.id));
    if (n == TS_MAP_NONE) continue; /* HEAD does not reach it */
    if (blob_of(&l, n) != 0) found = TS_GIT_FAILED;
    done = found == TS_GIT_FOUND && l.graph.commit[n].blob >= 0;
    if (done) ts_buf_add(name, tag->name);
  }
  if (found == TS_GIT_FOUND && !done) {
    const char *hint = l.boundary ? " in this shallow clone; to bring them all: git fetch --unshallow --tags" : "";
    (void)ts_fail(err, "no tag that HEAD reaches has '%s'%s", ts_buf_z(&zpath), hint);
    found = TS_GIT_NO_PATH;
  }
  free(tags.tag);
  loader_free(&l);
  ts_buf_free(&zpath);
  return found;
}
