/*
 * Call paths as a tree: one number for a path, however often it is asked for; the order
 * of their text without making it; and what each weighs.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PATHS_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PATHS_H

#include "collapse/formats/callgrind/pairs.h"
#include "collapse/sink.h"

/* The path of no frames. */
#define CALLGRIND_NO_PATH 0

struct callgrind_path {
	uint32_t parent, frame; /* by these it is found */
	uint32_t jump; /* some path above, so that all above are near */
	uint32_t depth;
	struct fg_sum sum;
};

struct callgrind_paths {
	const struct fg_intern *names; /* of frames; borrowed */
	struct callgrind_pairs by; /* all but the first, less 1 */
	struct callgrind_path *items;
	size_t count;
	size_t alloc;
};

void callgrind_paths_init(struct callgrind_paths *p, const struct fg_intern *names);
void callgrind_paths_release(struct callgrind_paths *p);

/* The path with another frame at its end. */
uint32_t callgrind_paths_child(struct callgrind_paths *p, uint32_t path,
			       uint32_t frame);

static inline void callgrind_paths_count(struct callgrind_paths *p, uint32_t path,
					 struct fg_sum cost)
{
	fg_sum_add_sum(&p->items[path].sum, cost);
}

/* The order of the bytes of "a;b;c": < 0, 0, > 0. */
int callgrind_paths_compare(const struct callgrind_paths *p, uint32_t a, uint32_t b);

/* Counts all paths; then there is none. */
void callgrind_paths_write(struct callgrind_paths *p, struct fg_sink *sink);

#endif
