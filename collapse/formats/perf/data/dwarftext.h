/*
 * Texts of debug information. libdw (0.188 at least) does not look whether one ends in
 * its section: it and what calls it would read on behind it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DWARFTEXT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DWARFTEXT_H

#include "lib/base/str.h"

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

/* A section of debug information, as libdw has it. All but `elf` is 0 at first. */
struct fg_pd_dwarf_section {
	Elf *elf;
	Elf_Scn *scn;
	const char *name;
	struct fg_str bytes;
};

/* Goes to the next one; false: there is none. */
bool fg_pd_dwarf_next_section(struct fg_pd_dwarf_section *s);

/* The bytes that may be made of all sections: FG_PD_INFLATED_MAX, and times theirs. */
uint64_t fg_pd_dwarf_room(Dwarf *dwarf);

/* Whether the sections of texts of a file end with the end of one. */
bool fg_pd_dwarf_texts_are_whole(Dwarf *dwarf);

/*
 * The text of an attribute, from a file of which the above is true; valid as long as
 * that is open. NULL where it is no text, or has no end, or is longer than any name or
 * path: 65,536 bytes.
 */
const char *fg_pd_dwarf_text(Dwarf_Attribute *attribute);

#endif

#endif
