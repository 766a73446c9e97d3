/* Decides which sections of two inputs are compared with each other. */
#include "difffolded/sections.h"

size_t fg_diff_part_count(const struct fg_diff *d)
{
	return 1 + d->other_count;
}

struct fg_diff *fg_diff_part(struct fg_diff *d, size_t i)
{
	return i ? &d->others[i - 1] : d;
}

/* ---- while the inputs are read */

/*
 * Prepares for the next profile of a column. The first profile is merged while it is
 * read, in a walk over all stacks that are already there. The lines of further profiles
 * go onto the pile, because a walk for each of many profiles would take quadratic time.
 */
void fg_diff_sections_start(struct fg_diff *d, unsigned column)
{
	if (!d->sections[column].count)
		fg_sections_init(&d->sections[column]);
	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		struct fg_diff *part = fg_diff_part(d, i);

		part->weighs = false;
		part->piles = part->inputs[column].profiles++ > 0;
		if (!part->piles)
			fg_merge_restart(&part->merge);
	}
}

void fg_diff_sections_end(struct fg_diff *d, unsigned column)
{
	struct fg_sections *s = &d->sections[column];
	struct fg_diff *now = fg_diff_part(d, d->part_of[column][s->current]);

	now->weighs |= s->has_header && s->header.sample_weight.len;
	fg_sections_end(s);
	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		struct fg_diff *part = fg_diff_part(d, i);

		part->inputs[column].weighed += part->weighs;
		fg_merge_finish(&part->merge);
	}
}

static size_t add_part(struct fg_diff *d)
{
	struct fg_diff *part;

	FG_GROW(d->others, d->other_alloc, d->other_count + 1);
	part = &d->others[d->other_count++];
	fg_diff_init(part, d->options, d->diag);
	for (unsigned column = 0; column < 2; column++) {
		part->inputs[column] = d->inputs[column];
		part->inputs[column].weighed = 0;
	}
	fg_merge_restart(&part->merge);
	return d->other_count;
}

/*
 * Returns true if both sections are for the same event or, without an event, for the
 * same unit.
 */
static bool is_same(const struct fg_unit *a, const struct fg_unit *b)
{
	bool units = fg_str_eq(fg_buf_str(&a->unit), fg_buf_str(&b->unit));

	if (!fg_str_eq(fg_buf_str(&a->event), fg_buf_str(&b->event)))
		return false;
	return a->event.len ? units || !a->unit.len || !b->unit.len :
			      units && a->unit.len;
}

/* Returns the index of the comparison for a new section of a column. */
static size_t place(struct fg_diff *d, unsigned column, size_t section)
{
	const struct fg_sections *before = &d->sections[FG_BEFORE];

	if (column == FG_BEFORE)
		return section ? add_part(d) : 0;
	if (!section && before->count < 2)
		return 0;
	for (size_t i = 0; i < before->count; i++)
		if (!fg_diff_part(d, i)->has[FG_AFTER] &&
		    is_same(&before->items[i], &d->sections[FG_AFTER].items[section]))
			return i;
	return add_part(d);
}

struct fg_diff *fg_diff_turn(struct fg_diff *d, unsigned column,
			     const struct fg_place *at)
{
	struct fg_sections *s = &d->sections[column];
	bool has_header = s->has_header;
	int section = (int)s->current;
	struct fg_diff *part;

	if (has_header)
		section = fg_sections_turn(s, at, d->diag);
	if (section < 0)
		return NULL;
	if ((size_t)section >= d->placed[column]) {
		d->part_of[column][section] = place(d, column, (size_t)section);
		d->placed[column] = (size_t)section + 1;
	}
	part = fg_diff_part(d, d->part_of[column][section]);
	part->has[column] = true;
	part->weighs |= has_header && s->header.sample_weight.len;
	return part;
}

/* ---- after the inputs are read */

