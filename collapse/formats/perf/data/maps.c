/*
 * The mappings of one address space. Clearing a range cuts mappings at its ends.
 *
 * The tree is a treap: ordered by address from left to right, and by random ranks from
 * the root down, which keeps it shallow in whatever order mappings come. A node with
 * several users is never changed, but copied.
 */
#include "collapse/formats/perf/data/maps.h"

#include <stdlib.h>

#include "lib/base/hash.h"
#include "lib/base/xalloc.h"

struct fg_pd_map_node {
	struct fg_pd_map map;
	uint32_t rank; /* no node below has a higher rank */
	uint32_t size; /* number of nodes in the tree below, with this one */
	uint32_t users; /* number of nodes and roots that point here */
	struct fg_pd_map_node *left, *right;
};

static uint32_t size_of(const struct fg_pd_map_node *node)
{
	return node ? node->size : 0;
}

static struct fg_pd_map_node *new_node(struct fg_pd_maps *maps,
				       const struct fg_pd_map *map)
{
	struct fg_pd_map_node *node = fg_xcalloc(1, sizeof(*node));

	if (!maps->seed)
		maps->seed = fg_hash_seed();
	node->map = *map;
	node->rank = (uint32_t)fg_hash_pair(map->start, 0, maps->seed);
	node->size = 1;
	node->users = 1;
	return node;
}

static struct fg_pd_map_node *share(struct fg_pd_map_node *node)
{
	if (node)
		node->users++;
	return node;
}

/*
 * Returns a node that may be changed: the node itself if it has one user, else a copy.
 */
static struct fg_pd_map_node *own(struct fg_pd_map_node *node)
{
	struct fg_pd_map_node *copy;

	if (node->users == 1)
		return node;
	copy = fg_xcalloc(1, sizeof(*copy));
	*copy = *node;
	copy->users = 1;
	share(copy->left);
	share(copy->right);
	node->users--;
	return copy;
}

/*
 * Removes a user of a tree, and frees the nodes that have no user left. Does not
 * recurse: nodes whose right side must still be dropped wait in a list, linked by
 * `left`.
 */
static void drop(struct fg_pd_map_node *tree)
{
	struct fg_pd_map_node *waiting = NULL, *node;

	for (;;) {
		while (tree && !--tree->users) {
			node = tree;
			tree = node->left;
			node->left = waiting;
			waiting = node;
		}
		if (!waiting)
			return;
		node = waiting;
		waiting = node->left;
		tree = node->right;
		free(node);
	}
}

/* Joins two trees. All mappings of `left` come before those of `right`. */
static struct fg_pd_map_node *join(struct fg_pd_map_node *left,
				   struct fg_pd_map_node *right)
{
	struct fg_pd_map_node *root = NULL, **to = &root;

	while (left && right) {
		uint32_t size = left->size + right->size;
		struct fg_pd_map_node *top;

		if (left->rank >= right->rank) {
			*to = top = own(left);
			to = &top->right;
			left = top->right;
		} else {
			*to = top = own(right);
			to = &top->left;
			right = top->left;
		}
		top->size = size;
	}
	*to = left ? left : right;
	return root;
}

/* Returns how many mappings start before an address. */
static uint32_t count_before(const struct fg_pd_map_node *node, uint64_t address)
{
	uint32_t count = 0;

	while (node) {
		bool before = node->map.start < address;

		count += before ? size_of(node->left) + 1 : 0;
		node = before ? node->right : node->left;
	}
	return count;
}

/*
 * Removes the mappings below an address from the tree, and returns them. Cuts a mapping
 * in two if it contains the address.
 */
static struct fg_pd_map_node *cut_before(struct fg_pd_maps *maps, uint64_t address)
{
	struct fg_pd_map_node *node = maps->root, *before = NULL, *last = NULL;
	struct fg_pd_map_node **left = &before, **right = &maps->root;
	/* number of mappings in the subtree of `node` that start before `address` */
	uint32_t count = count_before(node, address);
	struct fg_pd_map rest;

	while (node) {
		node = own(node);
		if (node->map.start < address) {
			*left = last = node;
			left = &node->right;
			node->size = count;
			count -= size_of(node->left) + 1;
			node = node->right;
		} else {
			*right = node;
			right = &node->left;
			node->size -= count;
			node = node->left;
		}
	}
	*left = *right = NULL;
	if (last && last->map.end > address) {
		rest = last->map;
		rest.start = last->map.end = address;
		maps->root = join(new_node(maps, &rest), maps->root);
	}
	return before;
}

