/*
 * Machines whose stacks can be recorded: how perf and DWARF number their registers.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_MACHINE_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_MACHINE_H

#include <stdbool.h>

#include "lib/base/str.h"

struct fg_pd_machine {
	const char *name;
	unsigned sp, pc; /* perf's numbers */
	/* perf's numbers in the order of DWARF's, NULL where no stack is unwound */
	const unsigned char *order;
	size_t count;
	bool pc_apart; /* DWARF has no number for the pc */
	uint64_t address_bits; /* of a return address; others may sign it */
};

/*
 * Returns the machine that uname, or perf ("x86", in what perf 7.3 inject writes to a
 * pipe), calls `name`. If that was not recorded, returns the one that has the registers
 * of `mask`. NULL: it is not known here.
 */
const struct fg_pd_machine *fg_pd_machine_of(struct fg_str name, uint64_t mask);

#endif
