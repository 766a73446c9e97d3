/*
 * Debug information for libdw, which believes what a file says of itself: a text
 * without an end is read beyond its section, and a few bytes can take gigabytes.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DWARFOPEN_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DWARFOPEN_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>

#include "collapse/formats/perf/data/elf.h"

/*
 * That of a file, to be closed before it, by dwarf_end(); NULL where there is none that
 * can be read, with EFBIG in errno where it would take too much memory.
 */
Dwarf *fg_pd_dwarf_open(const struct fg_pd_elf *e);

/* Whether nothing is there, or what libdw can open by itself without harm. */
bool fg_pd_dwarf_is_harmless(const char *path);

#endif

#endif
