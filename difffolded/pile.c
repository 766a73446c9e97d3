/* Sorts stacks that arrive in no order. */
#include "difffolded/pile.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

/* An item is fetched into the cache so many items before it is needed. */
#define AHEAD 8

struct line {
	size_t len;
	unsigned column;
	struct fg_count count;
	char stack[]; /* `len` bytes */
};

void fg_pile_release(struct fg_pile *p)
{
	fg_buf_release(&p->lines);
	free(p->items);
	free(p->spare);
	memset(p, 0, sizeof(*p));
}

void fg_pile_clear(struct fg_pile *p)
{
	fg_buf_clear(&p->lines);
	p->count = 0;
}

static const struct line *line_of(const struct fg_pile *p,
				  const struct fg_pile_item *item)
{
	return (const void *)(p->lines.ptr + item->line);
}

/* What it does not have in common with the item before. */
static struct fg_str rest_of(const struct fg_pile *p, const struct fg_pile_item *item)
{
	const struct line *line = line_of(p, item);

	return fg_str_of(line->stack + item->shared, line->len - item->shared);
}

/*
 * Whether `a` comes first, of two that have the same in common with the item before
 * both; then that says how much `b` has in common with `a`, or the other way round.
 */
static bool is_first(const struct fg_pile *p, struct fg_pile_item *a,
		     struct fg_pile_item *b)
{
	struct fg_str one = rest_of(p, a), other = rest_of(p, b);
	size_t common = fg_str_common(one, other);

	if (common == one.len ||
	    (common < other.len &&
	     (unsigned char)one.ptr[common] < (unsigned char)other.ptr[common])) {
		b->shared += common;
		return true;
	}
	a->shared += common;
	return false;
}

/* What is needed of an item starts where it differs from the one before. */
static void fetch(const struct fg_pile *p, const struct fg_pile_item *item)
{
	const struct line *line = line_of(p, item);

	__builtin_prefetch(line);
	__builtin_prefetch(line->stack + item->shared);
}

/* Merges the run of `count` items at `start` with that of the `next` ones after it. */
static void merge_runs(struct fg_pile *p, size_t start, size_t count, size_t next)
{
	struct fg_pile_item *to = p->items + start, *b = to + count, *b_end = b + next;
	struct fg_pile_item *a, *a_end;

	FG_GROW(p->spare, p->spare_alloc, count);
	memcpy(p->spare, to, count * sizeof(*to));
	a = p->spare;
	a_end = a + count;
	while (a < a_end && b < b_end)
		if (a->shared > b->shared ||
		    (a->shared == b->shared && is_first(p, a, b))) {
			*to++ = *a++;
			if (a_end - a > AHEAD)
				fetch(p, a + AHEAD);
		} else {
			*to++ = *b++;
			if (b_end - b > AHEAD)
				fetch(p, b + AHEAD);
		}
	memcpy(to, a, (size_t)(a_end - a) * sizeof(*to));
}

/* Lines start where a struct may. */
static size_t line_size(size_t len)
{
	size_t align = alignof(struct line);

	return fg_size_add(sizeof(struct line), fg_size_add(len, align - 1)) / align *
	       align;
}

void fg_pile_add(struct fg_pile *p, const struct fg_stack_count *s)
{
	size_t size = line_size(s->stack.len);
	struct line *line;

	fg_buf_reserve(&p->lines, size);
	line = (void *)(p->lines.ptr + p->lines.len);
	line->len = s->stack.len;
	line->column = s->column;
	line->count = s->count;
	if (s->stack.len)
		memcpy(line->stack, s->stack.ptr, s->stack.len);
	FG_GROW(p->items, p->items_alloc, p->count + 1);
	p->items[p->count++] = (struct fg_pile_item){ p->lines.len, 0 };
	p->lines.len += size;
	/* the runs are as long as the powers of two that `count` is the sum of */
	for (size_t run = 1; !(p->count & run); run *= 2)
		merge_runs(p, p->count - 2 * run, run, run);
}

void fg_pile_sort(struct fg_pile *p)
{
	size_t sorted = p->count & -p->count;

	while (sorted < p->count) {
		size_t rest = p->count - sorted;
		size_t run = rest & -rest;

		merge_runs(p, rest - run, run, sorted);
		sorted += run;
	}
}

struct fg_stack_count fg_pile_line(const struct fg_pile *p, size_t index)
{
	const struct line *line = line_of(p, &p->items[index]);

	if (p->count - index > AHEAD)
		fetch(p, &p->items[index + AHEAD]);
	return (struct fg_stack_count){ fg_str_of(line->stack, line->len), line->column,
					line->count };
}
