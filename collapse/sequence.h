/*
 * --time-order: which stack came when, and the lines in that order.
 */
#ifndef FG_COLLAPSE_SEQUENCE_H
#define FG_COLLAPSE_SEQUENCE_H

#include "collapse/placed.h"
#include "collapse/roots.h"

struct fg_sequence;

/*
 * Lanes, which have an order each, are told apart where the root frames name them. The
 * list, which is empty and borrowed, gets the runs.
 */
struct fg_sequence *fg_sequence_new(const struct fg_samples_options *o,
				    struct fg_placed_list *runs);
void fg_sequence_free(struct fg_sequence *s); /* accepts NULL */

/* The next sample is of the stack `entry` of those with as many roots. */
void fg_sequence_add(struct fg_sequence *s, size_t entry, const struct fg_roots *roots,
		     struct fg_sum weight);

/* Writes lane by lane, each in order; equal neighbours are one line. How many lines. */
size_t fg_sequence_write(const struct fg_sequence *s, const struct fg_placed_lines *l,
			 struct fg_out *out);

#endif
