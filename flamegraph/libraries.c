/* Chooses the colours of --colors library and kind by the weights in a profile. */
#include "flamegraph/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/module.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* The share of white in the lightest shade. */
#define LIGHTEST 0.2
/* Like LIGHTEST, for functions without a module: only their shade tells them apart. */
#define LIGHTEST_UNKNOWN 0.6

#define OTHERS FG_LIBRARY_HUES
#define UNKNOWN (FG_LIBRARY_HUES + 1)

/*
 * Any two hues of a table differ by 10 or more in CIELAB, also for people with
 * deuteranopia. The hues by library differ as much as possible from each other and from
 * the colour of a search, and the first hues differ most. The hues by kind are calm,
 * and the first of them belong to the kinds of fg_module_kind(). Black text has a
 * contrast of at least 4.5 on the hues by library, and of at least 8 on the hues by
 * kind.
 */
static const struct fg_rgb hues[][FG_LIBRARY_HUES + 2] = {
	[FG_BY_LIBRARY] = { { 92, 130, 243 },
			    { 230, 219, 80 },
			    { 220, 97, 32 },
			    { 92, 210, 242 },
			    { 29, 148, 135 },
			    { 248, 156, 121 },
			    { 168, 118, 191 },
			    { 192, 154, 79 },
			    { 238, 168, 215 },
			    { 99, 241, 152 },
			    { 231, 113, 140 },
			    { 154, 196, 28 },
			    [OTHERS] = { 150, 150, 150 },
			    [UNKNOWN] = { 200, 200, 200 } },
	[FG_BY_KIND] = { { 210, 148, 121 },
			 { 147, 212, 158 },
			 { 182, 180, 108 },
			 { 137, 167, 183 },
			 { 93, 219, 250 },
			 { 152, 162, 208 },
			 { 232, 206, 145 },
			 { 117, 168, 225 },
			 { 227, 147, 160 },
			 { 232, 245, 156 },
			 { 187, 241, 250 },
			 { 250, 193, 216 },
			 [OTHERS] = { 180, 179, 186 },
			 [UNKNOWN] = { 159, 187, 223 } },
};

static unsigned char lighter(unsigned char channel, double share)
{
	return (unsigned char)(channel + (unsigned)(share * (255 - channel)));
}

static struct fg_rgb shade_of(struct fg_rgb colour, double share)
{
	return (struct fg_rgb){ lighter(colour.r, share), lighter(colour.g, share),
				lighter(colour.b, share) };
}

struct fg_rgb fg_library_colour(enum fg_grouping by, size_t hue, struct fg_shade shade)
{
	return shade_of(hues[by][hue], LIGHTEST * shade.v[0]);
}

struct fg_rgb fg_libraries_rank_colour(const struct fg_libraries *l, size_t rank,
				       struct fg_shade shade)
{
	/* the shades of short names differ only in the low bits, so we use these */
	double last = shade.v[0] * 256;

	if (l->by == FG_BY_KIND && rank == UNKNOWN)
		return shade_of(hues[l->by][rank],
				LIGHTEST_UNKNOWN * (last - (double)(unsigned)last));
	return fg_library_colour(l->by, l->hues[rank], shade);
}

/* ---- the libraries of a profile */

static void add_frames(struct fg_libraries *l, const struct fg_tree *tree)
{
	l->self = fg_xcalloc(l->names.count, sizeof(*l->self));
	l->seen = fg_xcalloc(l->names.count, sizeof(*l->seen));
	l->unknown = tree->nodes[0].self;
	for (size_t i = 1; i < tree->count; i++) {
		const struct fg_tree_node *node = &tree->nodes[i];
		uint32_t id = l->of[node->name];

		*(id == FG_NO_LIBRARY ? &l->unknown : &l->self[id]) += node->self;
		if (id != FG_NO_LIBRARY)
			l->seen[id] += (double)node->total;
	}
}

static int compare_seen(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->seen[a] > l->seen[b] || l->seen[a] < l->seen[b])
		return l->seen[a] > l->seen[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(&l->names, a), fg_intern_name(&l->names, b));
}

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->self[a] != l->self[b])
		return l->self[a] > l->self[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(&l->names, a), fg_intern_name(&l->names, b));
}

