/*
 * The end of a run: which stacks are written, in which shape and order.
 *
 * fg_sink_write (sink.h) is the way in; here is what the sink needs before.
 */
#ifndef FG_COLLAPSE_FOLD_H
#define FG_COLLAPSE_FOLD_H

#include "collapse/options.h"

struct fg_filter;
struct fg_roots;
struct fg_sequence;
struct fg_sink;

/* Which stack came when, for --time-order; free accepts NULL. */
struct fg_sequence *fg_sequence_new(void);
void fg_sequence_free(struct fg_sequence *s);

/* A sample of the stack sink->counts[roots->count].entries[entry] comes next. */
void fg_sequence_add(struct fg_sink *sink, size_t entry, const struct fg_roots *roots,
		     uint64_t weight);

/*
 * --keep and --drop: sets *made, to NULL where all stacks are wanted. 0, or -1 after
 * reporting a pattern that is wrong.
 */
int fg_filter_new(const struct fg_common_options *o, struct fg_diag *diag,
		  struct fg_filter **made);
void fg_filter_free(struct fg_filter *f);

/* Whether matching failed, which has been reported. NULL has not. */
bool fg_filter_failed(const struct fg_filter *f);

#endif
