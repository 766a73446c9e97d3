/*
 * Call chains from copies of the stack (perf record --call-graph dwarf). The only user
 * of libdw.
 *
 * .eh_frame of the binaries says where each function has its return address; debug
 * information is not needed. x86-64 only.
 */
#ifndef FG_COLLAPSE_PERFDATA_UNWIND_H
#define FG_COLLAPSE_PERFDATA_UNWIND_H

#include "collapse/perfdata/dsos.h"
#include "collapse/perfdata/tasks.h"

struct fg_pd_unwinder;

/* What was recorded of a thread; borrowed. */
struct fg_pd_stack {
	const struct fg_pd_maps *maps; /* NULL: none */
	uint64_t mask; /* which registers, as perf numbers them */
	struct fg_str registers; /* words; empty: it was in the kernel only */
	struct fg_str bytes; /* from the stack pointer on */
};

/* Frames that are looked for: a stack of 64 KB has less. */
#define FG_PD_UNWOUND_MAX 4096

/* Whether this program can do it: it was built with libdw, and for x86-64. */
bool fg_pd_unwind_is_here(void);

/* Binaries are those of `dsos`, which is borrowed. */
struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_pd_dsos *dsos);

/* Accepts NULL. */
void fg_pd_unwinder_free(struct fg_pd_unwinder *u);

/*
 * Puts the addresses of the frames, the leaf first, into `pcs`, which has room for
 * FG_PD_UNWOUND_MAX: how many. As perf has it, those of callers are 1 lower than where
 * they go on, so that they are in the call.
 */
size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs);

#endif
