/*
 * Collects the slices of time of a profile: which stacks have counts in which slice.
 * See "Slices of time" in folded(5).
 *
 * If all recordings have a start time, we place their slices on one clock. Otherwise
 * each recording starts at 0.
 */
#ifndef FG_FLAMEGRAPH_HEAT_H
#define FG_FLAMEGRAPH_HEAT_H

#include "lib/svg/slicedata.h"
#include "lib/profile/folded.h"
#include "lib/profile/tree.h"

/* Consecutive stacks of the input in one slice. */
struct fg_heat_run {
	uint64_t time; /* when the slice starts, in ns of its recording */
	uint32_t recording;
	size_t first; /* index of the run's first count in `counts` */
};

/* A zeroed struct has no slices. */
struct fg_heat {
	struct fg_slice_header *recordings;
	size_t recording_count, recording_alloc;
	struct fg_heat_run *runs;
	size_t run_count, run_alloc;
	uint32_t *nodes; /* indexed by stack: its leaf in the tree */
	size_t node_alloc;
	uint64_t *counts; /* indexed by stack, in units of 10^-decimals */
	size_t count, count_alloc;
	unsigned decimals;
	bool failed; /* a count is too large, or a line has two */
};

void fg_heat_release(struct fg_heat *h);

/*
 * Adds the count of a line, which is already in `tree`, to the slice that starts at
 * `time`, in ns. `header` holds the header lines of the recording.
 */
void fg_heat_add(struct fg_heat *h, const struct fg_slice_header *header, uint64_t time,
		 struct fg_tree *tree, const struct fg_folded *line);

/*
 * Returns true if a finished tree has slices to draw. Rescales their counts to the
 * tree's decimals.
 */
bool fg_heat_has_slices(struct fg_heat *h, const struct fg_tree *tree);

/*
 * Returns the width of the widest slices in ns. All slices can be drawn with that
 * width.
 */
uint64_t fg_heat_width(const struct fg_heat *h);

/*
 * Makes slices of `width` ns. `frames`, indexed by the tree's node, holds the number of
 * the frame in the picture's data. Initialises `d`, which the caller releases.
 */
void fg_heat_make(const struct fg_heat *h, const uint32_t *frames, uint64_t width,
		  struct fg_slicedata *d);

#endif
