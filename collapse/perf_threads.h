/*
 * Chunks of one input, read by several threads, each with tables of its own.
 */
#ifndef FG_COLLAPSE_PERF_THREADS_H
#define FG_COLLAPSE_PERF_THREADS_H

#include "lib/reader.h"

struct perf;
struct perf_options;

/* How many threads there may be, 1 or more. */
size_t perf_thread_count(const struct perf_options *o);

/* Whether several threads may go on with the input: what they find can be merged. */
bool perf_may_share(const struct perf *p);

/*
 * Reads on with several threads as long as it can: to the end of the input that is
 * open, or to where no sample starts for a whole block. The rest is left in `reader`,
 * and `p` knows what it would had it read all by itself. Returns 0, or -1 after
 * reporting that reading failed.
 */
int perf_share(struct perf *p, struct fg_reader *reader);

/*
 * Where whole lines can be cut, so that what comes before has no bearing on what
 * follows: as far behind as possible, or 0.
 */
size_t perf_last_boundary(const struct perf_options *o, struct fg_str bytes);

#endif
