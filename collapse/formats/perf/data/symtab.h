/*
 * The symbols of one DSO, and which of them an address belongs to.
 *
 * Symbol tables overlap, repeat addresses under several names and leave sizes out. What
 * perf does about each of them (tools/perf/util/symbol.c) is done here, whatever
 * the symbols come from. Names are borrowed, and demangled only to be compared.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_SYMTAB_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_SYMTAB_H

#include "collapse/formats/perf/data/radix.h"
#include "collapse/formats/perf/data/symbol.h"

/* Where sizes come from. */
enum fg_pd_symtab_kind {
	FG_PD_SYMTAB_ELF, /* a symbol without a size ends at the next */
	FG_PD_SYMTAB_KALLSYMS, /* the same, but not from the kernel into a module */
	FG_PD_SYMTAB_JIT, /* sizes are always given, duplicates are of other times */
};

/*
 * Of most symbols there is only an item: where it starts, how far it reaches, the first
 * four flags, and where its name is in the file, which is read when an address is asked
 * for that is in it.
 */
struct fg_pd_symtab {
	struct fg_pd_keyed *items; /* by start, once they are finished */
	size_t count;
	size_t alloc;
	struct fg_pd_symbol *symbols; /* those that are here */
	size_t symbol_count;
	size_t symbol_alloc;
	uint64_t *reach; /* how far groups of items reach: a tree */
	uint64_t *firsts; /* where the groups start */
	size_t reach_leaves;
	enum fg_pd_symtab_kind kind;
	struct fg_pd_symbol_files files; /* where names are read from */
	uint64_t names; /* where in the file; items count from there */
};

void fg_pd_symtab_init(struct fg_pd_symtab *t, enum fg_pd_symtab_kind kind);
void fg_pd_symtab_release(struct fg_pd_symtab *t);

/*
 * A symbol. Without FG_PD_SYMBOL_SIZED in the flags, `size` is how far it can reach; 0
 * is as far as may be. Those after 2^30 are left out.
 */
void fg_pd_symtab_add(struct fg_pd_symtab *t, uint64_t start, uint64_t size,
		      const char *name, uint32_t flags);

/* The same of a symbol whose name is at an offset of the file, and ends in a NUL. */
void fg_pd_symtab_add_unread(struct fg_pd_symtab *t, uint64_t start, uint64_t size,
			     uint64_t name_at, uint32_t flags);

/* Makes room for symbols that are not read. */
void fg_pd_symtab_reserve(struct fg_pd_symtab *t, size_t count);

/* After the last: puts them in order. */
void fg_pd_symtab_finish(struct fg_pd_symtab *t);

struct fg_pd_found {
	struct fg_pd_symbol *symbol; /* to be changed only in name_id; NULL: none */
	uint64_t until; /* up to there, all addresses from that one on have the same */
};

struct fg_pd_found fg_pd_symtab_find(struct fg_pd_symtab *t, uint64_t address);

/* The end of the last symbol that has none of the flags; 0 where there is none. */
uint64_t fg_pd_symtab_end(const struct fg_pd_symtab *t, uint32_t flags);

#endif
