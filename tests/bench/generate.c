/*
 * Generates profiles, the same ones every time:
 *   generate perf BYTES [SEED]      output of perf script
 *   generate each STACKS            the same, each of STACKS distinct stacks once
 *   generate folded LINES [SEED]    distinct stacks of such samples, folded, unsorted
 *
 * A sample is a walk through a call graph, which is always the same. A SEED other than
 * 1 chooses other samples, like another capture of the same programs. The stacks of
 * `each` lack their callers, as if they could not be unwound. A million of them take a
 * gigabyte.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "symbols.h"

#define MAX_DEPTH 127
#define SHALLOW_DEPTH 12

/* ---- calls */

/*
 * The height of a function is the greatest depth of its calls. A few functions of a
 * group are high, half of them are below HALF_HEIGHT, and those of height 0 call
 * nothing.
 */
#define HALF_HEIGHT 6

static uint32_t height_of(const struct group *g, uint32_t function)
{
	uint32_t rank = function - g->start;
	uint32_t height = HALF_HEIGHT * g->count / (rank + 1) - HALF_HEIGHT;

	return height < g->highest ? height : g->highest;
}

/*
 * Returns one of the functions of that height or, if there are none, of the greatest.
 */
static uint32_t function_of(const struct group *g, uint32_t height, uint64_t choice)
{
	uint32_t end = HALF_HEIGHT * g->count / (HALF_HEIGHT + height);
	uint32_t start = HALF_HEIGHT * g->count / (HALF_HEIGHT + height + 1);

	if (height >= g->highest)
		start = 0;
	return g->start + start + (uint32_t)(choice % (end > start ? end - start : 1));
}

static const struct group *group_of(const struct world *w, uint32_t function)
{
	if (function < w->library.start)
		return &w->kernel;
	if (function < w->programs[0].start)
		return &w->library;
	return &w->programs[(function - w->programs[0].start) / PROGRAM_SYMBOLS];
}

/*
 * Returns a callee. The first one carries on the work of its caller. The others are
 * helpers, whose calls soon end, in the same group, a library or the kernel. One in
 * eight is a recursion.
 */
static uint32_t callee_of(const struct world *w, uint32_t caller, uint32_t which)
{
	const struct group *g = group_of(w, caller);
	uint64_t state = state_of((uint64_t)(which + 1) << 32 | caller);
	uint32_t height = height_of(g, caller);
	size_t kind = below(&state, 16);

	if (!which && height) {
		height--;
	} else if (g != &w->kernel && (kind < 3 || !height)) {
		g = &w->kernel;
		height = (uint32_t)below(&state, g->highest + 1);
	} else if (g != &w->kernel && kind < 6) {
		g = &w->library;
		height = (uint32_t)below(&state, g->highest + 1);
	} else if (kind >= 13) {
		height += (uint32_t)below(&state, 8);
	} else {
		height = (uint32_t)zipf(&state, height);
	}
	return function_of(g, height, next(&state));
}

/* Continues the sample in a callee, or returns false if it ends in *function itself. */
static bool calls(const struct world *w, uint64_t *state, uint32_t *function)
{
	const struct group *g = group_of(w, *function);
	uint32_t which;

	if (!below(state, 32))
		return false;
	if (!height_of(g, *function) && (g == &w->kernel || below(state, 16)))
		return false; /* otherwise a page fault */
	do {
		which = skewed(state, 4);
	} while (which >= w->symbols[*function].callees);
	*function = callee_of(w, *function, which);
	return true;
}

/* ---- stacks */

struct stack {
	uint32_t *frames; /* root first */
	unsigned depth;
	unsigned program;
	uint64_t count;
};

/* A set of distinct stacks. */
struct stacks {
	struct stack *items;
	size_t count;
	uint32_t *slots; /* index + 1; their number is a power of two */
	size_t slots_mask;
};

/* Adds the frames after the first one. */
static void take_sample(const struct world *w, uint64_t *state, struct stack *s,
			unsigned max_depth)
{
	uint32_t function = s->frames[0];

	s->depth = 1;
	while (s->depth < max_depth && calls(w, state, &function))
		s->frames[s->depth++] = function;
	s->count = 200000 + below(state, 100000);
}

static void take_whole_sample(const struct world *w, uint64_t *state, struct stack *s)
{
	const struct group *g;

	s->program = (unsigned)zipf(state, PROGRAMS);
	g = below(state, 16) ? &w->programs[s->program] : &w->kernel;
	s->frames[0] = g->start + skewed(state, 4) % 16;
	take_sample(w, state, s, MAX_DEPTH);
}

/* Like take_sample(), but starts at any function. */
static void take_shallow_sample(const struct world *w, uint64_t *state, struct stack *s)
{
	s->program = (unsigned)below(state, PROGRAMS);
	s->frames[0] =
		w->programs[s->program].start + (uint32_t)below(state, PROGRAM_SYMBOLS);
	take_sample(w, state, s, SHALLOW_DEPTH);
}

