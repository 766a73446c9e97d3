/*
 * The kernel's symbols, as /proc/kallsyms lists them.
 */
#ifndef FG_COLLAPSE_SYMBOLS_KALLSYMS_H
#define FG_COLLAPSE_SYMBOLS_KALLSYMS_H

#include "collapse/symbols/buildid.h"
#include "collapse/symbols/symtab.h"

/*
 * Of the list only those parts are read, and made into tables, that are asked for: the
 * kernel's own symbols are in the order of their addresses. Those of modules come after
 * them, in no order.
 */
struct fg_kallsyms {
	char *text; /* room for all of it; owns the names */
	size_t size;
	int fd; /* where it is read from; -1: it has been read */
	struct fg_kallsyms_part *parts;
	size_t count;
	size_t sorted; /* of them, those with the kernel's own symbols only */
	struct fg_symtab rest; /* the symbols of the others */
	bool rest_known;
	uint64_t delta; /* how far above where it was the kernel is in the list */
	bool placed; /* as the reference was found there */
	/* a symbol's name, borrowed; empty: none was recorded */
	struct fg_str reference;
	uint64_t reference_at; /* where that symbol was when the recording was made */
	struct fg_str release; /* of the kernel, borrowed; empty: none was recorded */
	bool loaded;
};

void fg_kallsyms_init(struct fg_kallsyms *k);
void fg_kallsyms_release(struct fg_kallsyms *k);

/*
 * Opens those of the kernel with that build id: from perf's `cache`, or of the running
 * kernel if it is that one. Once; without any the list stays empty.
 */
void fg_kallsyms_load(struct fg_kallsyms *k, struct fg_str cache,
		      const struct fg_build_id *id);

/* Copies a list; false where all addresses are 0, and the list stays empty. */
bool fg_kallsyms_parse(struct fg_kallsyms *k, struct fg_str text);

/* As fg_symtab_find. */
struct fg_symtab_found fg_kallsyms_find(struct fg_kallsyms *k, uint64_t address);

/* The end of the last symbol that is of no module; 0 where there is none. */
uint64_t fg_kallsyms_end(struct fg_kallsyms *k);

#endif
