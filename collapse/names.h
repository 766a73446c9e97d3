/*
 * Names of functions as compilers and demanglers write them, whoever prints them.
 */
#ifndef FG_COLLAPSE_NAMES_H
#define FG_COLLAPSE_NAMES_H

#include "lib/buf.h"

/*
 * The length of a C++ or Rust symbol without its parameter list and what follows that.
 * Parentheses that are part of a name stay: "(anonymous namespace)::f", "operator()",
 * "std::function<void (int)>::f". At least 1, unless the symbol is empty.
 */
size_t fg_name_length(struct fg_str symbol);

/*
 * Whether a symbol of Rust was demangled as if it were of C++: it ends in "::h" and 16
 * hexadecimal digits, behind which ".llvm." and a number may be.
 */
bool fg_name_is_rust(struct fg_str symbol);

/* Appends such a symbol as it was written: without the end, "$LT$" as "<". */
void fg_add_rust_name(struct fg_buf *b, struct fg_str symbol);

#endif
