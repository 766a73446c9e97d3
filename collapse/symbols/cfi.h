/*
 * Rules of how frames are left, .eh_frame and .debug_frame, before libdw follows them:
 * of a register with a large number it makes room for all below it, and again for each
 * time that the rules are remembered. Five bytes can so take a gigabyte. And it goes
 * through the rules of a function for each of its frames: long ones take long.
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
 * Bytes of entries that are looked at, for each byte of their section. FDEs of several
 * CIEs may come by turns, so that those, which are short, are looked at again; but
 * long ones could be, and an index could lead to one FDE again and again.
 */
#define FG_CFI_TIMES 4

struct fg_cfi {
	const unsigned char *ident; /* of the ELF file, which has 64 bits */
	Elf_Data data; /* the section, or all of the file */
	bool is_eh; /* else .debug_frame */
	uint64_t left; /* bytes of entries that may still be looked at */
	/* the CIE that was looked at last, and what its FDEs need: */
	bool has_cie;
	Dwarf_Off cie;
	unsigned char encoding; /* of their addresses */
	bool is_sized;
};

/* Whether the FDE at an offset can be followed, as far as libdw will do that. */
bool fg_cfi_is_sane(struct fg_cfi *c, Dwarf_Off fde);

/* The same of all FDEs of a section, one after the other. */
bool fg_cfi_are_sane(struct fg_cfi *c);

#endif

#endif
