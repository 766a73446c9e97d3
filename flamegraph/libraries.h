/*
 * --colors library and kind: the libraries of a profile, or all that
 * flamegraph/module.h tells apart, heaviest first, and their colours. Both are called
 * libraries here.
 *
 * Weight is what the functions of a library count by themselves. As many as there are
 * hues have one each, the other libraries one grey together, and what is of no known
 * library another. By kind, hues follow names as far as they can, so that those of two
 * profiles of one program are alike, and kinds of code have their own.
 */
#ifndef FG_FLAMEGRAPH_LIBRARIES_H
#define FG_FLAMEGRAPH_LIBRARIES_H

#include "flamegraph/colour.h"
#include "lib/profile/tree.h"

#define FG_LIBRARY_HUES 12

#define FG_NO_LIBRARY UINT32_MAX

/* The first frame of a stack is the leaf with --reverse. */
enum fg_stack_order { FG_FROM_ROOT, FG_FROM_LEAF };

enum fg_grouping { FG_BY_LIBRARY, FG_BY_KIND };

struct fg_libraries {
	enum fg_grouping by;
	struct fg_intern names;
	size_t count; /* of libraries in the profile */
	uint64_t *self; /* by id, in the tree's units */
	double *seen; /* by id: all that its frames count */
	uint32_t *order; /* ids, the heaviest first */
	uint32_t *ranks; /* by id: its place in that order */
	uint32_t *
		of; /* by id of the tree's names; FG_NO_LIBRARY where it is not known */
	size_t of_count;
	uint64_t unknown; /* counts of functions of no known library */
	unsigned char hues[FG_LIBRARY_HUES + 2]; /* by rank */
};

/* `tree` is finished and is not kept. */
void fg_libraries_init(struct fg_libraries *l, const struct fg_tree *tree,
		       enum fg_grouping by, enum fg_stack_order stacks);

/* A zeroed one is of no profile, and has nothing to release. */
void fg_libraries_release(struct fg_libraries *l);

/* The colour of a frame by the id of its name, if it had one then, and its shade. */
struct fg_rgb fg_libraries_colour(const struct fg_libraries *l, uint32_t id,
				  struct fg_shade shade);

/*
 * The same by the library's place in the order; FG_LIBRARY_HUES stands for the others,
 * and FG_LIBRARY_HUES + 1 for what is of none.
 */
struct fg_rgb fg_libraries_rank_colour(const struct fg_libraries *l, size_t rank,
				       struct fg_shade shade);

/* By the number of the hue, which is the rank by library. */
struct fg_rgb fg_library_colour(enum fg_grouping by, size_t hue, struct fg_shade shade);

/*
 * Finds the functions of the kernel by how they are reached, because not every profile
 * has annotations. Returns true by id of the names of a finished tree. A function that
 * is seen inside and outside the kernel counts as what it is more. The caller frees the
 * array.
 */
bool *fg_libraries_find_kernel(const struct fg_tree *tree, enum fg_stack_order stacks);

#endif
