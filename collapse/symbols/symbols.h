/*
 * Symbols by name: where in a file a function is.
 */
#ifndef FG_COLLAPSE_SYMBOLS_SYMBOLS_H
#define FG_COLLAPSE_SYMBOLS_SYMBOLS_H

#include "lib/base/intern.h"

/* At how many addresses a name is. */
enum fg_places { PLACES_NONE, PLACES_ONE, PLACES_SEVERAL };

struct fg_nm_symbol {
	uint64_t address; /* the first one */
	enum fg_places places;
};

/* A zeroed struct is empty. */
struct fg_symbols {
	struct fg_intern names;
	struct fg_nm_symbol *of; /* by id */
	size_t alloc;
	bool any; /* something was added, not only looked for */
};

void fg_symbols_release(struct fg_symbols *s);

/* The entry of a name, made with no place when it is new. Valid until the next. */
struct fg_nm_symbol *fg_nm_symbols_entry(struct fg_symbols *s, struct fg_str name);

/* Notes that `name` is at `address`. */
void fg_nm_symbols_add(struct fg_symbols *s, struct fg_str name, uint64_t address);

/* "f(int) const" without qualifiers and parameter list: "f". Borrowed from `name`. */
struct fg_str fg_symbol_without_parameters(struct fg_str name);

/* "void f<int>", as templates are demangled, without its type: "f<int>". */
struct fg_str fg_symbol_without_type(struct fg_str name);

#endif
