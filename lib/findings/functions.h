/*
 * Adds up each function: its own counts, and its total with what it called.
 *
 * If a function is on a stack more than once, its total includes that stack only once.
 */
#ifndef FG_LIB_FINDINGS_FUNCTIONS_H
#define FG_LIB_FINDINGS_FUNCTIONS_H

#include "lib/findings/columns.h"

struct fg_function {
	uint32_t name; /* id of the name, or of the group */
	uint64_t self[2], total[2];
};

struct fg_functions {
	struct fg_function *items; /* in the order of first appearance */
	size_t count;
	const struct fg_intern *names; /* functions or groups; borrowed */
};

/* Returns the number by which functions are put in order, largest first. */
typedef double fg_function_rank(const struct fg_columns *p,
				const struct fg_function *f);

void fg_functions_init(struct fg_functions *f, const struct fg_columns *p);

/* Groups of names, such as those of a library. */
struct fg_function_groups {
	/* indexed by id of the tree's names: the group, or FG_NO_GROUP */
	const uint32_t *of;
	const struct fg_intern *names; /* the names of the groups */
};

#define FG_NO_GROUP UINT32_MAX

/*
 * Like fg_functions_init(), but adds up groups of names. If several functions of a
 * group are on a stack, its total includes that stack only once. Names without a group
 * are left out.
 */
void fg_functions_init_groups(struct fg_functions *f, const struct fg_columns *p,
			      const struct fg_function_groups *groups);
void fg_functions_release(struct fg_functions *f);

/*
 * Returns the indices of all functions, sorted by rank, and by name if ranks are equal.
 * The caller frees the array.
 */
uint32_t *fg_functions_order(const struct fg_functions *f, const struct fg_columns *p,
			     fg_function_rank *rank);

/*
 * Ranks for fg_functions_order(): the share after (or before, if the function is gone),
 * the change of the share, and the change of the counts.
 */
double fg_function_by_self(const struct fg_columns *p, const struct fg_function *f);
double fg_function_by_total(const struct fg_columns *p, const struct fg_function *f);
double fg_function_by_self_change(const struct fg_columns *p,
				  const struct fg_function *f);
double fg_function_by_total_change(const struct fg_columns *p,
				   const struct fg_function *f);
double fg_function_by_self_cost(const struct fg_columns *p,
				const struct fg_function *f);
double fg_function_by_total_cost(const struct fg_columns *p,
				 const struct fg_function *f);

/*
 * The names of the frames on the current stack during a walk. A name may be there
 * several times.
 */
struct fg_open_names {
	uint32_t *path; /* indexed by depth: id of the name */
	size_t alloc;
	size_t depth;
	uint32_t *times; /* indexed by id of the name: how often it is in `path` */
};

/* Initialises `o` for names, or groups of names, whose ids are less than `count`. */
void fg_open_names_init(struct fg_open_names *o, size_t count);
void fg_open_names_release(struct fg_open_names *o);

/* Enters a frame during a walk. Returns true if its name is the first on its stack. */
bool fg_open_names_enter(struct fg_open_names *o, uint32_t name, unsigned depth);

#endif
