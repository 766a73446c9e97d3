/* Adds up the own counts and totals of functions, and puts functions in order. */
#include "lib/findings/functions.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

void fg_open_names_init(struct fg_open_names *o, size_t count)
{
	*o = (struct fg_open_names){ 0 };
	o->times = fg_xcalloc(count, sizeof(*o->times));
}

void fg_open_names_release(struct fg_open_names *o)
{
	free(o->path);
	free(o->times);
	*o = (struct fg_open_names){ 0 };
}

bool fg_open_names_enter(struct fg_open_names *o, uint32_t name, unsigned depth)
{
	while (o->depth >= depth)
		o->times[o->path[--o->depth]]--;
	FG_GROW(o->path, o->alloc, o->depth + 1);
	o->path[o->depth++] = name;
	return !o->times[name]++;
}

static void add(uint64_t *sums, const uint64_t *counts)
{
	for (unsigned i = 0; i < 2; i++)
		sums[i] += counts[i];
}

static struct fg_function *entry(struct fg_functions *f, uint32_t *index, uint32_t name)
{
	if (!index[name]) {
		f->items[f->count].name = name;
		index[name] = (uint32_t)++f->count;
	}
	return &f->items[index[name] - 1];
}

/* Adds up names, or groups of names. `groups` is NULL for names. */
static void add_up(struct fg_functions *f, const struct fg_columns *p,
		   const struct fg_function_groups *groups)
{
	const struct fg_tree *t = &p->tree;
	/* one more than there are groups, for names without a group */
	size_t count = groups ? groups->names->count + 1 : t->names.count;
	/* indexed by id: index of the function + 1 */
	uint32_t *index = fg_xcalloc(count, sizeof(*index));
	struct fg_open_names open;
	unsigned depth = 0;
	uint32_t node = fg_tree_walk(t, 0, true, &depth);

	f->items = fg_xcalloc(count, sizeof(*f->items));
	f->count = 0;
	f->names = groups ? groups->names : &t->names;
	fg_open_names_init(&open, count);
	for (; node != FG_TREE_NONE; node = fg_tree_walk(t, node, true, &depth)) {
		uint32_t id = t->nodes[node].name;
		struct fg_function *function;
		uint64_t counts[2];
		bool is_first;

		if (groups && groups->of[id] == FG_NO_GROUP)
			id = (uint32_t)groups->names->count;
		else if (groups)
			id = groups->of[id];
		is_first = fg_open_names_enter(&open, id, depth);
		if (groups && id == groups->names->count)
			continue;
		function = entry(f, index, id);
		fg_tree_own(&p->tree, node, counts);
		add(function->self, counts);
		fg_columns_total(p, node, counts);
		if (is_first)
			add(function->total, counts);
	}
	fg_open_names_release(&open);
	free(index);
}

void fg_functions_init(struct fg_functions *f, const struct fg_columns *p)
{
	add_up(f, p, NULL);
}

void fg_functions_init_groups(struct fg_functions *f, const struct fg_columns *p,
			      const struct fg_function_groups *groups)
{
	add_up(f, p, groups);
}

void fg_functions_release(struct fg_functions *f)
{
	free(f->items);
	*f = (struct fg_functions){ 0 };
}

/*
 * Returns the share that a function is ranked by. A function that is gone ranks below
 * all others, by its former share.
 */
static double size_of(const struct fg_columns *p, const uint64_t *counts)
{
	double after = fg_columns_share(p, FG_AFTER, counts[FG_AFTER]);

	if (after > 0 || p->columns == 1)
		return after;
	return fg_columns_share(p, FG_BEFORE, counts[FG_BEFORE]) - 1000;
}

double fg_function_by_self(const struct fg_columns *p, const struct fg_function *f)
{
	return size_of(p, f->self);
}

double fg_function_by_total(const struct fg_columns *p, const struct fg_function *f)
{
	return size_of(p, f->total);
}

/*
 * Returns the difference between two shares, multiplied by both totals. That is a whole
 * number, so rounding cannot make equal changes differ: they are sorted by name on
 * every machine.
 */
static double size_of_change(const struct fg_columns *p, const uint64_t *counts)
{
	struct fg_sum shares[2];

	for (unsigned i = 0; i < 2; i++) {
		uint64_t other = p->totals[!i];

		shares[i] =
			fg_sum_mul((struct fg_sum){ counts[i], 0 }, other ? other : 1);
	}
	return fg_sum_double(fg_sum_less(shares[FG_AFTER], shares[FG_BEFORE])) +
	       fg_sum_double(fg_sum_less(shares[FG_BEFORE], shares[FG_AFTER]));
}

double fg_function_by_self_change(const struct fg_columns *p,
				  const struct fg_function *f)
{
	return size_of_change(p, f->self);
}

double fg_function_by_total_change(const struct fg_columns *p,
				   const struct fg_function *f)
{
	return size_of_change(p, f->total);
}

static double cost_change(const uint64_t *counts)
{
	return fabs((double)counts[FG_AFTER] - (double)counts[FG_BEFORE]);
}

double fg_function_by_self_cost(const struct fg_columns *p, const struct fg_function *f)
{
	(void)p;
	return cost_change(f->self);
}

double fg_function_by_total_cost(const struct fg_columns *p,
				 const struct fg_function *f)
{
	(void)p;
	return cost_change(f->total);
}

struct ranked {
	const struct fg_functions *functions;
	const struct fg_intern *names;
	double *ranks;
};

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct ranked *r = context;

	if (r->ranks[a] != r->ranks[b])
		return r->ranks[a] > r->ranks[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(r->names, r->functions->items[a].name),
			  fg_intern_name(r->names, r->functions->items[b].name));
}

uint32_t *fg_functions_order(const struct fg_functions *f, const struct fg_columns *p,
			     fg_function_rank *rank)
{
	uint32_t *order = fg_xcalloc(f->count, sizeof(*order));
	struct ranked ranked = { f, f->names, fg_xcalloc(f->count, sizeof(double)) };

	for (uint32_t i = 0; i < f->count; i++) {
		order[i] = i;
		ranked.ranks[i] = rank(p, &f->items[i]);
	}
	fg_sort(order, f->count, compare, &ranked);
	free(ranked.ranks);
	return order;
}
