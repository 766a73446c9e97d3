/*
 * The names of functions as perf prints them, from those that a linker sees.
 */
#ifndef FG_COLLAPSE_PERFDATA_DEMANGLE_H
#define FG_COLLAPSE_PERFDATA_DEMANGLE_H

#include "lib/buf.h"

/*
 * Puts the demangled name of a C++, Rust or OCaml function into `out`, without its
 * parameters: true, or false where `name`, which ends in a NUL, is not mangled.
 */
bool fg_pd_demangle(const char *name, struct fg_buf *out);

#endif
