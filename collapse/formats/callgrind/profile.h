/*
 * What a file of callgrind says: functions with their own costs, and what the calls of
 * one by another cost.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PROFILE_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PROFILE_H

#include "collapse/formats/callgrind/paths.h"

struct callgrind_function {
	uint32_t object, name; /* names of `names`; by these it is found */
	uint32_t file;
	uint32_t frame; /* as it is shown; from callgrind_profile_complete on */
	bool has_costs; /* a line of its own */
	bool calls; /* others */
	struct fg_sum own;
	struct fg_sum
		minus; /* of its negative costs; 0 after callgrind_profile_complete */
};

struct callgrind_calls {
	uint32_t from, to; /* functions; by these it is found */
	struct fg_sum cost; /* with all that was called from there */
	struct fg_sum minus; /* like that of a function */
};

struct callgrind_profile {
	struct fg_intern names; /* of functions, files, objects */
	struct callgrind_pairs functions_by; /* has their count */
	struct callgrind_function *functions;
	size_t functions_alloc;
	struct callgrind_pairs calls_by; /* has their count */
	struct callgrind_calls *calls;
	size_t calls_alloc;

	/*
	 * Names are contexts, "leaf'caller'caller", as of --separate-callers; from
	 * callgrind_profile_complete on.
	 */
	bool has_callers;
};

/* A function in an object, which the program may have two of a name of. */
struct callgrind_place {
	uint32_t object, file;
};

void callgrind_profile_init(struct callgrind_profile *p);
void callgrind_profile_release(struct callgrind_profile *p);

uint32_t callgrind_profile_function(struct callgrind_profile *p, uint32_t name,
				    struct callgrind_place place);

/* A cost, which may be negative: Xdebug counts memory that is freed so. */
struct callgrind_cost {
	uint64_t amount;
	bool minus;
};

void callgrind_profile_add_own(struct callgrind_profile *p, uint32_t function,
			       struct callgrind_cost cost);
void callgrind_profile_add_calls(struct callgrind_profile *p, uint32_t from,
				 uint32_t to, struct callgrind_cost cost);

/* What options and the file say of frames and costs. */
struct callgrind_shown {
	bool dso; /* function@object */
	bool lines; /* files behind them */
	bool contexts; /* names may be such: callgrind itself wrote them */
	uint64_t factor; /* of all costs */
};

/*
 * All was read. A function without a line of its own, which calls nothing either, costs
 * what its callers say.
 */
void callgrind_profile_complete(struct callgrind_profile *p, struct fg_sink *sink,
				struct callgrind_shown how);

/* Counts own costs: by function; by context. */
void callgrind_profile_unfold_flat(const struct callgrind_profile *p,
				   struct callgrind_paths *paths);
void callgrind_profile_unfold_callers(const struct callgrind_profile *p,
				      struct fg_sink *sink,
				      struct callgrind_paths *paths);

/*
 * The same by call path, an estimate (graph.c, deal.c). What has less than `limit`
 * percent of the whole is not parted further. NULL, or why it cannot be.
 */
const char *callgrind_profile_unfold_graph(const struct callgrind_profile *p,
					   struct fg_sink *sink, struct fg_count limit,
					   struct callgrind_paths *paths);

#endif
