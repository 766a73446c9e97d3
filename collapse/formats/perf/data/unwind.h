/*
 * Finds call chains in copies of the stack (perf record --call-graph dwarf) with libdw.
 *
 * .eh_frame of the binaries tells where each function has its return address, so debug
 * information is not needed. Only programs of 64 bits, on x86-64 and arm64.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/tasks.h"

struct fg_pd_machine {
	const char *name;
	unsigned sp, pc; /* perf's numbers */
	/* perf's numbers in the order of DWARF's; NULL: no stack is unwound */
	const unsigned char *order;
	size_t count;
	bool pc_apart; /* DWARF has no number for the pc */
	uint64_t address_bits; /* bits of a return address; the others may sign it */
};

/*
 * Returns the machine that uname calls `name`, or perf ("x86", in the pipe of perf 7.3
 * inject). If no name was recorded, returns the one with the registers of `mask`.
 * Returns NULL if it is unknown.
 */
const struct fg_pd_machine *fg_pd_machine_of(struct fg_str name, uint64_t mask);

struct fg_pd_unwinder;

/* The recorded stack of a thread; borrowed. */
struct fg_pd_stack {
	const struct fg_pd_maps *maps; /* NULL: nothing is mapped */
	const struct fg_pd_machine *machine;
	bool is_narrow; /* the program has 32 bits */
	uint64_t mask; /* the recorded registers, by perf's numbers */
	struct fg_str registers; /* words; empty: the thread was only in the kernel */
	struct fg_str bytes; /* from the stack pointer on */
	bool goes_on; /* the stack may be longer */
};

/* The most frames of a stack. One of 64 KB has fewer. */
#define FG_PD_UNWOUND_MAX 4096

/*
 * Returns true if we look for callers in such a stack. Otherwise only the leaf is
 * known.
 */
static inline bool fg_pd_stack_is_unwound(const struct fg_pd_stack *stack)
{
	return stack->machine->order && !stack->is_narrow;
}

/* Returns true if this program was built with libdw. */
bool fg_pd_unwind_is_here(void);

/* Uses the binaries of `dsos`, which is borrowed. */
struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_dsos *dsos);

/* Accepts NULL. */
void fg_pd_unwinder_free(struct fg_pd_unwinder *u);

/* Forgets the binary of a DSO, by its index, before that is unloaded. Accepts NULL. */
void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso);

/*
 * Puts the addresses of the frames, the leaf first, into `pcs`, which holds
 * FG_PD_UNWOUND_MAX. Returns how many; 0 if not even the leaf is known. Like in perf,
 * callers have their return address minus 1, which is in the call.
 */
size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs);

/*
 * Returns true if the last stack has no more frames because the next one needs bytes
 * behind the copy.
 */
bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u);

#endif
