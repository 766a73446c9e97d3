/*
 * Gives a function of an ELF file the same name, whichever version of perf printed it.
 *
 * perf prints a function in one of three ways, depending on its version and on the
 * library that demangles for it:
 *
 *     ns::f<int>                                   perf 6.1
 *     std::vector<int> ns::f<int>(char) [clone .x] perf 6.12 and 7.3
 *     _ZN2ns1fIiEESt6vectorIiSaIiEEc.x             --no-demangle, or demangling failed
 *
 * All three become the first, which is also the name that we read from perf.data. perf
 * never demangles names of JIT maps and of the kernel, so do not pass them here.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_ELFNAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_ELFNAME_H

#include "lib/base/buf.h"

/*
 * Returns the name of the function that perf prints as `symbol`. It is a part of
 * `symbol`, or text that is appended to `made`.
 *
 * perf 6.12 and 7.3 pass every symbol to __cxa_demangle(), which also treats names of C
 * functions as mangled types: it makes "float" of f, "int*" of Pi, "_FreeSymKey const*"
 * of PK11_FreeSymKey. We undo that. With `operators`, we undo "operator+" and the like,
 * too: if C++ functions are printed with class and parameters, a name without them is
 * that of a C function.
 */
struct fg_str perf_elf_name(struct fg_str symbol, bool operators, struct fg_buf *made);

/* Returns true if perf_elf_name() would do more than cut off parameters. */
bool perf_elf_name_differs(struct fg_str symbol);

#endif
