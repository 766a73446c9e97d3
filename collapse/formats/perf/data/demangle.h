/*
 * The names of functions as perf prints them, from those that a linker sees.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DEMANGLE_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DEMANGLE_H

#include "collapse/formats/perf/data/libiberty.h"

/*
 * Appends the demangled name of a C++, Rust, OCaml or Java function to `out`, without
 * its parameters, or nothing. `name` ends in a NUL.
 */
enum fg_pd_demangled fg_pd_demangle(const char *name, struct fg_buf *out);

#endif
