/*
 * The names of functions as perf prints them, from those that a linker sees.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DEMANGLE_H
#define FG_COLLAPSE_SYMBOLS_DEMANGLE_H

#include "lib/base/buf.h"

/*
 * The demangler of GNU libiberty.
 *
 * It is the one that perf uses, so names come out the same; it knows Rust's two schemes
 * as well as C++, and can leave parameters out, which __cxa_demangle of the C++
 * run-time library cannot. Its licence permits linking with anything. Without it names
 * stay mangled.
 */

/*
 * The longest name that is made, in bytes. A name can stand for one that is
 * exponentially longer: 300 bytes for gigabytes.
 */
#define FG_DEMANGLED_MAX ((size_t)64 << 10)

enum fg_demangled {
	FG_NOT_MANGLED,
	FG_DEMANGLED,
	FG_DEMANGLED_TOO_LONG, /* it is mangled, and what it stands for is no name */
};

/*
 * Appends the demangled name of a C++, Rust, OCaml or Java function to `out`, without
 * its parameters, or nothing. `name` ends in a NUL.
 */
enum fg_demangled fg_demangle(const char *name, struct fg_buf *out);

/*
 * Like fg_demangle(), but keeps the parameters of C++ functions, like addr2line, and
 * leaves names of OCaml and Java as they are.
 */
enum fg_demangled fg_demangle_fully(const char *name, struct fg_buf *out);

#endif
