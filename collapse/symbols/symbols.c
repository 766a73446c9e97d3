/* The symbols of a DSO by name, as nm prints them. */
#include "collapse/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void fg_symbols_release(struct fg_symbols *s)
{
	fg_intern_release(&s->names);
	free(s->of);
}

struct fg_nm_symbol *fg_nm_symbols_entry(struct fg_symbols *s, struct fg_str name)
{
	size_t known = s->names.count;
	uint32_t id = fg_intern(&s->names, name);

	if (id == known) {
		FG_GROW(s->of, s->alloc, s->names.count);
		memset(&s->of[id], 0, sizeof(s->of[id]));
	}
	return &s->of[id];
}

void fg_nm_symbols_add(struct fg_symbols *s, struct fg_str name, uint64_t address)
{
	struct fg_nm_symbol *symbol = fg_nm_symbols_entry(s, name);

	s->any = true;
	if (symbol->places == PLACES_NONE) {
		symbol->places = PLACES_ONE;
		symbol->address = address;
	} else if (symbol->address != address) {
		symbol->places = PLACES_SEVERAL;
	}
}

struct fg_str fg_symbol_without_parameters(struct fg_str name)
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

struct fg_str fg_symbol_without_type(struct fg_str name)
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
