/*
 * The folded stacks of the input, merged, with what its header lines say.
 *
 * A profile has two columns where its first stacks all have two counts; then a line
 * with one is ignored. In a profile of one column, a number before the count is part of
 * the last frame's name.
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
	uint64_t *before; /* inclusive, by node; NULL with one column */
	uint64_t totals[2];
};

/*
 * Reads all of `reader`: 0, or -1 after reporting what failed, or that there are no
 * counts. Release the profile whatever is returned.
 */
int fg_report_profile_read(struct fg_report_profile *p, struct fg_reader *reader,
			   struct fg_diag *diag);
void fg_report_profile_release(struct fg_report_profile *p);

/* A node's counts with those of what it called, into counts[2]. */
void fg_report_total(const struct fg_report_profile *p, uint32_t node,
		     uint64_t *counts);

/* How many percent of the column's total that is; 0 where there is none. */
static inline double fg_report_share(const struct fg_report_profile *p, unsigned column,
				     uint64_t count)
{
	double total = (double)p->totals[column];

	return p->totals[column] ? 100 * ((double)count / total) : 0;
}

/* Adds a count of the profile in decimal. */
static inline void fg_report_add_count(const struct fg_report_profile *p,
				       struct fg_buf *b, uint64_t count)
{
	fg_buf_add_sum(b, (struct fg_sum){ count, 0 }, p->tree.decimals);
}

#endif
