/*
 * --colors library: the libraries of a profile, heaviest first, and their colours.
 *
 * Weight is what the functions of a library count by themselves. As many as there are
 * hues have one each, the other libraries one grey together, and what is of no known
 * library another.
 */
#ifndef FG_FLAMEGRAPH_LIBRARIES_H
#define FG_FLAMEGRAPH_LIBRARIES_H

#include "flamegraph/colour.h"
#include "lib/tree.h"

#define FG_LIBRARY_HUES 12

struct fg_libraries {
	struct fg_intern names;
	size_t count; /* of libraries in the profile */
	uint64_t *self; /* by id, in the tree's units */
	uint32_t *order; /* ids, the heaviest first */
	uint32_t *ranks; /* by id: its place in that order */
	uint64_t unknown; /* counts of functions of no known library */
};

/* `tree` is finished and is not kept. */
void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree);

/* A zeroed one is of no profile, and has nothing to release. */
void fg_libraries_release(struct fg_libraries *l);

/* The colour of a frame by its name, with its annotation, and its shade. */
struct fg_rgb fg_libraries_colour(struct fg_libraries *l, struct fg_str name,
				  struct fg_shade shade);

/*
 * The same by the library's place in the order; FG_LIBRARY_HUES stands for the others,
 * and FG_LIBRARY_HUES + 1 for what is of none.
 */
struct fg_rgb fg_library_colour(size_t rank, struct fg_shade shade);

#endif
