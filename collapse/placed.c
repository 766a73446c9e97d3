/* What stacks counted where in time, for --time-order and --slice. */
#include "collapse/placed.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The root_depth of an item whose entry is the number among all stacks. */
#define RENUMBERED UINT16_MAX

void fg_placed_release(struct fg_placed_list *l)
{
	free(l->items);
	*l = (struct fg_placed_list){ NULL, 0, 0 };
}

void fg_placed_add(struct fg_placed_list *l, size_t *newest_plus_1,
		   const struct fg_placed *what)
{
	if (*newest_plus_1) {
		struct fg_placed *newest = &l->items[*newest_plus_1 - 1];

		if (newest->place == what->place && newest->entry == what->entry &&
		    newest->root_depth == what->root_depth &&
		    newest->minus == what->minus) {
			fg_sum_add_sum(&newest->weight, what->weight);
			return;
		}
	}
	FG_GROW(l->items, l->alloc, l->count + 1);
	l->items[l->count++] = *what;
	*newest_plus_1 = l->count;
}

void fg_placed_scale(struct fg_placed_list *l, uint64_t factor)
{
	for (size_t i = 0; i < l->count; i++)
		l->items[i].weight = fg_sum_mul(l->items[i].weight, factor);
}

void fg_placed_renumber(struct fg_placed_list *l, size_t root_depth,
			const uint32_t *where)
{
	for (size_t i = 0; i < l->count; i++) {
		struct fg_placed *item = &l->items[i];

		if (item->root_depth == root_depth) {
			item->entry = where[item->entry];
			item->root_depth = RENUMBERED;
		}
	}
}

uint32_t *fg_placed_numbers(const struct fg_placed_list *l)
{
	uint32_t *numbers = fg_xcalloc(l->count, sizeof(*numbers));

	for (size_t i = 0; i < l->count; i++)
		numbers[i] = (uint32_t)i;
	return numbers;
}
