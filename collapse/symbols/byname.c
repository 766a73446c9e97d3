/*
 * Finds symbols of an ELF file by name. Reads tables of names only when they are
 * needed.
 */
#include "collapse/symbols/byname.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/symbols/demangle.h"
#include "collapse/symbols/elfsymbols.h"
#include "lib/base/xalloc.h"

/* The most bytes of all names of a table together. */
#define NAMES_MAX ((size_t)512 << 20)

/* The address of a name. A zeroed struct has none. */
struct fg_byname_place {
	uint64_t address; /* the first address of several */
	enum { NOWHERE, ONE_PLACE, SEVERAL_PLACES } count;
};

static void release_table(struct fg_byname_table *t)
{
	fg_intern_release(&t->names);
	free(t->places);
}

void fg_byname_release(struct fg_byname *b)
{
	release_table(&b->linker);
	release_table(&b->demangled);
	release_table(&b->bare);
	memset(b, 0, sizeof(*b));
}

/*
 * Returns the place of a name, which is added if it is new. It is valid until the next
 * call.
 */
static struct fg_byname_place *place_of(struct fg_byname_table *t, struct fg_str name)
{
	size_t known = t->names.count;
	uint32_t id = fg_intern(&t->names, name);

	if (id == known) {
		FG_GROW(t->places, t->alloc, t->names.count);
		memset(&t->places[id], 0, sizeof(t->places[id]));
	}
	return &t->places[id];
}

static void add(struct fg_byname_table *t, struct fg_str name, uint64_t address)
{
	struct fg_byname_place *place = place_of(t, name);

	if (place->count == NOWHERE) {
		place->count = ONE_PLACE;
		place->address = address;
	} else if (place->address != address) {
		place->count = SEVERAL_PLACES;
	}
}

/* ---- forms of a name */

/* Returns "f(int) const" without qualifiers and parameters: "f". */
static struct fg_str without_parameters(struct fg_str name)
{
	size_t depth = 0;
	size_t at;

	fg_str_cut_end(&name, FG_STR(" const"));
	if (!fg_str_ends(name, FG_STR(")")))
		return name;
	for (at = name.len - 1; at; at--) {
		if (name.ptr[at] == ')')
			depth++;
		else if (name.ptr[at] == '(' && --depth == 0)
			break;
	}
	return at ? fg_str_before(name, at) : name;
}

/*
 * Returns a name without its return type, which demangled templates have: "void f<int>"
 * becomes "f<int>".
 */
static struct fg_str without_type(struct fg_str name)
{
	size_t depth = 0;
	size_t start = 0;

	if (fg_str_has(name, FG_STR("operator")))
		return name;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (c == '<' || c == '(' || c == '{' || c == '[')
			depth++;
		else if (depth && (c == '>' || c == ')' || c == '}' || c == ']'))
			depth--;
		else if (!depth && c == ' ')
			start = i + 1;
	}
	return fg_str_from_pos(name, start);
}

/* ---- reading */

/* One pass over the symbols of a file. */
struct reading {
	struct fg_byname *names;
	struct fg_buf demangled; /* scratch */
	size_t left; /* bytes of names that may still be added */
};

static bool has_room(struct reading *r, size_t len)
{
	if (len > r->left) {
		r->names->too_many = true;
		return false;
	}
	r->left -= len;
	return true;
}

static void add_linkers(void *data, const char *name, uint64_t address)
{
	struct reading *r = data;
	struct fg_str text = fg_str_from(name);

	if (has_room(r, text.len))
		add(&r->names->linker, text, address);
}

static void add_demangled(void *data, const char *name, uint64_t address)
{
	struct reading *r = data;
	struct fg_str full = fg_str_from(name), bare;

	fg_buf_clear(&r->demangled);
	if (fg_demangle_fully(name, &r->demangled) == FG_DEMANGLED)
		full = fg_buf_str(&r->demangled);
	if (!has_room(r, full.len))
		return;
	add(&r->names->demangled, full, address);
	bare = without_parameters(fg_str_before(full, fg_str_find_char(full, '@')));
	add(&r->names->bare, without_type(bare), address);
}

/* Reads the next table. Returns false if all have been read. */
static bool read_more(struct fg_byname *b, const struct fg_elf *e)
{
	struct reading r = { .names = b, .left = NAMES_MAX };

	if (b->progress == FG_BYNAME_DEMANGLED)
		return false;
	fg_elf_each_name(
		e, b->progress == FG_BYNAME_UNREAD ? add_linkers : add_demangled, &r);
	b->progress++;
	fg_buf_release(&r.demangled);
	return true;
}

/*
 * Finds the address of a name in the tables that were read. A linker name comes first;
 * if several symbols have it, the first one counts, like in stackcollapse-perf.pl. perf
 * prints demangled names, with or without parameters, so we try these as well, but only
 * if one function has the name.
 */
static bool find(struct fg_byname *b, struct fg_str name, uint64_t *address)
{
	struct fg_byname_table *exact[] = { &b->demangled, &b->bare };
	struct fg_byname_place *place = place_of(&b->linker, name);
	bool found = place->count != NOWHERE;

	for (size_t i = 0; !found && i < FG_COUNT_OF(exact); i++) {
		place = place_of(exact[i], name);
		found = place->count == ONE_PLACE;
	}
	*address = place->address;
	return found;
}

bool fg_byname_find(struct fg_byname *b, const struct fg_elf *e, struct fg_str symbol,
		    uint64_t *address)
{
	size_t plus = fg_str_rfind_char(symbol, '+');
	struct fg_str name = fg_str_before(symbol, plus);
	uint64_t offset;

	if (!name.len || fg_str_0x(fg_str_from_pos(symbol, plus + 1), &offset))
		return false;
	while (!find(b, name, address))
		if (!read_more(b, e))
			return false;
	*address += offset;
	return true;
}