/*
 * Puts back the mappings that cut_before() returned, and `between`, which may be NULL,
 * after them.
 */
static void put_back(struct fg_pd_maps *maps, struct fg_pd_map_node *before,
		     struct fg_pd_map_node *between)
{
	maps->root = join(join(before, between), maps->root);
	maps->count = size_of(maps->root);
}

void fg_pd_maps_release(struct fg_pd_maps *maps)
{
	drop(maps->root);
	maps->root = NULL;
	maps->count = 0;
	if (maps->code)
		fg_pd_maps_release(maps->code);
	free(maps->code);
	maps->code = NULL;
}

void fg_pd_maps_copy(struct fg_pd_maps *maps, const struct fg_pd_maps *from)
{
	maps->root = share(from->root);
	maps->seed = from->seed;
	maps->count = from->count;
	if (from->code) {
		maps->code = fg_xcalloc(1, sizeof(*maps->code));
		fg_pd_maps_copy(maps->code, from->code);
	}
}

size_t fg_pd_maps_count(const struct fg_pd_maps *maps)
{
	return maps->count + (maps->code ? maps->code->count : 0);
}

/* Finds the last mapping that starts at an address or before it, and the next one. */
static void find_around(const struct fg_pd_maps *maps, uint64_t address,
			const struct fg_pd_map *around[2])
{
	const struct fg_pd_map_node *node = maps->root;

	around[0] = around[1] = NULL;
	while (node) {
		bool after = node->map.start <= address;

		around[after ? 0 : 1] = &node->map;
		node = after ? node->right : node->left;
	}
}

const struct fg_pd_map *fg_pd_maps_find(const struct fg_pd_maps *maps, uint64_t address)
{
	const struct fg_pd_map *around[2];
	const struct fg_pd_map *code =
		maps->code ? fg_pd_maps_find(maps->code, address) : NULL;

	if (code)
		return code;
	find_around(maps, address, around);
	return around[0] && address < around[0]->end ? around[0] : NULL;
}

const struct fg_pd_map *fg_pd_maps_from(const struct fg_pd_maps *maps, uint64_t address)
{
	const struct fg_pd_map_node *node = maps->root;
	const struct fg_pd_map *found = NULL;

	while (node) {
		bool before = node->map.start < address;

		found = before ? found : &node->map;
		node = before ? node->right : node->left;
	}
	return found;
}

/* Cuts a mapping to the gap between two others. Each of these may be NULL. */
static void cut_to_gap(struct fg_pd_map *map, const struct fg_pd_map *around[2])
{
	if (around[0] && around[0]->end > map->start)
		map->start = around[0]->end;
	if (around[1] && around[1]->start < map->end)
		map->end = around[1]->start;
}

/* Like fg_pd_maps_find_any(), but ignores `code`. */
static bool find_plain(const struct fg_pd_maps *maps, uint64_t address,
		       struct fg_pd_map *found)
{
	const struct fg_pd_map *around[2];

	find_around(maps, address, around);
	if (around[0] && address < around[0]->end) {
		*found = *around[0];
		return true;
	}
	*found = maps->rest;
	if (address < found->start || address >= found->end)
		return false;
	cut_to_gap(found, around);
	return true;
}

bool fg_pd_maps_find_any(const struct fg_pd_maps *maps, uint64_t address,
			 struct fg_pd_map *found)
{
	const struct fg_pd_map *around[2];

	if (!maps->code)
		return find_plain(maps, address, found);
	find_around(maps->code, address, around);
	if (around[0] && address < around[0]->end) {
		*found = *around[0];
		return true;
	}
	if (!find_plain(maps, address, found))
		return false;
	cut_to_gap(found, around);
	return true;
}

static bool is_used(const struct fg_pd_maps *maps, uint64_t start, uint64_t end)
{
	const struct fg_pd_map_node *node = maps->root;

	while (node && (node->map.start >= end || node->map.end <= start))
		node = node->map.start >= end ? node->left : node->right;
	return node;
}

bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end)
{
	struct fg_pd_map_node *before;

	if (start >= end || !is_used(maps, start, end))
		return false;
	before = cut_before(maps, start);
	drop(cut_before(maps, end));
	put_back(maps, before, NULL);
	return true;
}

void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map)
{
	struct fg_pd_map_node *before = cut_before(maps, map->start);

	put_back(maps, before, new_node(maps, map));
}
