/*
 * Names of functions as compilers and demanglers write them, whoever prints them.
 */
#ifndef FG_COLLAPSE_NAMES_H
#define FG_COLLAPSE_NAMES_H

#include "lib/base/buf.h"

/*
 * The length of a C++ or Rust symbol without its parameter list and what follows that.
 * Parentheses that are part of a name stay: "(anonymous namespace)::f", "operator()",
 * "std::function<void (int)>::f". At least 1, unless the symbol is empty.
 */
size_t fg_name_length(struct fg_str symbol);

/*
 * Returns the name that a symbol declares, a part of `symbol`: without return type,
 * parameters, constraints and "[clone ...]". Names that have no return type, like those
 * of Rust and Go, only lose their parameters.
 *
 *     std::vector<int> ns::f<int>(char) [clone .cold]  ->  ns::f<int>
 *     double (*f<int>(int))(char)                      ->  f<int>
 */
struct fg_str fg_name_of_declaration(struct fg_str symbol);

/*
 * Whether a symbol of Rust was demangled as if it were of C++: it ends in "::h" and 16
 * hexadecimal digits, behind which ".llvm." and a number may be.
 */
bool fg_name_is_rust(struct fg_str symbol);

/* Appends such a symbol as it was written: without the end, "$LT$" as "<". */
void fg_add_rust_name(struct fg_buf *b, struct fg_str symbol);

/* Appends a symbol without its parameter list, or of Rust as it was written. */
void fg_add_name(struct fg_buf *b, struct fg_str symbol);

/* A symbol without "+0x1f" or "+0x1f/0x30" at its end. */
struct fg_str fg_name_cut_offset(struct fg_str symbol);

/* A symbol without its version: "qsort@@GLIBC_2.2.5" is "qsort". */
struct fg_str fg_name_cut_version(struct fg_str symbol);

#endif
