/*
 * The symbols of one DSO, and which of them an address belongs to.
 *
 * Symbol tables overlap, repeat addresses under several names and leave sizes out. What
 * perf does about each of them (tools/perf/util/symbol.c) is done here, whatever
 * the symbols come from. Names are borrowed, and demangled only to be compared.
 */
#ifndef FG_COLLAPSE_PERFDATA_SYMTAB_H
#define FG_COLLAPSE_PERFDATA_SYMTAB_H

#include "lib/str.h"

enum fg_pd_symbol_flags {
	FG_PD_SYMBOL_SIZED = 1, /* the table says how large it is */
	FG_PD_SYMBOL_UNTYPED = 2, /* a label rather than a function or an object */
	FG_PD_SYMBOL_WEAK = 4,
	FG_PD_SYMBOL_GLOBAL = 8,
	FG_PD_SYMBOL_PLT =
		16, /* of the procedure linkage table; "@plt" is no part of the name */
	FG_PD_SYMBOL_MODULE = 32, /* of a kernel module */
	FG_PD_SYMBOL_LINE = 64, /* the name ends at white space, not at a NUL */
};

struct fg_pd_symbol {
	uint64_t start, end;
	const char *name; /* ends in a NUL, or see FG_PD_SYMBOL_LINE */
	uint32_t name_id; /* for the user of the table; 0 at first */
	uint32_t outer; /* the nearest before it that reaches beyond its start */
	uint32_t flags;
};

#define FG_PD_NO_SYMBOL UINT32_MAX

/* Where sizes come from. */
enum fg_pd_symtab_kind {
	FG_PD_SYMTAB_ELF, /* a symbol without a size ends at the next */
	FG_PD_SYMTAB_KALLSYMS, /* the same, but not from the kernel into a module */
	FG_PD_SYMTAB_JIT, /* sizes are always given, duplicates are of other times */
};

struct fg_pd_symtab {
	struct fg_pd_symbol *symbols;
	size_t count;
	size_t alloc;
	enum fg_pd_symtab_kind kind;
};

void fg_pd_symtab_init(struct fg_pd_symtab *t, enum fg_pd_symtab_kind kind);
void fg_pd_symtab_release(struct fg_pd_symtab *t);

/*
 * A symbol. Without FG_PD_SYMBOL_SIZED in the flags, `size` is how far it can reach; 0
 * is as far as may be. Those after UINT32_MAX - 1 are left out.
 */
void fg_pd_symtab_add(struct fg_pd_symtab *t, uint64_t start, uint64_t size,
		      const char *name, uint32_t flags);

/* After the last: puts them in order. */
void fg_pd_symtab_finish(struct fg_pd_symtab *t);

/* The symbol at an address, to be changed only in name_id; NULL where there is none. */
struct fg_pd_symbol *fg_pd_symtab_find(struct fg_pd_symtab *t, uint64_t address);

/* The name without "@plt". */
struct fg_str fg_pd_symbol_name(const struct fg_pd_symbol *symbol);

#endif
