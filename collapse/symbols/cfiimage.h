/*
 * Copies of binaries for the unwinder. A copy has only the unwinding rules.
 *
 * libdw finds .eh_frame by section or by program header. By section, it searches
 * .eh_frame from start to end if the linker put the index after it, like gold does.
 * That takes seconds for a large library. By program header, it always uses the index.
 * So the copy has the section only if the file has no such header, like the output of
 * gcc -static. The copy also has .debug_frame, for code that was compiled without
 * .eh_frame.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFIIMAGE_H
#define FG_COLLAPSE_SYMBOLS_CFIIMAGE_H

#include <libelf.h>

#include "collapse/symbols/cfi.h"
#include "collapse/symbols/elf.h"

enum fg_cfi_rules {
	FG_CFI_RULES_ALL,
	/* only the rules of some addresses; call fg_cfi_image_ask() for each address */
	FG_CFI_RULES_ASKED,
};

struct fg_cfi_image {
	const struct fg_elf *file; /* borrowed */
	/*
	 * the copy: parts of the file at their offsets, then sections that we made;
	 * NULL: none
	 */
	char *bytes;
	size_t size;
	Elf *elf;
	uint64_t low, high; /* the range of addresses that the file is linked at */
	bool is_swapped; /* the file has another byte order */
	enum fg_cfi_rules wants;
	/* offset and address of the index of .eh_frame */
	uint64_t index_at, index_address;
	size_t entries; /* number of entries of the index; 0: we cannot use the index */
	struct fg_cfi cfi; /* for checking the entries that the index leads to */
};

/* Makes a copy of a file, which must stay open. Returns 0, or -1 on failure. */
int fg_cfi_image_open(struct fg_cfi_image *image, const struct fg_elf *e,
		      enum fg_cfi_rules wants);

/* Accepts a zeroed struct. */
void fg_cfi_image_close(struct fg_cfi_image *image);

/*
 * Finds the address that an offset in the file is linked at. Returns false if no
 * segment has that offset.
 */
bool fg_cfi_image_address(const struct fg_cfi_image *image, uint64_t offset,
			  uint64_t *address);

/*
 * Copies the rules for an address into the image. Call it before you ask libdw for
 * them. Most rules of a large binary are never needed, and reading all of them takes
 * longer than everything else. Does nothing if all rules are in the image already.
 * Returns false if libdw must not read these rules, because they are malformed or would
 * take too much memory.
 */
bool fg_cfi_image_ask(struct fg_cfi_image *image, uint64_t address);

/*
 * Reads the 8 bytes at an offset in the file. Returns false if the file is too short.
 */
bool fg_cfi_image_word(const struct fg_cfi_image *image, uint64_t offset,
		       uint64_t *word);

#endif
