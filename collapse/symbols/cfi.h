/*
 * Checks unwinding rules, .eh_frame and .debug_frame, before libdw follows them. For a
 * large register number, libdw allocates memory for all registers up to that number,
 * and again each time an instruction remembers the rules. So five bytes can take a
 * gigabyte. libdw also reads the rules of a function again for each of its frames, so
 * long rules are slow.
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
 * The most bytes of entries that we check for each byte of their section. It is more
 * than 1, because FDEs of several CIEs may alternate, and then a CIE, which is short,
 * is checked more than once. We need a limit because a malformed CIE could be long, and
 * a malformed index could lead to the same FDE again and again.
 */
#define FG_CFI_TIMES 4

struct fg_cfi {
	const unsigned char *ident; /* e_ident of the ELF file, which has 64 bits */
	Elf_Data data; /* the section, or the whole file */
	bool is_eh; /* .eh_frame, not .debug_frame */
	uint64_t left; /* bytes of entries that may still be checked */
	bool has_cie; /* a CIE was checked; the fields below are about the last one */
	Dwarf_Off cie; /* offset of that CIE */
	unsigned char encoding; /* encoding of the addresses in its FDEs */
	/* its FDEs have augmentation data, which starts with its length */
	bool is_sized;
	/*
	 * the register that the last FDE made the base of its frame, after it had been
	 * another one, or FG_CFI_NO_BASE
	 */
	uint64_t base;
};

#define FG_CFI_NO_BASE UINT64_MAX

/* Returns true if libdw can follow the FDE at an offset. */
bool fg_cfi_is_sane(struct fg_cfi *c, Dwarf_Off fde);

/* Returns true if libdw can follow all FDEs of a section. */
bool fg_cfi_are_sane(struct fg_cfi *c);

/* Numbers of functions. */
struct fg_cfi_frames {
	unsigned functions;
	unsigned framed; /* functions that make a register the base of their frame */
};

/*
 * Adds the functions of a section, until there are `max`, to `frames`. Skips those that
 * libdw cannot follow.
 */
void fg_cfi_count_frames(struct fg_cfi *c, uint64_t base, unsigned max,
			 struct fg_cfi_frames *frames);

#endif

#endif
