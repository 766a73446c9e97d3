/*
 * Copies of binaries for the unwinder, with unwinding rules and nothing else.
 *
 * libdw finds .eh_frame by section or by program header. By section, it searches it
 * from start to end if the linker put its index behind it, like gold does, which takes
 * seconds for a large library. By program header it always uses the index. So the copy
 * has the section only if the file has no such header, like the output of gcc -static.
 * It also has .debug_frame, for code that was compiled without .eh_frame.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFIIMAGE_H
#define FG_COLLAPSE_SYMBOLS_CFIIMAGE_H

#include <libelf.h>

#include "collapse/symbols/cfi.h"
#include "collapse/symbols/elf.h"

enum fg_cfi_rules {
	FG_CFI_RULES_ALL,
	/* rules of a few addresses, with fg_cfi_image_ask() for each */
	FG_CFI_RULES_ASKED,
};

struct fg_cfi_image {
	const struct fg_elf *file; /* borrowed */
	char *bytes; /* the file with holes, and sections of its own; NULL: none */
	size_t size;
	Elf *elf;
	uint64_t low, high; /* the addresses it is linked at */
	bool is_swapped; /* the file has another byte order */
	enum fg_cfi_rules wants;
	/* places of the index of .eh_frame, in the file and in memory */
	uint64_t index_at, index_address;
	size_t entries; /* entries of the index; 0: it is not a usual one */
	struct fg_cfi cfi; /* checks the entries that the index leads to */
};

/* Makes a copy of a file, which has to stay open. Returns 0, or -1 on failure. */
int fg_cfi_image_open(struct fg_cfi_image *image, const struct fg_elf *e,
		      enum fg_cfi_rules wants);

/* Accepts a zeroed struct. */
void fg_cfi_image_close(struct fg_cfi_image *image);

/*
 * Finds the address that an offset in the file is linked at. Returns false if it is not
 * loaded.
 */
bool fg_cfi_image_address(const struct fg_cfi_image *image, uint64_t offset,
			  uint64_t *address);

/*
 * Copies the rules for an address, before libdw is asked for them. Most rules of a
 * large binary are never needed, and reading them all takes longer than everything
 * else. Does nothing if all rules are there. Returns false if libdw must not be asked,
 * because these rules would take too much memory.
 */
bool fg_cfi_image_ask(struct fg_cfi_image *image, uint64_t address);

/* Reads the word at an offset in the file. Returns false if there is none. */
bool fg_cfi_image_word(const struct fg_cfi_image *image, uint64_t offset,
		       uint64_t *word);

#endif
