/* Checks that hold for every symbol table, wherever it comes from. */
#ifndef FG_TESTS_FUZZ_SYMBOLS_H
#define FG_TESTS_FUZZ_SYMBOLS_H

#include "collapse/symbols/symtab.h"
#include "tests/fuzz/fuzz.h"

/* The number of symbols that we look up: the first ones, at both ends. */
#define FUZZ_SYMBOLS 64

static inline void fuzz_symbol_at(struct fg_symtab *t, uint64_t address)
{
	const struct fg_symbol *s = fg_symtab_find(t, address).symbol;

	if (!s)
		return;
	fuzz_check(address >= s->start && address < s->end,
		   "an address is in its symbol");
	fuzz_check(fg_symbol_name(s).ptr, "a symbol has a name");
}

static inline void fuzz_symtab(struct fg_symtab *t)
{
	for (size_t i = 0; i < t->count; i++) {
		uint64_t start = t->items[i].key;
		uint64_t end = fg_symtab_find(t, start).until;

		fuzz_check(!i || t->items[i - 1].key <= start,
			   "symbols are in the order of their addresses");
		if (i >= FUZZ_SYMBOLS)
			continue;
		fuzz_symbol_at(t, start);
		fuzz_symbol_at(t, end);
		fuzz_symbol_at(t, end - 1);
	}
	fuzz_symbol_at(t, 0);
	fuzz_symbol_at(t, UINT64_MAX);
}

#endif
