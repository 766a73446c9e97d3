/*
 * A profile of one column of counts, or of two: before and after a change.
 *
 * Its tree is finished. In a profile of one column, the counts are those after.
 */
#ifndef FG_LIB_FINDINGS_COLUMNS_H
#define FG_LIB_FINDINGS_COLUMNS_H

#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

struct fg_columns {
	struct fg_tree tree; /* finished */
	struct fg_unit unit;
	unsigned columns;
	uint64_t *before; /* inclusive counts before, by node; NULL with one column */
	uint64_t totals[2];
};

/* Finishes the tree, and adds up what does not follow from it. */
void fg_columns_finish(struct fg_columns *p);
void fg_columns_release(struct fg_columns *p);

/* Sets counts[2] to the inclusive counts of a node. */
void fg_columns_total(const struct fg_columns *p, uint32_t node, uint64_t *counts);

/* Returns a count in percent of the column's total, or 0 if that is 0. */
static inline double fg_columns_share(const struct fg_columns *p, unsigned column,
				      uint64_t count)
{
	double total = (double)p->totals[column];

	return p->totals[column] ? 100 * ((double)count / total) : 0;
}

/*
 * Returns by how many points (percent of the profile) a share has grown. The result is
 * negative if it shrank.
 */
double fg_columns_change(const struct fg_columns *p, const uint64_t *counts);

static inline void fg_columns_add_count(const struct fg_columns *p, struct fg_buf *b,
					uint64_t count)
{
	fg_buf_add_sum(b, (struct fg_sum){ count, 0 }, p->tree.decimals);
}

#endif
