/*
 * The name of a function of an ELF file, whichever perf printed it.
 *
 * One function has three texts, by version of perf and by the library that demangles
 * for it:
 *
 *     ns::f<int>                                   perf 6.1
 *     std::vector<int> ns::f<int>(char) [clone .x] perf 6.12 and 7.3
 *     _ZN2ns1fIiEESt6vectorIiSaIiEEc.x             --no-demangle, and where it fails
 *
 * All three become the first, which is also the name in a recording that is read
 * without perf script. Names of JIT maps and of the kernel are never demangled; they do
 * not belong here.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_ELFNAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_ELFNAME_H

#include "lib/base/buf.h"

/*
 * Returns the name that `symbol` stands for: a part of it, or text that is appended to
 * `made`.
 *
 * perf 6.12 and 7.3 hand every symbol to __cxa_demangle(), which takes the names of
 * types, too: the C function f is printed as "float", Pi as "int*", PK11_FreeSymKey as
 * "_FreeSymKey const*". That is undone. `operators`: also "operator+" and the like,
 * which are C functions if those of C++ are printed with class and parameters.
 */
struct fg_str perf_elf_name(struct fg_str symbol, bool operators, struct fg_buf *made);

/* Returns true if perf_elf_name() may do more than cut off parameters. */
bool perf_elf_name_differs(struct fg_str symbol);

#endif
