/*
 * Opens debug information with libdw, which believes everything a file says: it reads
 * beyond the end of a section if a string there has no end, inflates a few bytes to
 * gigabytes, and opens any file that a link names, even a FIFO. So libdw never gets the
 * file. It gets a copy in memory of the sections that it needs, after we have checked
 * them. They name no other file.
 *
 *     struct fg_dwarf_source sections[FG_DEBUG_SECTIONS];
 *     fg_dwarf_find(elf, "", sections);
 *     struct fg_dwarf *d = fg_dwarf_open(elf, sections);
 */
#ifndef FG_COLLAPSE_SYMBOLS_DWARF_H
#define FG_COLLAPSE_SYMBOLS_DWARF_H

#include "lib/base/str.h"

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>

#include "collapse/symbols/elf.h"
#include "lib/base/buf.h"

enum fg_dwarf_kind {
	FG_DEBUG_INFO,
	FG_DEBUG_TYPES,
	FG_DEBUG_ABBREV,
	FG_DEBUG_ADDR,
	FG_DEBUG_LINE,
	FG_DEBUG_LINE_STR,
	FG_DEBUG_STR,
	FG_DEBUG_STR_OFFSETS,
	FG_DEBUG_RANGES,
	FG_DEBUG_RNGLISTS,
	FG_DEBUG_SECTIONS
};

/* A section to copy. An empty one is left out. */
struct fg_dwarf_source {
	GElf_Shdr header; /* its place in the file, and whether it is compressed */
	bool is_z; /* it is compressed, and its name is .zdebug_... */
	struct fg_str
		/* if not empty, copied instead of the bytes in the file; borrowed */
		bytes;
};

struct fg_dwarf {
	Dwarf *dwarf;
	Elf *elf; /* the copy, whose contents are in `bytes` */
	struct fg_buf bytes;
};

/*
 * Finds the sections of a file whose names end with `suffix`: "", or ".dwo" for the
 * sections of -gsplit-dwarf. If several have the same name, the first counts, like in
 * libdw.
 */
void fg_dwarf_find(const struct fg_elf *e, const char *suffix,
		   struct fg_dwarf_source list[FG_DEBUG_SECTIONS]);

/*
 * Copies the sections in `list` and opens the copy. Returns NULL on failure, with EFBIG
 * in errno if it would take too much memory. The file `e` may be closed before the
 * copy.
 */
struct fg_dwarf *fg_dwarf_open(const struct fg_elf *e,
			       const struct fg_dwarf_source list[FG_DEBUG_SECTIONS]);

/* Accepts NULL. */
void fg_dwarf_close(struct fg_dwarf *d);

/*
 * Strings of debug information. libdw (at least 0.188) does not check that a string
 * ends in its section: it and its callers would read beyond the section.
 */

/* A section of debug information in libdw. Set `elf`, and the rest to 0. */
struct fg_dwarf_section {
	Elf *elf;
	Elf_Scn *scn;
	const char *name;
	struct fg_str bytes;
};

/* Goes to the next section. Returns false if there is none. */
bool fg_dwarf_next_section(struct fg_dwarf_section *s);

/*
 * Returns how many bytes all sections may take unpacked: FG_ELF_INFLATED_TIMES times
 * their size plus FG_ELF_INFLATED_MAX.
 */
uint64_t fg_dwarf_room(Dwarf *dwarf);

/* Returns true if each section of strings ends with a NUL. */
bool fg_dwarf_texts_are_whole(Dwarf *dwarf);

/*
 * Returns the string of an attribute, valid while the file is open.
 * fg_dwarf_texts_are_whole() must be true for the file. Returns NULL if the attribute
 * is not a string, has no end, or has more than 65,536 bytes, which no name or path
 * has.
 */
const char *fg_dwarf_text(Dwarf_Attribute *attribute);

#endif

#endif
