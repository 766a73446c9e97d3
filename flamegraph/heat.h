/*
 * The slices of time of a profile: which stacks have counts in which. See "Slices of
 * time" in folded(5).
 *
 * Recordings that say when they started are on one clock; otherwise each starts at 0.
 */
#ifndef FG_FLAMEGRAPH_HEAT_H
#define FG_FLAMEGRAPH_HEAT_H

#include "lib/svg/slicedata.h"
#include "lib/profile/folded.h"
#include "lib/profile/tree.h"

/* Stacks that came one after the other in one slice. */
struct fg_heat_run {
	uint64_t time; /* when the slice starts, in its recording */
	uint32_t recording;
	size_t first; /* of its counts */
};

/* A zeroed one has no slices. */
struct fg_heat {
	struct fg_slice_header *recordings;
	size_t recording_count, recording_alloc;
	struct fg_heat_run *runs;
	size_t run_count, run_alloc;
	uint32_t *nodes; /* of the tree, the leaf of each stack */
	size_t node_alloc;
	uint64_t *counts; /* in units of 10^-decimals */
	size_t count, count_alloc;
	unsigned decimals;
	bool failed; /* the counts are too large, or there are two of each stack */
};

void fg_heat_release(struct fg_heat *h);

/*
 * Adds the last count of a line that was added to `tree`: of the slice that starts at
 * `time` in a recording whose header lines are `header`.
 */
void fg_heat_add(struct fg_heat *h, const struct fg_slice_header *header, uint64_t time,
		 struct fg_tree *tree, const struct fg_folded *line);

/* Whether there are slices of a finished tree to be drawn, in its decimals. */
bool fg_heat_has_slices(struct fg_heat *h, const struct fg_tree *tree);

/* The width of the widest slices, which is the least that they can be drawn with. */
uint64_t fg_heat_width(const struct fg_heat *h);

/*
 * Makes slices of that width, in which each stack has its number in `frames`, by node.
 * Initialises `d`, which the caller releases.
 */
void fg_heat_make(const struct fg_heat *h, const uint32_t *frames, uint64_t width,
		  struct fg_slicedata *d);

#endif
