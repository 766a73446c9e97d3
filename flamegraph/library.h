/*
 * The library that a frame's function belongs to, as far as its name tells.
 *
 * Collapsers and profilers write it in many ways: "malloc@libc.so.6",
 * "libc.so.1`poll", "ntdll!RtlUserThreadStart", "[libfoo.so]", "poll (libc.so.6)".
 * Without it there may be what comes next to it: the source file of
 * "parse (app.py:12)", the package of Java or Go, the crate of Rust, the namespace of
 * C++.
 */
#ifndef FG_FLAMEGRAPH_LIBRARY_H
#define FG_FLAMEGRAPH_LIBRARY_H

#include "lib/base/str.h"

/*
 * Empty where the name, with its annotation, does not tell; else a part of it, or a
 * constant: "kernel", or "JIT" for code that was compiled at run time.
 */
struct fg_str fg_library_of(struct fg_str name);

/* Whether it starts with what compilers append to a name after a '.': "cold". */
bool fg_library_is_clone(struct fg_str suffix);

#endif
