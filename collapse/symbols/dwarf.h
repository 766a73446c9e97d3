/*
 * Debug information for libdw, which believes what a file says: it reads texts without
 * an end beyond their section, inflates a few bytes to gigabytes, and opens whatever
 * file a link names, a FIFO included. So libdw never gets the file. It gets a copy in
 * memory of the sections that are needed, which have been checked, and which name no
 * other file.
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
	FG_DEBUG_SECTIONS /* how many there are */
};

/* A section of the copy. It is left out if it is empty. */
struct fg_dwarf_source {
	GElf_Shdr header; /* where the bytes are in the file, and how they are packed */
	bool is_z; /* packed, and called .zdebug_... */
	struct fg_str
		bytes; /* if not empty: the bytes themselves, which are borrowed */
};

struct fg_dwarf {
	Dwarf *dwarf;
	Elf *elf; /* the copy, which is in `bytes` */
	struct fg_buf bytes;
};

/*
 * Finds the sections of a file whose names end with `suffix`: "", or ".dwo" for those
 * of -gsplit-dwarf. If there are several of one name, the first counts, like in libdw.
 */
void fg_dwarf_find(const struct fg_elf *e, const char *suffix,
		   struct fg_dwarf_source list[FG_DEBUG_SECTIONS]);

/*
 * Copies those sections and opens the copy. Returns NULL if that is not possible, with
 * EFBIG in errno if it would take too much memory. The file may be closed before.
 */
struct fg_dwarf *fg_dwarf_open(const struct fg_elf *e,
			       const struct fg_dwarf_source list[FG_DEBUG_SECTIONS]);

/* Accepts NULL. */
void fg_dwarf_close(struct fg_dwarf *d);

/*
 * Texts of debug information. libdw (0.188 at least) does not look whether one ends in
 * its section: it and what calls it would read on behind it.
 */

/* A section of debug information, as libdw has it. All but `elf` is 0 at first. */
struct fg_dwarf_section {
	Elf *elf;
	Elf_Scn *scn;
	const char *name;
	struct fg_str bytes;
};

/* Goes to the next one; false: there is none. */
bool fg_dwarf_next_section(struct fg_dwarf_section *s);

/* The bytes that may be made of all sections: FG_ELF_INFLATED_MAX, and times theirs. */
uint64_t fg_dwarf_room(Dwarf *dwarf);

/* Whether the sections of texts of a file end with the end of one. */
bool fg_dwarf_texts_are_whole(Dwarf *dwarf);

/*
 * The text of an attribute, from a file of which the above is true; valid as long as
 * that is open. NULL where it is no text, or has no end, or is longer than any name or
 * path: 65,536 bytes.
 */
const char *fg_dwarf_text(Dwarf_Attribute *attribute);

#endif

#endif
