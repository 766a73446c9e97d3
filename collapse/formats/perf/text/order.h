/*
 * The order of call chains in the text.
 *
 * perf script prints the leaf first, unless perfconfig has `[call-graph] order =
 * caller`; then it prints the root first. The text does not say which. So with
 * --order=auto each chain whose first and last frame tell its order has a vote, and if
 * most chains are root first, the sink reverses all stacks.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_ORDER_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_ORDER_H

#include <stdbool.h>

struct perf;

/* Counts the vote of the open sample, whose chain is complete. */
void perf_order_vote(struct perf *p);

/* Returns true if the chain of the open sample, which is complete, seems root first. */
bool perf_order_is_root_first(const struct perf *p);

/* Returns true if most chains so far were root first. */
bool perf_order_was_root_first(const struct perf *p);

/* With --order=auto: reverses stacks if most chains so far are root first. */
void perf_order_settle(struct perf *p);

/* Notes the order that the input had, if it is known. */
void perf_order_end_input(struct perf *p);

/* With --order=auto: settles the order for good, and warns if stacks are reversed. */
void perf_order_finish(struct perf *p);

#endif
