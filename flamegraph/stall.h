/*
 * Finds the stall of a profile with slices of time: consecutive slices in which only
 * one frame, with what it called, was seen, although it has a small part of the whole
 * profile.
 */
#ifndef FG_FLAMEGRAPH_STALL_H
#define FG_FLAMEGRAPH_STALL_H

#include "lib/profile/tree.h"
#include "lib/svg/slicedata.h"

/* A zeroed struct is no stall. */
struct fg_stall {
	uint32_t node; /* the frame; 0: there is no stall */
	uint64_t from, to; /* in ns from the start of the slices */
};

/*
 * Returns the stall that chance explains least, or none. `nodes`, indexed by the number
 * of a frame in the data, has the tree's nodes. `sample` is the weight of a sample in
 * the tree's units, or 0 if it is not known.
 */
struct fg_stall fg_stall_find(const struct fg_slicedata *d, const struct fg_tree *t,
			      const uint32_t *nodes, double sample);

#endif
