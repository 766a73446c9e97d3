/*
 * Names of Rust that were demangled as if they were of C++.
 */
#ifndef FG_COLLAPSE_PERF_RUST_H
#define FG_COLLAPSE_PERF_RUST_H

#include "lib/buf.h"

/*
 * Whether it ends in "::h" and 16 hexadecimal digits, behind which ".llvm." and a
 * number may be.
 */
bool perf_is_rust(struct fg_str symbol);

/* Appends such a symbol as it was written: without the end, "$LT$" as "<". */
void perf_add_rust(struct fg_buf *b, struct fg_str symbol);

#endif
