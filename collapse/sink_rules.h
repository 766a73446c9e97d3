/*
 * Rules for a sink that writes stacks in an unusual way. See collapse/samples.h.
 */
#ifndef FG_COLLAPSE_SINK_RULES_H
#define FG_COLLAPSE_SINK_RULES_H

#include "collapse/counts.h"

/* Marks of frames; bits. */
enum fg_mark {
	FG_MARK_BASE = 1, /* the stack may start here, see enum fg_cut */
	FG_MARK_VALUE = 2, /* at the leaf it is a value and not a function */
};

/* The part to remove from a stack that has frames with FG_MARK_BASE. */
enum fg_cut {
	FG_CUT_NONE,
	FG_CUT_CALLERS, /* the callers of the last such frame */
	FG_CUT_ROOTS, /* its callers and the root frames */
};

/* All zero by default. */
struct fg_sink_rules {
	enum fg_counts_style style;
	enum fg_cut cuts_callers;
	size_t values_max; /* the most frames of a stack with FG_MARK_VALUE */
	bool may_be_empty; /* it is no error if no stack is kept */
	/* like may_be_empty, but nothing is written or reported */
	bool may_be_left_out;
	bool raw_names; /* control characters stay, and names of any length */
	const char *unit; /* NULL for the unit of the events */
};

#endif
