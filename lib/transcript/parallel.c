#include "transcript/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"

enum { AHEAD = 4, IDLE_MS = 100 };

struct shared {
  const struct ts_parallel *p;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t freed, done;
  size_t next, finished; /* the next job to begin, the next to finish */
  size_t slots;
  char *slot;
  bool *ready;
};

struct thread {
  pthread_t id;
  struct shared *shared;
  void *worker;
};

static void *slot_of(const struct shared *s, size_t job) { return s->slot + job % s->slots * s->p->slot_size; }

/* The next job that may be begun; false: there are no more. */
static bool take_job(struct shared *s, size_t *job) {
  (void)pthread_mutex_lock(&s->lock);
  while (s->next < s->p->jobs && s->next >= s->finished + s->slots) (void)pthread_cond_wait(&s->freed, &s->lock);
  bool more = s->next < s->p->jobs;
  if (more) *job = s->next++;
  (void)pthread_mutex_unlock(&s->lock);
  return more;
}

static void *run_thread(void *argument) {
  const struct thread *t = argument;
  struct shared *s = t->shared;
  for (size_t job; take_job(s, &job);) {
    s->p->work(t->worker, job, slot_of(s, job));
    (void)pthread_mutex_lock(&s->lock);
    s->ready[job % s->slots] = true;
    (void)pthread_cond_signal(&s->done);
    (void)pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

static void wait_for(struct shared *s, size_t job) {
  (void)pthread_mutex_lock(&s->lock);
  while (!s->ready[job % s->slots]) {
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += IDLE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (pthread_cond_timedwait(&s->done, &s->lock, &until) == 0) continue;
    (void)pthread_mutex_unlock(&s->lock);
    s->p->idle(s->p->context);
    (void)pthread_mutex_lock(&s->lock);
  }
  (void)pthread_mutex_unlock(&s->lock);
}

static void finish_all(struct shared *s) {
  for (size_t job = 0; job < s->p->jobs; job++) {
    wait_for(s, job);
    s->p->finish(s->p->context, job, slot_of(s, job));
    (void)pthread_mutex_lock(&s->lock);
    s->ready[job % s->slots] = false;
    s->finished = job + 1;
    (void)pthread_cond_broadcast(&s->freed);
    (void)pthread_mutex_unlock(&s->lock);
  }
}

static void run_here(const struct ts_parallel *p) {
  for (size_t job = 0; job < p->jobs; job++) {
    p->work(p->worker[0], job, NULL);
    p->finish(p->context, job, NULL);
  }
}

static void run_threads(const struct ts_parallel *p) {
  struct shared s = { .p = p, .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER };
  pthread_condattr_t monotonic;
  (void)pthread_condattr_init(&monotonic);
  (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&s.done, &monotonic);
  s.slots = (size_t)p->threads * AHEAD;
  s.slot = ts_xcalloc(s.slots, p->slot_size);
  s.ready = ts_xcalloc(s.slots, sizeof *s.ready);
  struct thread *thread = ts_xcalloc(p->threads, sizeof *thread);
  unsigned started = 0;
  for (; started < p->threads; started++) {
    thread[started].shared = &s;
    thread[started].worker = p->worker[started];
    if (pthread_create(&thread[started].id, NULL, run_thread, &thread[started]) != 0) break;
  }
  if (started > 0)
    finish_all(&s);
  else
    run_here(p);
  for (unsigned i = 0; i < started; i++) (void)pthread_join(thread[i].id, NULL);
  (void)pthread_cond_destroy(&s.done);
  (void)pthread_condattr_destroy(&monotonic);
  free(thread);
  free(s.ready);
  free(s.slot);
}

void ts_parallel_run(const struct ts_parallel *p) {
  if (p->threads > 1 && p->jobs > 1)
    run_threads(p);
  else
    run_here(p);
}
