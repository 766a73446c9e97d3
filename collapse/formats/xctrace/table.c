/* Keeps the values of elements by their ids. */
#include "collapse/formats/xctrace/table.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

static void drop_chain(struct xctrace_chain *c)
{
	if (c && !--c->users)
		free(c);
}

void xctrace_value_set(struct xctrace_value *to, struct xctrace_value from)
{
	struct xctrace_chain *old = to->chain;

	if (from.chain)
		from.chain->users++;
	*to = from;
	drop_chain(old);
}

void xctrace_value_clear(struct xctrace_value *v)
{
	drop_chain(v->chain);
	*v = (struct xctrace_value){ .known = false };
}

void xctrace_value_set_chain(struct xctrace_value *v, const uint32_t *frames,
			     size_t count)
{
	size_t size = fg_size_mul(count, sizeof(*frames));
	struct xctrace_chain *chain = fg_xmalloc(fg_size_add(sizeof(*chain), size));

	chain->users = 1;
	chain->count = count;
	if (size)
		memcpy(chain->frames, frames, size);
	xctrace_value_clear(v);
	v->known = true;
	v->chain = chain;
}

void xctrace_table_init(struct xctrace_table *t)
{
	memset(t, 0, sizeof(*t));
	fg_intern_init(&t->ids);
}

void xctrace_table_release(struct xctrace_table *t)
{
	for (size_t i = 0; i < t->ids.count; i++)
		xctrace_value_clear(&t->values[i]);
	fg_intern_release(&t->ids);
	free(t->values);
	t->values = NULL;
	t->alloc = 0;
}

struct xctrace_value *xctrace_table_value(struct xctrace_table *t, struct fg_str id)
{
	size_t known = t->ids.count;
	uint32_t n = fg_intern(&t->ids, id);

	if (n == known) {
		FG_GROW(t->values, t->alloc, known + 1);
		t->values[n] = (struct xctrace_value){ .known = false };
	}
	return &t->values[n];
}