/* Moves the header lines of sections to their comparisons. */
static void give_units(struct fg_diff *d)
{
	for (unsigned column = 0; column < 2; column++)
		for (size_t i = 0; i < d->placed[column]; i++) {
			struct fg_diff *part = fg_diff_part(d, d->part_of[column][i]);

			fg_unit_release(&part->units[column]);
			part->units[column] = d->sections[column].items[i];
			d->sections[column].items[i] =
				(struct fg_unit){ .mixed_units = false };
		}
}

static void add_name(struct fg_buf *text, const struct fg_unit *unit)
{
	if (!unit->event.len && !unit->unit.len) {
		fg_buf_add_str(text, FG_STR("no event"));
		return;
	}
	fg_buf_add_char(text, '\'');
	fg_buf_add_str(text, fg_buf_str(unit->event.len ? &unit->event : &unit->unit));
	fg_buf_add_char(text, '\'');
}

static void add_names(struct fg_buf *text, struct fg_diff *d, unsigned column)
{
	const char *before = "";

	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		const struct fg_diff *part = fg_diff_part(d, i);

		if (!part->has[column])
			continue;
		fg_buf_add_str(text, fg_str_from(before));
		add_name(text, &part->units[column]);
		before = ", ";
	}
}

static int report_strangers(struct fg_diff *d)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, fg_str_from(d->inputs[FG_BEFORE].name));
	fg_buf_add_str(&text, FG_STR(" has "));
	add_names(&text, d, FG_BEFORE);
	fg_buf_add_str(&text, FG_STR("; "));
	fg_buf_add_str(&text, fg_str_from(d->inputs[FG_AFTER].name));
	fg_buf_add_str(&text, FG_STR(" has "));
	add_names(&text, d, FG_AFTER);
	fg_error(d->diag, NULL,
		 "cannot match the sections of the inputs by their events: "
		 "%s: choose one section with filter-folded --section NAME",
		 fg_buf_cstr(&text));
	fg_buf_release(&text);
	return -1;
}

static void leave_out(struct fg_diff *part)
{
	unsigned column = part->has[FG_AFTER] ? FG_AFTER : FG_BEFORE;
	struct fg_place at = { part->inputs[column].name, 0 };
	struct fg_buf name = FG_BUF_INIT;

	part->left_out = true;
	add_name(&name, &part->units[column]);
	fg_warn(part->diag, &at, "left out the section of %s: the other input has none",
		fg_buf_cstr(&name));
	fg_buf_release(&name);
}

/*
 * Gives an empty input the events and units of the other input, because it has a count
 * of 0 for each of them.
 */
static int agree_with_empty(struct fg_diff *d, unsigned column)
{
	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		struct fg_diff *part = fg_diff_part(d, i);
		const struct fg_unit *other = &part->units[1 - column];

		fg_unit_take(&part->units[column], fg_buf_str(&other->unit),
			     fg_buf_str(&other->event));
	}
	return 0;
}

int fg_diff_sections_check(struct fg_diff *d)
{
	size_t both = 0;

	give_units(d);
	if (!d->other_count)
		return 0;
	for (unsigned column = 0; column < 2; column++)
		if (!d->inputs[column].lines)
			return agree_with_empty(d, column);
	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		const struct fg_diff *part = fg_diff_part(d, i);

		both += part->has[FG_BEFORE] && part->has[FG_AFTER] &&
			is_same(&part->units[FG_BEFORE], &part->units[FG_AFTER]);
	}
	/* a single section was compared with the first of several */
	if (!both || (d->sections[FG_BEFORE].count < 2 &&
		      !is_same(&d->units[FG_BEFORE], &d->units[FG_AFTER])))
		return report_strangers(d);
	for (size_t i = 0; i < fg_diff_part_count(d); i++) {
		struct fg_diff *part = fg_diff_part(d, i);

		if (!part->has[FG_BEFORE] || !part->has[FG_AFTER])
			leave_out(part);
	}
	return 0;
}
