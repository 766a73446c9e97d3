/*
 * Call chains from copies of the stack (perf record --call-graph dwarf), by libdw.
 *
 * .eh_frame of the binaries says where each function has its return address; debug
 * information is not needed. Programs of 64 bits for x86-64 and arm64 only.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/tasks.h"

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

struct fg_pd_unwinder;

/* What was recorded of a thread; borrowed. */
struct fg_pd_stack {
	const struct fg_pd_maps *maps; /* NULL: none */
	const struct fg_pd_machine *machine;
	bool is_narrow; /* the program is one of 32 bits */
	uint64_t mask; /* which registers, as perf numbers them */
	struct fg_str registers; /* words; empty: it was in the kernel only */
	struct fg_str bytes; /* from the stack pointer on */
	bool goes_on; /* there may be more than those bytes */
};

/* Frames that are looked for: a stack of 64 KB has less. */
#define FG_PD_UNWOUND_MAX 4096

/* Whether callers are looked for in such a stack, or only the leaf is known. */
static inline bool fg_pd_stack_is_unwound(const struct fg_pd_stack *stack)
{
	return stack->machine->order && !stack->is_narrow;
}

/* Whether this program can do it: it was built with libdw. */
bool fg_pd_unwind_is_here(void);

/* Binaries are those of `dsos`, which is borrowed. */
struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_dsos *dsos);

/* Accepts NULL. */
void fg_pd_unwinder_free(struct fg_pd_unwinder *u);

/* Forgets the binary of a DSO, by its index, before that is unloaded. Accepts NULL. */
void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso);

/*
 * Puts the addresses of the frames, the leaf first, into `pcs`, which has room for
 * FG_PD_UNWOUND_MAX: how many; 0 where not even the leaf is known. As perf has it,
 * those of callers are 1 lower than where they go on, so that they are in the call.
 */
size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs);

/*
 * Returns true if the stack that was unwound last has no more frames because what would
 * lead to the next is behind the bytes that were copied.
 */
bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u);

#endif
