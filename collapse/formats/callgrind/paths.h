/*
 * Call paths and their costs, as a tree:
 *
 *     path = callgrind_paths_child(p, CALLGRIND_NO_PATH, main);
 *     path = callgrind_paths_child(p, path, f);
 *     callgrind_paths_count(p, path, cost);
 *
 * This counts `cost` for "main;f". Equal paths have the same number.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PATHS_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PATHS_H

#include "collapse/formats/callgrind/pairs.h"
#include "collapse/sink.h"

/* The empty path. */
#define CALLGRIND_NO_PATH 0

struct callgrind_path {
	uint32_t parent, frame; /* the pair for struct callgrind_pairs */
	uint32_t jump; /* a skip pointer to a higher ancestor */
	uint32_t depth;
	struct fg_sum sum;
};

struct callgrind_paths {
	const struct fg_intern *names; /* names of frames; borrowed */
	struct callgrind_pairs index; /* finds all items but the first */
	struct callgrind_path *items;
	size_t count;
	size_t alloc;
};

void callgrind_paths_init(struct callgrind_paths *p, const struct fg_intern *names);
void callgrind_paths_release(struct callgrind_paths *p);

/* Returns the path with another frame at its end. */
uint32_t callgrind_paths_child(struct callgrind_paths *p, uint32_t path,
			       uint32_t frame);

/* Adds a cost to a path. */
static inline void callgrind_paths_count(struct callgrind_paths *p, uint32_t path,
					 struct fg_sum cost)
{
	fg_sum_add_sum(&p->items[path].sum, cost);
}

/* Compares two paths like strncmp() would compare their texts "a;b;c". */
int callgrind_paths_compare(const struct callgrind_paths *p, uint32_t a, uint32_t b);

/* Counts all paths in the sink, and removes them. */
void callgrind_paths_write(struct callgrind_paths *p, struct fg_sink *sink);

#endif
