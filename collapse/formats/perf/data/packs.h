/*
 * Parameter packs in mangled names of C++.
 *
 * For each of them the demangler walks over all that the expansion is made of, and
 * writes nothing meanwhile. What a name repeats by reference is walked over as often as
 * it is meant, so 250 bytes can keep it busy for years.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_PACKS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_PACKS_H

#include <stdbool.h>

/* Whether the demangler of libiberty gets through the packs of a name. */
bool fg_pd_packs_are_small(const char *name);

#endif
