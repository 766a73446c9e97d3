/* Keeps call paths as a tree, compares them, and counts them in the sink. */
#include "collapse/formats/callgrind/paths.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/rows.h"
#include "lib/base/xalloc.h"

static void empty(struct callgrind_paths *p)
{
	FG_GROW(p->items, p->alloc, 1);
	memset(&p->items[CALLGRIND_NO_PATH], 0, sizeof(*p->items));
	p->count = 1;
}

void callgrind_paths_init(struct callgrind_paths *p, const struct fg_intern *names)
{
	memset(p, 0, sizeof(*p));
	p->names = names;
	empty(p);
}

void callgrind_paths_release(struct callgrind_paths *p)
{
	callgrind_pairs_release(&p->index);
	free(p->items);
}

/*
 * Returns the jump of a new path. If the jump of its parent and the next one after it
 * are equally long, the path jumps over both, else to the parent. So any path above is
 * O(log depth) steps away (Myers, An applicative random-access stack, 1983).
 */
static uint32_t jump_of(const struct callgrind_paths *p, uint32_t parent)
{
	const struct callgrind_path *one = &p->items[parent];
	const struct callgrind_path *two = &p->items[one->jump];
	const struct callgrind_path *three = &p->items[two->jump];

	return one->depth - two->depth == two->depth - three->depth ? two->jump :
								      parent;
}

uint32_t callgrind_paths_child(struct callgrind_paths *p, uint32_t path, uint32_t frame)
{
	uint32_t child = callgrind_pairs_find(&p->index,
					      (struct callgrind_items){
						      p->items + 1, sizeof(*p->items) },
					      (struct callgrind_pair){ path, frame }) +
			 1;

	if (child < p->count)
		return child;
	FG_GROW(p->items, p->alloc, p->count + 1);
	p->items[p->count++] = (struct callgrind_path){
		.parent = path,
		.jump = jump_of(p, path),
		.depth = p->items[path].depth + 1,
		.frame = frame,
	};
	return child;
}

/* Returns the path of the first `depth` frames of `path`. */
static uint32_t cut_to(const struct callgrind_paths *p, uint32_t path, uint32_t depth)
{
	while (p->items[path].depth > depth) {
		uint32_t jump = p->items[path].jump;

		path = p->items[jump].depth >= depth ? jump : p->items[path].parent;
	}
	return path;
}

/* Compares two names, each with a ';' after it if its path goes on. */
static int compare_names(struct fg_str a, bool a_goes_on, struct fg_str b,
			 bool b_goes_on)
{
	size_t n = fg_str_common(a, b);
	int left = n < a.len ? (unsigned char)a.ptr[n] : a_goes_on ? ';' : -1;
	int right = n < b.len ? (unsigned char)b.ptr[n] : b_goes_on ? ';' : -1;

	return left - right;
}

/* Climbs to the frames in which the paths first differ, and compares these. */
int callgrind_paths_compare(const struct callgrind_paths *p, uint32_t a, uint32_t b)
{
	uint32_t a_depth = p->items[a].depth, b_depth = p->items[b].depth;
	uint32_t depth = a_depth < b_depth ? a_depth : b_depth;

	a = cut_to(p, a, depth);
	b = cut_to(p, b, depth);
	if (a == b)
		return a_depth < b_depth ? -1 : a_depth > b_depth;
	while (p->items[a].parent != p->items[b].parent) {
		bool can_jump = p->items[a].jump != p->items[b].jump;

		a = can_jump ? p->items[a].jump : p->items[a].parent;
		b = can_jump ? p->items[b].jump : p->items[b].parent;
	}
	return compare_names(fg_intern_name(p->names, p->items[a].frame),
			     p->items[a].depth < a_depth,
			     fg_intern_name(p->names, p->items[b].frame),
			     p->items[b].depth < b_depth);
}

void callgrind_paths_write(struct callgrind_paths *p, struct fg_sink *sink)
{
	struct fg_rows rows;

	fg_rows_init(&rows);
	for (size_t i = 1; i < p->count; i++) {
		uint32_t parent = p->items[i].parent;

		fg_rows_add(&rows,
			    parent == CALLGRIND_NO_PATH ? FG_ROWS_ROOT : parent - 1,
			    p->items[i].frame);
	}
	fg_rows_link(&rows);
	for (size_t i = 1; i < p->count; i++)
		fg_rows_add_value(&rows, i - 1, p->items[i].sum);
	fg_rows_write(&rows, sink, NULL);
	fg_rows_release(&rows);
	callgrind_pairs_release(&p->index);
	empty(p);
}
