/*
 * The symbols of one DSO, and which of them an address belongs to.
 *
 * Symbol tables overlap, repeat addresses under several names and leave sizes out. What
 * perf does about each of them (tools/perf/util/symbol.c) is done here, whatever
 * the symbols come from. Names are borrowed, and demangled only to be compared.
 */
#ifndef FG_COLLAPSE_SYMBOLS_SYMTAB_H
#define FG_COLLAPSE_SYMBOLS_SYMTAB_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/str.h"

/*
 * A symbol, whose name may still be in its file; and which of two that start at one
 * address it is called by, as choose_best_symbol() in tools/perf/util/symbol.c has it.
 */

enum fg_symbol_flags {
	FG_SYMBOL_SIZED = 1, /* the table says how large it is */
	FG_SYMBOL_UNTYPED = 2, /* a label rather than a function or an object */
	FG_SYMBOL_WEAK = 4,
	FG_SYMBOL_GLOBAL = 8,
	FG_SYMBOL_PLT =
		16, /* of the procedure linkage table; "@plt" is no part of the name */
	FG_SYMBOL_MODULE = 32, /* of a kernel module */
	FG_SYMBOL_LINE = 64, /* the name ends at white space, not at a NUL */
	FG_SYMBOL_UNREAD = 128, /* the name is still in the file; of the table only */
	/* with PLT: its name is that of the symbol at `name_at`; of the table only */
	FG_SYMBOL_IFUNC = 256,
};

struct fg_symbol {
	uint64_t start, end;
	union {
		const char *name; /* ends in a NUL, or see FG_SYMBOL_LINE */
		uint64_t name_at; /* where it is in the file: FG_SYMBOL_UNREAD */
	};
	uint32_t name_id; /* for the user of the table; 0 at first */
	uint32_t flags;
};

/* Where names are read from; the second for FG_SYMBOL_PLT; borrowed. */
struct fg_symbol_files {
	struct fg_elf *elf, *runtime;
};

/* Reads the name of a symbol, if that has not been done; accepts NULL. */
void fg_symbol_read(const struct fg_symbol_files *files, struct fg_symbol *symbol);

/* The name, which has been read, without "@plt". */
struct fg_str fg_symbol_name(const struct fg_symbol *symbol);

/* What names are compared by: leading underscores and length, once demangled. */
struct fg_symbol_shape {
	size_t underscores, length;
};

/*
 * A symbol that is compared. Its name is read and demangled once, however many it is
 * compared with. All but `symbol` is 0 at first.
 */
struct fg_symbol_candidate {
	struct fg_symbol symbol;
	struct fg_symbol_shape shape;
	bool has_shape;
};

/* Whether the later of two is preferred to the earlier. */
bool fg_symbol_is_better(const struct fg_symbol_files *files,
			 struct fg_symbol_candidate *best,
			 struct fg_symbol_candidate *next);

/*
 * Sorting by a number of 64 bits: stable, and linear in the count.
 */

struct fg_symtab_item {
	uint64_t key;
	uint32_t index; /* what the key is of */
	uint32_t more; /* goes with it */
};

/*
 * Puts the keys, at most UINT32_MAX, in order, by way of `other`, which has room for as
 * many.
 */
void fg_symtab_sort(struct fg_symtab_item *keys, size_t count,
		    struct fg_symtab_item *other);

/* Where sizes come from. */
enum fg_symtab_kind {
	FG_SYMTAB_ELF, /* a symbol without a size ends at the next */
	FG_SYMTAB_KALLSYMS, /* the same, but not from the kernel into a module */
	FG_SYMTAB_JIT, /* sizes are always given, duplicates are of other times */
};

/*
 * Of most symbols there is only an item: where it starts, how far it reaches, the first
 * four flags, and where its name is in the file, which is read when an address is asked
 * for that is in it.
 */
struct fg_symtab {
	struct fg_symtab_item *items; /* by start, once they are finished */
	size_t count;
	size_t alloc;
	struct fg_symbol *symbols; /* those that are here */
	size_t symbol_count;
	size_t symbol_alloc;
	uint64_t *reach; /* how far groups of items reach: a tree */
	uint64_t *firsts; /* where the groups start */
	size_t reach_leaves;
	enum fg_symtab_kind kind;
	struct fg_symbol_files files; /* where names are read from */
	uint64_t names; /* where in the file; items count from there */
};

void fg_symtab_init(struct fg_symtab *t, enum fg_symtab_kind kind);
void fg_symtab_release(struct fg_symtab *t);

/*
 * A symbol. Without FG_SYMBOL_SIZED in the flags, `size` is how far it can reach; 0
 * is as far as may be. Those after 2^30 are left out.
 */
void fg_symtab_add(struct fg_symtab *t, uint64_t start, uint64_t size, const char *name,
		   uint32_t flags);

/* The same of a symbol whose name is at an offset of the file, and ends in a NUL. */
void fg_symtab_add_unread(struct fg_symtab *t, uint64_t start, uint64_t size,
			  uint64_t name_at, uint32_t flags);

/* Makes room for symbols that are not read. */
void fg_symtab_reserve(struct fg_symtab *t, size_t count);

/* After the last: puts them in order. */
void fg_symtab_finish(struct fg_symtab *t);

struct fg_symtab_found {
	struct fg_symbol *symbol; /* to be changed only in name_id; NULL: none */
	uint64_t until; /* up to there, all addresses from that one on have the same */
};

struct fg_symtab_found fg_symtab_find(struct fg_symtab *t, uint64_t address);

/* The end of the last symbol that has none of the flags; 0 where there is none. */
uint64_t fg_symtab_end(const struct fg_symtab *t, uint32_t flags);

#endif
