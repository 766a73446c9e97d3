/*
 * Texts of debug information. libdw (0.188 at least) does not look whether one ends in
 * its section: it and what calls it would read on behind it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DWARFTEXT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DWARFTEXT_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

/* Whether the sections of texts of a file end with the end of one. */
bool fg_pd_dwarf_texts_are_whole(Dwarf *dwarf);

/*
 * The text of an attribute, from a file of which the above is true; valid as long as
 * that is open. NULL where it is no text or one that has no end.
 */
const char *fg_pd_dwarf_text(Dwarf_Attribute *attribute);

#endif

#endif