static void make_room(struct stacks *all, size_t count)
{
	all->items = allocate(count, sizeof(*all->items));
	all->count = 0;
	for (all->slots_mask = 1; all->slots_mask < count * 2;)
		all->slots_mask *= 2;
	all->slots = allocate(all->slots_mask--, sizeof(*all->slots));
}

static bool is_same(const struct stack *a, const struct stack *b)
{
	return a->depth == b->depth && a->program == b->program &&
	       !memcmp(a->frames, b->frames, a->depth * sizeof(*a->frames));
}

/* Adds to the count of a stack. Returns true if the stack is new. */
static bool add_sample(struct stacks *all, const struct stack *s)
{
	size_t size = s->depth * sizeof(*s->frames);
	uint64_t hash = s->program + 1;
	struct stack *item;
	size_t at;

	for (unsigned i = 0; i < s->depth; i++)
		hash = (hash ^ s->frames[i]) * 0x9fb21c651e98df25;
	hash ^= hash >> 29;
	for (at = hash & all->slots_mask; all->slots[at];
	     at = (at + 1) & all->slots_mask) {
		item = &all->items[all->slots[at] - 1];
		if (is_same(item, s)) {
			item->count += s->count;
			return false;
		}
	}
	item = &all->items[all->count++];
	*item = *s;
	item->frames = memcpy(allocate(1, size), s->frames, size);
	all->slots[at] = (uint32_t)all->count;
	return true;
}

/* ---- output */

static size_t print_sample(const struct world *w, const struct stack *s,
			   uint64_t *state, uint64_t *microseconds)
{
	unsigned pid = 4000 + s->program;
	int len = 0;

	*microseconds += 1 + below(state, 500);
	len += printf("%-16s %7u/%-7u [%03u] %5" PRIu64 ".%06" PRIu64 ": %10" PRIu64
		      " cycles:P: \n",
		      w->comms[s->program], pid, pid + (unsigned)below(state, 16),
		      (unsigned)below(state, 16), 4000 + *microseconds / 1000000,
		      *microseconds % 1000000, s->count);
	for (unsigned i = s->depth; i-- > 0;) {
		const struct symbol *symbol = &w->symbols[s->frames[i]];
		unsigned offset = (unsigned)below(state, symbol->size);

		if (symbol->text[0] == '[')
			len += printf("\t%16" PRIx64 " %s (%s)\n",
				      symbol->address + offset, symbol->text,
				      symbol->dso);
		else
			len += printf("\t%16" PRIx64 " %s+0x%x (%s)\n",
				      symbol->address + offset, symbol->text, offset,
				      symbol->dso);
	}
	putchar('\n');
	return (size_t)len + 1;
}

static void print_perf(size_t bytes, uint64_t seed)
{
	uint64_t state = state_of(seed), microseconds = 0;
	uint32_t frames[MAX_DEPTH];
	struct stack sample = { .frames = frames };
	struct world world;
	size_t done = 0;

	make_world(&world);
	while (done < bytes) {
		take_whole_sample(&world, &state, &sample);
		done += print_sample(&world, &sample, &state, &microseconds);
	}
}

static void print_each(size_t count)
{
	uint64_t state = state_of(1), microseconds = 0;
	uint32_t frames[SHALLOW_DEPTH];
	struct stack sample = { .frames = frames };
	struct stacks all;
	struct world world;

	make_world(&world);
	make_room(&all, count);
	while (all.count < count) {
		take_shallow_sample(&world, &state, &sample);
		if (add_sample(&all, &sample))
			print_sample(&world, &sample, &state, &microseconds);
	}
}

static void print_folded(size_t count, uint64_t seed)
{
	uint64_t state = state_of(seed);
	uint32_t frames[MAX_DEPTH];
	struct stack sample = { .frames = frames };
	struct stacks all;
	struct world world;

	make_world(&world);
	make_room(&all, count);
	while (all.count < count) {
		take_whole_sample(&world, &state, &sample);
		add_sample(&all, &sample);
	}
	for (size_t i = 0; i < all.count; i++) {
		const struct stack *s = &all.items[i];

		fputs(world.comms[s->program], stdout);
		for (unsigned frame = 0; frame < s->depth; frame++) {
			putchar(';');
			fputs(world.symbols[s->frames[frame]].folded, stdout);
		}
		printf(" %" PRIu64 "\n", s->count);
	}
}

static size_t number(int argc, char **argv, int index, size_t otherwise)
{
	return argc > index ? (size_t)strtoull(argv[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	size_t amount = number(argc, argv, 2, 0);

	if (argc >= 3 && !strcmp(argv[1], "perf")) {
		print_perf(amount, number(argc, argv, 3, 1));
	} else if (argc >= 3 && !strcmp(argv[1], "each")) {
		print_each(amount);
	} else if (argc >= 3 && !strcmp(argv[1], "folded")) {
		print_folded(amount, number(argc, argv, 3, 1));
	} else {
		fputs("usage: generate perf BYTES [SEED]\n"
		      "       generate each STACKS\n"
		      "       generate folded LINES [SEED]\n",
		      stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout);
}
