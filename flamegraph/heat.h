/*
 * Collects the slices of time of a profile: which stacks have counts in which slice.
 * See "Slices of time" in folded(5).
 *
 * Recordings that know their start share one clock. Otherwise each starts at 0.
 */
#ifndef FG_FLAMEGRAPH_HEAT_H
#define FG_FLAMEGRAPH_HEAT_H

#include "lib/svg/slicedata.h"
#include "lib/profile/folded.h"
#include "lib/profile/tree.h"

/* Consecutive stacks of the input in one slice. */
struct fg_heat_run {
	uint64_t time; /* the slice's start, in its recording */
	uint32_t recording;
	size_t first; /* index of its first count */
};

/* A zeroed struct has no slices. */
struct fg_heat {
	struct fg_slice_header *recordings;
	size_t recording_count, recording_alloc;
	struct fg_heat_run *runs;
	size_t run_count, run_alloc;
	uint32_t *nodes; /* the leaf of each stack in the tree */
	size_t node_alloc;
	uint64_t *counts; /* in units of 10^-decimals */
	size_t count, count_alloc;
	unsigned decimals;
	bool failed; /* counts are too large, or stacks have two */
};

void fg_heat_release(struct fg_heat *h);

/*
 * Adds the last count of a line that was added to `tree`, in the slice that starts at
 * `time`. `header` holds the header lines of the recording.
 */
void fg_heat_add(struct fg_heat *h, const struct fg_slice_header *header, uint64_t time,
		 struct fg_tree *tree, const struct fg_folded *line);

/* Returns true if a finished tree has slices to draw. Brings them to its decimals. */
bool fg_heat_has_slices(struct fg_heat *h, const struct fg_tree *tree);

/*
 * Returns the width of the widest slices, the least width that all can be drawn with.
 */
uint64_t fg_heat_width(const struct fg_heat *h);

/*
 * Makes slices of that width. `frames` has the number of each stack by node.
 * Initialises `d`, which the caller releases.
 */
void fg_heat_make(const struct fg_heat *h, const uint32_t *frames, uint64_t width,
		  struct fg_slicedata *d);

#endif
