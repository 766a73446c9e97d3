/*
 * Counts samples in functions without a frame pointer. The unwinding rules of their
 * binaries show which functions have one.
 */
#include "collapse/formats/perf/data/leaves.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "collapse/symbols/cfiimage.h"
#include "collapse/symbols/cfirules.h"
#include "lib/base/xalloc.h"

/* DWARF's number of rbp. */
#define RBP 6

/*
 * Number of addresses that we check in each function. One is not enough, because rbp
 * may not be set there yet.
 */
#define TRIES 4

/* Samples that we check: enough for a percentage. */
#define SAMPLES_MAX 100000

/*
 * A function with less than 1/FEW of the samples hardly matters, so we do not check it.
 */
#define FEW 1000

struct function {
	uint64_t samples;
	uint32_t dso;
	/* number of checked addresses at which rbp does not lead to the frame */
	unsigned char lacking;
	bool keeps; /* the function has a frame pointer, at least after rbp is set */
};

struct binary {
	struct fg_cfi_image image;
	Dwarf_CFI *cfi; /* its unwinding rules; NULL: unknown */
	bool tried;
};

struct fg_pd_leaves {
	struct fg_dsos *dsos;
	struct function *functions; /* indexed by the id of the function's frame */
	size_t count, alloc;
	struct binary *binaries; /* indexed by the index of the DSO */
	size_t binary_count, binary_alloc;
	uint64_t samples;
};

struct fg_pd_leaves *fg_pd_leaves_new(struct fg_dsos *dsos)
{
	struct fg_pd_leaves *l = fg_xcalloc(1, sizeof(*l));

	l->dsos = dsos;
	return l;
}

void fg_pd_leaves_free(struct fg_pd_leaves *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->binary_count; i++) {
		dwarf_cfi_end(l->binaries[i].cfi);
		fg_cfi_image_close(&l->binaries[i].image);
	}
	free(l->binaries);
	free(l->functions);
	free(l);
}

void fg_pd_leaves_forget(struct fg_pd_leaves *l, uint32_t dso)
{
	struct binary *b;

	if (!l || dso >= l->binary_count)
		return;
	b = &l->binaries[dso];
	dwarf_cfi_end(b->cfi);
	fg_cfi_image_close(&b->image);
	*b = (struct binary){ .tried = false };
}

static bool is_x86_64(const struct fg_cfi_image *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image->bytes, sizeof(header));
	return header.e_machine == EM_X86_64;
}

static struct binary *binary_of(struct fg_pd_leaves *l, uint32_t index)
{
	struct fg_dso *dso = &l->dsos->list[index];
	struct binary *b;

	FG_GROW(l->binaries, l->binary_alloc, l->dsos->count);
	for (; l->binary_count < l->dsos->count; l->binary_count++)
		memset(&l->binaries[l->binary_count], 0, sizeof(*l->binaries));
	b = &l->binaries[index];
	if (!b->tried && dso->runtime && !fg_dso_is_absolute(dso) &&
	    !fg_cfi_image_open(&b->image, dso->runtime, FG_CFI_RULES_ASKED) &&
	    is_x86_64(&b->image))
		b->cfi = dwarf_getcfi_elf(b->image.elf);
	b->tried = true;
	return b;
}

/*
 * Returns DWARF's number of the register that leads to the frame at an offset in the
 * file, or -1 if it is unknown.
 */
static int base_register(struct binary *b, uint64_t offset)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL;
	uint64_t address;
	size_t count = 0;
	int number = -1;

	if (!fg_cfi_image_address(&b->image, offset, &address) ||
	    !fg_cfi_image_ask(&b->image, address) ||
	    dwarf_cfi_addrframe(b->cfi, address, &frame))
		return -1;
	if (!dwarf_frame_cfa(frame, &ops, &count) && count) {
		if (ops[0].atom == DW_OP_bregx)
			number = (int)ops[0].number;
		else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31)
			number = ops[0].atom - DW_OP_breg0;
	}
	fg_cfi_frame_free(frame);
	return number;
}

void fg_pd_leaves_add(struct fg_pd_leaves *l, const struct fg_pd_place *place,
		      const struct fg_pd_frame *frame)
{
	struct binary *b;
	struct function *f;
	int number;

	if (l->samples >= SAMPLES_MAX)
		return;
	FG_GROW(l->functions, l->alloc, (size_t)place->frame + 1);
	for (; l->count <= place->frame; l->count++)
		memset(&l->functions[l->count], 0, sizeof(*l->functions));
	f = &l->functions[place->frame];
	l->samples++;
	f->samples++;
	f->dso = frame->dso_index;
	if (f->keeps || f->lacking == TRIES || !place->frame ||
	    f->samples * FEW < l->samples)
		return;
	b = binary_of(l, frame->dso_index);
	number = b->cfi ? base_register(b, place->address) : -1;
	if (number == RBP)
		f->keeps = true;
	else if (number >= 0)
		f->lacking++;
}

/*
 * Counts the samples in functions without a frame pointer. Sets *dso to the DSO with
 * most of them.
 */
static uint64_t count_lacking(const struct fg_pd_leaves *l, uint32_t *dso)
{
	uint64_t sum = 0, most = 0;
	uint64_t *of_dso = fg_xcalloc(l->dsos->count, sizeof(*of_dso));

	for (size_t i = 0; i < l->count; i++) {
		const struct function *f = &l->functions[i];

		if (f->keeps || !f->lacking)
			continue;
		sum += f->samples;
		of_dso[f->dso] += f->samples;
		if (of_dso[f->dso] > most) {
			most = of_dso[f->dso];
			*dso = f->dso;
		}
	}
	free(of_dso);
	return sum;
}

uint64_t fg_pd_leaves_report(const struct fg_pd_leaves *l, struct fg_diag *diag,
			     const struct fg_place *at)
{
	uint32_t dso = 0;
	uint64_t lacking = l ? count_lacking(l, &dso) : 0;
	struct fg_buf name = FG_BUF_INIT;

	if (!l || lacking <= l->samples / 10)
		return lacking;
	fg_buf_add_visible(&name, l->dsos->list[dso].name, FG_QUOTED_MAX);
	fg_warn(diag, at,
		"%.0f %% of the samples are in functions without frame pointers, most "
		"of them in %s, so the functions that called those are missing: record "
		"with --call-graph dwarf",
		100.0 * (double)lacking / (double)l->samples, fg_buf_cstr(&name));
	fg_buf_release(&name);
	return lacking;
}

#else

struct fg_pd_leaves *fg_pd_leaves_new(struct fg_dsos *dsos)
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

uint64_t fg_pd_leaves_report(const struct fg_pd_leaves *l, struct fg_diag *diag,
			     const struct fg_place *at)
{
	(void)l;
	(void)diag;
	(void)at;
	return 0;
}

#endif
