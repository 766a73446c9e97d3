/* The kernel's symbols, in the format of /proc/kallsyms. */
#ifndef FG_COLLAPSE_SYMBOLS_KALLSYMS_H
#define FG_COLLAPSE_SYMBOLS_KALLSYMS_H

#include "collapse/symbols/buildid.h"
#include "collapse/symbols/symtab.h"

/*
 * A list of symbols. The kernel's own symbols come first, in the order of their
 * addresses, so we read only the parts that are needed and make a table of each.
 * Symbols of modules come after them, in no order.
 */
struct fg_kallsyms {
	char *text; /* memory for the whole list; owns the names of symbols */
	size_t size;
	int fd; /* the file to read it from; -1: all of it has been read */
	struct fg_kallsyms_part *parts;
	size_t count;
	size_t sorted; /* number of parts with only the kernel's own symbols */
	struct fg_symtab rest; /* symbols of the other parts */
	bool rest_known;
	uint64_t delta; /* listed address of the kernel minus its recorded address */
	bool placed; /* the reference was found in the list */
	/* name of a symbol whose address was recorded, borrowed; empty: none */
	struct fg_str reference;
	uint64_t reference_at; /* recorded address of that symbol */
	/* release of the kernel, borrowed; empty: not recorded */
	struct fg_str release;
	bool loaded;
};

void fg_kallsyms_init(struct fg_kallsyms *k);
void fg_kallsyms_release(struct fg_kallsyms *k);

/*
 * Opens the list of the kernel with build id `id`, from perf's `cache` or, if it is the
 * running kernel, from /proc/kallsyms. Tries only once: if there is no list, `k` stays
 * empty.
 */
void fg_kallsyms_load(struct fg_kallsyms *k, struct fg_str cache,
		      const struct fg_build_id *id);

/*
 * Takes a copy of `text` as the list. If all its addresses are 0, returns false and
 * leaves the list empty.
 */
bool fg_kallsyms_parse(struct fg_kallsyms *k, struct fg_str text);

/* Like fg_symtab_find(). */
struct fg_symtab_found fg_kallsyms_find(struct fg_kallsyms *k, uint64_t address);

/* Returns the end of the last symbol that belongs to no module, or 0. */
uint64_t fg_kallsyms_end(struct fg_kallsyms *k);

#endif
