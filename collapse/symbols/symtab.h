/*
 * The symbols of one DSO. Finds the one at an address.
 *
 * In symbol tables, symbols overlap, have several names, or lack a size. We treat them
 * like perf does (tools/perf/util/symbol.c), wherever the symbols come from. Names are
 * borrowed, and demangled only to be compared.
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
 * The flags of a symbol. If two symbols start at the same address, we choose the same
 * as choose_best_symbol() in tools/perf/util/symbol.c.
 */

enum fg_symbol_flags {
	FG_SYMBOL_SIZED = 1, /* the symbol table states its size */
	FG_SYMBOL_UNTYPED = 2, /* a label, not a function or an object */
	FG_SYMBOL_WEAK = 4,
	FG_SYMBOL_GLOBAL = 8,
	FG_SYMBOL_PLT =
		16, /* in the procedure linkage table; its name lacks the "@plt" */
	FG_SYMBOL_MODULE = 32, /* in a kernel module */
	FG_SYMBOL_LINE = 64, /* the name ends at white space, not at a NUL */
	/* inside the table only: the name is still in the file */
	FG_SYMBOL_UNREAD = 128,
	/*
	 * inside the table only, with PLT: it gets the name of the symbol at `name_at`
	 */
	FG_SYMBOL_IFUNC = 256,
};

struct fg_symbol {
	uint64_t start, end;
	union {
		const char *name; /* ends in a NUL, or see FG_SYMBOL_LINE */
		/* with FG_SYMBOL_UNREAD: offset of the name in the file */
		uint64_t name_at;
	};
	uint32_t name_id; /* for the caller; 0 at first */
	uint32_t flags;
};

/*
 * The files that names are read from, borrowed. `runtime` has the names of PLT entries.
 */
struct fg_symbol_files {
	struct fg_elf *elf, *runtime;
};

/* Reads the name of a symbol if it is still in the file. Accepts NULL. */
void fg_symbol_read(const struct fg_symbol_files *files, struct fg_symbol *symbol);

/* Returns the name without "@plt". It must have been read. */
struct fg_str fg_symbol_name(const struct fg_symbol *symbol);

/* The facts about a demangled name that decide between two names. */
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

/* A symbol in short form. symtab.c explains the two numbers. */

struct fg_symtab_item {
	uint64_t key;
	uint32_t index; /* place of the name, or index of the symbol in `symbols` */
	uint32_t more; /* size and some flags */
};

/*
 * Sorts items by their key, at most UINT32_MAX. The sort is stable and takes linear
 * time. `other` is scratch memory for `count` items.
 */
void fg_symtab_sort(struct fg_symtab_item *keys, size_t count,
		    struct fg_symtab_item *other);

/* The source of the symbols, which decides how we find their sizes. */
enum fg_symtab_kind {
	FG_SYMTAB_ELF, /* a symbol without a size ends where the next one starts */
	/* like FG_SYMTAB_ELF, but no symbol reaches from the kernel into a module */
	FG_SYMTAB_KALLSYMS,
	/* all sizes are known; of symbols at one address, the first counts */
	FG_SYMTAB_JIT,
};

/*
 * A table of symbols. Most symbols are only items: start, size, the first four flags,
 * and the place of the name in the file. We read the name when an address in the symbol
 * is looked up.
 */
struct fg_symtab {
	struct fg_symtab_item *items; /* sorted by start after fg_symtab_finish() */
	size_t count;
	size_t alloc;
	struct fg_symbol *symbols; /* symbols that do not fit into an item */
	size_t symbol_count;
	size_t symbol_alloc;
	uint64_t *reach; /* a tree with the largest end of each group of items */
	uint64_t *firsts; /* start of each group */
	size_t reach_leaves;
	enum fg_symtab_kind kind;
	struct fg_symbol_files files; /* files with the names */
	/*
	 * offset in the file of the first string table; items store the offset of a
	 * name from there
	 */
	uint64_t names;
};

void fg_symtab_init(struct fg_symtab *t, enum fg_symtab_kind kind);
void fg_symtab_release(struct fg_symtab *t);

/*
 * Adds a symbol. Without FG_SYMBOL_SIZED in the flags, `size` is the most bytes it can
 * have, and 0 means no limit. If there are 2^30 symbols already, it is left out.
 */
void fg_symtab_add(struct fg_symtab *t, uint64_t start, uint64_t size, const char *name,
		   uint32_t flags);

/*
 * Like fg_symtab_add(), but the name, which ends in a NUL, is at an offset of the file.
 */
void fg_symtab_add_unread(struct fg_symtab *t, uint64_t start, uint64_t size,
			  uint64_t name_at, uint32_t flags);

/* Allocates memory for `count` more symbols. */
void fg_symtab_reserve(struct fg_symtab *t, size_t count);

/* Sorts the symbols. Call it after the last is added. */
void fg_symtab_finish(struct fg_symtab *t);

struct fg_symtab_found {
	/* the caller may change only its name_id; NULL: no symbol */
	struct fg_symbol *symbol;
	/* the symbol does not change from the given address to before this one */
	uint64_t until;
};

struct fg_symtab_found fg_symtab_find(struct fg_symtab *t, uint64_t address);

/*
 * Returns the end of the last symbol that has none of `flags`, or 0. All symbols must
 * be in `symbols`.
 */
uint64_t fg_symtab_end(const struct fg_symtab *t, uint32_t flags);

#endif
