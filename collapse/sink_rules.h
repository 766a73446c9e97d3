/*
 * Rules for a sink that writes stacks in an unusual way. See collapse/samples.h.
 */
#ifndef FG_COLLAPSE_SINK_RULES_H
#define FG_COLLAPSE_SINK_RULES_H

#include "collapse/counts.h"

/* Marks of frames; bits. */
enum fg_mark {
	FG_MARK_BASE = 1, /* the stack may start here, see enum fg_cut */
	/* if the frame is at the leaf, it is a value and not a function */
	FG_MARK_VALUE = 2,
};

/* The part to remove from a stack that has frames with FG_MARK_BASE. */
enum fg_cut {
	FG_CUT_NONE,
	FG_CUT_CALLERS, /* the callers of the last marked frame */
	FG_CUT_ROOTS, /* the callers of the last marked frame, and the root frames */
};

/* By default, all of these are zero. */
struct fg_sink_rules {
	enum fg_counts_style style;
	enum fg_cut cuts_callers;
	size_t values_max; /* at most this many frames of a stack have FG_MARK_VALUE */
	bool may_be_empty; /* it is not an error if no stack is kept */
	/* like may_be_empty, but nothing is written or reported */
	bool may_be_left_out;
	bool raw_names; /* names keep control characters, and may have any length */
	const char *event; /* the event for the header; NULL for the events counted */
	const char *unit; /* the unit for the header; NULL for the unit of the events */
};

#endif
