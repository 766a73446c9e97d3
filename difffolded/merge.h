/*
 * Stacks that arrive sorted, merged with those that are there already.
 *
 * Of each stack only what it does not share with the one before is kept, so that
 * the text of a profile takes a fraction of its size. No stack is looked up: two
 * runs of sorted stacks are merged by how much they share with the last one, and
 * hardly a byte is looked at twice.
 */
#ifndef FG_DIFFFOLDED_MERGE_H
#define FG_DIFFFOLDED_MERGE_H

#include "lib/base/count.h"

/* What a line says. */
struct fg_stack_count {
	struct fg_str stack;
	unsigned column; /* 0: before, 1: after */
	struct fg_count count;
};

struct fg_run_chunk;

struct fg_run_entry {
	size_t shared; /* bytes at the start that are those of the entry before */
	size_t len; /* of the rest */
	struct fg_sum sums[2]; /* before and after */
	char rest[];
};

/* A queue of distinct stacks in the byte order of their text. */
struct fg_run {
	struct fg_run_chunk *first, *last;
	size_t taken; /* bytes of the first chunk */
	size_t size; /* bytes of all entries */
	struct fg_run_entry *newest; /* NULL before the first one */
	struct fg_buf text; /* of the newest entry, or its start */
};

/* The entry that was added first, or NULL; and its removal, which frees it. */
struct fg_run_entry *fg_run_front(const struct fg_run *r);
void fg_run_pop(struct fg_run *r);

/* A zeroed one is empty. */
struct fg_merge {
	struct fg_run merged; /* all up to the stack added last */
	struct fg_run rest; /* of the profiles added before: what is greater */
	size_t rest_shared; /* bytes its front shares with the newest of `merged` */
	unsigned decimals; /* of all sums */
};

void fg_merge_release(struct fg_merge *m);

/* From here on another profile is added, from its first stack on. */
void fg_merge_restart(struct fg_merge *m);

/* How many bytes at its start a stack has in common with the one before. */
static inline size_t fg_merge_shared(const struct fg_merge *m, struct fg_str stack)
{
	return fg_str_common(fg_buf_str(&m->merged.text), stack);
}

/*
 * Adds a stack of which that is known. Returns -1 and adds nothing where it is less
 * than the one before.
 */
int fg_merge_add(struct fg_merge *m, const struct fg_stack_count *s, size_t shared);

/* Ends a profile: all there is, is in m->merged. */
void fg_merge_finish(struct fg_merge *m);

#endif
