/*
 * A profile of callgrind: functions with their own costs, and the costs of their calls.
 *
 * Add all functions and calls first. Then call callgrind_profile_complete(), and one of
 * the callgrind_profile_unfold_*() functions, which make call paths.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PROFILE_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PROFILE_H

#include "collapse/formats/callgrind/paths.h"

struct callgrind_function {
	uint32_t object, name; /* ids in `names`, the pair for struct callgrind_pairs */
	uint32_t file; /* id in `names` */
	uint32_t frame; /* id in the sink; set by callgrind_profile_complete() */
	bool has_costs; /* the file has costs of the function itself */
	bool calls; /* the function calls others */
	struct fg_sum own;
	struct fg_sum
		negative; /* negative costs; 0 after callgrind_profile_complete() */
};

/* All calls of one function by another. */
struct callgrind_calls {
	/* indices of functions, the pair for struct callgrind_pairs */
	uint32_t from, to;
	struct fg_sum cost; /* inclusive, with the calls further down */
	struct fg_sum
		negative; /* negative costs; 0 after callgrind_profile_complete() */
};

struct callgrind_profile {
	struct fg_intern names; /* names of functions, files and objects */
	/* finds `functions`, and has their count */
	struct callgrind_pairs function_index;
	struct callgrind_function *functions;
	size_t functions_alloc;
	struct callgrind_pairs call_index; /* finds `calls`, and has their count */
	struct callgrind_calls *calls;
	size_t calls_alloc;

	/*
	 * Set if names are contexts, "leaf'caller'caller", which callgrind writes with
	 * --separate-callers. Computed by callgrind_profile_complete().
	 */
	bool has_callers;
};

/* The place of a function. Functions with the same name may be in different objects. */
struct callgrind_place {
	uint32_t object, file;
};

void callgrind_profile_init(struct callgrind_profile *p);
void callgrind_profile_release(struct callgrind_profile *p);

/*
 * Returns the index of a function. Adds the function if it is new. If it is not, it
 * keeps its first file.
 */
uint32_t callgrind_profile_function(struct callgrind_profile *p, uint32_t name,
				    struct callgrind_place place);

/* A cost. It may be negative: Xdebug writes that for memory that is freed. */
struct callgrind_cost {
	uint64_t amount;
	bool negative;
};

void callgrind_profile_add_own(struct callgrind_profile *p, uint32_t function,
			       struct callgrind_cost cost);
void callgrind_profile_add_calls(struct callgrind_profile *p, uint32_t from,
				 uint32_t to, struct callgrind_cost cost);

/* Settings for frames and costs, from the options and the head of the file. */
struct callgrind_shown {
	bool dso; /* show the object of each function */
	bool lines; /* show the file of each function */
	bool contexts; /* callgrind itself wrote the names, so they may be contexts */
	uint64_t factor; /* all costs are multiplied by this */
};

/*
 * Ends the input: makes the frames, and subtracts negative costs. A function that has
 * no costs of its own and calls no others gets the costs of the calls to it.
 */
void callgrind_profile_complete(struct callgrind_profile *p, struct fg_sink *sink,
				struct callgrind_shown how);

/* Counts the own costs of each function, without callers. */
void callgrind_profile_unfold_flat(const struct callgrind_profile *p,
				   struct callgrind_paths *paths);

/* Counts the own costs of each function with the callers of its context. */
void callgrind_profile_unfold_callers(const struct callgrind_profile *p,
				      struct fg_sink *sink,
				      struct callgrind_paths *paths);

/*
 * Counts own costs by call path, which is an estimate; defined in deal.c. A path that
 * has less than `limit` percent of all costs is not split further. Returns NULL, or an
 * error message.
 */
const char *callgrind_profile_unfold_graph(const struct callgrind_profile *p,
					   struct fg_sink *sink, struct fg_count limit,
					   struct callgrind_paths *paths);

#endif
