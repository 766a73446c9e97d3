/*
 * Describes the kernel itself: its code, its modules and its build id, as perf does.
 *
 * The record of the kernel has the address of the symbol _text or _stext in pgoff, and
 * that symbol in its name, "[kernel.kallsyms]_text". A reader compares it with the
 * address in its own kallsyms, because the kernel moves when the machine starts.
 */
#ifndef FG_RECORD_KERNEL_H
#define FG_RECORD_KERNEL_H

#include "record/existing.h"

/* Symbols of the kernel that say where its code is. */
struct fg_kernel_code {
	uint64_t start; /* 0: the addresses are hidden or not known */
	uint64_t end; /* 0: not known */
	const char *symbol; /* name of the symbol at `start` */
};

/* Describes the kernel and its modules. Returns false if its addresses are hidden. */
bool fg_kernel_describe(struct fg_existing *x);

/*
 * Finds the code of the kernel in a part of kallsyms, which ends with a whole line.
 * Returns true if the start and the end are known, so that the rest need not be read.
 */
bool fg_kernel_find_code(struct fg_str text, struct fg_kernel_code *code);

#endif
