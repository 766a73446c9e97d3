/*
 * --time-order: which stack came when, and the lines in that order.
 */
#ifndef FG_COLLAPSE_SEQUENCE_H
#define FG_COLLAPSE_SEQUENCE_H

#include "collapse/counts.h"
#include "collapse/sample.h"

struct fg_sequence;

/* Lanes, which have an order each, are told apart where the root frames name them. */
struct fg_sequence *fg_sequence_new(const struct fg_samples_options *o);
void fg_sequence_free(struct fg_sequence *s); /* accepts NULL */

/* The next sample is of the stack `entry` of those with as many roots. */
void fg_sequence_add(struct fg_sequence *s, size_t entry, const struct fg_roots *roots,
		     uint64_t weight);

/* What is left out. */
#define FG_SEQUENCE_GONE UINT32_MAX

/*
 * Stack i of those with `root_depth` roots is stack where[i] of all, or none of them:
 * FG_SEQUENCE_GONE. Once for each number of roots.
 */
void fg_sequence_renumber(struct fg_sequence *s, size_t root_depth,
			  const uint32_t *where);

/* What the lines are made of: all stacks, by their new numbers. */
struct fg_sequence_lines {
	const struct fg_counts *counts;
	const struct fg_intern *names;
	const struct fg_counts_format *format;
};

/* Writes lane by lane, each in order; equal neighbours are one line. How many lines. */
size_t fg_sequence_write(const struct fg_sequence *s, const struct fg_sequence_lines *l,
			 struct fg_out *out);

#endif
