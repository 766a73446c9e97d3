/*
 * Binaries as the unwinder gets them: without their sections.
 *
 * libdw finds .eh_frame by section or by program header. By section it searches it from
 * start to end where the linker put its index behind it, as gold does, which
 * takes seconds for a large library; by program header it always has the index. So the
 * header of a private copy says that there are no sections.
 */
#ifndef FG_COLLAPSE_PERFDATA_IMAGE_H
#define FG_COLLAPSE_PERFDATA_IMAGE_H

#include <libelf.h>

#include "collapse/perfdata/elf.h"

struct fg_pd_image {
	char *bytes; /* NULL: there is none */
	size_t size;
	bool mapped; /* rather than allocated */
	Elf *elf;
	uint64_t low, high; /* addresses that it is made for */
};

/* Makes one of what `e` was read from: 0, or -1 where that is not possible. */
int fg_pd_image_open(struct fg_pd_image *image, const struct fg_pd_elf *e);

/* Accepts a zeroed struct. */
void fg_pd_image_close(struct fg_pd_image *image);

/* The address that an offset in the file is made for; false where it is not loaded. */
bool fg_pd_image_address(const struct fg_pd_image *image, uint64_t offset,
			 uint64_t *address);

/* The word at an offset in the file; false where there is none. */
bool fg_pd_image_word(const struct fg_pd_image *image, uint64_t offset, uint64_t *word);

#endif
