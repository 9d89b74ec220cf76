/* Sentences about what went wrong. The library never prints: it fills an error buffer that its caller owns
 * with one finished sentence (lower case, no newline, hidden characters made visible) and returns -1. Only the
 * programs print, with ts_diag. The form is `prog: file:line: what 'subject': why`. */
#ifndef TS_BASE_DIAG_H
#define TS_BASE_DIAG_H

#include "base/buf.h"

/* Replaces *err (which may be NULL) and returns -1, so that `return ts_fail(err, …)` reads well. */
int ts_fail(struct ts_buf *err, const char *format, ...) TS_PRINTF(2, 3);

/* Appends s so that a person sees all of it: what is hidden in it (ts_hidden_next) becomes \xNN (C0, DEL, bytes that
 * are no UTF-8) or \u{NNNN}; everything else stays, what is visible already too. */
void ts_visible(struct ts_buf *out, struct ts_str s);

/* One line on standard error in one write(2): "prog: " and the sentence, made visible. */
void ts_diag(const char *format, ...) TS_PRINTF(1, 2);
/* The same for fixed text, without any memory: for when there is none left. */
void ts_diag_fixed(const char *sentence);
/* The name ts_diag prints; borrowed. main sets it first. */
void ts_diag_program(const char *name);

/* How library code hands on a remark that is no error: called for each, in order. A NULL `note` drops it. */
struct ts_notes {
  void (*note)(void *context, struct ts_str sentence);
  void *context;
};
void ts_note(const struct ts_notes *notes, const char *format, ...) TS_PRINTF(2, 3);

#endif
