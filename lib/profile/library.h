/*
 * Finds the library of a frame's function from its name.
 *
 * Collapsers and profilers write it in many ways: "malloc@libc.so.6", "libc.so.1`poll",
 * "ntdll!RtlUserThreadStart", "[libfoo.so]", "poll (libc.so.6)". If the name tells no
 * library, we take the next best thing: the source file of "parse (app.py:12)", the
 * package of Java or Go, the crate of Rust, the namespace of C++.
 */
#ifndef FG_LIB_PROFILE_LIBRARY_H
#define FG_LIB_PROFILE_LIBRARY_H

#include "lib/base/str.h"

/*
 * Returns a part of the name or a constant: "kernel", or "JIT" for code that was
 * compiled at run time. Returns an empty string if the name does not tell. `name`
 * includes its annotation.
 */
struct fg_str fg_library_of(struct fg_str name);

/*
 * Like fg_library_of(), but takes a function without its annotation and its source
 * line, so that it has no file.
 */
struct fg_str fg_library_of_function(struct fg_str plain, struct fg_str annotation);

/* Returns true for the suffixes that compilers put after a '.': "cold", "part.0". */
bool fg_library_is_clone(struct fg_str suffix);

#endif
