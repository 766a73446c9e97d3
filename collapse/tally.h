/*
 * What became of the input: samples kept and lost, lines that were not understood.
 */
#ifndef FG_COLLAPSE_TALLY_H
#define FG_COLLAPSE_TALLY_H

#include "collapse/counts.h"
#include "lib/base/buf.h"
#include "lib/base/count.h"
#include "lib/base/diag.h"

/* Something that has no place in the result. */
struct fg_loss {
	const char *what; /* "samples without a stack"; borrowed */
	uint64_t count;
	struct fg_sum weight; /* of those that had one */
};

/* A zeroed struct is empty. */
struct fg_tally {
	uint64_t samples; /* that the input has, or stacks where it has no samples */
	uint64_t kept;
	/* left out by options, or of events that were not asked for */
	uint64_t ignored;
	uint64_t deselected; /* those ignored that are of kept events */
	uint64_t dropped; /* cut short, or without the field that is the weight */
	uint64_t timeless; /* those dropped whose time is missing or wrong */
	uint64_t nameless; /* those dropped that have neither root nor chain */
	uint64_t unweighted; /* those dropped for want of that field */
	uint64_t stackless; /* entries that are no stacks; not in `samples` */
	uint64_t aside; /* what stacks weigh that are set aside; not in `samples` */
	uint64_t chains; /* those that had frames */
	uint64_t lost; /* events that the profiler lost, by its own account */
	uint64_t lost_samples; /* samples that it lost, which `lost` may include */
	bool cut; /* the input was not whole; there was a warning */
	bool failed_tool; /* inlined functions are missing; there was a warning */
	uint64_t odd_lines; /* not understood */
	struct fg_place odd_place; /* the first of them */
	struct fg_buf odd_text;
	struct fg_shrunk shrunk; /* stacks whose values add up to less than 0 */
	struct fg_loss *losses; /* other ones, by what they are */
	size_t loss_count, loss_alloc;
};

void fg_tally_release(struct fg_tally *t);

/* Notes a line that is not understood; a verbose `diag` shows it. */
void fg_tally_odd_line(struct fg_tally *t, struct fg_place at, struct fg_str line,
		       struct fg_diag *diag);

#endif
