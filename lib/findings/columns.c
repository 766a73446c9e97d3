/* The counts of a profile of one or two columns. */
#include "lib/findings/columns.h"

#include <stdlib.h>

void fg_columns_finish(struct fg_columns *p)
{
	fg_tree_finish(&p->tree);
	p->totals[FG_AFTER] = p->tree.total;
	if (p->tree.before) {
		p->before = fg_tree_sums_before(&p->tree);
		p->totals[FG_BEFORE] = p->before[0];
	}
}

void fg_columns_release(struct fg_columns *p)
{
	fg_tree_release(&p->tree);
	fg_unit_release(&p->unit);
	free(p->before);
	*p = (struct fg_columns){ 0 };
}

void fg_columns_total(const struct fg_columns *p, uint32_t node, uint64_t *counts)
{
	counts[FG_BEFORE] = p->before ? p->before[node] : 0;
	counts[FG_AFTER] = p->tree.nodes[node].total;
}

double fg_columns_change(const struct fg_columns *p, const uint64_t *counts)
{
	return fg_columns_share(p, FG_AFTER, counts[FG_AFTER]) -
	       fg_columns_share(p, FG_BEFORE, counts[FG_BEFORE]);
}
