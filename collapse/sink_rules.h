/*
 * How a sink writes stacks, where that is not as of others.
 */
#ifndef FG_COLLAPSE_SINK_RULES_H
#define FG_COLLAPSE_SINK_RULES_H

#include "collapse/counts_order.h"

/* What goes above a frame of FG_MARK_BASE; nothing has the mark by default. */
enum fg_cut { FG_CUT_NONE, FG_CUT_CALLERS, FG_CUT_ROOTS /* and root frames */ };

struct fg_sink_rules {
	enum fg_counts_style style;
	enum fg_cut cuts_callers;
	size_t values_max; /* how many frames of a stack may have FG_MARK_VALUE */
	bool may_be_empty; /* that nothing is kept is no failure */
	bool may_be_left_out; /* the same, and then nothing is written or said */
	bool raw_names; /* control characters stay, and names of any length */
	const char *unit; /* of what is counted; NULL: what the events say */
};

#endif
