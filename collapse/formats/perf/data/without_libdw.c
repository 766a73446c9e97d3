/* Without libdw: no copy of a stack is unwound, no function is known to be inlined. */
#include "collapse/formats/perf/data/inlines.h"
#include "collapse/formats/perf/data/leaves.h"
#include "collapse/formats/perf/data/unwind.h"

#ifndef FG_HAVE_LIBDW

bool fg_pd_inlines_are_here(void)
{
	return false;
}

struct fg_pd_inlines *fg_pd_inlines_open(const struct fg_pd_elf *debug,
					 const struct fg_pd_elf *shared)
{
	(void)debug;
	(void)shared;
	return NULL;
}

void fg_pd_inlines_close(struct fg_pd_inlines *in)
{
	(void)in;
}

size_t fg_pd_inlines_at(struct fg_pd_inlines *in, uint64_t address,
			enum fg_pd_detail detail, struct fg_pd_inlined *list)
{
	(void)in;
	(void)address;
	(void)detail;
	(void)list;
	return 0;
}

size_t fg_pd_inlines_elsewhere(const struct fg_pd_inlines *in)
{
	(void)in;
	return 0;
}

bool fg_pd_inlines_inflate(const struct fg_pd_inlines *in)
{
	(void)in;
	return false;
}

struct fg_pd_leaves *fg_pd_leaves_new(struct fg_pd_dsos *dsos)
{
	(void)dsos;
	return NULL;
}

void fg_pd_leaves_free(struct fg_pd_leaves *l)
{
	(void)l;
}

void fg_pd_leaves_forget(struct fg_pd_leaves *l, uint32_t dso)
{
	(void)l;
	(void)dso;
}

void fg_pd_leaves_add(struct fg_pd_leaves *l, const struct fg_pd_place *place,
		      const struct fg_pd_frame *frame)
{
	(void)l;
	(void)place;
	(void)frame;
}

void fg_pd_leaves_report(const struct fg_pd_leaves *l, struct fg_diag *diag,
			 const struct fg_place *at)
{
	(void)l;
	(void)diag;
	(void)at;
}

bool fg_pd_unwind_is_here(void)
{
	return false;
}

struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_pd_dsos *dsos)
{
	(void)dsos;
	return NULL;
}

void fg_pd_unwinder_free(struct fg_pd_unwinder *u)
{
	(void)u;
}

void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso)
{
	(void)u;
	(void)dso;
}

bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u)
{
	(void)u;
	return false;
}

size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs)
{
	(void)u;
	(void)stack;
	(void)pcs;
	return 0;
}

#endif
