/*
 * What was recorded in all, before and after, of a difference whose counts before were
 * scaled to the total after. diff-folded --normalize writes it as a header line:
 *
 *     # totals: before=334000000 after=1077000000
 */
#ifndef FG_LIB_PROFILE_TOTALS_H
#define FG_LIB_PROFILE_TOTALS_H

#include "lib/base/diag.h"
#include "lib/profile/sample_weight.h"
#include "lib/profile/unit.h"

struct fg_totals {
	bool scaled; /* by the header; else the totals are the sums of the counts */
	double of[2]; /* in the unit of the counts */

	/* If a filter left some out: the part of them that is here, in percent. */
	bool partial;
	double here[2];

	bool noise; /* sampling alone may explain the change */
};

/*
 * Finds the totals of a finished tree with two columns, in the header or else in its
 * counts. A header is ignored with a warning if it is malformed, or less than the sum
 * of the counts, which has grown since by that of other profiles.
 */
void fg_totals_find(struct fg_totals *t, const struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_sample_weight *weight,
		    struct fg_diag *diag);

/* How the totals are written. */
struct fg_totals_words {
	struct fg_str unit; /* see amount.h */
	struct fg_str word; /* after a number that has no unit; may be empty */
	struct fg_str event; /* may be empty */
	double factor; /* that all numbers are multiplied by */
};

/* Appends "0.334 s → 1.08 s of cpu-clock (×3.2)" and, if scaled, what that means. */
void fg_totals_add(const struct fg_totals *t, const struct fg_totals_words *words,
		   struct fg_buf *text);

#endif
