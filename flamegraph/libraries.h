/*
 * Chooses the colours of --colors library and kind: finds the libraries of a profile,
 * or the modules of lib/profile/module.h, and puts the heaviest first. This file calls
 * both of them libraries.
 *
 * The weight of a library is the sum of the own counts of its functions. The heaviest
 * libraries have a hue each. All other libraries share a grey, and functions without a
 * known library have another grey. By kind, kinds of code have their own hues, and the
 * hue of a module depends on its name if possible, so that two profiles of one program
 * look alike.
 */
#ifndef FG_FLAMEGRAPH_LIBRARIES_H
#define FG_FLAMEGRAPH_LIBRARIES_H

#include "flamegraph/colour.h"
#include "lib/profile/grouping.h"

#define FG_LIBRARY_HUES 12

/*
 * The middle shade of each hue. By kind, the low bits decide the shade of functions
 * without a module.
 */
#define FG_LIBRARIES_MIDDLE         \
	{                           \
		{                   \
			128.5 / 256 \
		}                   \
	}

struct fg_libraries {
	enum fg_grouping by;
	struct fg_intern names;
	size_t count; /* libraries in the profile */
	/* indexed by id: own counts of its functions, in the tree's units */
	uint64_t *self;
	double *seen; /* indexed by id: sum of the inclusive counts of its frames */
	uint32_t *order; /* ids, the heaviest first */
	uint32_t *ranks; /* indexed by id: its index in `order` */
	/* indexed by id of the tree's names: id of the library, or FG_NO_LIBRARY */
	uint32_t *of;
	size_t of_count;
	uint64_t unknown; /* counts of functions without a known library */
	/* indexed by rank: the number of the hue */
	unsigned char hues[FG_LIBRARY_HUES + 2];
};

/* Finds the libraries of a finished tree. Does not keep a reference to `tree`. */
void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree,
		       enum fg_grouping by, enum fg_stack_order stacks);

/* Also accepts a zeroed struct. */
void fg_libraries_release(struct fg_libraries *l);

/*
 * Returns the colour of a frame. `id` is the id of its name in the tree; names added
 * after fg_libraries_init() have no library.
 */
struct fg_rgb fg_libraries_colour(const struct fg_libraries *l, uint32_t id,
				  struct fg_shade shade);

/*
 * Like fg_libraries_colour(), but takes the index in `order`. A rank of FG_LIBRARY_HUES
 * stands for all libraries without a hue, and FG_LIBRARY_HUES + 1 for functions without
 * a library.
 */
struct fg_rgb fg_libraries_rank_colour(const struct fg_libraries *l, size_t rank,
				       struct fg_shade shade);

/* Like fg_libraries_rank_colour(), but takes the number of a hue. */
struct fg_rgb fg_library_colour(enum fg_grouping by, size_t hue, struct fg_shade shade);

#endif
