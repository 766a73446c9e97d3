/*
 * The symbols of one DSO. Finds the one at an address.
 *
 * Symbol tables overlap, repeat addresses under several names and leave sizes out. We
 * do with each of them what perf does (tools/perf/util/symbol.c), wherever the symbols
 * come from. Names are borrowed, and demangled only to be compared.
 *
 *     fg_symtab_init(&t, FG_SYMTAB_ELF);
 *     fg_symtab_add(&t, 0x1000, 0x20, "main", FG_SYMBOL_SIZED);
 *     fg_symtab_finish(&t);
 *     symbol = fg_symtab_find(&t, 0x1010).symbol;
 */
#ifndef FG_COLLAPSE_SYMBOLS_SYMTAB_H
#define FG_COLLAPSE_SYMBOLS_SYMTAB_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/str.h"

/*
 * A symbol, whose name may still be in its file. Of two that start at one address, we
 * choose like choose_best_symbol() in tools/perf/util/symbol.c.
 */

enum fg_symbol_flags {
	FG_SYMBOL_SIZED = 1, /* the table has its size */
	FG_SYMBOL_UNTYPED = 2, /* a label, not a function or an object */
	FG_SYMBOL_WEAK = 4,
	FG_SYMBOL_GLOBAL = 8,
	FG_SYMBOL_PLT =
		16, /* in the procedure linkage table; its name lacks the "@plt" */
	FG_SYMBOL_MODULE = 32, /* in a kernel module */
	FG_SYMBOL_LINE = 64, /* the name ends at white space, not at a NUL */
	FG_SYMBOL_UNREAD = 128, /* only in the table: the name is still in the file */
	/* only in the table, with PLT: it has the name of the symbol at `name_at` */
	FG_SYMBOL_IFUNC = 256,
};

struct fg_symbol {
	uint64_t start, end;
	union {
		const char *name; /* ends in a NUL, or see FG_SYMBOL_LINE */
		uint64_t name_at; /* place in the file, with FG_SYMBOL_UNREAD */
	};
	uint32_t name_id; /* for the caller; 0 at first */
	uint32_t flags;
};

/* Files that names are read from, borrowed. The second has those of the PLT. */
struct fg_symbol_files {
	struct fg_elf *elf, *runtime;
};

/* Reads the name of a symbol if it is still in the file. Accepts NULL. */
void fg_symbol_read(const struct fg_symbol_files *files, struct fg_symbol *symbol);

/* Returns the name, which must have been read, without "@plt". */
struct fg_str fg_symbol_name(const struct fg_symbol *symbol);

/* The facts that decide between names, once demangled. */
struct fg_symbol_shape {
	size_t underscores, length;
};

/*
 * A symbol in a comparison. Its name is read and demangled once, however often it is
 * compared. Set `symbol`, and the rest to 0.
 */
struct fg_symbol_candidate {
	struct fg_symbol symbol;
	struct fg_symbol_shape shape;
	bool has_shape;
};

/* Returns true if `next`, the later symbol in its table, is better than `best`. */
bool fg_symbol_is_better(const struct fg_symbol_files *files,
			 struct fg_symbol_candidate *best,
			 struct fg_symbol_candidate *next);

/* A symbol in short form: its start, and two numbers that symtab.c explains. */

struct fg_symtab_item {
	uint64_t key;
	uint32_t index; /* place of the name, or number of the symbol */
	uint32_t more; /* size and flags */
};

/*
 * Sorts at most UINT32_MAX items by their key: stable, and linear in the count. `other`
 * has room for as many.
 */
void fg_symtab_sort(struct fg_symtab_item *keys, size_t count,
		    struct fg_symtab_item *other);

/* The source of the symbols, which tells how we know their sizes. */
enum fg_symtab_kind {
	FG_SYMTAB_ELF, /* a symbol without a size ends at the next */
	/* like FG_SYMTAB_ELF, but none reaches from the kernel into a module */
	FG_SYMTAB_KALLSYMS,
	FG_SYMTAB_JIT, /* all sizes are known; duplicates are from other times */
};

/*
 * A table. Most symbols are only items: start, size, the first four flags, and the
 * place of the name in the file. We read that when somebody asks for an address in the
 * symbol.
 */
struct fg_symtab {
	struct fg_symtab_item *items; /* sorted by start once they are finished */
	size_t count;
	size_t alloc;
	struct fg_symbol *symbols; /* symbols that are not only items */
	size_t symbol_count;
	size_t symbol_alloc;
	uint64_t *reach; /* a tree of how far groups of items reach */
	uint64_t *firsts; /* start of each group */
	size_t reach_leaves;
	enum fg_symtab_kind kind;
	struct fg_symbol_files files; /* files with the names */
	uint64_t names; /* their place in the file; items count from there */
};

void fg_symtab_init(struct fg_symtab *t, enum fg_symtab_kind kind);
void fg_symtab_release(struct fg_symtab *t);

/*
 * Adds a symbol. Without FG_SYMBOL_SIZED in the flags, `size` is how far it can reach,
 * and 0 is as far as possible. Symbols after 2^30 are left out.
 */
void fg_symtab_add(struct fg_symtab *t, uint64_t start, uint64_t size, const char *name,
		   uint32_t flags);

/* Like fg_symtab_add(), for a name at an offset of the file, which ends in a NUL. */
void fg_symtab_add_unread(struct fg_symtab *t, uint64_t start, uint64_t size,
			  uint64_t name_at, uint32_t flags);

/* Makes room for more symbols. */
void fg_symtab_reserve(struct fg_symtab *t, size_t count);

/* Sorts the symbols. Call it after the last is added. */
void fg_symtab_finish(struct fg_symtab *t);

struct fg_symtab_found {
	struct fg_symbol *symbol; /* change only its name_id; NULL: none */
	/* all addresses from the one asked for to this have the same symbol */
	uint64_t until;
};

struct fg_symtab_found fg_symtab_find(struct fg_symtab *t, uint64_t address);

/* Returns the end of the last symbol that has none of the flags, or 0. */
uint64_t fg_symtab_end(const struct fg_symtab *t, uint32_t flags);

#endif
