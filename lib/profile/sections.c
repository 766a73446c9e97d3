/* Which of several profiles the stacks of folded text belong to. */
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
	*s = (struct fg_sections){ .has_said = false };
	add_section(s);
}

void fg_sections_release(struct fg_sections *s)
{
	for (size_t i = 0; i < s->count; i++)
		fg_unit_release(&s->items[i]);
	fg_unit_release(&s->said);
	free(s->items);
	*s = (struct fg_sections){ .has_said = false };
}

/* Whether a line says again what was said: then what that was of has no stacks. */
static bool says_again(const struct fg_unit *said, struct fg_str line)
{
	return (said->event.len && fg_str_starts(line, FG_STR("# event:"))) ||
	       (said->unit.len && fg_str_starts(line, FG_STR("# unit:")));
}

void fg_sections_line(struct fg_sections *s, struct fg_str line)
{
	if (!s->has_said || says_again(&s->said, line)) {
		fg_unit_release(&s->said);
		s->said = (struct fg_unit){ .mixed_units = false };
	}
	s->has_said |= fg_unit_read(&s->said, line);
}

static bool is_told(const struct fg_unit *said)
{
	return said->event.len || said->unit.len;
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

/* The section that says the same, or else one that says nothing else; or `count`. */
static size_t find(const struct fg_sections *s)
{
	size_t i = 0;

	while (i < s->count && !is_same(&s->items[i], &s->said))
		i++;
	if (i < s->count)
		return i;
	for (i = 0; i < s->count; i++)
		if (agrees(&s->items[i].event, &s->said.event) &&
		    agrees(&s->items[i].unit, &s->said.unit))
			break;
	return i;
}

int fg_sections_turn(struct fg_sections *s, const struct fg_place *at,
		     struct fg_diag *diag)
{
	size_t i;

	s->has_said = false;
	if (!is_told(&s->said) || (s->count == 1 && !is_told(&s->items[0]))) {
		fg_unit_take_all(&s->items[s->current], &s->said);
		return (int)s->current;
	}
	i = find(s);
	if (i == FG_SECTIONS_MAX)
		return fg_error(diag, at, "there are more than %d events",
				FG_SECTIONS_MAX);
	fg_unit_take_all(i < s->count ? &s->items[i] : add_section(s), &s->said);
	s->current = i;
	return (int)i;
}

void fg_sections_end(struct fg_sections *s)
{
	struct fg_unit *now = &s->items[s->current];

	if (s->has_said && agrees(&now->event, &s->said.event) &&
	    agrees(&now->unit, &s->said.unit))
		fg_unit_take_all(now, &s->said);
	s->has_said = false;
}
