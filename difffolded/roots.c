/* Detects root frames that one column has and the other lacks, such as threads. */
#include "difffolded/roots.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/*
 * We say that a column has extra root frames if all of this is true:
 *
 * 1. Its stacks rarely start with a name that also starts stacks of the other column:
 *    those that do have less than HARDLY of its weight.
 * 2. Without the extra frames, stacks with more than MOST of its weight start with such
 *    a name.
 * 3. The names that they then start with also start stacks with more than MOST of the
 *    other column's weight.
 */
#define HARDLY 0.1
#define MOST 0.5

/*
 * The weight of each column below a name, if the name is the first, second or third
 * frame.
 */
struct fg_diff_root {
	double at[FG_DIFF_ROOTS_DEPTH][2];
};

void fg_diff_roots_release(struct fg_diff_roots *r)
{
	fg_intern_release(&r->names);
	free(r->of);
	memset(r, 0, sizeof(*r));
}

/* Adds the weight of the stacks so far that start with the same names. */
static void add_weights(struct fg_diff_roots *r)
{
	for (unsigned column = 0; column < 2; column++) {
		r->totals[column] += r->weights[column];
		for (size_t i = 0; i < r->depth; i++)
			r->of[r->ids[i]].at[i][column] += r->weights[column];
		r->weights[column] = 0;
	}
}

static void find_ids(struct fg_diff_roots *r, struct fg_str stack)
{
	size_t had = r->names.count;

	r->len = 0;
	for (r->depth = 0; r->depth < FG_DIFF_ROOTS_DEPTH && stack.len; r->depth++) {
		struct fg_str frame = fg_str_cut(&stack, ';');

		r->ids[r->depth] = fg_intern(&r->names, frame);
		r->len += frame.len + 1;
	}
	if (!r->depth)
		return;
	FG_GROW(r->of, r->alloc, r->names.count);
	memset(r->of + had, 0, (r->names.count - had) * sizeof(*r->of));
}

void fg_diff_roots_add(struct fg_diff_roots *r, struct fg_str stack, size_t shared,
		       const struct fg_sum sums[2])
{
	if (r->depth < FG_DIFF_ROOTS_DEPTH || shared < r->len) {
		add_weights(r);
		find_ids(r, stack);
	}
	for (unsigned column = 0; column < 2; column++)
		r->weights[column] += fg_sum_double(sums[column]);
}

/* Returns true if `column` has `frames` extra root frames. */
static bool has_more(const struct fg_diff_roots *r, unsigned column, unsigned frames)
{
	unsigned other = 1 - column;
	double alike = 0, below = 0, covered = 0;

	for (size_t id = 0; id < r->names.count; id++) {
		const struct fg_diff_root *of = &r->of[id];

		if (!(of->at[0][other] > 0))
			continue;
		alike += of->at[0][column];
		below += of->at[frames][column];
		if (of->at[frames][column] > 0)
			covered += of->at[0][other];
	}
	return alike < HARDLY * r->totals[column] && below > MOST * r->totals[column] &&
	       covered > MOST * r->totals[other];
}

static struct fg_str heaviest(const struct fg_diff_roots *r, unsigned column)
{
	uint32_t most = 0;

	for (uint32_t id = 1; id < r->names.count; id++)
		if (r->of[id].at[0][column] > r->of[most].at[0][column])
			most = id;
	return fg_intern_name(&r->names, most);
}

struct fg_diff_extra fg_diff_roots_extra(struct fg_diff_roots *r)
{
	add_weights(r);
	for (unsigned frames = 1; frames < FG_DIFF_ROOTS_DEPTH; frames++)
		for (unsigned column = 0; column < 2; column++)
			if (has_more(r, column, frames))
				return (struct fg_diff_extra){ column, frames,
							       heaviest(r, column) };
	return (struct fg_diff_extra){ .frames = 0 };
}
