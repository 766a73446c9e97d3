/*
 * Binaries as the unwinder gets them: with what says how to unwind, and nothing else.
 *
 * libdw finds .eh_frame by section or by program header. By section it searches it from
 * start to end where the linker put its index behind it, as gold does, which takes
 * seconds for a large library; by program header it always has the index. So the
 * section is there only where there is no such header, as in what gcc -static links.
 * .debug_frame, for what was compiled without .eh_frame, is there as well.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFIIMAGE_H
#define FG_COLLAPSE_SYMBOLS_CFIIMAGE_H

#include <libelf.h>

#include "collapse/symbols/cfi.h"
#include "collapse/symbols/elf.h"

enum fg_cfi_rules {
	FG_CFI_RULES_ALL,
	FG_CFI_RULES_ASKED, /* those of few addresses, each to be asked for */
};

struct fg_cfi_image {
	const struct fg_elf *file; /* borrowed */
	char *bytes; /* the file with holes, and sections of its own; NULL: none */
	size_t size;
	Elf *elf;
	uint64_t low, high; /* addresses that it is made for */
	bool is_swapped; /* the file has another byte order */
	enum fg_cfi_rules wants;
	uint64_t index_at, index_address; /* of .eh_frame, in the file and in memory */
	size_t entries; /* of that; 0: it is not as it usually is */
	struct fg_cfi cfi; /* of what the index leads to */
};

/* Makes one of a file, which has to stay open: 0, or -1 where that is not possible. */
int fg_cfi_image_open(struct fg_cfi_image *image, const struct fg_elf *e,
		      enum fg_cfi_rules wants);

/* Accepts a zeroed struct. */
void fg_cfi_image_close(struct fg_cfi_image *image);

/* The address that an offset in the file is made for; false where it is not loaded. */
bool fg_cfi_image_address(const struct fg_cfi_image *image, uint64_t offset,
			  uint64_t *address);

/*
 * Has in the image how to unwind at an address, before libdw is asked for that: most of
 * a large binary's rules are never needed, and to read them all takes longer than
 * everything else. Does nothing where they are all there. False: it must not be asked,
 * as what is there would take too much memory.
 */
bool fg_cfi_image_ask(struct fg_cfi_image *image, uint64_t address);

/* The word at an offset in the file; false where there is none. */
bool fg_cfi_image_word(const struct fg_cfi_image *image, uint64_t offset,
		       uint64_t *word);

#endif
