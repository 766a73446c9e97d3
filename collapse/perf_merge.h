/*
 * What several threads have read of one input, put together.
 */
#ifndef FG_COLLAPSE_PERF_MERGE_H
#define FG_COLLAPSE_PERF_MERGE_H

struct perf;

/* Adds all that `from` found, with no sample open, to what `p` has found. */
void perf_absorb(struct perf *p, const struct perf *from);

#endif
