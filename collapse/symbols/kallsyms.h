/* The kernel's symbols, in the format of /proc/kallsyms. */
#ifndef FG_COLLAPSE_SYMBOLS_KALLSYMS_H
#define FG_COLLAPSE_SYMBOLS_KALLSYMS_H

#include "collapse/symbols/buildid.h"
#include "collapse/symbols/symtab.h"

/*
 * A list. We read only the parts that are asked for, and make them into tables, because
 * the kernel's own symbols are in the order of their addresses. Those of modules come
 * after them, in no order.
 */
struct fg_kallsyms {
	char *text; /* room for the whole list; owns the names */
	size_t size;
	int fd; /* the file it is read from; -1: it has been read */
	struct fg_kallsyms_part *parts;
	size_t count;
	size_t sorted; /* parts with only the kernel's own symbols */
	struct fg_symtab rest; /* symbols of the other parts */
	bool rest_known;
	uint64_t delta; /* from the recorded place of the kernel to the listed one */
	bool placed; /* the reference was found in the list */
	/* name of a symbol, borrowed; empty: none was recorded */
	struct fg_str reference;
	uint64_t reference_at; /* address of that symbol when the recording was made */
	/* release of the kernel, borrowed; empty: not recorded */
	struct fg_str release;
	bool loaded;
};

void fg_kallsyms_init(struct fg_kallsyms *k);
void fg_kallsyms_release(struct fg_kallsyms *k);

/*
 * Opens the list of the kernel with that build id, from perf's `cache` or, if it is the
 * running kernel, from the system. Does so once; if there is no list it stays empty.
 */
void fg_kallsyms_load(struct fg_kallsyms *k, struct fg_str cache,
		      const struct fg_build_id *id);

/* Copies a list. Returns false if all addresses are 0; then the list stays empty. */
bool fg_kallsyms_parse(struct fg_kallsyms *k, struct fg_str text);

/* Like fg_symtab_find(). */
struct fg_symtab_found fg_kallsyms_find(struct fg_kallsyms *k, uint64_t address);

/* Returns the end of the last symbol that belongs to no module, or 0. */
uint64_t fg_kallsyms_end(struct fg_kallsyms *k);

#endif