static int compare_rank(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->ranks[a] != l->ranks[b])
		return l->ranks[a] < l->ranks[b] ? -1 : 1;
	return compare(context, a, b);
}

/*
 * Chooses the modules that get a hue: in turn the one with the highest inclusive counts
 * and the one with the highest own counts. The former are wide in the picture, the
 * latter large in the legend.
 */
static void choose_modules(struct fg_libraries *l)
{
	fg_sort(l->order, l->count, compare_seen, l);
	for (uint32_t i = 0; i < l->count; i++)
		l->ranks[l->order[i]] = i;
	fg_sort(l->order, l->count, compare, l);
	for (uint32_t i = 0; i < l->count; i++)
		if (i < l->ranks[l->order[i]])
			l->ranks[l->order[i]] = i;
	fg_sort(l->order, l->count, compare_rank, l);
}

/*
 * Chooses hues by kind. Each kind of code has its own hue. Any other module gets the
 * first free hue, starting at the one that its name hashes to. It gets the hue of a
 * kind of code only if all others are taken.
 */
static void choose_hues(struct fg_libraries *l)
{
	const size_t modules = FG_LIBRARY_HUES - FG_MODULE_KINDS;
	bool taken[FG_LIBRARY_HUES] = { false };

	for (size_t rank = 0; rank < FG_LIBRARY_HUES && rank < l->count; rank++) {
		struct fg_str name = fg_intern_name(&l->names, l->order[rank]);
		size_t kind = fg_module_kind(name);

		l->hues[rank] = (unsigned char)kind;
		if (kind < FG_MODULE_KINDS)
			taken[kind] = true;
	}
	for (size_t rank = 0; rank < FG_LIBRARY_HUES && rank < l->count; rank++) {
		struct fg_str name = fg_intern_name(&l->names, l->order[rank]);
		size_t first = (size_t)(fg_fnv(name) >> 32);
		size_t i = 0, hue = l->hues[rank];

		if (hue < FG_MODULE_KINDS)
			continue;
		do
			hue = i < modules ? FG_MODULE_KINDS + (first + i) % modules :
					    i - modules;
		while (taken[hue] && ++i < FG_LIBRARY_HUES);
		taken[hue] = true;
		l->hues[rank] = (unsigned char)hue;
	}
}

void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree,
		       enum fg_grouping by, enum fg_stack_order stacks)
{
	memset(l, 0, sizeof(*l));
	l->by = by;
	fg_intern_init(&l->names);
	l->of = fg_grouping_find(tree, by, stacks, &l->names);
	l->of_count = tree->names.count;
	add_frames(l, tree);
	l->count = l->names.count;
	l->order = fg_xcalloc(l->count, sizeof(*l->order));
	l->ranks = fg_xcalloc(l->count, sizeof(*l->ranks));
	for (uint32_t id = 0; id < l->count; id++)
		l->order[id] = id;
	if (by == FG_BY_KIND)
		choose_modules(l);
	else
		fg_sort(l->order, l->count, compare, l);
	for (uint32_t rank = 0; rank < l->count; rank++)
		l->ranks[l->order[rank]] = rank;
	for (size_t rank = 0; rank < FG_LIBRARY_HUES + 2; rank++)
		l->hues[rank] = (unsigned char)rank;
	if (by == FG_BY_KIND)
		choose_hues(l);
}

void fg_libraries_release(struct fg_libraries *l)
{
	fg_intern_release(&l->names);
	free(l->of);
	free(l->seen);
	free(l->self);
	free(l->order);
	free(l->ranks);
	memset(l, 0, sizeof(*l));
}

struct fg_rgb fg_libraries_colour(const struct fg_libraries *l, uint32_t id,
				  struct fg_shade shade)
{
	uint32_t library = id < l->of_count ? l->of[id] : FG_NO_LIBRARY;
	size_t rank = UNKNOWN;

	if (library != FG_NO_LIBRARY)
		rank = l->ranks[library] < OTHERS ? l->ranks[library] : OTHERS;
	return fg_libraries_rank_colour(l, rank, shade);
}
