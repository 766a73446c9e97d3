/* The colours of --colors library, by the weight of the libraries in a profile. */
#include "flamegraph/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/library.h"
#include "lib/sort.h"
#include "lib/xalloc.h"

/* The share of white in the lightest shade. */
#define LIGHTEST 0.2

#define NO_LIBRARY UINT32_MAX

/*
 * Far from each other for all kinds of colour vision, the first ones farthest, and from
 * the colour of a search; black has a contrast of 4.5 and more on all of them.
 */
static const struct fg_rgb hues[FG_LIBRARY_HUES + 2] = {
	{ 92, 130, 243 },
	{ 230, 219, 80 },
	{ 219, 96, 31 },
	{ 92, 210, 242 },
	{ 67, 160, 140 },
	{ 249, 157, 123 },
	{ 168, 118, 191 },
	{ 192, 154, 79 },
	{ 240, 170, 215 },
	{ 98, 239, 147 },
	{ 229, 113, 143 },
	{ 154, 196, 28 },
	[FG_LIBRARY_HUES] = { 150, 150, 150 },
	[FG_LIBRARY_HUES + 1] = { 200, 200, 200 },
};

static unsigned char lighter(unsigned char channel, double share)
{
	return (unsigned char)(channel + (unsigned)(share * (255 - channel)));
}

struct fg_rgb fg_library_colour(size_t rank, struct fg_shade shade)
{
	struct fg_rgb hue = hues[rank];
	double share = LIGHTEST * shade.v[0];

	return (struct fg_rgb){ lighter(hue.r, share), lighter(hue.g, share),
				lighter(hue.b, share) };
}

/* The libraries of the tree's names, by id; NO_LIBRARY where it is not known. */
static uint32_t *find_all(struct fg_libraries *l, const struct fg_intern *names)
{
	uint32_t *libraries = fg_xcalloc(names->count, sizeof(*libraries));

	for (uint32_t id = 0; id < names->count; id++) {
		struct fg_str library = fg_library_of(fg_intern_name(names, id));

		libraries[id] =
			library.len ? fg_intern(&l->names, library) : NO_LIBRARY;
	}
	return libraries;
}

static void add_up(struct fg_libraries *l, const struct fg_tree *tree)
{
	uint32_t *libraries = find_all(l, &tree->names);

	l->self = fg_xcalloc(l->names.count, sizeof(*l->self));
	l->unknown = tree->nodes[0].self;
	for (size_t i = 1; i < tree->count; i++) {
		uint32_t id = libraries[tree->nodes[i].name];

		*(id == NO_LIBRARY ? &l->unknown : &l->self[id]) += tree->nodes[i].self;
	}
	free(libraries);
}

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_libraries *l = context;

	if (l->self[a] != l->self[b])
		return l->self[a] > l->self[b] ? -1 : 1;
	return fg_str_cmp(fg_intern_name(&l->names, a), fg_intern_name(&l->names, b));
}

void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree)
{
	memset(l, 0, sizeof(*l));
	fg_intern_init(&l->names);
	add_up(l, tree);
	l->count = l->names.count;
	l->order = fg_xcalloc(l->count, sizeof(*l->order));
	l->ranks = fg_xcalloc(l->count, sizeof(*l->ranks));
	for (uint32_t id = 0; id < l->count; id++)
		l->order[id] = id;
	fg_sort(l->order, l->count, compare, l);
	for (uint32_t rank = 0; rank < l->count; rank++)
		l->ranks[l->order[rank]] = rank;
}

void fg_libraries_release(struct fg_libraries *l)
{
	fg_intern_release(&l->names);
	free(l->self);
	free(l->order);
	free(l->ranks);
	memset(l, 0, sizeof(*l));
}

struct fg_rgb fg_libraries_colour(struct fg_libraries *l, struct fg_str name,
				  struct fg_shade shade)
{
	struct fg_str library = fg_library_of(name);
	size_t rank = FG_LIBRARY_HUES + 1;

	if (library.len) {
		uint32_t id = fg_intern(&l->names, library);

		/* names without frames (--nameattr) may be of libraries without any */
		rank = id < l->count ? l->ranks[id] : FG_LIBRARY_HUES;
		if (rank > FG_LIBRARY_HUES)
			rank = FG_LIBRARY_HUES;
	}
	return fg_library_colour(rank, shade);
}
