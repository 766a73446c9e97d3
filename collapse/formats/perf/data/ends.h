/*
 * Counts stacks that end too early, because the copy of the stack was too small, or
 * possibly because the kernel records only so many frames. Such stacks lack functions
 * at the root.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ENDS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ENDS_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

/*
 * The default of kernel.perf_event_max_stack. By default the kernel records, and perf
 * script prints, at most this many frames.
 */
#define FG_PD_CHAIN_MAX 127

/*
 * Counts of the chains that the kernel recorded. A zeroed struct has counted nothing.
 */
struct fg_pd_depths {
	uint64_t chains;
	uint64_t full; /* chains with exactly as many frames as the limit */
	uint64_t above; /* chains with more frames, so the real limit was higher */
};

/* Counts of stacks that end too early. A zeroed struct has counted nothing. */
struct fg_pd_ends {
	/*
	 * copies of stacks that were unwound, and how many of these copies were too
	 * small
	 */
	uint64_t copies, small;
	size_t size; /* bytes of the largest copy that was too small */
	struct fg_pd_depths depths;
};

/* Notes a recorded chain. `max` is the limit of its event, or 0 for the usual one. */
void fg_pd_ends_note_chain(struct fg_pd_ends *e, struct fg_str words, size_t max);

/* Notes that a copy of the stack, `size` bytes, was unwound. */
void fg_pd_ends_note_copy(struct fg_pd_ends *e, size_t size, bool too_small);

/*
 * Warns of copies that were too small and of chains that may be cut off. The warning
 * has the share of samples and tells how to record better.
 */
void fg_pd_ends_report(const struct fg_pd_ends *e, struct fg_diag *diag,
		       const struct fg_place *at);

/* Returns the number of chains that may have been cut off. */
uint64_t fg_pd_depths_truncated(const struct fg_pd_depths *d);

/*
 * Warns if chains may have been cut off. Does not warn if some chain is longer than the
 * limit, because then the real limit was higher. If `is_text`, perf script may have cut
 * the chains, too.
 */
void fg_pd_depths_report(const struct fg_pd_depths *d, bool is_text,
			 struct fg_diag *diag, const struct fg_place *at);

#endif
