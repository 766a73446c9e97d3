/*
 * Turns the linker's names of functions into those that perf prints: "_ZN4loom4knotEj"
 * into "loom::knot".
 */
#ifndef FG_COLLAPSE_SYMBOLS_DEMANGLE_H
#define FG_COLLAPSE_SYMBOLS_DEMANGLE_H

#include "lib/base/buf.h"

/*
 * We use the demangler of GNU libiberty because perf does, so names are the same. It
 * knows C++ and both schemes of Rust, and can leave out parameters, unlike
 * __cxa_demangle() of the C++ run-time library. Its licence permits linking with any
 * program. If we are built without libiberty, names stay mangled.
 */

/*
 * The longest demangled name, in bytes. A mangled name of 300 bytes can stand for
 * gigabytes.
 */
#define FG_DEMANGLED_MAX ((size_t)64 << 10)

enum fg_demangled {
	FG_NOT_MANGLED,
	FG_DEMANGLED,
	FG_DEMANGLED_TOO_LONG, /* mangled, but the demangled name would be too long */
};

/*
 * Returns true if fg_demangle() may know the name. Decides by the first byte, before
 * you copy a name to put a NUL after it.
 */
static inline bool fg_may_be_mangled(struct fg_str name)
{
	return name.len && fg_str_has_char(FG_STR("_cL"), name.ptr[0]);
}

/*
 * Appends the demangled name of a C++, Rust, OCaml or Java function to `out`, without
 * its parameters. Appends nothing unless it returns FG_DEMANGLED. `name` must end in a
 * NUL.
 */
enum fg_demangled fg_demangle(const char *name, struct fg_buf *out);

/*
 * Like fg_demangle(), but keeps the parameters of C++ functions, like addr2line, and
 * leaves names of OCaml and Java as they are.
 */
enum fg_demangled fg_demangle_fully(const char *name, struct fg_buf *out);

#endif
