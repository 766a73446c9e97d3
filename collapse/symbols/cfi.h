/*
 * Checks unwinding rules, .eh_frame and .debug_frame, before libdw follows them. For a
 * register with a large number libdw makes room for all below it, and again each time
 * the rules are remembered, so five bytes can take a gigabyte. And it goes through the
 * rules of a function for each of its frames, so long rules take long.
 *
 * "DWARF Debugging Information Format", version 5, 6.4; Linux Standard Base, 10.6.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFI_H
#define FG_COLLAPSE_SYMBOLS_CFI_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * We check so many bytes of entries for each byte of their section. FDEs of several
 * CIEs may take turns, so a CIE, which is short, is checked more than once. But a CIE
 * could be long, and an index could lead to the same FDE again and again.
 */
#define FG_CFI_TIMES 4

struct fg_cfi {
	const unsigned char *ident; /* ident of the ELF file, which has 64 bits */
	Elf_Data data; /* the section, or the whole file */
	bool is_eh; /* .eh_frame, not .debug_frame */
	uint64_t left; /* bytes of entries that may still be checked */
	/* the CIE that was checked last, and what its FDEs need: */
	bool has_cie;
	Dwarf_Off cie;
	unsigned char encoding; /* encoding of their addresses */
	bool is_sized;
};

/* Returns true if libdw can follow the FDE at an offset. */
bool fg_cfi_is_sane(struct fg_cfi *c, Dwarf_Off fde);

/* Like fg_cfi_is_sane(), for all FDEs of a section, one after the other. */
bool fg_cfi_are_sane(struct fg_cfi *c);

#endif

#endif
