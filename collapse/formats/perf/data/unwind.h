/*
 * Finds call chains in copies of the stack (perf record --call-graph dwarf) with libdw.
 *
 * The .eh_frame section of a binary tells where each function has its return address,
 * so debug information is not needed. We unwind only 64-bit programs, on x86-64 and
 * arm64.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_UNWIND_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/tasks.h"

struct fg_pd_machine {
	const char *name;
	unsigned sp, pc; /* perf's numbers of these two registers */
	/*
	 * perf's numbers of the registers, in the order of DWARF's numbers; NULL: we
	 * cannot unwind stacks of this machine
	 */
	const unsigned char *order;
	size_t count;
	bool pc_apart; /* DWARF has no number for the pc */
	/* mask of a return address; its other bits may be a signature */
	uint64_t address_bits;
};

/*
 * Returns the machine with a name like in `uname -m`, or "x86", which perf 7.3 inject
 * writes into a stream. If the name is empty, chooses the machine that has the
 * registers of `mask`. Returns NULL if the machine is unknown.
 */
const struct fg_pd_machine *fg_pd_machine_of(struct fg_str name, uint64_t mask);

struct fg_pd_unwinder;

/* The recorded stack of a thread; borrowed. */
struct fg_pd_stack {
	const struct fg_pd_maps *maps; /* NULL: nothing is mapped */
	const struct fg_pd_machine *machine;
	bool is_narrow; /* the program has 32 bits */
	uint64_t mask; /* the recorded registers, by perf's numbers */
	/*
	 * registers of `mask`: words of 8 bytes; empty: the thread was only in the
	 * kernel
	 */
	struct fg_str registers;
	struct fg_str bytes; /* the copy of the stack, from the stack pointer upwards */
	bool goes_on; /* the stack may be longer than the copy */
};

/* The most frames of a stack. A copy has at most 64 KB, so it has fewer. */
#define FG_PD_UNWOUND_MAX 4096

/*
 * Returns true if we can find callers in such a stack. Otherwise only the leaf is
 * known.
 */
static inline bool fg_pd_stack_is_unwound(const struct fg_pd_stack *stack)
{
	return stack->machine->order && !stack->is_narrow;
}

/* Returns true if this program was built with libdw. */
bool fg_pd_unwind_is_here(void);

/*
 * Returns an unwinder, or NULL without libdw. It uses the binaries of `dsos`, which is
 * borrowed.
 */
struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_dsos *dsos);

/* Accepts NULL. */
void fg_pd_unwinder_free(struct fg_pd_unwinder *u);

/*
 * Forgets the binary of a DSO. `dso` is its index. Call it before the DSO is unloaded.
 * Accepts NULL.
 */
void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso);

/*
 * Stores the addresses of the frames in `pcs`, the leaf first. `pcs` has space for
 * FG_PD_UNWOUND_MAX. Returns the number of frames; 0 if not even the leaf is known. The
 * address of a caller is its return address minus 1, so that it is in the call, like in
 * perf.
 */
size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs);

/*
 * Returns true if the last stack has no more frames because the next frame needs bytes
 * after the end of the copy.
 */
bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u);

#endif
