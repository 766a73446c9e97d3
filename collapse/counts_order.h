/*
 * The order of the lines of folded stacks, without making their text.
 */
#ifndef FG_COLLAPSE_COUNTS_ORDER_H
#define FG_COLLAPSE_COUNTS_ORDER_H

#include "collapse/counts.h"

enum fg_counts_style {
	FG_COUNTS_EXACT, /* all digits */
	FG_COUNTS_PERL, /* from 2^64 on as Perl prints a double, 15 digits */
};

struct fg_counts_order;

/*
 * Starts at the first entry of lines of that style. Names must not hold ';', and
 * neither table may change.
 */
struct fg_counts_order *fg_counts_order_open(const struct fg_counts *c,
					     const struct fg_intern *names,
					     enum fg_counts_style style);

/* The next entry, or NULL after the last. */
const struct fg_counts_entry *fg_counts_order_next(struct fg_counts_order *o);

void fg_counts_order_close(struct fg_counts_order *o);

#endif
