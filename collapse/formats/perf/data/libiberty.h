/*
 * The demangler of GNU libiberty.
 *
 * It is the one that perf uses, so names come out the same; it knows Rust's two schemes
 * as well as C++, and can leave parameters out, which __cxa_demangle of the C++
 * run-time library cannot. Its licence permits linking with anything. Without it names
 * stay mangled.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_LIBIBERTY_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_LIBIBERTY_H

#include "lib/base/buf.h"

/*
 * The longest name that is made, in bytes. A name can stand for one that is
 * exponentially longer: 300 bytes for gigabytes.
 */
#define FG_PD_PLAIN_MAX ((size_t)64 << 10)

enum fg_pd_demangled {
	FG_PD_NOT_MANGLED,
	FG_PD_DEMANGLED,
	FG_PD_NAME_TOO_LONG, /* it is mangled, and what it stands for is no name */
};

/* Appends what a name of C++ or Rust means; nothing unless it is demangled. */
enum fg_pd_demangled fg_pd_by_libiberty(const char *name, struct fg_buf *out);

#endif
