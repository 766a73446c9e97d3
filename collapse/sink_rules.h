/*
 * How a sink writes its stacks, if not as usual: for perf, see collapse/samples.h.
 */
#ifndef FG_COLLAPSE_SINK_RULES_H
#define FG_COLLAPSE_SINK_RULES_H

#include "collapse/counts.h"

/* Marks of frames; bits. */
enum fg_mark {
	FG_MARK_BASE = 1, /* the stack may start here, see enum fg_cut */
	FG_MARK_VALUE = 2, /* at the leaf it is a value and not a function */
};

/* What to remove from a stack that has frames of FG_MARK_BASE. */
enum fg_cut {
	FG_CUT_NONE,
	FG_CUT_CALLERS, /* the callers of the last such frame */
	FG_CUT_ROOTS, /* its callers and the root frames */
};

/* All zero by default. */
struct fg_sink_rules {
	enum fg_counts_style style;
	enum fg_cut cuts_callers;
	size_t values_max; /* how many frames of a stack may have FG_MARK_VALUE */
	bool may_be_empty; /* it is no error if no stack is kept */
	/* like may_be_empty, but nothing is written or reported */
	bool may_be_left_out;
	bool raw_names; /* control characters stay, and names of any length */
	const char *unit; /* of the counts; NULL for the unit of the events */
};

#endif
