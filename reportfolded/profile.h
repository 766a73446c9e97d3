/*
 * Reads the folded stacks of the input into one tree, with their header lines.
 *
 * A profile has two columns if its first stacks all have two counts. Later lines with
 * one count are then ignored. In a profile of one column, a number before the count
 * belongs to the last frame's name.
 */
#ifndef FG_REPORTFOLDED_PROFILE_H
#define FG_REPORTFOLDED_PROFILE_H

#include "lib/base/reader.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

struct fg_report_profile {
	struct fg_tree tree; /* finished */
	struct fg_unit unit;
	unsigned columns;
	uint64_t *before; /* inclusive counts before, by node; NULL with one column */
	uint64_t totals[2];
};

/*
 * Reads all of `reader`. Returns 0, or -1 after reporting, also if there are no counts.
 * Release the profile in either case.
 */
int fg_report_profile_read(struct fg_report_profile *p, bool no_lines,
			   struct fg_reader *reader, struct fg_diag *diag);
void fg_report_profile_release(struct fg_report_profile *p);

/* Sets counts[2] to the inclusive counts of a node. */
void fg_report_total(const struct fg_report_profile *p, uint32_t node,
		     uint64_t *counts);

/* Returns a count in percent of the column's total, or 0 if that is 0. */
static inline double fg_report_share(const struct fg_report_profile *p, unsigned column,
				     uint64_t count)
{
	double total = (double)p->totals[column];

	return p->totals[column] ? 100 * ((double)count / total) : 0;
}

static inline void fg_report_add_count(const struct fg_report_profile *p,
				       struct fg_buf *b, uint64_t count)
{
	fg_buf_add_sum(b, (struct fg_sum){ count, 0 }, p->tree.decimals);
}

#endif
