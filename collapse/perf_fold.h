/*
 * The distinct stacks at the end: order, recursion, depth, time; then lines.
 */
#ifndef FG_COLLAPSE_PERF_FOLD_H
#define FG_COLLAPSE_PERF_FOLD_H

#include "lib/counts.h"

struct perf;
struct perf_sequence;

/* Which stack came when, for --time-order; free accepts NULL. */
struct perf_sequence *perf_sequence_new(void);
void perf_sequence_free(struct perf_sequence *s);

/* Counts p->stack, whose first `root_depth` frames are roots, with `weight`. */
void perf_fold_add(struct perf *p, size_t root_depth, uint64_t weight);

/*
 * The end of everything: writes the folded stacks, turned round where chains
 * were printed caller first, with recursion and depth as options ask. Returns
 * how many lines there are.
 */
size_t perf_fold_write(struct perf *p, const struct fg_counts_format *format,
		       struct fg_out *out);

#endif
