/* Rows of an outline to stacks. */
#include "collapse/outline.h"

#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

void fg_outline_init(struct fg_outline *o, struct fg_sink *sink, bool totals)
{
	memset(o, 0, sizeof(*o));
	o->sink = sink;
	o->totals = totals;
}

void fg_outline_release(struct fg_outline *o)
{
	free(o->rows);
	o->rows = NULL;
	o->depth = o->alloc = 0;
}

/* Gives both the same decimals: 0, or -1 where that is too large. */
static int align(struct fg_count *a, struct fg_count *b)
{
	unsigned decimals = a->decimals > b->decimals ? a->decimals : b->decimals;

	if (fg_count_scale(*a, decimals, &a->digits) ||
	    fg_count_scale(*b, decimals, &b->digits))
		return -1;
	a->decimals = b->decimals = decimals;
	return 0;
}

static int add_count(struct fg_count *sum, struct fg_count count)
{
	struct fg_count aligned = *sum;

	if (align(&aligned, &count) || count.digits > UINT64_MAX - aligned.digits)
		return -1;
	aligned.digits += count.digits;
	*sum = aligned;
	return 0;
}

/* What a row took by itself. Rows below it that took more, as by rounding, leave 0. */
static struct fg_count own_count(const struct fg_outline *o,
				 const struct fg_outline_row *row)
{
	struct fg_count own = row->count, below = row->below;

	if (!o->totals)
		return own;
	if (align(&own, &below) || own.digits < below.digits)
		return (struct fg_count){ 0, 0 };
	own.digits -= below.digits;
	return own;
}

static void end_row(struct fg_outline *o)
{
	const struct fg_outline_row *row = &o->rows[o->depth - 1];
	struct fg_count own = own_count(o, row);
	uint64_t whole;

	if (own.digits && row->aside) {
		fg_count_scale(own, 0, &whole);
		o->sink->tally.aside += whole;
	} else {
		/* of a stack that weighs nothing, it only matters that it is one */
		for (size_t i = o->depth; i-- > (own.digits ? 0 : o->depth - 1);)
			fg_stack_add_root(&o->sink->stack, o->rows[i].name);
		fg_sink_add_count(o->sink, own);
	}
	o->depth--;
}

int fg_outline_add(struct fg_outline *o, const struct fg_outline_row *row)
{
	struct fg_outline_row *last;
	int status = 0;

	while (o->depth && o->rows[o->depth - 1].depth >= row->depth)
		end_row(o);
	FG_GROW(o->rows, o->alloc, o->depth + 1);
	last = &o->rows[o->depth++];
	*last = *row;
	last->below = (struct fg_count){ 0, 0 };
	if (o->depth > 1 && o->totals)
		status = add_count(&last[-1].below, row->count);
	if (status)
		last->count.digits = 0;
	return status;
}

void fg_outline_end(struct fg_outline *o)
{
	while (o->depth)
		end_row(o);
}
