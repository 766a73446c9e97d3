/*
 * Merges sorted stacks with those that are already there.
 *
 * An entry keeps only what its stack does not share with the one before, so the text of
 * a profile takes a fraction of its size. No stack is looked up: two runs of sorted
 * stacks are merged by how much they share with the last one, and hardly a byte is
 * compared twice.
 */
#ifndef FG_DIFFFOLDED_MERGE_H
#define FG_DIFFFOLDED_MERGE_H

#include "lib/base/count.h"

/* A stack with its count in one column. */
struct fg_stack_count {
	struct fg_str stack;
	unsigned column;
	struct fg_count count;
};

struct fg_run_chunk;

struct fg_run_entry {
	/* bytes at its start that the stack has in common with the one before */
	size_t shared;
	size_t len; /* length of `rest` */
	struct fg_sum sums[2]; /* before and after */
	char rest[];
};

/* A queue of distinct stacks, in byte order. */
struct fg_run {
	struct fg_run_chunk *first, *last;
	size_t taken; /* bytes removed from the first chunk */
	size_t size; /* bytes of all entries */
	struct fg_run_entry *newest; /* NULL before the first one */
	struct fg_buf text; /* the newest stack, or its start */
};

/*
 * fg_run_front() returns the oldest entry or NULL; fg_run_pop() removes and frees it.
 */
struct fg_run_entry *fg_run_front(const struct fg_run *r);
void fg_run_pop(struct fg_run *r);

/* A zeroed struct is empty. */
struct fg_merge {
	struct fg_run merged; /* up to the newest stack */
	struct fg_run rest; /* greater stacks of earlier profiles */
	/* bytes that the front of `rest` shares with the newest stack of `merged` */
	size_t rest_shared;
	unsigned decimals; /* the number of decimals of all sums */
};

void fg_merge_release(struct fg_merge *m);

/* Starts another profile. The next stack is its first. */
void fg_merge_restart(struct fg_merge *m);

/* Returns how many bytes at its start a stack shares with the newest one. */
static inline size_t fg_merge_shared(const struct fg_merge *m, struct fg_str stack)
{
	return fg_str_common(fg_buf_str(&m->merged.text), stack);
}

/*
 * Adds a stack that shares `shared` bytes with the newest one. Returns -1, and adds
 * nothing, if it is less than the newest one.
 */
int fg_merge_add(struct fg_merge *m, const struct fg_stack_count *s, size_t shared);

/* Ends a profile. After that, m->merged has all stacks. */
void fg_merge_finish(struct fg_merge *m);

#endif
