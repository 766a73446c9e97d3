/*
 * The abbreviations of debug information, before libdw reads them. It keeps them for
 * each unit, also where many units have the same table.
 *
 * The table is in "DWARF Debugging Information Format", version 5, 7.5.3.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ABBREVS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ABBREVS_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

/* Whether libdw can keep those of all units of a file. */
bool fg_pd_dwarf_abbrevs_are_few(Dwarf *dwarf);

#endif

#endif
