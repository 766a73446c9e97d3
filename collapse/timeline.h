/*
 * A timeline notes when stacks were counted. Each of its items says that a stack
 * weighed so much in a slot of time.
 *
 * --slice uses it in collapse/slices.c; there a slot is a slice. --time-order uses it
 * here; there a slot is a lane, such as a thread, and the items are in the order of
 * time.
 */
#ifndef FG_COLLAPSE_TIMELINE_H
#define FG_COLLAPSE_TIMELINE_H

#include "collapse/counts.h"
#include "collapse/roots.h"

/* ---- the timeline */

struct fg_timeline_item {
	uint64_t slot;

	/*
	 * The stack: an index in the counts of the stacks with `root_depth` root
	 * frames. After fg_timeline_renumber() it is an index in the counts of all
	 * stacks.
	 */
	uint32_t entry;
	uint16_t root_depth;

	bool minus; /* the weight is to be subtracted */
	struct fg_sum weight;
};

/* A zeroed struct is empty. */
struct fg_timeline {
	struct fg_timeline_item *items;
	size_t count, alloc;
};

void fg_timeline_release(struct fg_timeline *l);

/*
 * Adds `item`, or adds its weight to the item with index *newest_plus_1 - 1, if that
 * exists and has the same stack and slot. Sets *newest_plus_1 to the item's index plus
 * 1.
 */
void fg_timeline_add(struct fg_timeline *l, size_t *newest_plus_1,
		     const struct fg_timeline_item *item);

/* Multiplies all weights. */
void fg_timeline_scale(struct fg_timeline *l, uint64_t factor);

/* The entry of an item whose stack is left out. */
#define FG_TIMELINE_GONE UINT32_MAX

/*
 * Sets the entries of the items with `root_depth` root frames from i to where[i]. Call
 * it once for each number of root frames.
 */
void fg_timeline_renumber(struct fg_timeline *l, size_t root_depth,
			  const uint32_t *where);

/* Returns the indices of all items, to be sorted. The caller frees them. */
uint32_t *fg_timeline_indices(const struct fg_timeline *l);

/* The arguments for writing a timeline that is renumbered. */
struct fg_timeline_output {
	const struct fg_counts *counts; /* all stacks */
	const struct fg_intern *names;
	const struct fg_counts_format *format;
	struct fg_shrunk *shrunk; /* counts the stacks whose sum is below 0 */
};

/* ---- --time-order */

struct fg_sequence;

/*
 * Returns a new sequence. The timeline is empty and borrowed; its items will be runs of
 * equal samples.
 */
struct fg_sequence *fg_sequence_new(const struct fg_samples_options *o,
				    struct fg_timeline *runs);
void fg_sequence_free(struct fg_sequence *s); /* accepts NULL */

/*
 * Adds the next sample. `entry` is its index in the counts of the stacks with as many
 * root frames as `roots` has.
 */
void fg_sequence_add(struct fg_sequence *s, size_t entry, const struct fg_roots *roots,
		     struct fg_sum weight);

/*
 * Writes lane by lane, each in the order of time. Neighbours with the same stack become
 * one line. Returns the number of lines.
 */
size_t fg_sequence_write(const struct fg_sequence *s,
			 const struct fg_timeline_output *l, struct fg_out *out);

#endif
