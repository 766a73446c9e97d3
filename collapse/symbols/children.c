/* Children that are kept running: the least recently used one makes room. */
#include "collapse/symbols/children.h"

#include <errno.h>

int fg_children_end(struct fg_children *all, struct fg_child *c, enum fg_child_end how)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->alive[i] == c) {
			all->alive[i] = all->alive[--all->count];
			break;
		}
	return fg_child_end(c, how);
}

static void end_oldest(struct fg_children *all)
{
	struct fg_child *oldest = all->alive[0];

	for (size_t i = 1; i < all->count; i++)
		if (all->alive[i]->used < oldest->used)
			oldest = all->alive[i];
	fg_children_end(all, oldest, CHILD_KILL);
}

/* Whether a start failed for want of files or processes, which others may free. */
static bool is_limit(int error)
{
	return error == EMFILE || error == ENFILE || error == EAGAIN;
}

int fg_children_start(struct fg_children *all, struct fg_child *c,
		      const char *const *args)
{
	int error;

	if (all->count == FG_CHILDREN_MAX)
		end_oldest(all);
	while (is_limit(error = fg_child_start(c, args)) && all->count)
		end_oldest(all);
	if (!error) {
		all->alive[all->count++] = c;
		fg_children_use(all, c);
	}
	return error;
}

void fg_children_use(struct fg_children *all, struct fg_child *c)
{
	c->used = ++all->clock;
}
