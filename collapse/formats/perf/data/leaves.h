/*
 * Counts the samples in functions without a frame pointer, in recordings whose callers
 * were found by frame pointers. The function that called such a leaf is missing in the
 * chain.
 *
 * x86-64 only: on other machines perf finds that caller in a register.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_LEAVES_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_LEAVES_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/resolve.h"

struct fg_pd_leaves;

/*
 * Returns a counter without samples. It uses the binaries of `dsos`, which is borrowed.
 */
struct fg_pd_leaves *fg_pd_leaves_new(struct fg_dsos *dsos);

/* Accepts NULL. */
void fg_pd_leaves_free(struct fg_pd_leaves *l);

/*
 * Forgets the binary of a DSO. `dso` is its index. Call it before the DSO is unloaded.
 * Accepts NULL.
 */
void fg_pd_leaves_forget(struct fg_pd_leaves *l, uint32_t dso);

/* Adds a sample whose innermost frame in user space is at `place`. */
void fg_pd_leaves_add(struct fg_pd_leaves *l, const struct fg_pd_place *place,
		      const struct fg_pd_frame *frame);

/*
 * Warns if more than a tenth of the samples are in such functions. Returns the number
 * of these samples. Accepts NULL.
 */
uint64_t fg_pd_leaves_report(const struct fg_pd_leaves *l, struct fg_diag *diag,
			     const struct fg_place *at);

#endif
