/*
 * Debug information for libdw, which believes what a file says: it reads texts without
 * an end beyond their section, inflates a few bytes to gigabytes, and opens whatever
 * file a link names, a FIFO included. So libdw never gets the file. It gets a copy in
 * memory of the sections that are needed, which have been checked, and which name no
 * other file.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DWARFOPEN_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DWARFOPEN_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <gelf.h>

#include "collapse/formats/perf/data/elf.h"
#include "lib/base/buf.h"

enum fg_pd_debug {
	FG_PD_DEBUG_INFO,
	FG_PD_DEBUG_TYPES,
	FG_PD_DEBUG_ABBREV,
	FG_PD_DEBUG_ADDR,
	FG_PD_DEBUG_LINE,
	FG_PD_DEBUG_LINE_STR,
	FG_PD_DEBUG_STR,
	FG_PD_DEBUG_STR_OFFSETS,
	FG_PD_DEBUG_RANGES,
	FG_PD_DEBUG_RNGLISTS,
	FG_PD_DEBUG_SECTIONS /* how many there are */
};

/* A section of the copy. It is left out if it is empty. */
struct fg_pd_debug_section {
	GElf_Shdr header; /* where the bytes are in the file, and how they are packed */
	bool is_z; /* packed, and called .zdebug_... */
	struct fg_str
		bytes; /* if not empty: the bytes themselves, which are borrowed */
};

struct fg_pd_dwarf {
	Dwarf *dwarf;
	Elf *elf; /* the copy, which is in `bytes` */
	struct fg_buf bytes;
};

/*
 * Finds the sections of a file whose names end with `suffix`: "", or ".dwo" for those
 * of -gsplit-dwarf. If there are several of one name, the first counts, like in libdw.
 */
void fg_pd_debug_find(const struct fg_pd_elf *e, const char *suffix,
		      struct fg_pd_debug_section list[FG_PD_DEBUG_SECTIONS]);

/*
 * Copies those sections and opens the copy. Returns NULL if that is not possible, with
 * EFBIG in errno if it would take too much memory. The file may be closed before.
 */
struct fg_pd_dwarf *
fg_pd_dwarf_open(const struct fg_pd_elf *e,
		 const struct fg_pd_debug_section list[FG_PD_DEBUG_SECTIONS]);

/* Accepts NULL. */
void fg_pd_dwarf_close(struct fg_pd_dwarf *d);

#endif

#endif
