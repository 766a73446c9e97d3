/* How many abbreviations the units of a file have, all together. */
#include "collapse/formats/perf/data/abbrevs.h"

#include "collapse/formats/perf/data/cursor.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>

#include "collapse/formats/perf/data/dwarftext.h"

/* What libdw keeps for each byte of a table, about: 56 bytes for one of 5 or more. */
#define KEPT 10

/* What it keeps for each unit, however short that is. */
#define UNIT_KEPT 1200

/* Attributes, which it goes through for each that is looked for; 30 are many. */
#define ATTRIBUTES_MAX 256

struct abbrevs {
	Dwarf *dwarf;
	uint64_t left; /* what may still be kept */
	uint64_t offset, len; /* of the table looked at last */
};

/* False: they are too many. */
static bool skip_attributes(struct fg_pd_cursor *c)
{
	uint64_t name, form;
	unsigned left = ATTRIBUTES_MAX + 1;

	do {
		if (!left--)
			return false;
		name = fg_pd_uleb(c);
		form = fg_pd_uleb(c);
		if (form == DW_FORM_implicit_const)
			fg_pd_uleb(c);
	} while (!c->bad && (name || form));
	return true;
}

/*
 * The bytes of a table, up to `most`; of several sections of that name, all. Beyond any
 * limit where one abbreviation has too many attributes.
 */
static uint64_t table_len(Dwarf *dwarf, uint64_t offset, uint64_t most)
{
	struct fg_pd_dwarf_section s = { .elf = dwarf_getelf(dwarf) };
	uint64_t len = 0;

	while (fg_pd_dwarf_next_section(&s)) {
		struct fg_pd_cursor c;

		if (!strstr(s.name, "debug_abbrev") || offset >= s.bytes.len)
			continue;
		c = fg_pd_cursor(fg_str_from_pos(s.bytes, (size_t)offset));
		while (!c.bad && s.bytes.len - offset - fg_pd_left(&c) <= most &&
		       fg_pd_uleb(&c)) {
			fg_pd_uleb(&c); /* the tag */
			fg_pd_skip(&c, 1); /* whether it has children */
			if (!skip_attributes(&c))
				return UINT64_MAX;
		}
		len += s.bytes.len - offset - fg_pd_left(&c);
	}
	return len;
}

/* Adds those of a unit; false: they are too many. */
static bool add_unit(struct abbrevs *a, uint64_t offset)
{
	if (!a->len || offset != a->offset)
		a->len = table_len(a->dwarf, offset, a->left / KEPT);
	a->offset = offset;
	if (a->left < UNIT_KEPT || a->len > (a->left - UNIT_KEPT) / KEPT)
		return false;
	a->left -= a->len * KEPT + UNIT_KEPT;
	return true;
}

/* Those of all units of .debug_info or, with a place for signatures, .debug_types. */
static bool add_units(struct abbrevs *a, uint64_t *signature)
{
	Dwarf_Off at = 0, next, abbrevs;
	size_t header;

	while (!dwarf_next_unit(a->dwarf, at, &next, &header, NULL, &abbrevs, NULL,
				NULL, signature, NULL) &&
	       next > at) {
		if (!add_unit(a, abbrevs))
			return false;
		at = next;
	}
	return true;
}

bool fg_pd_dwarf_abbrevs_are_few(Dwarf *dwarf)
{
	struct abbrevs a = { .dwarf = dwarf, .left = fg_pd_dwarf_room(dwarf) };
	uint64_t signature;

	return add_units(&a, NULL) && add_units(&a, &signature);
}

#endif
