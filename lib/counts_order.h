/*
 * Distinct stacks in the byte order of their text, `a;b;c`, without making the text.
 */
#ifndef FG_LIB_COUNTS_ORDER_H
#define FG_LIB_COUNTS_ORDER_H

#include "lib/counts.h"

struct fg_counts_order;

/*
 * Starts at the first entry. Names must not hold ';', and neither table may change.
 * `ahead`: another thread sorts while the caller uses what is in order. Never NULL.
 */
struct fg_counts_order *fg_counts_order_open(const struct fg_counts *c,
					     const struct fg_intern *names, bool ahead);

/* The next entry, or NULL after the last. */
const struct fg_counts_entry *fg_counts_order_next(struct fg_counts_order *o);

void fg_counts_order_close(struct fg_counts_order *o);

#endif
