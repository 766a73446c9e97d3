/*
 * The recorded totals of a difference whose counts before were scaled to the total
 * after. diff-folded --normalize writes them as a header line:
 *
 *     # totals: before=334000000 after=1077000000
 */
#ifndef FG_LIB_PROFILE_TOTALS_H
#define FG_LIB_PROFILE_TOTALS_H

#include "lib/base/diag.h"
#include "lib/profile/sample_weight.h"
#include "lib/profile/unit.h"

struct fg_totals {
	/* the totals are from a header; else they are the sums of the counts */
	bool scaled;
	double of[2]; /* the totals, in the unit of the counts */

	/*
	 * A filter left stacks out. `here` is the share of the totals that the counts
	 * add up to, in percent.
	 */
	bool partial;
	double here[2];

	bool noise; /* sampling alone may explain the change */
};

/*
 * Finds the totals of a finished tree with two columns, from the header or else from
 * its counts. Ignores a header, with a warning, if it is malformed, or less than the
 * sum of the counts: then other profiles have been added.
 */
void fg_totals_find(struct fg_totals *t, const struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_sample_weight *weight,
		    struct fg_diag *diag);

/* Words for writing the totals. */
struct fg_totals_words {
	struct fg_str unit; /* see amount.h */
	struct fg_str word; /* written after a number that has no unit; may be empty */
	struct fg_str event; /* may be empty */
	double factor; /* all numbers are multiplied by it */
};

/* Appends "0.334 s → 1.08 s of cpu-clock (×3.2)" and, if scaled, a remark on that. */
void fg_totals_add(const struct fg_totals *t, const struct fg_totals_words *words,
		   struct fg_buf *text);

#endif
