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

/* The first symbol of the kernel's code. */
struct fg_kernel_code {
	uint64_t start; /* 0: addresses are hidden, or it is not known */
	const char *symbol; /* "_text" or "_stext" */
};

/* Describes the kernel and its modules. Returns false if its addresses are hidden. */
bool fg_kernel_describe(struct fg_existing *x);

/*
 * Finds the start of the kernel's code in a part of kallsyms, which ends with a whole
 * line. Returns true if it is found, so that the rest need not be read.
 */
bool fg_kernel_find_code(struct fg_str text, struct fg_kernel_code *code);

#endif
