/*
 * Rules of how frames are left, .eh_frame and .debug_frame, before libdw follows them:
 * of a register with a large number it makes room for all below it, and again for each
 * time that the rules are remembered. Five bytes can so take a gigabyte.
 *
 * "DWARF Debugging Information Format", version 5, 6.4; Linux Standard Base, 10.6.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_CFI_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_CFI_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

struct fg_pd_cfi {
	const unsigned char *ident; /* of the ELF file, which has 64 bits */
	Elf_Data data; /* the section, or all of the file */
	bool is_eh; /* else .debug_frame */
	/* the CIE that was looked at last, and what its FDEs need: */
	bool has_cie;
	Dwarf_Off cie;
	unsigned char encoding; /* of their addresses */
	bool is_sized;
};

/* Whether the FDE at an offset can be followed, as far as libdw will do that. */
bool fg_pd_cfi_is_sane(struct fg_pd_cfi *c, Dwarf_Off fde);

/* The same of all FDEs of a section, one after the other. */
bool fg_pd_cfi_are_sane(struct fg_pd_cfi *c);

#endif

#endif
