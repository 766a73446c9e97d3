/* Finds out which of several profiles in a folded text a stack belongs to. */
#include "lib/profile/sections.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

static struct fg_unit *add_section(struct fg_sections *s)
{
	FG_GROW(s->items, s->alloc, s->count + 1);
	s->items[s->count] = (struct fg_unit){ .mixed_units = false };
	return &s->items[s->count++];
}

void fg_sections_init(struct fg_sections *s)
{
	*s = (struct fg_sections){ .has_header = false };
	add_section(s);
}

void fg_sections_release(struct fg_sections *s)
{
	for (size_t i = 0; i < s->count; i++)
		fg_unit_release(&s->items[i]);
	fg_unit_release(&s->header);
	free(s->items);
	*s = (struct fg_sections){ .has_header = false };
}

/*
 * Returns true if `header` has a line of this kind already. The line then starts the
 * header of another profile, and the profile before had no stacks.
 */
static bool comes_again(const struct fg_unit *header, struct fg_str line)
{
	return (header->event.len && fg_str_starts(line, FG_STR("# event:"))) ||
	       (header->unit.len && fg_str_starts(line, FG_STR("# unit:")));
}

void fg_sections_line(struct fg_sections *s, struct fg_str line)
{
	if (!s->has_header || comes_again(&s->header, line)) {
		fg_unit_release(&s->header);
		s->header = (struct fg_unit){ .mixed_units = false };
	}
	s->has_header |= fg_unit_read(&s->header, line);
}

static bool is_described(const struct fg_unit *header)
{
	return header->event.len || header->unit.len;
}

static bool is_same(const struct fg_unit *a, const struct fg_unit *b)
{
	return fg_str_eq(fg_buf_str(&a->event), fg_buf_str(&b->event)) &&
	       fg_str_eq(fg_buf_str(&a->unit), fg_buf_str(&b->unit));
}

static bool agrees(const struct fg_buf *a, const struct fg_buf *b)
{
	return !a->len || !b->len || fg_str_eq(fg_buf_str(a), fg_buf_str(b));
}

/*
 * Returns the index of the section with the same event and unit, or else of one that
 * does not contradict them, or else s->count.
 */
static size_t find(const struct fg_sections *s)
{
	size_t i = 0;

	while (i < s->count && !is_same(&s->items[i], &s->header))
		i++;
	if (i < s->count)
		return i;
	for (i = 0; i < s->count; i++)
		if (agrees(&s->items[i].event, &s->header.event) &&
		    agrees(&s->items[i].unit, &s->header.unit))
			break;
	return i;
}

int fg_sections_turn(struct fg_sections *s, const struct fg_place *at,
		     struct fg_diag *diag)
{
	size_t i;

	s->has_header = false;
	if (!is_described(&s->header) ||
	    (s->count == 1 && !is_described(&s->items[0]))) {
		fg_unit_take_all(&s->items[s->current], &s->header);
		return (int)s->current;
	}
	i = find(s);
	if (i == FG_SECTIONS_MAX)
		return fg_error(diag, at, "the input has more than %d kinds of events",
				FG_SECTIONS_MAX);
	fg_unit_take_all(i < s->count ? &s->items[i] : add_section(s), &s->header);
	s->current = i;
	return (int)i;
}

void fg_sections_end(struct fg_sections *s)
{
	struct fg_unit *now = &s->items[s->current];

	if (s->has_header && agrees(&now->event, &s->header.event) &&
	    agrees(&now->unit, &s->header.unit))
		fg_unit_take_all(now, &s->header);
	s->has_header = false;
}
